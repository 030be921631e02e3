import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Owner, Template } from './scale-payment-template.ts';
import type { World } from './world.ts';

// A statement may take at most a minute, on a slow machine too.
const BATCH = 2_000;
/** Batches at once. */
const LANES = 2;
/**
 * Kinds of only the oldest: a search for them along the list would pass all others. The platform's own are so many that a
 * plan may expect to find them there.
 */
const rareOf = (count: number) => ({ EXPIRED: 20, RECEIVED: 20, OWN: Math.min(5_000, count) });
/** The sender of the received ones. */
export const SENDER = '$friend@elsewhere.example';
/** Between one transaction and the next. */
export const STEP_MS = 1_000;

export interface Copying {
  readonly owners: readonly Owner[];
  readonly template: Template;
  readonly start: number;
}

type Kind = 'USUAL' | keyof ReturnType<typeof rareOf>;

/**
 * Copies the rows of a payment this many times, and before them the oldest, which are of other kinds. Returns how many
 * those are.
 */
export async function copyAll(world: World, copying: Copying, count: number): Promise<number> {
  let older = 0;
  for (const [kind, size] of Object.entries(rareOf(count))) {
    older -= size;
    await copy(world, copying, kind as Kind, older, size);
  }
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next += BATCH;
      await copy(world, copying, 'USUAL', first, Math.min(BATCH, count - first));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return -older;
}

/** One transaction each; the number of a copy determines its owner and time. */
async function copy(
  { work }: World,
  { owners, template, start }: Copying,
  kind: Kind,
  first: number,
  count: number,
): Promise<void> {
  const { rows } = template;
  // Encrypted as required, though not for each attempt separately, because it is never decrypted.
  const url = work.runtime.vault.seal('http://127.0.0.1:8080/webhooks', 'webhook_attempts.url');
  // The oldest count down from zero.
  const place = sql`1 + abs(g.n) % ${owners.length}`;
  await work.runtime.database.query(sql`
    with made as materialized (
      select uuid_v7() as id, uuid_v7() as quote_id, ${new Date(start)}::timestamptz + g.n * ${`${STEP_MS} ms`}::interval as at,
             (${owners.map((owner) => owner.customerId)}::uuid[])[${place}] as customer_id,
             (${owners.map((owner) => owner.accountId)}::uuid[])[${place}] as account_id,
             (${owners.map((owner) => owner.outsideId)}::uuid[])[${place}] as outside_id,
             ${kind}::text as kind,
             -- Each customer has some, whatever the number of customers is.
             (g.n + g.n / ${owners.length}) % 50 = 49 and ${kind} = 'USUAL' as has_failed,
             (g.n + g.n / ${owners.length}) % 10 = 3 and ${kind} = 'USUAL' as is_to_uma
        from generate_series(${first}::integer, ${first + count - 1}::integer) as g (n)),
    copied as (${copiedTransactions(rows.transactions)}),
    posted as (${copiedEntries(template)}),
    told as (${copiedEvents(template)}),
    attempted as (
      insert into webhook_attempts (platform_id, event_id, attempt, at, url, duration_ms, status)
      select t.platform_id, t.id, 1, t.finished_at, ${url}::bytea, 5, 200 from told t),
    keyed as (
      insert into idempotency_keys (platform_id, scope, key, body_hash, status, created_at)
      select k.platform_id, replace(k.scope, t.quote_id::text, m.quote_id::text), m.id::text, k.body_hash, k.status, m.at
        from made m cross join jsonb_populate_recordset(null::idempotency_keys, ${rows.idempotency_keys}) k
       cross join jsonb_populate_recordset(null::transactions, ${rows.transactions}) t)
    insert into audit_log
      (id, platform_id, at, actor_kind, actor_id, action, resource, request_id, remote_address, details)
    select uuid_v7(), a.platform_id, m.at, a.actor_kind, a.actor_id, a.action,
           replace(a.resource, t.quote_id::text, m.quote_id::text), a.request_id, a.remote_address, a.details
      from made m cross join jsonb_populate_recordset(null::audit_log, ${rows.audit_log}) a
     cross join jsonb_populate_recordset(null::transactions, ${rows.transactions}) t`);
}

