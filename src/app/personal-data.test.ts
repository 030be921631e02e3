import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WORDS } from '#app/personal-data.ts';
import { UNSEALED_BYTES } from '#foundation/database/sealed-columns.ts';
import { sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findTextColumns, namesOf } from '#tests/harness/personal-words.ts';

/** What a platform asked about the customer of another platform, for an hour at most. */
const OF_PLATFORMS = ['lookups.facts'];

describe('the words about personal data', () => {
  const world = testWorld();

  it('SECURITY.md: every column of text, bytes or JSON has one word, and no word is about a column that is gone', async () => {
    const columns = await findTextColumns(world.database);
    assert.ok(columns.length > 200, `${columns.length}`);
    const without = columns.filter(({ table, column, isJson }) => {
      const names = namesOf(WORDS[table]);
      return !(isJson ? names.some((name) => name.startsWith(`${column}.`)) : names.includes(column));
    });
    assert.deepEqual(without, []);
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    const words = Object.entries(WORDS).flatMap(([table, own]) =>
      namesOf(own).map((name) => `${table}.${name.split('.')[0]}`),
    );
    const gone = words.filter((word) => !known.has(word));
    assert.deepEqual(gone, []);
    for (const [table, own] of Object.entries(WORDS)) {
      const names = namesOf(own);
      assert.equal(new Set(names).size, names.length, `${table} has two words for one column`);
    }
  });

  it('SECURITY.md, decision 0068: every column of bytes that may describe a person says whose key seals it', async () => {
    const columns = await world.database.query<{ name: string; table: string; comment: string | null }>(sql`
      select c.relname as table, a.attname as name, col_description(c.oid, a.attnum) as comment
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p') and not c.relispartition and a.atttypid in ('bytea'::regtype, 'bytea[]'::regtype)
         and c.relnamespace = (select relnamespace from pg_class where oid = 'encryption_keys'::regclass)`);
    const personal = columns.filter(({ table, name }) => {
      const { personal: own = [], freeText = [] } = WORDS[table] ?? {};
      const isNamed = UNSEALED_BYTES.test(`${table}.${name}`) || OF_PLATFORMS.includes(`${table}.${name}`);
      return [...own, ...freeText].includes(name) && !isNamed;
    });
    assert.ok(personal.length > 40, `${personal.length}`);
    const isOwned = (comment: string | null) => /^sealed: .*; person: |^hash: /s.test(comment ?? '');
    const without = personal.filter(({ comment }) => !isOwned(comment));
    assert.deepEqual(
      without.map(({ table, name }) => `${table}.${name}`),
      [],
    );
    const ofBanks = personal.filter(({ table }) => /^(bank|connector)_/.test(table));
    assert.ok(ofBanks.length >= 13, `${ofBanks.length}`);
  });
});
