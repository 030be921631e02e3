import {
  type ConnectorFigures,
  connectorFigures,
  type OpenOrders,
  openOrders,
} from '#capabilities/connectors/figures-store.ts';
import { countOverdue } from '#capabilities/payments/settlement/store.ts';
import { OPEN_STATUSES, statusesOf } from '#capabilities/payments/statuses.ts';
import {
  type AccountFigures,
  accountFigures,
  type BreakFigures,
  breakFigures,
} from '#capabilities/reconciliation/figures-store.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { Metrics, Reading } from '#foundation/http/serve/metrics.ts';
import type { Worker } from '#foundation/jobs/worker.ts';
import { shareReads } from '#foundation/lib/batch-calls.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { ENVIRONMENTS } from '#foundation/lib/platform.ts';
import { KeyedQueue, withTimeout } from '#foundation/lib/promises.ts';
import { readCommit, VERSION } from '#foundation/lib/version.ts';
import { type AttentionGroup, loadAttention } from './attention.ts';
import {
  countBreakGlass,
  countCardExceptions,
  countPayments,
  type ExceptionCount,
  type HeldAmount,
  type JobLag,
  type JournalLag,
  jobLags,
  journalLags,
  owedAmounts,
  type PaymentCount,
  type PendingWebhooks,
  pendingWebhooks,
  readFigures,
  SIGN_OF_LIFE,
  suspendedAmounts,
} from './metrics-store.ts';

interface Watched {
  readonly database: Database;
  readonly clock: Clock;
  readonly worker: Worker;
}

interface Reader {
  readonly inTurn: InTurn;
  read<Row>(statement: Sql): Promise<Row[]>;
}

type InTurn = <T>(step: () => Promise<T[]>) => Promise<T[]>;

/**
 * The metrics that operators watch, in addition to those of HTTP requests (decision 0032). Figures from the database are
 * the same in every process. They are left out while the database is unavailable, so that the others stay readable.
 */
export function registerMetrics(metrics: Metrics, watched: Watched): void {
  const build = { version: VERSION, commit: readCommit() ?? 'unknown', node: process.versions.node };
  metrics.gauge('corridor_build_info', 'Always 1; the labels name the running version.', () => [
    { value: 1, labels: build },
  ]);
  registerDatabaseMetrics(metrics, watched);
  const inTurn = createTurns();
  const read = <Row>(statement: Sql) => inTurn(() => readFigures<Row>(watched.database, statement));
  const reader = { ...watched, inTurn, read };
  registerWorkMetrics(metrics, reader);
  registerMoneyMetrics(metrics, reader);
  registerConnectors(metrics, reader);
  registerReconciliation(metrics, reader);
  registerBreakGlass(metrics, reader);
  registerAttention(metrics, reader);
}

/** Shorter than the limit after which a late value is left out: this value must show that the database is down. */
const UP_MAX_MS = 2_000;

function registerDatabaseMetrics(metrics: Metrics, { database }: Watched): void {
  metrics.gauge('corridor_database_up', '1 if the database answers, else 0.', async () => {
    const answered = database.query(SIGN_OF_LIFE).then(
      () => 1,
      () => 0,
    );
    return [{ value: await withTimeout(answered, UP_MAX_MS, 0) }];
  });
  metrics.gauge('corridor_database_connections', 'Connections of this process, by state.', () => {
    const { total, idle, waiting } = database.load();
    return [
      { value: total - idle, labels: { state: 'busy' } },
      { value: idle, labels: { state: 'idle' } },
      { value: waiting, labels: { state: 'wanted' } },
    ];
  });
}

function registerWorkMetrics(metrics: Metrics, { read, clock, worker }: Watched & Reader): void {
  const pending = shareReads(() => read<PendingWebhooks>(pendingWebhooks(readClock(clock))));
  metrics.gauge('corridor_webhooks_pending', WEBHOOKS_PENDING, async () =>
    (await pending()).map(({ count, ...row }) => ({ value: count, labels: buildLabels(row, 'state') })),
  );
  metrics.gauge('corridor_webhook_oldest_age_seconds', WEBHOOK_AGE, async () =>
    (await pending()).map(({ oldest_age_seconds: value, ...row }) => ({
      value,
      labels: buildLabels(row, 'state'),
    })),
  );
  metrics.gauge('corridor_job_lag_seconds', JOB_LAG, async () =>
    (await read<JobLag>(jobLags(readClock(clock)))).map(({ kind, environment, seconds: value }) => ({
      value,
      labels: { kind, environment },
    })),
  );
  metrics.gauge('corridor_journal_lag_seconds', JOURNAL_LAG, async () =>
    (await read<JournalLag>(journalLags(readClock(clock)))).map(({ environment, seconds: value }) => ({
      value,
      labels: { environment },
    })),
  );
  const counted = (name: string) => () => worker.counters().filter((counter) => counter.name === name);
  const [jobs, attempts] = ['corridor_jobs_total', 'corridor_webhook_attempts_total'] as const;
  const polls = 'corridor_rate_polls_total';
  const calls = 'corridor_connector_calls_total';
  metrics.counter(jobs, 'Jobs run by this process, by kind and outcome.', counted(jobs));
  metrics.counter(attempts, 'Webhook attempts of this process, by outcome.', counted(attempts));
  const files = 'corridor_bank_files_total';
  metrics.counter(files, 'Files of banks written and read by this process, by outcome.', counted(files));
  metrics.counter(calls, 'Calls of connectors by this process, by call and outcome.', counted(calls));
  const upkeep = 'corridor_upkeep_total';
  metrics.counter(
    upkeep,
    'Tasks of the installation’s upkeep that this process ran, by kind and outcome.',
    counted(upkeep),
  );
  metrics.counter(polls, 'Readings of the rate source by this process, by outcome.', counted(polls));
}

