import type { Database } from '#foundation/database/database.ts';
import { cpuMeter } from './cpu.ts';
import type { LoadProcess } from './load.ts';
import { startNaivePeer } from './naive-peer-process.ts';
import type { Contestant } from './rounds.ts';
import { startService } from './service.ts';
import { PLAIN } from './tpcb-contestant.ts';
import type { WireRequest } from './wire-client.ts';

export interface ExecutionParts {
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** An empty database each. */
  readonly serviceUrl: string;
  readonly peerUrl: string;
  readonly load: LoadProcess;
  readonly closers: (() => Promise<void>)[];
}

const SPREAD = 'execute a payment, spread over accounts';
const PEER = 'naive peer, spread over accounts';
const CLIENTS = 32;

/** Executing a prefunded quote over HTTP: by the service, and by the peer with the same client and load. */
export async function executionContestants(parts: ExecutionParts): Promise<Contestant[]> {
  const { server, load, serviceUrl, peerUrl, closers } = parts;
  const service = await startService({ databaseUrl: serviceUrl, load, closers });
  const peer = await startNaivePeer(peerUrl, closers);
  const ours = (sources: readonly string[], clients: number) => ({
    unit: 'payment',
    cpu: cpuMeter(server, service.pid, serviceUrl),
    ...executed(load, service, sources, clients),
  });
  const theirs = (clients: number) => ({
    unit: 'payment',
    cpu: cpuMeter(server, peer.pid, peerUrl),
    ...executed(load, peer, peer.accounts, clients),
  });
  const few = (clients: number): Contestant[] => {
    const suffix = clients === 1 ? ', 1 client' : `, ${clients} clients`;
    return [
      { name: PEER + suffix, ...theirs(clients) },
      { name: SPREAD + suffix, against: [{ name: PEER + suffix }], ...ours(service.accounts, clients) },
    ];
  };
  return [
    { name: PEER, against: [{ name: PLAIN }], ...theirs(CLIENTS) },
    {
      name: SPREAD,
      against: [
        { name: PLAIN, budget: 0.75 },
        { name: PEER, budget: 3 },
      ],
      ...ours(service.accounts, CLIENTS),
    },
    {
      name: 'execute a payment, all out of one account',
      against: [{ name: SPREAD, budget: 0.9 }],
      ...ours(service.accounts.slice(0, 1), CLIENTS),
    },
    ...few(8),
    ...few(1),
  ];
}

/** A server of executions: the service, or its peer. */
interface Executing {
  readonly origin: string;
  makeQuotes(sources: readonly string[], count: number): Promise<string[]>;
  execution(quoteId: string): WireRequest;
}

function executed(load: LoadProcess, serving: Executing, sources: readonly string[], clients: number) {
  let requests: WireRequest[] = [];
  const execute = (some: readonly WireRequest[]) =>
    load.once({ origin: serving.origin, clients, requests: some });
  return {
    async prepare(ms: number) {
      // As many as make a round take about as long as any other.
      const count = Math.ceil(ms * (SHARE[clients] ?? 1));
      const quotes = await serving.makeQuotes(sources, count + RUN_IN * clients);
      requests = quotes.map(serving.execution);
      await execute(requests.splice(count));
    },
    round: () => execute(requests),
  };
}

/** Payments of each client before a round: while others were measured, connections and caches went cold. */
const RUN_IN = 5;
/** Payments for each millisecond of a round, where fewer clients do less. */
const SHARE: Readonly<Record<number, number>> = { 1: 0.25, 8: 0.5 };
