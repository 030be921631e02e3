import { GRACE_SECONDS } from '#capabilities/payments/attention.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

export interface Overdue {
  readonly platform: string;
  /** In lower case, as in metric labels. */
  readonly environment: string;
  readonly state: 'PROCESSING' | 'COLLECTING' | 'REFUNDING';
  readonly count: number;
}

/**
 * Overdue payments, by platform and by the step that they wait for, on each platform's own clock. A refund counts from
 * its own start. Reads open payments only, along the indexes of status and refund.
 */
export async function countOverdue(
  { query }: Pick<Database, 'query'>,
  now: Date,
): Promise<readonly Overdue[]> {
  const rows = await query<Omit<Overdue, 'count'> & { count: bigint }>(sql`
    select p.id as platform, lower(p.environment) as environment, open.state, count(*) as count
      from platforms p
     cross join lateral (
       select w.state
         from (
           select case when t.status = 'PENDING' or t.taken_at is null then 'COLLECTING' else 'PROCESSING' end as state,
                  t.executed_at as since, t.details
             from transactions t
            where t.platform_id = p.id and t.status = any('{PENDING,PROCESSING}') and t.executed_at is not null
              and t.refund_status is null
           union all
           select 'REFUNDING', t.refund_initiated_at, t.details
             from transactions t
            where t.platform_id = p.id and t.refund_status = 'PENDING') w
        where w.since + make_interval(
                secs => coalesce((w.details->>'settlementSeconds')::integer, 0) + ${GRACE_SECONDS})
              < ${now}::timestamptz + make_interval(secs => p.clock_offset_ms / 1000.0)
       ) open
     group by p.id, open.state
     order by p.id, open.state`);
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
