import type { Database } from '#database/database.ts';
import { type Sql, sql } from '#database/sql.ts';

/**
 * What operators watch, over all platforms. Each statement walks along indexes that hold little beside what is counted, so
 * that its cost follows what is open and never how much there ever was.
 */

/** Of each group at most so many rows are counted: the figure then means "so many or more". */
export const COUNTED_MAX = 10_000;
/** Longer than a scraper waits for, no statement goes on. */
const STATEMENT_MAX_MS = 3_000;
const HOPS_MAX = 20_000;

/** Runs one of the statements below. A plan that was made while the tables were small must not read whole ones later. */
export function readFigures<Row>(database: Pick<Database, 'transaction'>, statement: Sql): Promise<Row[]> {
  return database.transaction(async (run) => {
    await run(sql`
      select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('jit', 'off', true), set_config('statement_timeout', ${String(STATEMENT_MAX_MS)}, true)`);
    return run<Row>(statement);
  });
}

/** Whether the database answers at all. */
export const SIGN_OF_LIFE = sql`select`;

export interface PendingWebhooks {
  readonly platform: string;
  /** Waiting for its first attempt, or for another one. */
  readonly state: 'first' | 'retry';
  readonly count: number;
  readonly oldest_age_seconds: number;
}

/** Webhooks that have not been delivered; ages are in the platform's own time. */
export function pendingWebhooks(now: Date): Sql {
  return sql`
    select p.id as platform, w.state, count(*)::integer as count,
           greatest(0, extract(epoch from ${businessNow(now)} - min(w.created_at)))::float8 as oldest_age_seconds
      from platforms p
     cross join lateral (
       (select 'first' as state, e.created_at from events e
         where e.platform_id = p.id and e.state = 'PENDING' and e.next_attempt_at is null
         order by e.resource_id, e.seq limit ${COUNTED_MAX})
       union all
       (select 'retry', e.created_at from events e
         where e.platform_id = p.id and e.state = 'PENDING' and e.next_attempt_at is not null
         order by e.next_attempt_at limit ${COUNTED_MAX})) w
     group by p.id, w.state
     order by p.id, w.state`;
}

export interface JobLag {
  readonly kind: string;
  readonly seconds: number;
}

/**
 * For how long the earliest job of each kind has been due, on whichever platform that is longest; 0 where none is. Hops from
 * queue to queue, as the worker does.
 */
export function jobLags(now: Date): Sql {
  return sql`
    with recursive walk as (
      (select j.platform_id, j.kind, j.due_at, 1 as hop
         from jobs j order by j.platform_id, j.kind, j.due_at, j.id limit 1)
      union all
      select n.platform_id, n.kind, n.due_at, w.hop + 1
        from walk w
       cross join lateral (
         select j.platform_id, j.kind, j.due_at
           from jobs j
          where (j.platform_id, j.kind) > (w.platform_id, w.kind)
          order by j.platform_id, j.kind, j.due_at, j.id limit 1) n
       where w.hop < ${HOPS_MAX})
    select w.kind, greatest(0, max(extract(epoch from ${businessNow(now)} - w.due_at)))::float8 as seconds
      from walk w join platforms p on p.id = w.platform_id
     group by w.kind
     order by w.kind`;
}

export interface PaymentCount {
  readonly platform: string;
  readonly status: string;
  readonly count: number;
}

/** Payments in these statuses: all of them, or those that were created since then. */
export function countPayments(statuses: readonly string[], since?: { now: Date; seconds: number }): Sql {
  const isRecent = since
    ? sql`t.created_at > ${businessNow(since.now)} - make_interval(secs => ${since.seconds})`
    : sql`true`;
  return sql`
    select p.id as platform, s.status, c.count
      from platforms p
     cross join unnest(${statuses}::text[]) as s (status)
     cross join lateral (
       select count(*)::integer as count
         from (select from transactions t
                where t.platform_id = p.id and t.status = s.status and ${isRecent}
                order by t.created_at desc, t.id desc limit ${COUNTED_MAX}) counted) c
     where c.count > 0
     order by p.id, s.status`;
}

export interface HeldAmount {
  readonly platform: string;
  readonly currency: string;
  readonly amount: string;
}

/** Money that fits no account: every entry that put some into SUSPENSE and that none has reversed. */
export function suspendedAmounts(): Sql {
  return sql`
    select p.id as platform, s.currency, sum(s.amount)::text as amount
      from platforms p
     cross join lateral (
       select l.currency, -l.amount as amount
         from ledger_entries e
        cross join lateral unnest(e.accounts, e.currencies, e.amounts) as l (account, currency, amount)
        where e.platform_id = p.id and e.kind in ('L12', 'L20')
          and l.amount < 0 and starts_with(l.account, 'SUSPENSE:')
          and not exists (
            select from ledger_entries r where r.platform_id = p.id and r.reverses_seq = e.seq)) s
     group by p.id, s.currency
     order by p.id, s.currency`;
}

/**
 * What customers, platforms and card transactions owe us. `offset 0` keeps the planner from joining all platforms at once,
 * for which it would read the whole index of balances.
 */
export function owedAmounts(): Sql {
  return sql`
    select p.id as platform, o.currency, sum(o.balance)::text as amount
      from platforms p
     cross join lateral (
       select b.currency, b.balance from ledger_balances b
        where b.platform_id = p.id and b.account >= 'RECEIVABLE:' and b.account < 'RECEIVABLE;' and b.balance > 0
       offset 0) o
     group by p.id, o.currency
     order by p.id, o.currency`;
}

export interface ExceptionCount {
  readonly platform: string;
  readonly count: number;
}

/** Card purchases that the network was paid for and no account could pay, and that nobody has resolved. */
export function countCardExceptions(): Sql {
  return sql`
    select p.id as platform, c.count
      from platforms p
     cross join lateral (
       select count(*)::integer as count
         from (select from card_transactions t
                where t.platform_id = p.id and t.status = 'EXCEPTION'
                order by t.created_at limit ${COUNTED_MAX}) counted) c
     where c.count > 0
     order by p.id`;
}

function businessNow(now: Date): Sql {
  return sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`;
}
