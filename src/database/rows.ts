import { unlessStale, type Writer } from '#database/changes.ts';
import { joinSql, rawSql, type Sql, sql } from '#database/sql.ts';

/** What every row has that a change can be about. */
export interface Versioned {
  readonly platform_id: string;
  readonly id: string;
  /** Counts the changes of the row. */
  readonly version: bigint;
}

/** A row after a change of it. */
export interface RowChange<Row extends Versioned> {
  /** The version that the change was made from, which the row must still have; none: the row is new. */
  readonly from: bigint | undefined;
  readonly row: Row;
}

/** The columns of a table with their types, beside those of `Versioned`. */
export interface RowColumns<Row extends Versioned> {
  readonly table: string;
  /** Set when the row is made. */
  readonly fixed: Readonly<Partial<Record<keyof Row & string, string>>>;
  /** What changes; each change raises the version. */
  readonly state: Readonly<Partial<Record<keyof Row & string, string>>>;
}

export interface VersionedRows<Row extends Versioned> {
  readonly writer: Writer<RowChange<Row>>;
  /** The names of all columns. */
  readonly names: readonly (keyof Row & string)[];
  /** All columns, for a select under this alias. */
  columns(alias: string): Sql;
}

/** How rows of a product are read and written: it names its columns, and that is all it brings. */
export function versionedRows<Row extends Versioned>(given: RowColumns<Row>): VersionedRows<Row> {
  const { table, fixed, state } = given;
  const names = { platform_id: 'uuid', id: 'uuid', version: 'bigint' };
  const all = { ...names, ...fixed, ...state } as Record<string, string>;
  const changing = { ...names, ...state } as Record<string, string>;
  return {
    names: Object.keys(all) as (keyof Row & string)[],
    columns: (alias) =>
      rawSql(
        Object.keys(all)
          .map((name) => `${alias}.${name}`)
          .join(', '),
      ),
    writer: {
      name: table,
      stage: 'rows',
      write(items) {
        const born = items.filter(({ from }) => from === undefined).map(({ row }) => row);
        const changed = items.filter(({ from }) => from !== undefined).toSorted(byId);
        return [
          ...(changed.length > 0 ? [updating(table, changing, Object.keys(state), changed)] : []),
          ...(born.length > 0 ? [inserting(table, all, born)] : []),
        ];
      },
    },
  };
}

function updating<Row extends Versioned>(
  table: string,
  columns: Record<string, string>,
  state: readonly string[],
  changes: readonly RowChange<Row>[],
): Sql {
  const set = ['version', ...state].map((name) => `${name} = s.${name}`).join(', ');
  const rows = changes.map(({ row }) => row);
  return sql`
    with done as (
      update ${rawSql(table)} t set ${rawSql(set)}
        from unnest(${changes.map(({ from }) => from)}::bigint[], ${arrays(columns, rows)})
             as s (seen, ${rawSql(Object.keys(columns).join(', '))})
       where t.platform_id = s.platform_id and t.id = s.id and t.version = s.seen
      returning 1)
    ${unlessStale(changes.length)}`;
}

function inserting<Row extends Versioned>(
  table: string,
  columns: Record<string, string>,
  rows: readonly Row[],
): Sql {
  return sql`
    insert into ${rawSql(table)} (${rawSql(Object.keys(columns).join(', '))})
    select * from unnest(${arrays(columns, rows)})`;
}

/** One array for each column. */
function arrays<Row extends Versioned>(columns: Record<string, string>, rows: readonly Row[]): Sql {
  const pieces = Object.entries(columns).map(([name, type]) => {
    const values = rows.map((row) => (row as unknown as Record<string, unknown>)[name]);
    return sql`${values}::${rawSql(type)}[]`;
  });
  return joinSql(pieces, ', ');
}

/** Everybody locks the rows of a table in this order. */
function byId<Row extends Versioned>({ row: a }: RowChange<Row>, { row: b }: RowChange<Row>): number {
  return compare(a.platform_id, b.platform_id) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
