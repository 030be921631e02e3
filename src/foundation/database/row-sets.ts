import { Sql } from '#foundation/database/sql.ts';

/** How an item gives the columns of a row: by name, the type and the value. */
export type ItemColumns<Item> = Readonly<
  Record<string, readonly [type: string, value: (item: Item) => unknown]>
>;

/** The parts of a statement's text that depend on the number of items. */
export interface ItemRows {
  /** A `from` item with the alias `r`, which has one row for each item and all columns. */
  readonly rows: string;
  /** The number of items; a text that uses it must name it after `rows`. */
  readonly count: string;
}

/** Up to this many items are sent as `values`. */
const FEW = 4;

export function isFew(items: readonly unknown[]): boolean {
  return items.length <= FEW;
}

/**
 * Makes the statements over any number of items from one list of columns and one text (decision 0018). A few items are
 * sent as `values`, with a parameter for each value. The planner inlines a single row, and the server has no arrays to
 * parse, unnest and join. More items are sent as an array for each column, so that one text serves any number of them.
 */
export function statementOver<Item>(
  columns: ItemColumns<Item>,
  text: (items: ItemRows) => string,
): (items: readonly Item[]) => Sql {
  const valuesOf = Object.values(columns).map(([, value]) => value);
  const texts = new Map<number, readonly string[]>();
  const textFor = (few: number | undefined): readonly string[] => {
    const known = texts.get(few ?? 0);
    if (known) return known;
    const rows = few === undefined ? arraysText(columns) : valuesText(columns, few);
    const parts = text({ rows, count: few === undefined ? `${PARAMETER}::integer` : String(few) }).split(
      PARAMETER,
    );
    texts.set(few ?? 0, parts);
    return parts;
  };
  return (items) => {
    if (isFew(items)) {
      return new Sql(
        textFor(items.length),
        items.flatMap((item) => valuesOf.map((value) => value(item))),
      );
    }
    const parts = textFor(undefined);
    const arrays = arraysOf(columns, items);
    return new Sql(parts, parts.length - 1 > arrays.length ? [...arrays, items.length] : arrays);
  };
}

/** The columns and expressions of a plain insert. */
interface Insertion<Item> {
  readonly table: string;
  readonly columns: ItemColumns<Item>;
  /** Values that are sent only to compute others. */
  readonly inputs?: ItemColumns<Item>;
  /** Columns that the database computes from those of the item, `r`. */
  readonly computed?: Readonly<Record<string, string>>;
  /** A left join that gives each item at most one row, for those columns. */
  readonly joined?: string;
}

/** Makes the statements that insert a row for each item, in the order of the items. */
export function insertOver<Item>(insertion: Insertion<Item>): (items: readonly Item[]) => Sql {
  const { table, columns, inputs = {}, computed = {}, joined = '' } = insertion;
  const names = [...Object.keys(columns), ...Object.keys(computed)].join(', ');
  const selected = [...Object.keys(columns).map((name) => `r.${name}`), ...Object.values(computed)].join(
    ', ',
  );
  return statementOver(
    { ...columns, ...inputs },
    ({ rows }) => `insert into ${table} (${names}) select ${selected} from ${rows} ${joined}`,
  );
}

/** Stands for a parameter until the text is split there. */
const PARAMETER = '\0';

function valuesText<Item>(columns: ItemColumns<Item>, count: number): string {
  const row = `(${Object.values(columns)
    .map(([type]) => `${PARAMETER}::${type}`)
    .join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `(values ${rows}) as r (${Object.keys(columns).join(', ')})`;
}

/** Bytes are not sent as elements of an array, whose text would be twice as long, but as slices of one parameter. */
function arraysText<Item>(columns: ItemColumns<Item>): string {
  const all = Object.entries(columns);
  const bytes = all.filter(([, [type]]) => type === 'bytea');
  const others = all.filter(([, [type]]) => type !== 'bytea');
  const arrays = [
    ...others.map(([, [type]]) => `${PARAMETER}::${type}[]`),
    ...bytes.flatMap(() => [`${PARAMETER}::integer[]`, `${PARAMETER}::integer[]`]),
  ];
  const names = [
    ...others.map(([name]) => name),
    ...bytes.flatMap(([name]) => [`${name}_start`, `${name}_size`]),
  ];
  if (bytes.length === 0) return `unnest(${arrays.join(', ')}) as r (${names.join(', ')})`;
  const selected = [
    ...others.map(([name]) => `a.${name}`),
    ...bytes.map(([name]) => `substr(${PARAMETER}::bytea, a.${name}_start, a.${name}_size) as ${name}`),
  ];
  return `(select ${selected.join(', ')} from unnest(${arrays.join(', ')}) as a (${names.join(', ')})) as r`;
}

/** The values for `arraysText`, in the order of its parameters. */
function arraysOf<Item>(columns: ItemColumns<Item>, items: readonly Item[]): unknown[] {
  const all = Object.values(columns);
  const bytes = all
    .filter(([type]) => type === 'bytea')
    .map(([, value]) => packBytes(items.map((item) => value(item) as Buffer | null | undefined)));
  return [
    ...bytes.map(({ all: packed }) => packed),
    ...all.filter(([type]) => type !== 'bytea').map(([, value]) => items.map(value)),
    ...bytes.flatMap(({ starts, sizes }) => [starts, sizes]),
  ];
}

function packBytes(values: readonly (Buffer | null | undefined)[]) {
  let end = 1;
  const starts = values.map((value) => {
    const start = end;
    end += value?.length ?? 0;
    return start;
  });
  const all = Buffer.concat(values.map((value) => value ?? NOTHING));
  return { all, starts, sizes: values.map((value) => value?.length ?? null) };
}

const NOTHING = Buffer.alloc(0);
