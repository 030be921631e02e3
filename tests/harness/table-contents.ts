import assert from 'node:assert/strict';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { contextColumns, sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';

/**
 * The contents of each table except the request log, with the keys of months that it makes, and the given ones: the
 * number of rows, and a digest of them.
 */
export async function tableContents(
  database: Database,
  leftOut: readonly string[],
): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    sql`
      select relname as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
         and relname <> all(${['request_logs', 'keyed_people', ...leftOut]}::text[])
       order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    // Every call may record the use of its token, whatever its outcome.
    const text = name === 'tokens' ? `(to_jsonb(t) - 'used_at')::text` : 't::text';
    const digest = `select count(*) || ' ' || coalesce(md5(string_agg(${text}, ',' order by ${text})), '') as d from `;
    const [row] = await database.query<{ digest: string }>(sql`
      select (xpath('/row/d/text()',
                    query_to_xml(${digest} || quote_ident(${name}) || ' t', false, true, '')))[1]::text as digest`);
    found[name] = row?.digest ?? '';
  }
  return found;
}

/** Every row of every table as text, to search for content that must not be stored. */
export async function allRows(database: Database): Promise<{ table: string; text: string }[]> {
  const tables = await database.query<{ name: string }>(sql`
    select format('public.%I', relname) as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`);
  assert.ok(tables.length > 10);
  const found = [];
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(sql`select r::text as text from ${rawSql(name)} r`);
    for (const { text } of rows) found.push({ table: name, text });
  }
  return found;
}

/** A secret as text, and as its bytes appear in a dump. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}

/** A sealed value of a table, opened. */
export interface OpenedValue {
  readonly table: string;
  readonly text: string;
  /** Whether the keys of people sealed it, rather than a data key. */
  readonly isOfPeople: boolean;
}

/** Every sealed value of every table, opened, except values of people who were erased. */
export async function openedValues(
  database: Database,
  { vault, personKeys }: Pick<Runtime, 'vault' | 'personKeys'>,
): Promise<OpenedValue[]> {
  const found: OpenedValue[] = [];
  for (const column of await sealedColumns(database.query)) {
    const names = [...new Set([...column.key.map(({ name }) => name), ...contextColumns(column)])];
    const listed = rawSql(names.map((name) => `"${name}"`).join(', '));
    const rows = await database.query<Record<string, unknown> & { sealed: Buffer }>(sql`
      select ${listed}, ${rawSql(`"${column.column}"`)} as sealed from ${rawSql(`"${column.table}"`)}
       where ${rawSql(`"${column.column}"`)} is not null`);
    await personKeys.loadFor(rows.map(({ sealed }) => sealed));
    for (const row of rows) {
      const text = vault.openKept(row.sealed, sealContext(column, row));
      const isOfPeople = readReferences(row.sealed).length > 0;
      if (text !== undefined) found.push({ table: `${column.table}.${column.column}`, text, isOfPeople });
    }
  }
  return found;
}
