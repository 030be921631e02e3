import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { insertOver, statementOver } from '#foundation/database/row-sets.ts';
import { compile, sql } from '#foundation/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

interface Thing {
  readonly id: number;
  readonly name: string | null;
  readonly bytes: Buffer | null;
  readonly facts: object | null;
  readonly at: Date;
  readonly isLoud: boolean;
}

describe('statements over any number of items', () => {
  let files: TestDatabase;
  let database: Database;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url });
    await database.query(sql`
      create table made_things (
        n bigint generated always as identity, id integer primary key, name text, bytes bytea, facts jsonb,
        at timestamptz, shown text)`);
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  const insert = insertOver<Thing>({
    table: 'made_things',
    columns: {
      id: ['integer', (thing) => thing.id],
      name: ['text', (thing) => thing.name],
      bytes: ['bytea', (thing) => thing.bytes],
      facts: ['jsonb', (thing) => thing.facts && JSON.stringify(thing.facts)],
      at: ['timestamptz', (thing) => thing.at],
    },
    inputs: { is_loud: ['boolean', (thing) => thing.isLoud] },
    computed: { shown: `r.name || case when r.is_loud then '!' else '' end` },
  });

  /** Values that one of the two forms might quote, pad or lose. */
  const thing = (id: number): Thing => ({
    id,
    name: [null, '', 'null', '"a", {b}\\', 'ü NULL'][id % 5] as string | null,
    bytes: [null, Buffer.alloc(0), Buffer.from([0, 255, 92]), Buffer.alloc(300, id)][id % 4] as Buffer | null,
    facts: id % 3 === 0 ? null : { deep: ['x"', null, id] },
    at: new Date(1_800_000_000_000 + id),
    isLoud: id % 2 === 0,
  });

  it('decision 0018: both forms store the same values, in the order of the items', async () => {
    let next = 1;
    for (const count of [1, 2, 3, 4, 5, 9, 40]) {
      const things = Array.from({ length: count }, () => thing(next++));
      await database.commit([insert(things)]);
      const ids = things.map(({ id }) => id);
      const stored = await database.query(sql`
        select id, name, bytes, facts, at, shown from made_things where id = any(${ids}::integer[]) order by n`);
      assert.deepEqual(
        stored,
        things.map(({ isLoud, ...values }) => ({
          ...values,
          shown: values.name === null ? null : values.name + (isLoud ? '!' : ''),
        })),
      );
    }
  });

  it('the text depends on the number of items only while they are few', () => {
    const nameOf = (count: number) => compile(insert(Array.from({ length: count }, (_, i) => thing(i)))).name;
    assert.equal(new Set([1, 2, 3, 4].map(nameOf)).size, 4);
    assert.equal(new Set([5, 6, 50, 500].map(nameOf)).size, 1);
    assert.equal(nameOf(2), nameOf(2));
  });

  it('a statement can use the number of items', async () => {
    const count = statementOver<number>(
      { n: ['integer', (n) => n] },
      ({ rows, count }) => `select sum(r.n)::integer as sum from ${rows} having count(*) = ${count}`,
    );
    for (const items of [[7], [1, 2, 3], [1, 2, 3, 4, 5, 6]]) {
      const [row] = await database.query(count(items));
      assert.deepEqual(row, { sum: items.reduce((a, b) => a + b) });
    }
  });
});
