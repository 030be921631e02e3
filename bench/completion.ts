import type { Database } from '#foundation/database/database.ts';
import { cpuMeter } from './cpu.ts';
import type { LoadProcess } from './load.ts';
import { type Contestant, quantile } from './rounds.ts';
import { type Service, startService } from './service.ts';
import type { Pace, Size } from './sizes.ts';
import { milliseconds, printRows } from './table.ts';
import { PLAIN } from './tpcb-contestant.ts';

export interface CompletionParts {
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  /** An empty one. */
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}

/**
 * Measures payments from the request to `COMPLETED`, with the three webhooks of each (`PROCESSING`, the balance,
 * `COMPLETED`), in a steady stream, so that the sandbox's own wait costs nothing. API and worker are
 * one process. The processor time is that of the whole stream.
 */
export async function completionContestant(parts: CompletionParts): Promise<Contestant> {
  const { server, databaseUrl, load, size } = parts;
  const { underWayMax, lead, counted } = size.stream;
  const service = await startWithWorker(parts);
  let quotes: string[] = [];
  return {
    name: 'payments to COMPLETED, three webhooks each, net of waits',
    unit: 'payment',
    against: [{ name: PLAIN, budget: 0.28 }],
    cpu: cpuMeter(server, service.pid, databaseUrl),
    async prepare() {
      quotes = await makeNotifiedQuotes(load, service, underWayMax + lead + counted);
    },
    round: () =>
      load.stream(
        { origin: service.origin, clients: size.clients, requests: quotes.map(service.execution) },
        { underWayMax, lead },
      ),
  };
}

/** The time from the reply to a payment's execution to the arrival of its webhook. */
export async function printWebhookLags(parts: CompletionParts): Promise<void> {
  const { load, size } = parts;
  const service = await startWithWorker(parts);
  const lagsAt = async ({ perSecond, count }: Pace) => {
    const quotes = await makeNotifiedQuotes(load, service, count);
    const requests = quotes.map(service.execution);
    return load.webhookLags({ origin: service.origin, clients: size.clients, requests }, perSecond);
  };
  // The first is not shown: what runs often is compiled while it runs.
  const [warmUp, ...shown] = size.paces;
  if (warmUp) await lagsAt(warmUp);
  const rows = [];
  for (const pace of shown) {
    const lags = await lagsAt(pace);
    rows.push({
      'from the commit to the first attempt of its webhook': `${pace.perSecond} payments a second`,
      'p50 ms': milliseconds(quantile(lags, 0.5)),
      'p95 ms': milliseconds(quantile(lags, 0.95)),
    });
  }
  console.log('\nwebhooks');
  printRows(rows);
}

async function startWithWorker({ load, ...parts }: CompletionParts): Promise<Service> {
  return startService({ ...parts, load, webhookEndpoint: await load.receive() });
}

/** Quotes whose own webhooks have arrived. */
async function makeNotifiedQuotes(load: LoadProcess, service: Service, count: number): Promise<string[]> {
  const quotes = await service.makeQuotes(service.accounts, count);
  await load.arrivals('OUTGOING_PAYMENT.PENDING', count);
  return quotes;
}
