import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { auditMonths } from '#foundation/lib/kept-times.ts';

/**
 * Drops the parts of the audit log whose rows are all too old, and makes parts for this month and the next two (months.sql).
 * If open transactions are in the way, the task of the next hour does it: until then, rows of a month without a part go into
 * the last part. Most steps lock the whole log, so each is one statement with its own transaction: a process that stops in
 * between holds no lock.
 */
export async function keepAuditMonths({ runtime }: Work): Promise<void> {
  const { query } = runtime.database;
  try {
    // First, because it does not need the validation below, which may exceed the time limit of statements.
    await query(sql`select drop_audit_months(${kept(runtime)})`);
  } finally {
    // Also if a month cannot be dropped, for example because a view of the operator's own reads it.
    await beginMonths(query);
  }
}

async function beginMonths(query: Database['query']): Promise<void> {
  const until = sql`now() + interval '2 months'`;
  const [last] = await query<{ unproven: boolean }>(sql`select bound_last_audit_part(${until}) as unproven`);
  if (last?.unproven) await query(sql`select prove_last_audit_part()`);
  await query(sql`select begin_audit_months(${until})`);
}

/**
 * Deletes old rows of the parts that do not have exactly one month. From each it deletes at most `rowsMax` rows of the
 * platform, and as many without a platform. Returns the greatest of these numbers.
 */
export async function purgeAuditRows(tx: Tx, rowsMax: number): Promise<number> {
  const spans = await tx.sql<Span>`
    select since::text, until::text from audit_rows_to_delete(${kept(tx.runtime)})`;
  let most = 0;
  for (const span of spans) {
    for (const isOwned of [sql`platform_id = ${tx.platformId}`, sql`platform_id is null`]) {
      most = Math.max(most, await purgeSpan(tx, isOwned, span, rowsMax));
    }
  }
  return most;
}

/** Times in PostgreSQL's own form, because one of them may be infinite. */
interface Span {
  readonly since: string;
  readonly until: string;
}

/** Both conditions name the times, so that PostgreSQL reads no other part. */
async function purgeSpan(tx: Tx, isOwned: Sql, { since, until }: Span, rowsMax: number): Promise<number> {
  const within = (at: Sql) => sql`${at} >= ${since}::timestamptz and ${at} < ${until}::timestamptz`;
  const deleted = await tx.sql`
    with old as materialized (
      select id from audit_log where ${isOwned} and ${within(sql`at`)}
       limit ${rowsMax} for update skip locked)
    delete from audit_log a using old where a.id = old.id and ${within(sql`a.at`)}
    returning 1`;
  return deleted.length;
}

function kept(runtime: Tx['runtime']): Sql {
  return sql`make_interval(months => ${auditMonths(runtime)})`;
}
