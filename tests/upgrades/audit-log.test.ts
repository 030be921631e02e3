// lane: whole — an upgrade of a database of an earlier version

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrate } from '#foundation/database/migrate.ts';
import { codeBlocks } from '#tests/checks/markdown.ts';
import { createEmptyDatabase, type TestDatabase } from '#tests/harness/databases.ts';
import { restoreKept } from '#tests/upgrades/kept-database.ts';

const VERSION = '1.0.0-rc.1';

describe('an upgrade of an audit log that other roles read', () => {
  let kept: TestDatabase;
  let client: pg.Client;

  before(async () => {
    kept = await createEmptyDatabase();
    await restoreKept(VERSION, kept.url);
    client = new pg.Client({ connectionString: kept.url });
    await client.connect();
    await client.query(`
      create role auditor;
      grant usage on schema public to auditor;
      grant select on audit_log to auditor;
      create publication warehouse for table audit_log, customers`);
  });
  after(async () => {
    await client?.query('drop owned by auditor; drop role auditor');
    await client?.end();
    await kept?.drop();
  });

  it('decision 0084: the statements in docs/operating.md find privileges and publications, and give them to the new table', async () => {
    const blocks = codeBlocks(await readFile('docs/operating.md', 'utf8'));
    const [find, repeat] = blocks.filter(({ language }) => language === 'sql').map(({ text }) => text);
    assert.ok(find && repeat);
    const [granted, published] = await rowsOf(find);
    assert.ok(
      granted?.some(({ grantee, privilege_type: type }) => grantee === 'auditor' && type === 'SELECT'),
    );
    assert.deepEqual(published, [{ pubname: 'warehouse' }]);

    await migrate(kept.url);
    assert.deepEqual(await reached(), { may: false, tables: ['audit_log_first', 'customers'] });
    await rowsOf(repeat);
    assert.deepEqual(await reached(), { may: true, tables: ['audit_log', 'customers'] });
    await client.query('set role auditor');
    const { rows } = await client.query('select count(*)::integer as count from audit_log');
    await client.query('reset role');
    assert.ok(rows[0].count > 0);
  });

  /** Runs several statements in one text. Each has its own result. */
  async function rowsOf(text: string): Promise<Record<string, unknown>[][]> {
    const results = (await client.query(text)) as unknown as pg.QueryResult[];
    return results.map(({ rows }) => rows);
  }

  /** Returns whether the role may read the log, and which tables the publication has. */
  async function reached() {
    const [may, tables] = await rowsOf(`
      select has_table_privilege('auditor', 'audit_log', 'select') as may;
      select tablename from pg_publication_tables where pubname = 'warehouse' order by tablename`);
    return { may: may?.[0]?.may, tables: tables?.map(({ tablename }) => tablename) };
  }
});
