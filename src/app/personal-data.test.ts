import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WORDS } from '#app/personal-data.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findTextColumns, namesOf } from '#tests/harness/personal-words.ts';

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
});
