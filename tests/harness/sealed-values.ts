import assert from 'node:assert/strict';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { type SealedColumn, sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { joinSql, rawSql, sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { formsOf } from '#tests/harness/table-contents.ts';

/** A sealed value, opened, and the people whose keys sealed it. */
export interface OpenedValue {
  readonly table: string;
  readonly column: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly people: readonly string[];
}

/** Every sealed value in these tables of one platform. */
export async function openTables(
  { database, vault, personKeys }: Pick<Runtime, 'database' | 'vault' | 'personKeys'>,
  platformId: string,
  tables: readonly string[],
): Promise<OpenedValue[]> {
  const found: OpenedValue[] = [];
  for (const sealed of await columnsOf(database, tables)) {
    const { table, column } = sealed;
    const rows = await rowsOf(database, platformId, table);
    const values = rows.flatMap((row) => (row[column] === null ? [] : [row]));
    await personKeys.loadFor(values.map((row) => row[column] as Buffer));
    for (const row of values) {
      const value = row[column] as Buffer;
      const people = readReferences(value).map(({ person }) => person);
      found.push({
        table,
        column,
        row,
        people,
        text: vault.open(value, sealContext(sealed, row)).toString(),
      });
    }
  }
  return found;
}

async function columnsOf(database: Database, tables: readonly string[]): Promise<SealedColumn[]> {
  const columns = await sealedColumns(database.query);
  return columns.filter(({ table }) => tables.includes(table));
}

function rowsOf(database: Database, platformId: string, table: string): Promise<Record<string, unknown>[]> {
  return database.query<Record<string, unknown>>(sql`
    select t.* from ${rawSql(table)} t where t.platform_id = ${platformId}`);
}

/** Asserts that no row of these tables has one of these values in clear text, as text or as bytes. */
export async function assertNotInClear(
  database: Database,
  tables: readonly string[],
  planted: readonly string[],
): Promise<void> {
  for (const table of tables) {
    const rows = await database.query<{ text: string }>(sql`select t::text as text from ${rawSql(table)} t`);
    for (const value of planted.flatMap(formsOf)) {
      assert.ok(!rows.some(({ text }) => text.includes(value)), `${value} is in clear text in ${table}`);
    }
  }
}

/** A column whose values an earlier version stored in clear text. */
interface Upgrade {
  readonly table: string;
  readonly column: string;
  readonly comment: string;
}

function wordOf({ comment }: Upgrade, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}: ([^;]*)`).exec(comment)?.[1];
}

type Sealing = Pick<Runtime, 'database' | 'vault' | 'personKeys'>;

/**
 * Seals the rows of an earlier version as the comments of the columns say: the values of `was` for the person, and the
 * hashes, all in one update of the row, which also removes the clear text.
 */
export async function sealAsCommented(
  sealing: Sealing,
  platformId: PlatformId,
  tables: readonly string[],
): Promise<void> {
  const upgrades = await sealing.database.query<Upgrade>(sql`
    select c.relname as table, a.attname as column, col_description(c.oid, a.attnum) as comment
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relname = any(${tables}::text[]) and col_description(c.oid, a.attnum) like '%; was: %'`);
  for (const [table, own] of Map.groupBy(upgrades, (each) => each.table)) {
    const sealed = own.filter((each) => wordOf(each, 'sealed'));
    const [first] = sealed;
    assert.ok(first, table);
    const selected = own.map((each, i) => `(${wordOf(each, 'was')})::text as was_${i}`).join(', ');
    const rows = await sealing.database.query<Record<string, unknown>>(sql`
      select t.*, ${rawSql(wordOf(first, 'person') ?? '')} as sealed_for, ${rawSql(selected)}, t.ctid::text as place
        from ${rawSql(table)} t
       where t.platform_id = ${platformId} and ${rawSql(`"${first.column}"`)} is null`);
    const cleared = sealed.map((each) => wordOf(each, 'then') ?? `${wordOf(each, 'was')} = null`);
    for (const row of rows) {
      await sealing.personKeys.ensure(platformId, [String(row.sealed_for)]);
      const values = own.map((each, i) => sealAgain(sealing, each, row, row[`was_${i}`] as string | null));
      if (values.every((value) => value === null)) continue;
      const set = own.map((each, i) => sql`${rawSql(`"${each.column}"`)} = ${values[i]}::bytea`);
      await sealing.database.query(sql`
        update ${rawSql(table)} set ${joinSql(set, ', ')}, ${rawSql(cleared.join(', '))}
         where ctid = ${row.place}::tid`);
    }
  }
}

function sealAgain(
  { vault }: Sealing,
  upgrade: Upgrade,
  row: Readonly<Record<string, unknown>>,
  text: string | null,
): Buffer | null {
  if (text === null) return null;
  const context = wordOf(upgrade, 'sealed');
  if (context === undefined) return vault.hash(text, wordOf(upgrade, 'hash') ?? '').toStore;
  return vault.sealFor([String(row.sealed_for)], text, sealContext({ context } as SealedColumn, row));
}
