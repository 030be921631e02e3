import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { recordBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { listUnacknowledged } from '#capabilities/proposals/break-glass-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { givenOperator, onInstallation, SHELL, type TestOperator } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

const ACKNOWLEDGE = { method: 'POST', path: '/break-glass/:breakGlassId/acknowledge' } as const;

describe('what was done without a second operator', () => {
  const world = testWorld();
  let admin: TestOperator;
  let treasurer: TestOperator;
  before(async () => {
    admin = await givenOperator(world);
    treasurer = await givenOperator(world, ['treasury']);
  });

  const used = async (by = SHELL, operator: Id<'Operator'> | null = null) => {
    const use = { operation: 'setRates', resource: undefined, operator, reason: 'the source lies' };
    return onInstallation(world, (tx) => recordBreakGlass(tx, use), by);
  };
  const acknowledge = (who: TestOperator, id: Id<'BreakGlass'>) =>
    who.call(ACKNOWLEDGE, { breakGlassId: publicId('BreakGlass', id) });
  const openIds = async () => (await listUnacknowledged(world.database, 100)).map(({ id }) => id);

  it('operator.md §7.2: it stands until another operator with a role for the operation has acknowledged it', async () => {
    const id = await used();
    assert.ok((await openIds()).includes(id));
    assert.equal((await acknowledge(admin, id)).status, 403, 'no role that may set rates');
    const done = await acknowledge(treasurer, id);
    assert.equal(done.status, 200, done.raw);
    assert.deepEqual(
      [done.body.operation, done.body.madeBy, done.body.acknowledgedBy],
      ['setRates', SHELL.id, publicId('Operator', treasurer.id)],
    );
    assert.ok(!(await openIds()).includes(id));
    assert.equal((await acknowledge(treasurer, id)).status, 409);
  });

  it('operator.md §7.2: nobody acknowledges what was done in the own name, or under the own address', async () => {
    const named = await used(SHELL, treasurer.id);
    assert.equal((await acknowledge(treasurer, named)).status, 403);
    const addressed = await used({ ...SHELL, id: treasurer.email.toUpperCase() });
    assert.equal((await acknowledge(treasurer, addressed)).status, 403);
    const other = await givenOperator(world, ['treasury']);
    assert.equal((await acknowledge(other, named)).status, 200);
    const itself = sql`
      update break_glass_uses set acknowledged_by = operator, acknowledged_at = created_at where id = ${await used(SHELL, other.id)}`;
    await assert.rejects(world.database.query(itself), /break_glass_other/);
  });

  it('operator.md §7.2: of two who acknowledge it at once, one counts', async () => {
    const id = await used();
    const other = await givenOperator(world, ['treasury']);
    const replies = await Promise.all([acknowledge(treasurer, id), acknowledge(other, id)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
  });

  it('operator.md §7.2: the row can be neither changed nor removed, and its list and metric count it', async () => {
    const id = await used();
    const change = sql`update break_glass_uses set operation = 'x' where id = ${id}`;
    await assert.rejects(world.database.query(change), { code: '23001' });
    await assert.rejects(world.database.query(sql`delete from break_glass_uses where id = ${id}`), {
      code: '23001',
    });
    const listed = await admin.ask('GET', '/console/api/break-glass?open=true&limit=100');
    assert.ok(listed.body.data.some((one: { id: string }) => one.id === publicId('BreakGlass', id)));
    const all = await admin.ask('GET', '/console/api/break-glass?limit=100');
    assert.ok(all.body.data.length > listed.body.data.length);
    const counted = /^corridor_break_glass_total (\d+)$/m.exec(await world.app.metrics.text())?.[1];
    assert.equal(Number(counted), all.body.data.length);
  });
});
