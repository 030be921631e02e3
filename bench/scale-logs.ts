import { SERVICE } from '#app/compose.ts';
import { claimEvents, listFresh } from '#capabilities/connectors/apply-store.ts';
import { claimCalls } from '#capabilities/connectors/call-store.ts';
import { purgeEvents as purgeConnectorEvents } from '#capabilities/connectors/event-store.ts';
import { purgeRequestLogs } from '#edge/request-log/store.ts';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { purgeAttempts, purgeEvents } from '#edge/webhooks/log-store.ts';
import { keepAuditMonths } from '#foundation/audit/month-store.ts';
import { purgeAttempts as purgeCodeAttempts } from '#foundation/codes/limit-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { purgeKeys } from '#foundation/http/idempotency/store.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import type { Purge } from '#foundation/jobs/purge.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { keptSince } from '#foundation/lib/kept-times.ts';
import { purgeReads } from '#foundation/records/reads-store.ts';
import { addOldMonth } from '#tests/given/audit-months.ts';
import type { Contestant, Round } from './rounds.ts';
import { type FilledLogs, LOGS } from './scale-logs-fill.ts';
import { NAMES } from './world.ts';

/** How many old rows each round adds. */
const OLD = 1_000;
/** As many as the daily job deletes at a time. */
const BATCH = 1_000;
/** How many due units of work each round adds. */
const DUE = 200;
const CALLS_AT_ONCE = 20;

/** Measures the work on logs and queues: it purges old rows, and claims due work. */
export function logCalls(filled: FilledLogs, label: string): Contestant[] {
  return [...purges(filled), dropOfMonth(filled), ...claims(filled)].map((contestant) => ({
    ...contestant,
    name: `${contestant.name}, ${label}`,
  }));
}

function purges(filled: FilledLogs): Contestant[] {
  const connectorEvents: Purge = (tx, rowsMax) =>
    purgeConnectorEvents(tx.query.bind(tx), keptSince(tx.runtime, 'connectorEventDays'), rowsMax);
  return [
    purge(filled, 'events with their attempts', 'events', purgeEvents),
    purge(filled, 'attempts of webhooks', 'events', async (tx, rowsMax) => {
      const deleted = await purgeAttempts(tx, rowsMax);
      await purgeEvents(tx, rowsMax);
      return deleted;
    }),
    purge(filled, 'idempotency keys', 'idempotency_keys', purgeKeys),
    purge(filled, 'requests', 'request_logs', purgeRequestLogs),
    purge(filled, 'reads of operators', 'record_reads', purgeReads),
    purge(filled, 'events of connectors', 'connector_events', connectorEvents),
    purge(filled, 'attempts with codes', 'code_attempts', purgeCodeAttempts),
  ];
}

/** Each round adds old rows, and measures how fast they are deleted. */
function purge(filled: FilledLogs, name: string, table: string, run: Purge): Contestant {
  const { work } = filled.world;
  const log = LOGS[table];
  if (!log) throw new Error(`no log is kept in ${table}`);
  return {
    name: `purge of ${name}`,
    unit: 'row',
    async prepare() {
      await work.runtime.database.query(
        log.insert({ ...filled, count: OLD, hours: 1, before: log.keptHours + 1 }),
      );
    },
    round: () =>
      timed(async () => {
        let count = 0;
        for (let deleted = BATCH; deleted === BATCH; count += deleted)
          deleted = await work.write((tx) => run(tx, BATCH));
        return count;
      }),
  };
}

/** Each round adds an old month to the audit log, and drops it. */
function dropOfMonth({ world: { work } }: FilledLogs): Contestant {
  return {
    name: 'drop of a month of the audit log',
    unit: 'month',
    async prepare() {
      await addOldMonth(work.runtime.database, OLD);
    },
    round: () =>
      timed(async () => {
        await keepAuditMonths(work);
        return 1;
      }),
  };
}

function claims(filled: FilledLogs): Contestant[] {
  return [jobs(filled), webhooks(filled), orders(filled), connectorEvents(filled)];
}

