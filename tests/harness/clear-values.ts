import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { contextColumns, sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

/** The first byte of a value that is sealed with a data key. */
const DATA_KEY_SEAL = 1;

/** The places in these tables where one of the texts stands in clear, or is sealed with a data key. */
export async function findClearValues(
  database: Database,
  vault: Vault,
  tables: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const rows = (await allRows(database)).filter(({ table }) =>
    tables.includes(table.replace(/^public\./, '')),
  );
  const opened = await openedByDataKey(database, vault, tables);
  return [...rows, ...opened].flatMap(({ table, text }) =>
    texts.filter((one) => formsOf(one).some((form) => text.includes(form))).map((one) => `${table}: ${one}`),
  );
}

async function openedByDataKey(database: Database, vault: Vault, tables: readonly string[]) {
  const found = [];
  for (const column of (await sealedColumns(database.query)).filter(({ table }) => tables.includes(table))) {
    const names = [...new Set([...column.key.map(({ name }) => name), ...contextColumns(column)])];
    const name = rawSql(`"${column.column}"`);
    const sealed = await database.query<Record<string, unknown> & { sealed: Buffer }>(sql`
      select ${rawSql(names.map((one) => `"${one}"`).join(', '))}, ${name} as sealed
        from ${rawSql(`"${column.table}"`)} where get_byte(${name}, 0) = ${DATA_KEY_SEAL}`);
    for (const row of sealed) {
      const text = vault.open(row.sealed, sealContext(column, row)).toString('utf8');
      found.push({ table: `${column.table}.${column.column}`, text });
    }
  }
  return found;
}
