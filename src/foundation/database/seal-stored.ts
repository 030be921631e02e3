import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Run } from '#foundation/database/database.ts';
import {
  contextColumns,
  type HashedColumn,
  hashedColumns,
  type SealedColumn,
  sealContext,
  sealedColumns,
} from '#foundation/database/sealed-columns.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** The position of the job that seals a platform's stored values. */
export interface SealingPosition {
  /** `table.column` */
  readonly column?: string;
  /** The primary key of the last row of this column that was read. */
  readonly after?: readonly string[];
}

/** Small enough that no transaction waits long for a row. */
const BATCH = 200;

/**
 * Seals the platform's next values that an earlier version sealed with a data key, or stored in clear text, with the
 * keys of the people to whom they belong, or with the key of `strangers`. Returns the position after them, or undefined at
 * the end.
 */
export async function sealStoredValues(
  tx: Tx,
  { column: name, after }: SealingPosition,
  strangers: PersonId,
): Promise<SealingPosition | undefined> {
  const run: Run = (statement) => tx.query(statement);
  const columns = (await sealedColumns(run)).filter(({ person, by }) => person !== null && by === null);
  const place = columns.findIndex((column) => name === undefined || nameOf(column) >= name);
  const column = columns[place];
  if (!column) return undefined;
  const hashes = await hashedColumns(run, column.table);
  const rows = await readBatch(tx, column, { hashes, after: nameOf(column) === name ? after : undefined });
  const owned = column.isOfStrangers
    ? rows.map((row) => ({ ...row, person: row.person ?? strangers }))
    : rows;
  await sealBatch(tx, column, hashes, owned);
  const last = rows.at(-1);
  if (last && rows.length === BATCH) return { column: nameOf(column), after: last.place };
  const next = columns[place + 1];
  return next && { column: nameOf(next) };
}

function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}

/** Turns the text in a column's comment into SQL: a column of the row `t`, or an expression in parentheses over it. */
function expression(text: string): Sql {
  return rawSql(text.startsWith('(') ? text : `t.${quoted(text)}`);
}

/** A row whose value is not sealed with the key of its person yet. */
interface OldRow {
  /** The primary key, as texts. */
  readonly place: readonly string[];
  readonly person: PersonId | null;
  readonly sealed: Buffer | null;
  readonly clear: string | null;
  /** The texts of the hashed columns, in their order. */
  readonly hashed: readonly (string | null)[];
  readonly [name: string]: unknown;
}

/** Returns the SQL for the clear text of a value that was never sealed. */
function clearText({ column, was }: SealedColumn): Sql {
  if (was === null) return sql`null::text`;
  return sql`case when ${rawSql(`t.${quoted(column)}`)} is null then (${expression(was)})::text end`;
}

function readBatch(
  tx: Tx,
  column: SealedColumn,
  { hashes, after }: { hashes: readonly HashedColumn[]; after: readonly string[] | undefined },
): Promise<OldRow[]> {
  const value = rawSql(`t.${quoted(column.column)}`);
  const keys = rawSql(column.key.map(({ name }) => `t.${quoted(name)}`).join(', '));
  const places = rawSql(column.key.map(({ name }) => `t.${quoted(name)}::text`).join(', '));
  const bounds = after?.map((text, i) => sql`${text}::${rawSql(column.key[i]?.type ?? 'text')}`);
  const context = rawSql(
    contextColumns(column)
      .map((name) => `t.${quoted(name)}, `)
      .join(''),
  );
  const hashed = hashes.map(({ was }) => sql`(${expression(was)})::text`);
  return tx.query<OldRow>(sql`
    select ${context} array[${places}] as place, ${expression(column.person ?? 'null')} as person, ${value} as sealed,
           ${clearText(column)} as clear, array[${joinSql([...hashed, sql`null`], ', ')}]::text[] as hashed
      from ${rawSql(quoted(column.table))} t
     where t.platform_id = ${tx.platformId} and (get_byte(${value}, 0) = 1 or ${clearText(column)} is not null)
       ${bounds ? sql`and (${keys}) > (${joinSql(bounds, ', ')})` : sql``}
     order by ${keys} limit ${BATCH}`);
}

async function sealBatch(
  tx: Tx,
  column: SealedColumn,
  hashes: readonly HashedColumn[],
  rows: readonly OldRow[],
): Promise<void> {
  const { personKeys } = tx.runtime;
  personKeys.requireHeld(rows.flatMap(({ person }) => person ?? []));
  const changed = rows.flatMap((row) => {
    const { person, clear, sealed } = row;
    // The platform's own values stay under the data key. Values of an erased person are skipped.
    if (person === null ? clear === null : personKeys.isErased(person)) return [];
    const context = sealContext(column, row);
    const plain = clear ?? tx.vault.open(sealed ?? Buffer.alloc(0), context);
    return { ...row, resealed: tx.vault.sealFor(person === null ? [] : [person], plain, context) };
  });
  if (changed.length > 0) await writeBatch(tx, column, hashes, changed);
}

/** A value that changed since it was read is skipped: its writer has sealed it. */
async function writeBatch(
  tx: Tx,
  column: SealedColumn,
  hashes: readonly HashedColumn[],
  rows: readonly (OldRow & { readonly resealed: Buffer })[],
): Promise<void> {
  const places = column.key.map(
    ({ type }, i) => sql`${rows.map(({ place }) => place[i])}::${rawSql(type)}[]`,
  );
  const names = column.key.map(({ name }) => quoted(name));
  const matches = names.map((name) => `t.${name} = new.${name}`).join(' and ');
  // Hashes are made together with the sealed values, while the clear text is still there.
  const made = column.was === null ? [] : hashes;
  const digests = made.map(({ purpose }, i) => {
    const texts = rows.map(({ hashed }) => hashed[i] ?? null);
    return sql`${texts.map((text) => (text === null ? null : tx.vault.hash(text, purpose).toStore))}::bytea[]`;
  });
  const digestNames = made.map((_, i) => `hash_${i}`);
  const assignments = [
    `${quoted(column.column)} = new.resealed`,
    ...made.map(({ column: name }, i) => `${quoted(name)} = coalesce(t.${quoted(name)}, new.hash_${i})`),
    ...(column.was === null ? [] : [column.next ?? `${quoted(column.was)} = null`]),
  ];
  await tx.query(sql`
    update ${rawSql(quoted(column.table))} t set ${rawSql(assignments.join(', '))}
      from unnest(${joinSql(
        [
          ...places,
          sql`${rows.map(({ sealed }) => sealed)}::bytea[]`,
          sql`${rows.map(({ clear }) => clear)}::text[]`,
          sql`${rows.map(({ resealed }) => resealed)}::bytea[]`,
          ...digests,
        ],
        ', ',
      )}) as new(${rawSql([...names, 'sealed', 'clear', 'resealed', ...digestNames].join(', '))})
     where t.platform_id = ${tx.platformId} and ${rawSql(matches)}
       and ${rawSql(`t.${quoted(column.column)}`)} is not distinct from new.sealed
       and ${clearText(column)} is not distinct from new.clear`);
}

function quoted(name: string): string {
  return `"${name}"`;
}
