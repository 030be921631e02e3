import type { Database } from '#foundation/database/database.ts';
import { cpuMeter } from './cpu.ts';
import type { LoadProcess } from './load.ts';
import { type Contestant, quantile } from './rounds.ts';
import { type Service, startService } from './service.ts';
import { milliseconds, printRows } from './table.ts';
import { PLAIN } from './tpcb-contestant.ts';

export interface CompletionParts {
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** An empty one. */
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly closers: (() => Promise<void>)[];
}

const CLIENTS = 32;
/** The sandbox takes a second to deliver; with this many in flight that limits only rates above 1,500 a second. */
const UNDER_WAY_MAX = 1_500;
/** Completed before counting begins, and counted. */
const LEAD = 500;
const COUNTED = 1_500;

/**
 * Measures payments from the request to `COMPLETED`, with the three webhooks of each (`PROCESSING`, the balance,
 * `COMPLETED`), in a steady stream, so that the sandbox's own wait costs nothing. API and worker are
 * one process. The processor time is that of the whole stream.
 */
export async function completionContestant(parts: CompletionParts): Promise<Contestant> {
  const { server, databaseUrl, load } = parts;
  const service = await startWithWorker(parts);
  let quotes: string[] = [];
  return {
    name: 'payments to COMPLETED, three webhooks each, net of waits',
    unit: 'payment',
    against: [{ name: PLAIN, budget: 0.3 }],
    cpu: cpuMeter(server, service.pid, databaseUrl),
    async prepare() {
      quotes = await makeNotifiedQuotes(load, service, UNDER_WAY_MAX + LEAD + COUNTED);
    },
    round: () =>
      load.stream(
        { origin: service.origin, clients: CLIENTS, requests: quotes.map(service.execution) },
        { underWayMax: UNDER_WAY_MAX, lead: LEAD },
      ),
  };
}

const PACES = [
  { perSecond: 10, count: 60 },
  { perSecond: 100, count: 600 },
];

/** The time from the reply to a payment's execution to the arrival of its webhook. */
export async function printWebhookLags(parts: CompletionParts): Promise<void> {
  const { load } = parts;
  const service = await startWithWorker(parts);
  const lagsAt = async (perSecond: number, count: number) => {
    const quotes = await makeNotifiedQuotes(load, service, count);
    const requests = quotes.map(service.execution);
    return load.webhookLags({ origin: service.origin, clients: CLIENTS, requests }, perSecond);
  };
  await lagsAt(200, 1_000); // Not shown: what runs often is compiled while it runs.
  const rows = [];
  for (const { perSecond, count } of PACES) {
    const lags = await lagsAt(perSecond, count);
    rows.push({
      'from the commit to the first attempt of its webhook': `${perSecond} payments a second`,
      'p50 ms': milliseconds(quantile(lags, 0.5)),
      'p95 ms': milliseconds(quantile(lags, 0.95)),
    });
  }
  console.log('\nwebhooks');
  printRows(rows);
}

async function startWithWorker({ databaseUrl, load, closers }: CompletionParts): Promise<Service> {
  return startService({ databaseUrl, load, closers, webhookEndpoint: await load.receive() });
}

/** Quotes whose own webhooks have arrived. */
async function makeNotifiedQuotes(load: LoadProcess, service: Service, count: number): Promise<string[]> {
  const quotes = await service.makeQuotes(service.accounts, count);
  await load.arrivals('OUTGOING_PAYMENT.PENDING', count);
  return quotes;
}
