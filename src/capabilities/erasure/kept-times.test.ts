import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAudit } from '#foundation/audit/audit.ts';
import { purgeAuditRows } from '#foundation/audit/month-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { testWorld } from '#tests/harness/harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('how long data is kept', () => {
  const world = testWorld();

  it('customers.md §2.4.26j: the audit log, with reads by operators, is kept for 13 months', async () => {
    const platform = await world.platform();
    // The database counts by its own clock.
    const thirteenMonths = new Date();
    thirteenMonths.setUTCMonth(thirteenMonths.getUTCMonth() - 13);
    const rows = [
      ['customer show', thirteenMonths.getTime() + DAY_MS],
      ['eraseCustomer', thirteenMonths.getTime() + DAY_MS],
      ['customer list', thirteenMonths.getTime() - 4 * DAY_MS],
      // The age of rows counts from the newest one.
      ['payment show', Date.now() - DAY_MS / 24],
    ] as const;
    const actor = { kind: 'operator', id: 'ada' } as const;
    await writeAudit(
      world.database,
      rows.map(([action, at]) => ({
        id: newUuid(),
        platformId: platform.id,
        at: new Date(at),
        actor,
        action,
      })),
    );
    // Since yesterday, each hourly check has found these rows too old.
    await world.database.query(sql`update audit_log_retention set confirmed = now(), noted = now()`);
    const work = await platform.work();
    await work.write((tx) => purgeAuditRows(tx, 1_000));
    const left = await world.database.query<{ action: string }>(sql`
      select action from audit_log where platform_id = ${platform.id} and actor_id = 'ada' order by 1`);
    assert.deepEqual(
      left.map(({ action }) => action),
      ['customer show', 'eraseCustomer', 'payment show'],
    );
  });
});
