import type { Writer } from '#database/changes.ts';
import { rawSql, Sql } from '#database/sql.ts';

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
  const keys = { platform_id: 'uuid', id: 'uuid', version: 'bigint' };
  const all = { ...keys, ...fixed, ...state } as Record<string, string>;
  const names = Object.keys(all);
  const update = updating(table, { ...keys, ...state } as Record<string, string>);
  const insert = inserting(table, all);
  return {
    names: names as (keyof Row & string)[],
    columns: (alias) => rawSql(names.map((name) => `${alias}.${name}`).join(', ')),
    writer: {
      name: table,
      stage: 'rows',
      exclusive: ({ from, row }) => (from === undefined ? [] : [`${table} ${row.platform_id} ${row.id}`]),
      write(items) {
        const born = items.filter(({ from }) => from === undefined);
        const changed = items.filter(({ from }) => from !== undefined).toSorted(byId);
        return [...(changed.length > 0 ? [update(changed)] : []), ...(born.length > 0 ? [insert(born)] : [])];
      },
    },
  };
}

type Statement = <Row extends Versioned>(changes: readonly RowChange<Row>[]) => Sql;

function updating(table: string, columns: Record<string, string>): Statement {
  const names = Object.keys(columns);
  const set = names
    .filter((name) => name !== 'platform_id' && name !== 'id')
    .map((name) => `${name} = s.${name}`);
  const parts = [
    `with done as (
       update ${table} t set ${set.join(', ')}
         from unnest(`,
    ...separators(['bigint', ...Object.values(columns)]),
    `::${last(columns)}[]) as s (seen, ${names.join(', ')})
        where t.platform_id = s.platform_id and t.id = s.id and t.version = s.seen
       returning 1)
     select refuse_commit('stale') where (select count(*) from done) <> `,
    '::integer',
  ];
  return (changes) =>
    new Sql(parts, [changes.map(({ from }) => from), ...arraysOf(names, changes), changes.length]);
}

function inserting(table: string, columns: Record<string, string>): Statement {
  const names = Object.keys(columns);
  const parts = [
    `insert into ${table} (${names.join(', ')}) select * from unnest(`,
    ...separators(Object.values(columns)),
    `::${last(columns)}[])`,
  ];
  return (changes) => new Sql(parts, arraysOf(names, changes));
}

/** What stands between the parameters, an array each; what follows the last one begins with its type. */
function separators(types: readonly string[]): string[] {
  return types.slice(0, -1).map((type) => `::${type}[], `);
}

function last(columns: Record<string, string>): string {
  return Object.values(columns).at(-1) ?? '';
}

/** One array for each column. */
function arraysOf<Row extends Versioned>(
  names: readonly string[],
  changes: readonly RowChange<Row>[],
): unknown[][] {
  return names.map((name) => changes.map(({ row }) => (row as unknown as Record<string, unknown>)[name]));
}

/** Everybody locks the rows of a table in this order. */
function byId<Row extends Versioned>({ row: a }: RowChange<Row>, { row: b }: RowChange<Row>): number {
  return compare(a.platform_id, b.platform_id) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
