import type { Database } from '#foundation/database/database.ts';
import { contextColumns, sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

/** The personal values of all customers: names, contacts, addresses, numbers, references. */
export async function personalValues({
  database,
  vault,
  personKeys,
}: Pick<Runtime, 'database' | 'vault' | 'personKeys'>): Promise<string[]> {
  const rows = await database.query<{ id: string; person: Buffer; reference: Buffer; uma: Buffer }>(
    sql`select id, person, reference, uma from customers where person is not null`,
  );
  await personKeys.loadFor(rows.map(({ person }) => person));
  const texts = rows.flatMap(({ id, person, reference, uma }) => [
    ...textsOf(JSON.parse(vault.openText(person, `customers.person:${id}`))),
    vault.openText(reference, `customers.reference:${id}`),
    vault.openText(uma, `customers.uma:${id}`),
  ]);
  // Choices and codes are everybody's, and a few digits are in every id.
  return [...new Set(texts)].filter((text) => text.length > 4 && !/^([A-Z_]+|\d{5,7})$/.test(text));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsOf);
}

/** The places in these tables where one of the values stands in clear text, or under a data key. */
export async function findExposed(
  database: Database,
  vault: Runtime['vault'],
  tables: readonly string[],
  values: readonly string[],
): Promise<string[]> {
  const clear = (await allRows(database)).filter(({ table }) =>
    tables.includes(table.replace('public.', '')),
  );
  const found = [...clear, ...(await underDataKeys(database, vault, tables))];
  return found.flatMap(({ table, text }) =>
    values
      .filter((value) => formsOf(value).some((form) => text.includes(form)))
      .map((value) => `${table}: ${value}`),
  );
}

async function underDataKeys(database: Database, vault: Runtime['vault'], tables: readonly string[]) {
  const found = [];
  for (const column of await sealedColumns(database.query)) {
    if (!tables.includes(column.table)) continue;
    const names = [...new Set(contextColumns(column))].map((name) => `"${name}"`).join(', ');
    const value = rawSql(`"${column.column}"`);
    const rows = await database.query<Record<string, unknown> & { sealed: Buffer }>(sql`
      select ${rawSql(names)}, ${value} as sealed from ${rawSql(column.table)} where get_byte(${value}, 0) = 1`);
    for (const row of rows) {
      const text = vault.open(row.sealed, sealContext(column, row)).toString('utf8');
      found.push({ table: `${column.table}.${column.column} ${JSON.stringify(row.scope ?? '')}`, text });
    }
  }
  return found;
}
