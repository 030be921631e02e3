import { businessNow } from '#foundation/database/figures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/**
 * What happened lately on these platforms, for the charts of operators. Each statement reads the newest rows along an index,
 * at most `ROWS_MAX` of each platform, so its cost does not grow with the history.
 */
export interface FiguresScope {
  readonly now: Date;
  readonly platformIds: readonly PlatformId[];
}

/** Each statement counts at most this many rows of a platform, the newest ones. */
export const ROWS_MAX = 10_000;
/** One more row shows that there are more than the figures count. */
const READ_MAX = ROWS_MAX + 1;
export const MINUTES = 60;
export const HOURS = 24;
export const DAYS = 14;

/** Since when the figures are complete. Null: all rows of the period were read. */
interface Complete {
  readonly complete_since: Date | null;
}

export interface RequestsRow extends Complete {
  readonly at: Date;
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
}

/** Counts requests by minute of real time and by outcome. */
export function countRequests({ now, platformIds }: FiguresScope): Sql {
  return sql`
    with counted as materialized (
      select p.id as platform_id, r.created_at, r.status, r.n
        from unnest(${platformIds}::uuid[]) as p(id)
       cross join lateral (
         select l.created_at, l.status, row_number() over (order by l.created_at desc, l.id desc) as n
           from request_logs l
          where l.platform_id = p.id and l.created_at > ${now}::timestamptz - make_interval(mins => ${MINUTES})
          order by l.created_at desc, l.id desc limit ${READ_MAX}) r)
    select date_trunc('minute', r.created_at) as at,
           count(*) filter (where r.status < 400)::integer as answered,
           count(*) filter (where r.status between 400 and 499)::integer as refused,
           count(*) filter (where r.status >= 500)::integer as failed,
           ${COMPLETE_SINCE} as complete_since
      from counted r where r.n <= ${ROWS_MAX} group by 1 order by 1`;
}

export interface WebhooksRow extends Complete {
  readonly at: Date;
  readonly delivered: number;
  readonly exhausted: number;
  readonly lag_ms: number | null;
}

/**
 * Counts webhooks by the hour in which they were delivered or given up, and averages the time from the event to its first
 * attempt. A resend overwrites the time of the first attempt. Such events have more attempts than retries, and are left out.
 */
export function countWebhooks({ now, platformIds }: FiguresScope): Sql {
  return sql`
    with counted as materialized (
      select p.id as platform_id, e.finished_at as created_at, e.state, e.n,
             case when e.attempts = e.retries then extract(epoch from e.first_attempt_at - e.created_at) * 1000 end as lag_ms
        from unnest(${platformIds}::uuid[]) as p(id)
       cross join lateral (
         select w.finished_at, w.state, w.first_attempt_at, w.created_at, w.attempts, w.retries,
                row_number() over (order by w.finished_at desc) as n
           from events w
          where w.platform_id = p.id and w.finished_at > ${now}::timestamptz - make_interval(hours => ${HOURS})
          order by w.finished_at desc limit ${READ_MAX}) e)
    select date_trunc('hour', r.created_at) as at,
           count(*) filter (where r.state in ('DELIVERED', 'ACKED_DUPLICATE'))::integer as delivered,
           count(*) filter (where r.state = 'EXHAUSTED')::integer as exhausted,
           greatest(0, avg(r.lag_ms) filter (where r.state <> 'SKIPPED'))::float8 as lag_ms,
           ${COMPLETE_SINCE} as complete_since
      from counted r where r.n <= ${ROWS_MAX} group by 1 order by 1`;
}

export interface PaymentsRow {
  readonly status: string;
  readonly count: number;
  readonly is_capped: boolean;
}

/** Counts payments that were created in the last day of their platform's time, by their present status. */
export function countRecentPayments({ now, platformIds }: FiguresScope, statuses: readonly string[]): Sql {
  return sql`
    select s.status, sum(least(c.count, ${ROWS_MAX}))::integer as count, bool_or(c.count > ${ROWS_MAX}) as is_capped
      from platforms p
     cross join unnest(${statuses}::text[]) as s(status)
     cross join lateral (
       select count(*)::integer as count
         from (select from transactions t
                where t.platform_id = p.id and t.status = s.status
                  and t.created_at > ${businessNow(now)} - make_interval(hours => ${HOURS})
                order by t.created_at desc, t.id desc limit ${READ_MAX}) counted) c
     where p.id = any(${platformIds}::uuid[])
     group by s.status having sum(c.count) > 0
     order by s.status`;
}

export interface VolumeRow extends Complete {
  readonly platform_id: PlatformId;
  readonly day: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  /** Whether these are the receivers' sides of payments, which the senders' sides count already. */
  readonly is_mirror: boolean;
}

/** Adds up the amounts that completed payments sent, by the day of their platform's time on which they were created. */
export function sumVolumes({ now, platformIds }: FiguresScope): Sql {
  return sql`
    with counted as materialized (
      select p.id as platform_id, v.created_at, v.sending_currency, v.sending_amount, v.kind, v.n
        from platforms p
       cross join lateral (
         select t.created_at, t.sending_currency, t.sending_amount, t.kind,
                row_number() over (order by t.created_at desc, t.id desc) as n
           from transactions t
          where t.platform_id = p.id and t.status = 'COMPLETED'
            and t.created_at > ${businessNow(now)} - make_interval(days => ${DAYS})
          order by t.created_at desc, t.id desc limit ${READ_MAX}) v
       where p.id = any(${platformIds}::uuid[]))
    select r.platform_id, to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
           r.sending_currency as currency, count(*)::integer as count, sum(r.sending_amount)::text as amount,
           r.kind = 'MIRROR' as is_mirror, ${COMPLETE_SINCE} as complete_since
      from counted r where r.n <= ${ROWS_MAX}
     group by 1, 2, 3, r.kind = 'MIRROR' order by 2, 3, 1`;
}

const COMPLETE_SINCE = sql`
  (select max(f.oldest) from (
    select min(o.created_at) filter (where o.n <= ${ROWS_MAX}) as oldest
      from counted o group by o.platform_id having count(*) > ${ROWS_MAX}) f)`;
