import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { givenInvited, givenOperator } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the review of who has which role', () => {
  const world = testWorld();

  it('operator.md §2.3: admins export all people with their roles; it needs presence, and is in the audit log', async () => {
    const admin = await givenOperator(world, ['admin', 'finance']);
    const viewer = await givenOperator(world, ['viewer']);
    await givenInvited(world, ['treasury'], { email: '=cmd@example.com' });
    const path = '/console/api/operators/access-review';
    assert.equal((await viewer.ask('GET', path)).status, 403);
    await admin.stepUp();
    const { status, raw, headers } = await admin.ask('GET', path);
    assert.equal(status, 200, raw);
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [head, ...lines] = raw.trimEnd().split('\r\n');
    assert.equal(head, 'id,name,email,status,roles,invitedBy,createdAt,lastSeenAt');
    assert.equal(lines.length, 3);
    assert.ok(
      lines.some((line) => line.includes(admin.email) && /ACTIVE,(?:admin finance|finance admin)/.test(line)),
    );
    assert.ok(lines.some((line) => line.includes("'=cmd@example.com,INVITED,treasury")));
    const [row] = await world.database.query<{ actor_id: string }>(
      sql`select actor_id from audit_log where action = 'operator access-review'`,
    );
    assert.equal(row?.actor_id, `Operator:${admin.id}`);
    world.clock.advance(6 * 60_000);
    const late = await admin.ask('GET', path);
    assert.deepEqual([late.status, late.body.code], [403, 'STEP_UP_REQUIRED']);
  });
});
