import type { Database } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';

/** Returns the first moment of the month this many months ago. */
export function monthAgo(months: number): Sql {
  return sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${months}::integer)) at time zone 'UTC'`;
}

/**
 * Gives an audit log without rows the parts that it would have if the upgrade had been this many months ago, up to the
 * present month.
 */
export async function upgradeMonthsAgo({ query }: Pick<Database, 'query'>, months: number): Promise<void> {
  const [last] = await query<{ part: string }>(
    sql`select part::text from audit_log_parts() where ends is null`,
  );
  await query(sql`drop table ${rawSql(last?.part ?? '')}`);
  await query(sql`alter table audit_log detach partition audit_log_first`);
  const [first] = await query<{ ends: string }>(sql`select quote_literal(${monthAgo(months)}) as ends`);
  const ends = rawSql(first?.ends ?? '');
  await query(
    sql`alter table audit_log attach partition audit_log_first for values from (minvalue) to (${ends})`,
  );
  await query(sql`select begin_last_audit_part(${monthAgo(months)})`);
  await query(sql`select begin_audit_months(now())`);
}

/**
 * Adds a month with this many rows, which every hourly check of a day has found too old. No part may have rows that are
 * older than 14 months.
 */
export async function addOldMonth({ query }: Pick<Database, 'query'>, rows: number): Promise<void> {
  const [month] = await query<{ begins: string; ends: string }>(
    sql`select quote_literal(${monthAgo(15)}) as begins, quote_literal(${monthAgo(14)}) as ends`,
  );
  const [begins, ends] = [rawSql(month?.begins ?? ''), rawSql(month?.ends ?? '')];
  await query(sql`drop table if exists audit_log_first`);
  await query(
    sql`create table audit_log_old partition of audit_log for values from (${begins}) to (${ends})`,
  );
  await query(sql`
    insert into audit_log (id, at, actor_kind, actor_id, action)
    select gen_random_uuid(), ${begins}::timestamptz + interval '1 minute' * n, 'operator', 'Operator:test', 'old'
      from generate_series(1, ${rows}::integer) as n`);
  await query(sql`
    update audit_log_retention set noted = ${ends}, noted_at = now() - interval '1 day'`);
}