function jobs({ world: { work } }: FilledLogs): Contestant {
  const runner = new JobRunner(work.runtime, { 'bench.now': { run: async () => undefined } });
  return {
    name: 'job that is due',
    unit: 'job',
    async prepare() {
      await work.runtime.database.query(sql`
        insert into jobs (platform_id, kind, due_at, created_at)
        select ${work.platform.id}::uuid, 'bench.now', now() - interval '1 second', now()
          from generate_series(1, ${DUE}::integer)`);
    },
    round: () =>
      timed(async () => {
        let count = 0;
        for (let done = 1; done > 0; count += done) ({ done } = await runner.step(work.platform.id));
        return count;
      }),
  };
}

/** Adds due events of resources that have no other events. All other events wait for a retry. */
function webhooks({ world: { app, work, closers } }: FilledLogs): Contestant {
  const renderers = {
    ...SERVICE.renderers,
    TEST: async (_tx: unknown, events: readonly object[]) => [...events],
  };
  const deliverer = new Deliverer(app.runtime, { names: NAMES, renderers });
  closers.push(() => deliverer.drain(1_000));
  return {
    name: 'webhook that is due',
    unit: 'webhook',
    async prepare() {
      await work.runtime.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at)
        select ${work.platform.id}::uuid, 'TEST', 'Webhook:' || gen_random_uuid(), '{}', now()
          from generate_series(1, ${DUE}::integer)`);
    },
    round: () =>
      timed(async () => {
        const before = deliverer.finished();
        while (deliverer.finished() - before < DUE) {
          const { hadFailure } = await deliverer.step(work.platform.id, 10_000);
          if (hadFailure) throw new Error('a webhook was not delivered');
        }
        return DUE;
      }),
  };
}

/** Adds calls for orders that a connector gets for the first time. */
function orders({ world: { work }, connectorId }: FilledLogs): Contestant {
  const { query } = work.runtime.database;
  return {
    name: 'order for a connector',
    unit: 'order',
    async prepare() {
      await query(sql`update connector_orders set call = null, call_at = null, status = 'TAKEN', caller_until = null
                       where connector_id = ${connectorId} and call is not null`);
      await query(sql`
        insert into connector_orders
          (platform_id, id, reference, transaction_id, kind, status, connector_id, settlement_account, rail, amount,
           currency, created_at, call, call_at)
        select ${work.platform.id}::uuid, uuid_v7(), gen_random_uuid(), gen_random_uuid(), 'PAYOUT', 'ROUTED',
               ${connectorId}::uuid, 'bench', 'ACH', 100, 'USD', now(), 'PUT', now() - interval '1 second'
          from generate_series(1, ${DUE}::integer)`);
    },
    round: () =>
      timed(async () => {
        let count = 0;
        for (let claimed = 1; claimed > 0; count += claimed) {
          const now = new Date();
          const until = new Date(now.getTime() + 600_000);
          const limits = { limit: CALLS_AT_ONCE, sendsMax: CALLS_AT_ONCE };
          const wish = { caller: newUuid(), now, until, ...limits, store: 'bench' };
          claimed = (await claimCalls(query, connectorId, wish)).length;
        }
        return count;
      }),
  };
}

/** Adds events that a connector has reported and that are not applied yet. */
function connectorEvents({ world: { work }, connectorId }: FilledLogs): Contestant {
  const { database } = work.runtime;
  return {
    name: 'event of a connector',
    unit: 'event',
    async prepare() {
      await database.query(sql`
        update connector_events set applied_at = now(), due_at = null
         where connector_id = ${connectorId} and applied_at is null`);
      await database.query(sql`
        update connectors set applied_to = (select max(seq) from connector_events where connector_id = ${connectorId})
         where id = ${connectorId}`);
      await database.query(sql`
        insert into connector_events
          (connector_id, store, event_id, type, at, about, content_hash, received_at, due_at)
        select ${connectorId}::uuid, 'bench', gen_random_uuid()::text, 'ORDER', now(), gen_random_uuid()::text,
               '\\x00'::bytea, now(), now() from generate_series(1, ${DUE}::integer)`);
    },
    round: () =>
      timed(async () => {
        let count = 0;
        for (let time = 0; time < 10; time++) {
          const fresh = await listFresh(database.query, connectorId, CALLS_AT_ONCE);
          const claimed = await database.transaction((run) => claimEvents(run, connectorId, fresh));
          count += claimed.size;
        }
        return count;
      }),
  };
}

/** Measures a round. The steps return how many units they did. */
async function timed(steps: () => Promise<number>): Promise<Round> {
  const start = performance.now();
  const count = await steps();
  return { count, perSecond: (count * 1_000) / (performance.now() - start) };
}
