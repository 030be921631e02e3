import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeAudit } from '#foundation/audit/audit.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Plain SQL: the database itself refuses these changes to every client. */
describe('the audit table', () => {
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

  const leave = async (action: string, daysAgo: number) => {
    const actor = { kind: 'operator', id: 'test' } as const;
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    await writeAudit(database, [{ id: newUuid(), platformId: null, at, actor, action }]);
  };
  const actions = async () =>
    (await database.query<{ action: string }>(sql`select action from audit_log order by action`)).map(
      ({ action }) => action,
    );

  it('customers.md §2.4.26j: is append-only: no row can be changed, and none can be deleted within its first 13 months', async () => {
    await leave('young', 390);
    await leave('old', 400);
    const changes = [
      sql`update audit_log set actor_id = 'nobody'`,
      sql`update audit_log set at = at - interval '14 months'`,
      sql`delete from audit_log where action = 'young'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ];
    for (const change of changes) {
      await assert.rejects(database.query(change), (error) => sqlFailure(error)?.code === '23001');
    }
    assert.deepEqual(await actions(), ['old', 'young']);
    await database.query(sql`delete from audit_log where action = 'old'`);
    assert.deepEqual(await actions(), ['young']);
  });
});
