import { type Sql, sql } from '#foundation/database/sql.ts';

/** Figures about statements of banks for the metrics (bank-files.md §7.5); each reads open rows only. */

export interface AccountFigures {
  /** `<connector>.<settlement account>` */
  readonly account: string;
  readonly unproven_days: number;
  /** 1 if the statement of the last banking day has not come by noon of the next one, in the zone of the account. */
  readonly is_late: number;
}

/** Banking days are Mondays to Fridays. An account that never had a statement is not late. */
export function accountFigures(now: Date): Sql {
  return sql`
    select c.name || '.' || a.id as account, u.count::integer as unproven_days,
           coalesce(s.last_day < d.day - case extract(isodow from d.day) when 1 then 3 else 1 end, false)::integer as is_late
      from connectors c
     cross join jsonb_to_recordset(c.capabilities -> 'settlementAccounts') as a (id text, zone text)
     cross join lateral (select ((${now}::timestamptz at time zone coalesce(a.zone, 'UTC')) - interval '12 hours')::date as day) h
     cross join lateral (select h.day - greatest(extract(isodow from h.day)::integer - 5, 0) as day) d
     cross join lateral (
       select count(*) as count from bank_proofs p
        where p.connector_id = c.id and p.settlement_account = a.id and not p.is_proven) u
     cross join lateral (
       select max(b.last_day) as last_day from bank_statements b
        where b.connector_id = c.id and b.settlement_account = a.id) s
     where c.removed_at is null
     order by 1`;
}

export interface BreakFigures {
  readonly kind: string;
  readonly count: number;
  readonly oldest_seconds: number;
}

export function breakFigures(now: Date): Sql {
  return sql`
    select b.kind, count(*)::integer as count,
           greatest(0, extract(epoch from ${now}::timestamptz - min(b.opened_at)))::float8 as oldest_seconds
      from connector_breaks b
     where b.resolved_at is null
     group by b.kind order by b.kind`;
}
