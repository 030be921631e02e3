import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';

/** What each table holds, but for those left out: how many rows, and a digest of them. */
export async function tableContents(
  database: Database,
  leftOut: readonly string[],
): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    sql`select relname as name from pg_stat_user_tables where relname <> all(${leftOut}::text[]) order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const digest = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as d from `;
    const [row] = await database.query<{ digest: string }>(sql`
      select (xpath('/row/d/text()',
                    query_to_xml(${digest} || quote_ident(${name}) || ' t', false, true, '')))[1]::text as digest`);
    found[name] = row?.digest ?? '';
  }
  return found;
}
