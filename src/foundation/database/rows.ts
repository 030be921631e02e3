import assert from 'node:assert/strict';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import type { PlainReason } from '#foundation/database/reasons.ts';
import { type ItemColumns, insertOver, statementOver } from '#foundation/database/row-sets.ts';
import { rawSql, type Sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** The columns of every row that is changed by version. */
export interface Versioned {
  readonly platform_id: string;
  readonly id: string;
  /** Counts the changes of the row. */
  readonly version: bigint;
}

export interface RowChange<Row extends Versioned> {
  /** The version that the change was made from, which the row must still have; undefined: the row is new. */
  readonly from: bigint | undefined;
  readonly row: Row;
}

/** A row after a change, and the version that the change started from. */
export function changedRow<Row extends Versioned & { updated_at: Date }>(
  row: Row,
  changes: Partial<Row>,
  now: Date,
): RowChange<Row> {
  return { from: row.version, row: { ...row, ...changes, updated_at: now, version: row.version + 1n } };
}

/** The columns of a table with their types, beside those of `Versioned`. */
export interface RowColumns<Row extends Versioned> {
  readonly table: string;
  /** Set when the row is created. */
  readonly fixed: Readonly<Partial<Record<keyof Row & string, string>>>;
  /** Columns that may change; each change raises the version. */
  readonly state: Readonly<Partial<Record<keyof Row & string, string>>>;
  /** Whether the table refuses every deletion. */
  readonly isKept?: boolean;
  /** The reason for a violated unique constraint: constraint → name of the reason (changes.ts). */
  readonly constraints?: Readonly<Record<string, PlainReason>>;
}

export interface VersionedRows<Row extends Versioned> {
  readonly writer: Writer<RowChange<Row>>;
  /** The names of all columns. */
  readonly names: readonly (keyof Row & string)[];
  /** All columns, for a select under this alias. */
  columns(alias: string): Sql;
}

/** Reads and writes the rows of a product by version; the product only names its columns. */
export function versionedRows<Row extends Versioned>(columns: RowColumns<Row>): VersionedRows<Row> {
  const { table, fixed, state, isKept = false, constraints = {} } = columns;
  const keys = { platform_id: 'uuid', id: 'uuid', version: 'bigint' };
  const all = { ...keys, ...fixed, ...state } as Record<string, string>;
  const names = Object.keys(all);
  const changing = columnsOfRow<Row>({ ...keys, ...state } as Record<string, string>);
  const update = updateStatement<Row>(table, changing);
  const updateOne = isKept ? updateKeptStatement<Row>(table, changing) : update;
  const insert = insertOver<RowChange<Row>>({ table, columns: columnsOfRow(all) });
  return {
    names: names as (keyof Row & string)[],
    columns: (alias) => rawSql(names.map((name) => `${alias}.${name}`).join(', ')),
    writer: {
      name: table,
      stage: 'rows',
      constraints,
      exclusive: ({ from, row }) => (from === undefined ? [] : [`${table} ${row.platform_id} ${row.id}`]),
      write(items) {
        const created = items.filter(({ from }) => from === undefined);
        const changed = inLockOrder(
          items.filter(({ from }) => from !== undefined),
          ({ row }) => `${row.platform_id} ${row.id}`,
        );
        // The change would find no row.
        assert(
          !created.some(({ row }) => changed.some((change) => change.row.id === row.id)),
          `${table}: a row is created and changed in one commit`,
        );
        return [
          ...(changed.length > 0 ? [(changed.length === 1 ? updateOne : update)(changed)] : []),
          ...(created.length > 0 ? [insert(created)] : []),
        ];
      },
    },
  };
}

/** The statement that changes rows, by key and version. */
function updateStatement<Row extends Versioned>(table: string, columns: ItemColumns<RowChange<Row>>) {
  const set = Object.keys(columns)
    .filter((name) => name !== 'platform_id' && name !== 'id')
    .map((name) => `${name} = r.${name}`);
  return statementOver(
    { ...seenVersion<Row>(), ...columns },
    ({ rows, count }) => `with done as (
       update ${table} t set ${set.join(', ')}
         from ${rows}
        where t.platform_id = r.platform_id and t.id = r.id and t.version = r.seen
       returning 1)
     select refuse_commit('stale') where (select count(*) from done) <> ${count}`,
  );
}

/** The same for a table that keeps its rows: the update itself compares the version, and nothing is counted. */
function updateKeptStatement<Row extends Versioned>(table: string, columns: ItemColumns<RowChange<Row>>) {
  const set = Object.keys(columns)
    .filter((name) => !['platform_id', 'id', 'version'].includes(name))
    .map((name) => `${name} = r.${name}`);
  return statementOver(
    { ...seenVersion<Row>(), ...columns },
    ({ rows }) => `
      update ${table} t
         set version = case when t.version = r.seen then r.version else refuse_stale() end, ${set.join(', ')}
        from ${rows}
       where t.platform_id = r.platform_id and t.id = r.id`,
  );
}

function seenVersion<Row extends Versioned>(): ItemColumns<RowChange<Row>> {
  return { seen: ['bigint', ({ from }) => from] };
}

/** How a change gives these columns of its row. */
function columnsOfRow<Row extends Versioned>(types: Record<string, string>): ItemColumns<RowChange<Row>> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, [type, ({ row }) => row[name as keyof Row]]] as const),
  );
}

/** Deletes up to this many rows of the platform that meet the condition, and returns their number. */
export async function purgeRows(tx: Tx, table: string, condition: Sql, rowsMax: number): Promise<number> {
  const rows = rawSql(table);
  const deleted = await tx.sql`
    delete from ${rows}
     where ctid = any(array(
       select ctid from ${rows} where platform_id = ${tx.platformId} and ${condition}
        limit ${rowsMax} for update skip locked))
    returning 1`;
  return deleted.length;
}

/** The row of a statement that must have found one. */
export function requireRow<Row>([row]: readonly Row[]): Row {
  assert(row, 'the row was locked or inserted by this transaction');
  return row;
}
