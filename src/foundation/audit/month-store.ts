import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { auditMonths } from '#foundation/lib/kept-times.ts';

/**
 * Makes parts of the audit log for this month and the next two, and drops the parts whose rows are all too old (months.sql).
 * If open transactions are in the way, the next hour's work does it: a month without a part of its own has a place in the
 * last one. Both lock the whole log, so each is a transaction of its own that ends on the server: a process that stops in
 * between holds no lock.
 */
export async function keepAuditMonths({ runtime }: Tx): Promise<void> {
  const { query } = runtime.database;
  await query(sql`select begin_audit_months(now() + interval '2 months')`);
  await query(sql`select drop_audit_months(make_interval(months => ${auditMonths(runtime)}))`);
}

/**
 * Deletes old rows of the first part, which an upgrade made from the whole log of before: at most `rowsMax` of the platform,
 * and as many without a platform. Returns the greater number of the two. Rows of all other parts are dropped with their
 * parts.
 */
export async function purgeAuditRows(tx: Tx, rowsMax: number): Promise<number> {
  const [first] = await tx.sql<{ until: Date }>`
    select least(ends, now() - make_interval(months => ${auditMonths(tx.runtime)})) as until
      from audit_log_parts() where begins is null`;
  if (!first) return 0;
  const platform = await purgeFirst(tx, sql`platform_id = ${tx.platformId}`, first.until, rowsMax);
  return Math.max(platform, await purgeFirst(tx, sql`platform_id is null`, first.until, rowsMax));
}

/** PostgreSQL leaves out all later parts, because both conditions say `until`. */
async function purgeFirst(tx: Tx, isOwned: Sql, until: Date, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select id from audit_log where ${isOwned} and at < ${until}
       limit ${rowsMax} for update skip locked)
    delete from audit_log a using old where a.id = old.id and a.at < ${until}
    returning 1`;
  return deleted.length;
}