function registerBreakGlass(metrics: Metrics, { read }: Reader): void {
  metrics.counter('corridor_break_glass_total', BREAK_GLASS, async () =>
    (await read<{ count: number }>(countBreakGlass())).map(({ count: value }) => ({ value })),
  );
}

function registerMoneyMetrics(metrics: Metrics, { read, inTurn, database, clock }: Watched & Reader): void {
  metrics.gauge('corridor_payments_open', PAYMENTS_OPEN, async () =>
    paymentReadings(await read(countPayments(OPEN_STATUSES))),
  );
  metrics.gauge('corridor_payments_last_hour', PAYMENTS_LAST_HOUR, async () => {
    const lastHour = countPayments(ALL_STATUSES, { now: readClock(clock), seconds: 3_600 });
    return paymentReadings(await read(lastHour));
  });
  metrics.gauge('corridor_payments_overdue', OVERDUE, async () => {
    const overdue = await inTurn(async () => [...(await countOverdue(database, readClock(clock)))]);
    return overdue.map(({ count, ...row }) => ({ value: count, labels: buildLabels(row, 'state') }));
  });
  metrics.gauge('corridor_suspense_minor_units', SUSPENSE, async () =>
    amountReadings(await read(suspendedAmounts())),
  );
  metrics.gauge('corridor_receivables_minor_units', RECEIVABLES, async () =>
    amountReadings(await read(owedAmounts())),
  );
  metrics.gauge('corridor_card_exceptions', CARD_EXCEPTIONS, async () =>
    (await read<ExceptionCount>(countCardExceptions())).map(({ count: value, platform, environment }) => ({
      value,
      labels: { platform, environment },
    })),
  );
}

function registerConnectors(metrics: Metrics, { read, clock }: Watched & Reader): void {
  const figures = shareReads(() => read<ConnectorFigures>(connectorFigures(readClock(clock))));
  const readings = (figureOf: (row: ConnectorFigures) => number) => async () =>
    (await figures()).map((row) => ({ value: figureOf(row), labels: { connector: row.connector } }));
  const gauge = (name: string, help: string, figureOf: (row: ConnectorFigures) => number) =>
    metrics.gauge(`corridor_connector_${name}`, help, readings(figureOf));
  gauge('up', '1 if the connector answers, 0 if it is down.', ({ up }) => up);
  gauge('paused', '1 if the connector takes no new orders.', ({ paused }) => paused);
  gauge('unknown_orders', 'Orders whose outcome the connector has not said.', ({ unknown }) => unknown);
  gauge(
    'oldest_unknown_seconds',
    'How long ago the oldest of these orders was sent.',
    (row) => row.oldest_unknown_seconds,
  );
  gauge('event_lag_seconds', 'Time since the connector’s events were read.', (row) => row.event_lag_seconds);
  metrics.gauge('corridor_connector_orders', 'Open orders at connectors, by state.', async () =>
    (await read<OpenOrders>(openOrders())).map(({ connector, state, count }) => ({
      value: count,
      labels: { connector, state },
    })),
  );
}

/** bank-files.md §7.5 */
function registerReconciliation(metrics: Metrics, { read, clock }: Watched & Reader): void {
  type Labels = Record<string, string>;
  const gauges =
    <Row>(rows: () => Promise<Row[]>, labelsOf: (row: Row) => Labels) =>
    (name: string, help: string, figureOf: (row: Row) => number) =>
      metrics.gauge(`corridor_${name}`, help, async () =>
        (await rows()).map((row) => ({ value: figureOf(row), labels: labelsOf(row) })),
      );
  const accounts = shareReads(() => read<AccountFigures>(accountFigures(readClock(clock))));
  const ofAccounts = gauges(accounts, ({ account }) => ({ account }));
  ofAccounts('reconciliation_unproven_days', 'Days that are not proven.', (row) => row.unproven_days);
  ofAccounts('reconciliation_statement_late', STATEMENT_LATE, (row) => row.is_late);
  const breaks = shareReads(() => read<BreakFigures>(breakFigures(readClock(clock))));
  const ofBreaks = gauges(breaks, ({ kind }) => ({ kind }));
  ofBreaks('breaks_open', 'Breaks that nobody has resolved.', (row) => row.count);
  ofBreaks('breaks_oldest_seconds', 'How long ago the oldest was found.', (row) => row.oldest_seconds);
}

