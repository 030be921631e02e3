import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import { clearColumns, contextColumns, type SealedColumn, sealContext } from '#database/sealed-columns.ts';
import { joinSql, rawSql, sql } from '#database/sql.ts';

const BATCH = 1_000;

interface Row {
  readonly clear: string;
  readonly [key: string]: unknown;
}

/**
 * Seals what an earlier version of the schema left in clear, a batch at a time: a migration has no key. Interrupted, it
 * goes on with the next start; processes that start together share the work. Afterwards one look at an empty index
 * for each such column is all that it costs.
 */
export async function sealClear(database: Database, vault: Vault): Promise<number> {
  let total = 0;
  for (const { name, sealed } of await clearColumns(database.query)) {
    for (;;) {
      const rows = await readBatch(database, name, sealed);
      if (rows.length === 0) break;
      await sealBatch(database, { name, sealed, rows, vault });
      total += rows.length;
    }
  }
  return total;
}

function readBatch(database: Database, name: string, sealed: SealedColumn): Promise<Row[]> {
  const wanted = new Set([...sealed.key.map((key) => key.name), ...contextColumns(sealed)]);
  return database.query<Row>(sql`
    select ${rawSql([...wanted].join(', '))}, ${rawSql(name)} as clear from ${rawSql(sealed.table)}
     where ${rawSql(name)} is not null
     order by ${rawSql(sealed.key.map((key) => key.name).join(', '))} limit ${BATCH}`);
}

async function sealBatch(
  database: Database,
  { name, sealed, rows, vault }: { name: string; sealed: SealedColumn; rows: readonly Row[]; vault: Vault },
): Promise<void> {
  const values = rows.map((row) => vault.seal(row.clear, sealContext(sealed, row)));
  const keys = sealed.key.map((key) => sql`${rows.map((row) => row[key.name])}::${rawSql(key.type)}[]`);
  const names = sealed.key.map((key) => key.name);
  const matches = names.map((key) => rawSql(`t.${key} = given.${key}`));
  // A value that somebody else has sealed since is left alone.
  await database.query(sql`
    update ${rawSql(sealed.table)} t set ${rawSql(sealed.column)} = given.value, ${rawSql(name)} = null
      from unnest(${joinSql(keys, ', ')}, ${values}::bytea[]) as given(${rawSql(names.join(', '))}, value)
     where ${joinSql(matches, ' and ')} and t.${rawSql(name)} is not null`);
}
