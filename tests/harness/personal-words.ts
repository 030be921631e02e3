import { type TableWords, WORDS } from '#app/personal-data.ts';
import type { Database } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';

export interface StoredColumn {
  readonly table: string;
  readonly column: string;
  readonly isJson: boolean;
}

/** All columns that can hold text: of text, bytes, addresses or JSON. */
export function findTextColumns(database: Database): Promise<StoredColumn[]> {
  return database.query<StoredColumn>(sql`
    select c.relname as table, a.attname as column, t.typname like 'json%' as "isJson"
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type d on d.oid = a.atttypid
      join pg_type t on t.oid = coalesce(nullif(d.typbasetype, 0), nullif(d.typelem, 0), d.oid)
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
       and (t.typcategory = 'S' or t.typname in ('json', 'jsonb', 'bytea', 'inet', 'xml'))
     order by 1, 2`);
}

/** The columns, and the members of JSON, that a table has words about. */
export function namesOf(words: TableWords = {}): string[] {
  return Object.values(words).flat();
}

/** The members of stored JSON that are texts, and those of them without a word. */
export async function findJsonTexts(database: Database): Promise<{ found: string[]; without: string[] }> {
  const found = new Set<string>();
  const without = new Set<string>();
  for (const { table, column } of (await findTextColumns(database)).filter(({ isJson }) => isJson)) {
    const rows = await database.query<{ value: unknown }>(sql`
      select ${rawSql(column)} as value from ${rawSql(table)} where ${rawSql(column)} is not null`);
    for (const path of rows.flatMap(({ value }) => textPaths(value, column))) {
      found.add(`${table}.${path}`);
      if (!hasWord(table, path)) without.add(`${table}.${path}`);
    }
  }
  return { found: [...found], without: [...without].sort() };
}

/** The entries of a list share one path. */
function textPaths(value: unknown, path: string): string[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((entry) => textPaths(entry, path));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => textPaths(member, `${path}.${name}`));
}

function hasWord(table: string, path: string): boolean {
  const names = namesOf(WORDS[table]);
  const parts = path.split('.');
  return (
    names.includes(path) || parts.some((_, i) => i > 0 && names.includes(`${parts.slice(0, i).join('.')}.*`))
  );
}
