import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayUseSql, sqlProblems, usesSql } from '#tests/checks/sql-style.ts';

describe('the style of SQL', () => {
  const good = [
    "-- Counts the rows of a kind that no operator's list shows. LIKE THIS.",
    'create or replace function count_things(of_kind text) returns bigint language sql stable as $$',
    "  select count(*) from things t where t.kind = of_kind and t.state <> 'DONE' and t.a * 2 > 1",
    '$$;',
    '',
  ].join('\n');

  it('finds nothing in SQL that is well written', () => {
    assert.deepEqual(sqlProblems('a.sql', good), []);
  });

  const bad: Readonly<Record<string, { readonly sql: string; readonly problem: string }>> = {
    'an upper-case keyword': {
      sql: good.replace('select', 'SELECT'),
      problem: 'a.sql:3: keywords are lower-case',
    },
    'select *': { sql: 'select * from things;', problem: 'a.sql:1: columns are named' },
    'select * of one table': {
      sql: 'select t.id,\n  t.* from things t;',
      problem: 'a.sql:1: columns are named',
    },
    'what is left for later': {
      sql: `-- ${'TODO'}: an index.`,
      problem: 'a.sql:1: something is left for later',
    },
    'a line of more than 120 characters': {
      sql: `-- ${'é'.repeat(118)}`,
      problem: 'a.sql:1: the line is too long',
    },
    'a function without a comment': {
      sql: good.slice(good.indexOf('\n') + 1),
      problem: 'a.sql:1: no comment says what the function does',
    },
    'a function whose comment is empty': {
      sql: good.replace(/^--.*/, '--'),
      problem: 'a.sql:2: no comment says what the function does',
    },
  };
  for (const [name, { sql, problem }] of Object.entries(bad)) {
    it(`finds ${name}`, () => assert.deepEqual(sqlProblems('a.sql', sql), [problem]));
  }

  it('counts characters, not bytes', () => {
    assert.deepEqual(sqlProblems('a.sql', `-- ${'é'.repeat(117)}`), []);
  });

  it('sees SQL in TypeScript, however it is written', () => {
    for (const text of [
      "import { sql } from '#foundation/database/sql.ts';",
      "import { type Sql, sql } from '#foundation/database/sql.ts';",
      "import {\n  joinSql,\n  type Sql,\n} from '#foundation/database/sql.ts';",
      'await tx.sql`select`',
      'await tx.sql<{ id: string }>`select id`',
      'await tx.sql<{\n  id: string;\n}>`select id`',
    ]) {
      assert.equal(usesSql(text), true, text);
    }
    assert.equal(usesSql("import type { Sql } from '#foundation/database/sql.ts';"), false);
    assert.equal(usesSql("import { type Sql } from '#foundation/database/sql.ts';"), false);
  });

  it('knows a store by its name', () => {
    for (const path of [
      'src/capabilities/payments/store.ts',
      'src/foundation/jobs/clock-store.ts',
      'src/foundation/ledger/kinds.sql.ts',
    ]) {
      assert.equal(mayUseSql(path), true, path);
    }
    for (const path of [
      'src/capabilities/payments/routes.ts',
      'src/capabilities/payments/restore.ts',
      'src/capabilities/payments/store-types.ts',
    ]) {
      assert.equal(mayUseSql(path), false, path);
    }
  });
});