function copiedTransactions(template: string): Sql {
  return sql`
    insert into transactions
      (platform_id, id, version, type, kind, customer_id, quote_id, expires_at, locked_side, source_type,
       source_account, source_uma, destination_type, destination_account, destination_uma, sending_currency,
       sending_amount, receiving_currency, receiving_amount, service_fee, platform_fee, reference, details, created_at,
       status, failure_reason, executed_at, taken_at, settled_at, refund_status, refund_reason, refund_reference,
       refund_amount, refund_account, refund_initiated_at, refund_settled_at, updated_at, inflight_sent_no,
       inflight_received_no)
    select t.platform_id, m.id, t.version, case when is_received then 'INCOMING' else t.type end,
           case when is_received then 'UMA' else t.kind end,
           case when not is_own then m.customer_id end,
           case when not is_received then m.quote_id end,
           case when not is_received then m.at + interval '5 minutes' end,
           case when not is_received then t.locked_side end,
           case when is_received then 'UMA' else t.source_type end,
           case when is_own then t.source_account when not is_received then m.account_id end,
           case when is_received then ${SENDER} end,
           case when is_received then 'INTERNAL' when m.is_to_uma then 'UMA' else t.destination_type end,
           case when is_own then t.destination_account when is_received then m.account_id
                when not m.is_to_uma then m.outside_id end,
           case when m.is_to_uma then '$' || m.customer_id || '@outside.example' end,
           t.sending_currency, t.sending_amount, t.receiving_currency, t.receiving_amount, t.service_fee,
           t.platform_fee, 'REF-' || m.id, t.details, m.at,
           case when m.has_failed then 'FAILED' when is_expired then 'EXPIRED' else t.status end,
           case when m.has_failed then 'QUOTE_EXECUTION_FAILED' end,
           case when not is_expired then m.at end, case when not is_expired then m.at end,
           case when not is_expired and not m.has_failed then m.at end,
           case when m.has_failed then 'COMPLETED' end, case when m.has_failed then 'TRANSACTION_FAILED' end,
           case when m.has_failed then 'REFUND-' || m.id end, case when m.has_failed then t.sending_amount end,
           case when m.has_failed then m.account_id end, case when m.has_failed then m.at end,
           case when m.has_failed then m.at end, m.at,
           case when is_expired then 0 else t.inflight_sent_no end,
           case when is_expired then 0 else t.inflight_received_no end
      from made m
     cross join lateral (
       select m.kind = 'RECEIVED' as is_received, m.kind = 'EXPIRED' as is_expired, m.kind = 'OWN' as is_own) is_a
     cross join jsonb_populate_recordset(null::transactions, ${template}) t`;
}

function copiedEntries({ rows, transactionId, accountId }: Template): Sql {
  return sql`
    insert into ledger_entries
      (platform_id, seq, id, transaction_id, created_at, recorded_at, ordinal, kind, step, accounts, currencies,
       amounts, account_nos, balances)
    select e.platform_id, nextval('ledger_seq'), uuid_v7(), m.id, m.at, m.at, e.ordinal, e.kind, e.step,
           replace(replace(e.accounts::text, ${transactionId}, m.id::text), ${accountId}, m.account_id::text)::text[],
           e.currencies, e.amounts, e.account_nos, e.balances
      from made m cross join jsonb_populate_recordset(null::ledger_entries, ${rows.ledger_entries}) e`;
}

/** Their payloads are short, because they are never read and are stored outside the table. */
function copiedEvents({ rows, transactionId, accountId }: Template): Sql {
  return sql`
    insert into events
      (platform_id, type, resource_id, payload, once, created_at, state, attempts, retries, first_attempt_at,
       finished_at)
    select e.platform_id, e.type,
           replace(replace(e.resource_id, ${transactionId}, m.id::text), ${accountId}, m.account_id::text),
           '\\x00'::bytea, e.once, m.at, e.state, e.attempts, e.retries, m.at, m.at
      from made m cross join jsonb_populate_recordset(null::events, ${rows.events}) e
    returning platform_id, id, finished_at`;
}