const STATEMENT_LATE = '1 if the bank’s statement did not come by noon of the next banking day.';

/** One slow kind must leave time for the others: a scrape that takes longer than three seconds gets none of them. */
const KIND_MAX_MS = 1_000;

/** The items of `corridor attention`; like all figures from the database, left out while it is unavailable. */
function registerAttention(metrics: Metrics, { inTurn, database, clock }: Watched & Reader): void {
  const waiting = shareReads(() =>
    inTurn(async () => {
      const unread: string[] = [];
      const onUnread = (kind: string) => void unread.push(kind);
      const request = { now: readClock(clock), environments: ENVIRONMENTS, shown: 0 };
      return [
        { groups: await loadAttention(database, { ...request, kindMaxMs: KIND_MAX_MS, onUnread }), unread },
      ];
    }),
  );
  const readings = (figureOf: (group: AttentionGroup) => number) => async () =>
    (await waiting())
      .flatMap(({ groups }) => groups)
      .map((group) => ({
        value: figureOf(group),
        labels: { kind: group.kind, environment: group.environment.toLowerCase() },
      }));
  metrics.gauge(
    'corridor_attention',
    ATTENTION,
    readings(({ count }) => count),
  );
  metrics.gauge(
    'corridor_attention_oldest_age_seconds',
    ATTENTION_AGE,
    readings((group) => group.oldestAgeSeconds),
  );
  metrics.gauge('corridor_attention_unread', ATTENTION_UNREAD, async () =>
    (await waiting()).flatMap(({ unread }) => unread).map((kind) => ({ value: 1, labels: { kind } })),
  );
}

function paymentReadings(rows: readonly PaymentCount[]): Reading[] {
  return rows.map(({ count: value, ...row }) => ({ value, labels: buildLabels(row, 'status') }));
}

function amountReadings(rows: readonly HeldAmount[]): Reading[] {
  return rows.map(({ amount, ...row }) => ({ value: Number(amount), labels: buildLabels(row, 'currency') }));
}

/** The platform, its environment and one more label. */
function buildLabels<Name extends string>(
  row: { readonly platform: string; readonly environment: string } & Readonly<Record<Name, string>>,
  name: Name,
): Record<string, string> {
  return { platform: row.platform, environment: row.environment, [name]: row[name] };
}

/** Reads one figure after the other, so that a scrape takes one connection; returns none if the database fails. */
function createTurns(): InTurn {
  const turns = new KeyedQueue();
  return (step) => turns.run('figures', step).catch(() => []);
}

function readClock(clock: Clock): Date {
  return new Date(clock.now());
}

const ALL_STATUSES = [...new Set([...statusesOf('OUTGOING'), ...statusesOf('INCOMING')])];

const WEBHOOKS_PENDING =
  'Webhooks not delivered yet, by platform, waiting for their first attempt or a retry; 10000 means so many or more.';
const WEBHOOK_AGE =
  'Age of the oldest undelivered webhook, at most since the platform’s clock was last moved.';
const ATTENTION =
  'Items that wait for a person or are stuck, by kind and environment (corridor attention); 1000 means so many or more.';
const ATTENTION_AGE = 'Age of the oldest of these items, by the clock that matters for its kind.';
const ATTENTION_UNREAD = '1 for each kind of attention that took too long to be read.';
const JOB_LAG =
  'How long the earliest job of a kind has been due, on the platform of an environment where that is longest.';
const JOURNAL_LAG =
  'How long the oldest journal entry that was not read yet has been posted, on the platform of an environment where that is longest.';
const PAYMENTS_OPEN = 'Unfinished payments, by platform and status; 10000 means so many or more.';
const PAYMENTS_LAST_HOUR =
  'Payments created in the last hour, by platform and by the status they have now; 10000 means so many or more.';
const OVERDUE =
  'Payments that take over an hour longer than their rail should, by platform and what they wait for.';
const SUSPENSE =
  'Money that could not be matched to an account, in the smallest unit of its currency, by platform.';
const RECEIVABLES = 'Debts to us, in the smallest unit of their currency, by platform.';
const BREAK_GLASS = 'Changes that commands made at once although they need a second operator.';
const CARD_EXCEPTIONS =
  'Unresolved card purchases that no account could pay for, by platform; 10000 means so many or more.';
