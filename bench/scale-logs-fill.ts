import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { openReceiver } from './scale-transactions-fill.ts';
import type { World } from './world.ts';

const BATCH = 10_000;
/** The request log keeps at most this many entries of a platform (platform.md §11.3). */
const REQUESTS_MAX = 20_000;
const DAY = 24;

/** Logs without old rows, and queues in which nothing is due. */
export interface FilledLogs {
  readonly world: World;
  readonly connectorId: string;
  readonly customerId: string;
}

/** Rows to insert. Their times are spread over `hours` hours, the last of them `before` hours ago. */
export interface Batch extends FilledLogs {
  readonly count: number;
  readonly hours: number;
  readonly before: number;
}

export interface LogTable {
  /** For how long rows are kept. */
  readonly keptHours: number;
  readonly most?: number;
  insert(batch: Batch): Sql;
}

const at = ({ hours, before, count }: Batch) => sql`
  (now() - make_interval(hours => ${before}::integer) - interval '1 hour' * (${hours}::float8 * g.n / ${count}::float8))`;

const rows = ({ count }: Batch) => sql`generate_series(1, ${count}::integer) as g (n)`;

export const LOGS: Readonly<Record<string, LogTable>> = {
  events: {
    keptHours: 30 * DAY,
    insert: (batch) => sql`
      with told as (
        insert into events (platform_id, id, type, resource_id, payload, created_at, state, attempts, finished_at)
        select ${batch.world.work.platform.id}::uuid, uuid_v7(), 'TEST', 'Webhook:' || gen_random_uuid(), '\\x00'::bytea,
               ${at(batch)}, 'DELIVERED', 1, ${at(batch)} from ${rows(batch)}
        returning platform_id, id, finished_at)
      insert into webhook_attempts (platform_id, event_id, attempt, at, url, duration_ms, status)
      select t.platform_id, t.id, 1, t.finished_at, '\\x00'::bytea, 5, 200 from told t`,
  },
  idempotency_keys: {
    keptHours: DAY,
    insert: (batch) => sql`
      insert into idempotency_keys (platform_id, scope, key, body_hash, status, created_at)
      select ${batch.world.work.platform.id}::uuid, 'POST /quotes', gen_random_uuid()::text, '\\x00'::bytea, 201,
             ${at(batch)} from ${rows(batch)}`,
  },
  request_logs: {
    keptHours: 7 * DAY,
    most: REQUESTS_MAX,
    insert: (batch) => sql`
      insert into request_logs
        (platform_id, id, created_at, request_id, caller_kind, caller_id, method, route, path, status, duration_ms,
         key_verdict, resource_ids)
      select ${batch.world.work.platform.id}::uuid, uuid_v7(), ${at(batch)}, uuid_v7(), 'token', uuid_v7(), 'GET',
             '/tokens', '/tokens', 200, 1, 'none', '{}' from ${rows(batch)}`,
  },
  audit_log: {
    keptHours: 396 * DAY,
    insert: (batch) => sql`
      insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource)
      select uuid_v7(), ${batch.world.work.platform.id}::uuid, ${at(batch)}, 'token', 'Token:bench', 'executeQuote',
             'Quote:' || gen_random_uuid() from ${rows(batch)}`,
  },
  record_reads: {
    keptHours: 400 * DAY,
    insert: (batch) => sql`
      insert into record_reads (id, platform_id, at, actor_id, roles, kind, resource)
      select uuid_v7(), ${batch.world.work.platform.id}::uuid, ${at(batch)}, 'Operator:' || g.n % 100, '{support}', 'PAGE',
             'Customer:' || gen_random_uuid() from ${rows(batch)}`,
  },
  connector_events: {
    keptHours: 180 * DAY,
    insert: (batch) => sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, received_at, applied_at, outcome)
      select ${batch.connectorId}::uuid, 'bench', gen_random_uuid()::text, 'ORDER', ${at(batch)}, gen_random_uuid()::text,
             '\\x00'::bytea, ${at(batch)}, ${at(batch)}, 'applied' from ${rows(batch)}`,
  },
  code_attempts: {
    keptHours: DAY,
    insert: (batch) => sql`
      insert into code_attempts (platform_id, kind, owner_id, at)
      select ${batch.world.work.platform.id}::uuid, 'SCA_SEND', ${batch.customerId}::uuid, ${at(batch)}
        from ${rows(batch)}`,
  },
};

/** Adds work that waits for a later time, and work that is done. */
const QUEUES: readonly ((batch: Batch) => Sql)[] = [
  ({ world, ...batch }) => sql`
    insert into jobs (platform_id, kind, due_at, created_at)
    select ${world.work.platform.id}::uuid, 'bench.later', now() + interval '1 day', now()
      from ${rows({ world, ...batch })}`,
  (batch) => sql`
    with waiting as (
      insert into events
        (platform_id, id, type, resource_id, payload, created_at, attempts, retries, first_attempt_at, next_attempt_at,
         is_queued)
      select ${batch.world.work.platform.id}::uuid, uuid_v7(), 'TEST', 'Webhook:' || gen_random_uuid(), '\\x00'::bytea,
             now(), 1, 1, now(), now() + interval '1 day', true from ${rows(batch)}
      returning platform_id, resource_id, next_attempt_at)
    insert into webhook_queues (platform_id, resource_id, lane, due_at)
    select w.platform_id, w.resource_id, 'RETRY', w.next_attempt_at from waiting w`,
  (batch) => sql`
    insert into connector_orders
      (platform_id, id, reference, transaction_id, kind, status, connector_id, settlement_account, rail, amount, currency,
       state, state_at, created_at, asked_at, asked_store, ended_at)
    select ${batch.world.work.platform.id}::uuid, uuid_v7(), gen_random_uuid(), gen_random_uuid(), 'PAYOUT', 'ENDED',
           ${batch.connectorId}::uuid, 'bench', 'ACH', 100, 'USD', 'SETTLED', now(), now(), now(), 'bench', now()
      from ${rows(batch)}`,
];

/** Gives the platform this many rows of each log and queue. */
export async function fillLogs(world: World, count: number): Promise<FilledLogs> {
  const { database } = world.work.runtime;
  const webhookEndpoint = await openReceiver(world);
  await world.call('PATCH', '/config', { webhookEndpoint });
  await world.app.worker.settle(world.work.platform.id);
  const filled = { world, connectorId: await addConnector(world), customerId: await addCustomer(world) };
  for (const { keptHours, most = count, insert } of Object.values(LOGS)) {
    // None of them becomes too old during the measurement.
    const hours = keptHours / 2;
    for (const batch of batchesOf(filled, Math.min(count, most), hours)) await database.query(insert(batch));
  }
  for (const insert of QUEUES) {
    for (const batch of batchesOf(filled, count, 0)) await database.query(insert(batch));
  }
  const tables = [...Object.keys(LOGS), 'webhook_attempts', 'jobs', 'webhook_queues', 'connector_orders'];
  for (const table of tables) await world.unhurried(sql`vacuum analyze ${rawSql(table)}`);
  await world.unhurried(sql`checkpoint`);
  return filled;
}

function batchesOf(filled: FilledLogs, count: number, hours: number): Batch[] {
  const sizes = Array.from({ length: Math.ceil(count / BATCH) }, (_, i) =>
    Math.min(BATCH, count - i * BATCH),
  );
  return sizes.map((size) => ({ ...filled, count: size, hours, before: 0 }));
}

async function addConnector({ work }: World): Promise<string> {
  const id = newUuid();
  await work.runtime.database.query(sql`
    insert into connectors (id, name, url, store, capabilities_due_at, events_due_at, created_at)
    values (${id}, 'bench', 'files:', 'bench', now() + interval '1 year', now() + interval '1 year', now())`);
  return id;
}

async function addCustomer({ call }: World): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    platformCustomerId: newUuid(),
    fullName: 'Ada Lovelace',
  });
  return uuidOf(id);
}
