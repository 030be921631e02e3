import type { Database } from '#foundation/database/database.ts';
import { cpuMeter } from './cpu.ts';
import type { LoadProcess } from './load.ts';
import { startNaivePeer } from './naive-peer-process.ts';
import type { Contestant } from './rounds.ts';
import { startService } from './service.ts';
import type { Size } from './sizes.ts';
import { PLAIN } from './tpcb-contestant.ts';
import type { WireRequest } from './wire-client.ts';

export interface ExecutionParts {
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** A database each; those of the peers are empty. */
  readonly databaseUrl: string;
  readonly peerUrl: string;
  readonly guardedPeerUrl: string;
  readonly load: LoadProcess;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}

const SPREAD = 'execute a payment, spread over accounts';
const PEER = 'naive peer, spread over accounts';
const GUARDED = 'naive peer with our indexes and guards';
/** The least multiple of the naive peer's rate, by the number of clients. */
const BUDGETS = { 32: 2.3, 8: 1.4, 1: 0.8 } as const;
type Clients = keyof typeof BUDGETS;
const MANY = 32;

/** Executing a prefunded quote over HTTP: by the service, and by the peers with the same client and load. */
export async function executionContestants(parts: ExecutionParts): Promise<Contestant[]> {
  const { server, load, size, databaseUrl, peerUrl, guardedPeerUrl, closers } = parts;
  const service = await startService(parts);
  const startPeer = (url: string, isGuarded: boolean) =>
    startNaivePeer({ databaseUrl: url, closers, customers: size.customers, isGuarded });
  const [peer, guarded] = [await startPeer(peerUrl, false), await startPeer(guardedPeerUrl, true)];
  const by = (serving: Executing, url: string, clients: Clients, sources = serving.accounts) => ({
    unit: 'payment',
    cpu: cpuMeter(server, serving.pid, url),
    ...executed(serving, sources, { load, size, clients }),
  });
  const withClients = (clients: Clients): Contestant[] => {
    const named = (name: string) => (clients === MANY ? name : `${name}, ${countOf(clients)}`);
    const plain = (budget?: number) =>
      clients === MANY ? [{ name: PLAIN, ...(budget !== undefined && { budget }) }] : [];
    return [
      { name: named(PEER), against: plain(), ...by(peer, peerUrl, clients) },
      {
        name: named(GUARDED),
        against: [{ name: named(PEER) }],
        ...by(guarded, guardedPeerUrl, clients),
      },
      {
        name: named(SPREAD),
        against: [{ name: named(PEER), budget: BUDGETS[clients] }, { name: named(GUARDED) }, ...plain(0.75)],
        ...by(service, databaseUrl, clients),
      },
    ];
  };
  return [
    ...withClients(1),
    ...withClients(8),
    ...withClients(MANY),
    {
      name: 'execute a payment, all out of one account',
      against: [{ name: SPREAD, budget: 1.1 }],
      ...by(service, databaseUrl, MANY, service.accounts.slice(0, 1)),
    },
  ];
}

function countOf(clients: number): string {
  return clients === 1 ? '1 client' : `${clients} clients`;
}

/** A server of executions: the service, or a peer. */
interface Executing {
  readonly pid: number;
  readonly origin: string;
  readonly accounts: readonly string[];
  makeQuotes(sources: readonly string[], count: number): Promise<string[]>;
  execution(quoteId: string): WireRequest;
}

interface Pressure {
  readonly load: LoadProcess;
  readonly size: Size;
  readonly clients: Clients;
}

function executed(serving: Executing, sources: readonly string[], { load, size, ...wanted }: Pressure) {
  const clients = Math.min(wanted.clients, size.clients);
  let requests: WireRequest[] = [];
  const execute = (some: readonly WireRequest[]) =>
    load.once({ origin: serving.origin, clients: clients, requests: some });
  return {
    async prepare(ms: number) {
      // As many as make a round take about as long as any other.
      const count = Math.ceil(ms * SHARE[wanted.clients]);
      const quotes = await serving.makeQuotes(sources, count + size.runIn * clients);
      requests = quotes.map(serving.execution);
      await execute(requests.splice(count));
    },
    round: () => execute(requests),
  };
}

/** Payments for each millisecond of a round: fewer clients do less. */
const SHARE: Readonly<Record<Clients, number>> = { 32: 1, 8: 0.5, 1: 0.25 };
