import type { Database } from '#foundation/database/database.ts';
import { businessNow, readingFigures, unmovedAge } from '#foundation/database/figures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/**
 * Figures that operators watch, over all platforms. Each statement reads indexes that contain little beside the counted
 * rows, so its cost grows with the open rows and never with the whole history.
 */

/** At most so many rows of each group are counted: a figure of this size means "so many or more". */
export const COUNTED_MAX = 10_000;
const HOPS_MAX = 20_000;

export function readFigures<Row>(database: Pick<Database, 'transaction'>, statement: Sql): Promise<Row[]> {
  return readingFigures(database, (run) => run<Row>(statement));
}

/** Whether the database answers at all. */
export const SIGN_OF_LIFE = sql`select`;

export interface PendingWebhooks {
  readonly platform: string;
  readonly environment: string;
  /** Waiting for its first attempt, or for another one. */
  readonly state: 'first' | 'retry';
  readonly count: number;
  readonly oldest_age_seconds: number;
}

/** Webhooks that have not been delivered; moving a platform's clock does not age them. */
export function pendingWebhooks(now: Date): Sql {
  return sql`
    select p.id as platform, ${ENVIRONMENT}, w.state, count(*)::integer as count,
           greatest(0, ${unmovedAge(now, sql`min(w.created_at)`)})::float8 as oldest_age_seconds
      from platforms p
     cross join lateral (
       (select 'first' as state, e.created_at from events e
         where e.platform_id = p.id and e.state = 'PENDING' and e.next_attempt_at is null
         order by e.resource_id, e.seq limit ${COUNTED_MAX})
       union all
       (select 'retry', e.created_at from events e
         where e.platform_id = p.id and e.state = 'PENDING' and e.next_attempt_at is not null
         order by e.resource_id, e.next_attempt_at limit ${COUNTED_MAX})) w
     group by p.id, w.state
     order by p.id, w.state`;
}

export interface JobLag {
  readonly environment: string;
  readonly kind: string;
  readonly seconds: number;
}

/**
 * How long the earliest job of each kind has been due, on the platform of an environment where that is longest; 0 if no job
 * is due. Moving a clock ages no job. The statement hops from queue to queue, as the worker does.
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
    select ${ENVIRONMENT}, w.kind, greatest(0, max(${unmovedAge(now, sql`w.due_at`)}))::float8 as seconds
      from walk w join platforms p on p.id = w.platform_id
     group by p.environment, w.kind
     order by p.environment, w.kind`;
}

export interface JournalLag {
  readonly environment: string;
  readonly seconds: number;
}

/**
 * How long the oldest entry that the follower has not read has been posted, on the platform of an environment where that
 * is longest; 0 if all are read. One look-up for each platform.
 */
export function journalLags(now: Date): Sql {
  return sql`
    select ${ENVIRONMENT},
           greatest(0, max(extract(epoch from ${now}::timestamptz - unread.recorded_at)))::float8 as seconds
      from platforms p
      left join journal_marks m on m.platform_id = p.id
      left join lateral (
        select e.recorded_at from ledger_entries e
         where e.platform_id = p.id and e.seq > coalesce(m.seq, 0) order by e.seq limit 1) unread on true
     group by p.environment
     order by p.environment`;
}

export interface PaymentCount {
  readonly platform: string;
  readonly environment: string;
  readonly status: string;
  readonly count: number;
}

/** Counts the payments in these statuses: all of them, or those that were created since then. */
export function countPayments(statuses: readonly string[], since?: { now: Date; seconds: number }): Sql {
  const isRecent = since
    ? sql`t.created_at > ${businessNow(since.now)} - make_interval(secs => ${since.seconds})`
    : sql`true`;
  return sql`
    select p.id as platform, ${ENVIRONMENT}, s.status, c.count
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
  readonly environment: string;
  readonly currency: string;
  readonly amount: string;
}

/** Money that could not be matched to an account: the entries that booked it to SUSPENSE and have not been reversed. */
export function suspendedAmounts(): Sql {
  return sql`
    select p.id as platform, ${ENVIRONMENT}, s.currency, sum(s.amount)::text as amount
      from platforms p
      join open_suspense s on s.platform_id = p.id
     group by p.id, s.currency
     order by p.id, s.currency`;
}

/** The debts of customers, platforms and card transactions to us. */
export function owedAmounts(): Sql {
  return sql`
    select p.id as platform, ${ENVIRONMENT}, o.currency, sum(o.amount)::text as amount
      from platforms p
      join open_debts o on o.platform_id = p.id
     group by p.id, o.currency
     order by p.id, o.currency`;
}

export interface ExceptionCount {
  readonly platform: string;
  readonly environment: string;
  readonly count: number;
}

/** Unresolved card purchases: the network was paid, but no account could pay for them. */
export function countCardExceptions(): Sql {
  return sql`
    select p.id as platform, ${ENVIRONMENT}, c.count
      from platforms p
     cross join lateral (
       select count(*)::integer as count
         from (select from card_transactions t
                where t.platform_id = p.id and t.status = 'EXCEPTION'
                order by t.created_at limit ${COUNTED_MAX}) counted) c
     where c.count > 0
     order by p.id`;
}

/** The environment as the labels spell it. */
const ENVIRONMENT = sql`lower(p.environment) as environment`;

/** How often a command did at once what needs a second operator; there are few such rows in the life of a service. */
export function countBreakGlass(): Sql {
  return sql`select count(*)::integer as count from break_glass_uses`;
}
