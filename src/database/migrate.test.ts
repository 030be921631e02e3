import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { migrate } from '#database/migrate.ts';
import { createTestDatabase } from '#tests/databases.ts';

describe('migrations', () => {
  it('a database that has the edited form of 0010 goes on, with nothing to do', async () => {
    const edited = await createTestDatabase();
    try {
      await setHash(edited.url, EDITED);
      assert.deepEqual(await migrate(edited.url), { migrations: [], functions: [] });
    } finally {
      await edited.drop();
    }
  });

  it('a migration that was changed after it was applied is refused by name', async () => {
    const changed = await createTestDatabase();
    try {
      await setHash(changed.url, 'another');
      await assert.rejects(migrate(changed.url), /migration 0010_payments was changed after it was applied/);
    } finally {
      await changed.drop();
    }
  });
});

const EDITED = '74f0724391d73a3d545e1532050052a79497e235fd0757e4c2069d7efe6cc6ac';

async function setHash(url: string, hash: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`update schema_migrations set hash = $1 where name = '0010_payments'`, [hash]);
  } finally {
    await client.end();
  }
}
