import { PERSON_SEAL_VERSION } from '#foundation/crypto/person-seal.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import {
  contextColumns,
  type SealedColumn,
  sealContext,
  sealedColumns,
} from '#foundation/database/sealed-columns.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';

export interface ResealProgress {
  readonly column: SealedColumn;
  /** The number of values of this column that have been sealed again so far. */
  readonly resealed: number;
}

/** Whether any value is still sealed with an older key: a rotation that has not finished. */
export async function hasOldSeals(database: Database, keyId: number): Promise<boolean> {
  for (const column of await sealedColumns(database.query)) {
    const found = await database.query(sql`
      select 1 from ${rawSql(column.table)} where ${isOld(column, keyId)} limit 1`);
    if (found.length > 0) return true;
  }
  return false;
}

/**
 * Seals every value again with the vault's newest key, a batch at a time in the order of the primary key, while servers
 * keep running. If interrupted, it is simply run again: values under the newest key are skipped.
 */
export async function resealAll(database: Database, vault: Vault, onBatch?: OnBatch): Promise<number> {
  const pass: Pass = {
    isWanted: (column) => isOld(column, vault.currentKeyId),
    reseal: async (values) =>
      values.map(({ value, context }) => vault.seal(vault.open(value, context), context)),
  };
  return resealColumns(database, pass, onBatch);
}

/**
 * Does the same for values that keys of people seal. `reseal` gets all of them, and returns undefined for a value that
 * stays as it is.
 */
export function resealPeople(database: Database, reseal: Pass['reseal'], onBatch?: OnBatch): Promise<number> {
  const isWanted = (column: SealedColumn) =>
    sql`get_byte(${rawSql(quoted(column.column))}, 0) = ${PERSON_SEAL_VERSION}`;
  return resealColumns(database, { isWanted, reseal }, onBatch);
}

type OnBatch = (progress: ResealProgress) => void | Promise<void>;

/** A stored value, and the place that it is bound to. */
export interface SealedValue {
  readonly value: Buffer;
  readonly context: string;
}

/** One pass over all sealed values. */
interface Pass {
  /** The condition on the values that the pass reads. */
  isWanted(column: SealedColumn): Sql;
  /** Returns the new values of a batch; undefined for a value that stays as it is. */
  reseal(values: readonly SealedValue[]): Promise<(Buffer | undefined)[]>;
}

async function resealColumns(database: Database, pass: Pass, onBatch?: OnBatch): Promise<number> {
  let total = 0;
  for (const column of await sealedColumns(database.query)) {
    let resealed = 0;
    for (let after: Row | undefined; ; ) {
      const rows = await readBatch(database, column, { isWanted: pass.isWanted(column), after });
      if (rows.length === 0) break;
      const values = rows.map((row) => ({ value: row.value, context: sealContext(column, row) }));
      const changed = await pass.reseal(values);
      const pairs = rows.flatMap((row, i) => {
        const value = changed[i];
        return value ? { row, resealed: value } : [];
      });
      if (pairs.length > 0) resealed += await writeBatch(database, column, pairs);
      await onBatch?.({ column, resealed });
      after = rows.at(-1);
    }
    total += resealed;
  }
  return total;
}

/** Small enough that no transaction waits long for a row, and that large values fit in memory. */
const BATCH = 200;

interface Row {
  readonly value: Buffer;
  readonly [key: string]: unknown;
}

function readBatch(
  database: Database,
  column: SealedColumn,
  { isWanted, after }: { isWanted: Sql; after: Row | undefined },
): Promise<Row[]> {
  const keys = columnList(keyNames(column));
  const wanted = columnList([...new Set([...keyNames(column), ...contextColumns(column)])]);
  const start = after ? sql` and (${keys}) > (${keyValues(column, after)})` : rawSql('');
  return database.query<Row>(sql`
    select ${wanted}, ${rawSql(quoted(column.column))} as value from ${rawSql(column.table)}
     where ${isWanted}${start}
     order by ${keys} limit ${BATCH}`);
}

/** A value that changed since it was read is skipped: its writer has sealed it. */
async function writeBatch(
  database: Database,
  column: SealedColumn,
  pairs: readonly { readonly row: Row; readonly resealed: Buffer }[],
): Promise<number> {
  const rows = pairs.map(({ row }) => row);
  const resealed = pairs.map((pair) => pair.resealed);
  const names = keyNames(column);
  const arrays = column.key.map(({ name, type }) => sql`${rows.map((row) => row[name])}::${rawSql(type)}[]`);
  const matches = names.map((name) => rawSql(`t.${quoted(name)} = new.${quoted(name)}`));
  const update = sql`
    update ${rawSql(column.table)} t set ${rawSql(quoted(column.column))} = new.resealed
      from unnest(${joinSql(arrays, ', ')}, ${rows.map((row) => row.value)}::bytea[], ${resealed}::bytea[])
           as new(${columnList(names)}, old_value, resealed)
     where ${joinSql(matches, ' and ')} and t.${rawSql(quoted(column.column))} = new.old_value
    returning 1`;
  try {
    return (await database.query(update)).length;
  } catch (error) {
    // Another transaction locked the same rows in another order and won; the next pass finds the remaining rows.
    if (sqlFailure(error)?.code === DEADLOCK) return 0;
    throw error;
  }
}

const DEADLOCK = '40P01';

/** Bytes two to five of a sealed value are the key's id. */
function isOld(column: SealedColumn, keyId: number): Sql {
  const id = Buffer.alloc(4);
  id.writeUInt32BE(keyId);
  const value = rawSql(quoted(column.column));
  // Values that keys of people seal have another format, without the id of a data key.
  return sql`get_byte(${value}, 0) = 1 and substring(${value} from 2 for 4) <> ${id}`;
}

function keyValues(column: SealedColumn, row: Row): Sql {
  const values = column.key.map(({ name, type }) => sql`${row[name]}::${rawSql(type)}`);
  return joinSql(values, ', ');
}

function keyNames(column: SealedColumn): string[] {
  return column.key.map(({ name }) => name);
}

function columnList(names: readonly string[]): Sql {
  return rawSql(names.map(quoted).join(', '));
}

function quoted(name: string): string {
  return `"${name}"`;
}
