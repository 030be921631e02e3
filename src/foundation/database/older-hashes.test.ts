import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

interface TriggerFunction {
  readonly table: string;
  readonly text: string;
}

/** A search in the text of a trigger function, for rows with the older version of a new hash. */
const SEARCH = /exists \(\s*(select from[^;]*?(\w+) = stored_older_hash\([^)]*\))\)/g;

describe('a search for the older version of a hash', () => {
  let files: TestDatabase;
  let database: Database;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 2 });
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  it('decision 0056: uses an index in every trigger, so that its cost does not depend on the size of the table', async () => {
    const functions = await database.query<TriggerFunction>(sql`
      select distinct t.tgrelid::regclass::text as table, p.prosrc as text
        from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where p.prosrc like '%stored_older_hash(%'`);
    const searched: string[] = [];
    for (const { table, text } of functions) {
      const searches = [...text.matchAll(SEARCH)];
      assert.equal(searches.length, text.split('stored_older_hash(').length - 1, text);
      for (const [, search = '', column = ''] of searches) {
        const plan = await explain(table, column, search);
        assert.match(plan, new RegExp(`Index Cond: .*${column} = stored_older_hash\\(`), plan);
        searched.push(`${table}.${column}`);
      }
    }
    assert.deepEqual(searched.toSorted(), [
      'cards.pan_hash',
      'cards.reference_hash',
      'customers.reference_hash',
      'customers.uma_hash',
      'external_accounts.fingerprint',
      'wallet_credentials.identity_hash',
      'wallet_credentials.webauthn_hash',
    ]);
  });

  /** Returns the plan of a search that a trigger does for each row, without the other indexes of the table. */
  async function explain(table: string, column: string, search: string): Promise<string> {
    let plan = '';
    const undone = new Error('the indexes are valid again');
    const explained = database.transaction(async (run) => {
      await run(sql`set local enable_seqscan = off`);
      await run(sql`
        update pg_index i set indisvalid = false
         where i.indrelid = ${table}::regclass
           and not exists (select from pg_attribute a
                            where a.attrelid = i.indrelid and a.attname = ${column} and a.attnum = any(i.indkey::int2[]))`);
      const lines = await run<{ 'QUERY PLAN': string }>(sql`
        explain (costs off)
        select exists (${rawSql(search)}) from ${rawSql(table)} as new cross join hash_versions as versions`);
      plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      throw undone;
    });
    await assert.rejects(explained, undone);
    return plan;
  }
});
