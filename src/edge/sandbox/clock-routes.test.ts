import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the clock over the API', () => {
  const world = testWorld();

  it('platform.md §1.5.2: reads and moves the time of this platform', async () => {
    const platform = await world.platform();
    const now = world.clock.now();
    const before = await platform.call('getSandboxClock');
    assert.deepEqual(
      [before.status, before.body],
      [200, { now: new Date(now).toISOString(), offsetSeconds: 0 }],
    );
    const moved = await platform.call('advanceSandboxClock', { body: { seconds: 360 } });
    const expected = { now: new Date(now + 360_000).toISOString(), offsetSeconds: 360 };
    assert.deepEqual([moved.status, moved.body], [200, expected]);
    assert.deepEqual((await platform.call('getSandboxClock')).body, expected);
  });

  it('platform.md §1.5.1, §1.5.2: a day and its purge, a year at most', async () => {
    const platform = await world.platform();
    await platform.call('advanceSandboxClock', { body: { seconds: 10 * 86_400 } });
    const [job] = await world.database.query<{ due_at: Date }>(sql`
      select due_at from jobs where platform_id = ${platform.id} and kind = 'platform.purge'`);
    assert.ok(job && job.due_at.getTime() > world.clock.now() + 10 * 86_400_000);
  });

  for (const seconds of [0, -1, 1.5, 31_536_001, '60', null, undefined]) {
    it(`platform.md §1.5.2: refuses to move by ${JSON.stringify(seconds)}`, async () => {
      const platform = await world.platform();
      const { status, body } = await platform.send('advanceSandboxClock', { body: { seconds } });
      assert.deepEqual([status, body.code, body.details.errors[0].field], [400, 'INVALID_INPUT', 'seconds']);
      assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 0);
    });
  }

  it('platform.md §1.5.4: an idempotency key moves the clock once', async () => {
    const platform = await world.platform();
    const first = await platform.call('advanceSandboxClock', { body: { seconds: 60 }, key: 'k' });
    const second = await platform.call('advanceSandboxClock', { body: { seconds: 60 }, key: 'k' });
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 60);
  });

  it('platform.md §1.5.4: a key moves the clock once, even if the move is longer than the day for which keys are kept', async () => {
    const platform = await world.platform();
    const call = { body: { seconds: 3 * 86_400 }, key: 'k' };
    const first = await platform.call('advanceSandboxClock', call);
    const second = await platform.call('advanceSandboxClock', call);
    assert.deepEqual(
      [second.status, second.body, second.headers['idempotency-replayed']],
      [200, first.body, 'true'],
    );
    assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 3 * 86_400);
  });

  it('platform.md §1.5.4, §10.0.4: an interrupted move is completed by repeating its key', async () => {
    const platform = await world.platform();
    const call = { body: { seconds: 60 }, key: 'k' };
    const first = await platform.call('advanceSandboxClock', call);
    // The state after a crash between the key's commit and the moves that follow it.
    await world.database.query(sql`update platforms set clock_offset_ms = 0 where id = ${platform.id}`);
    const second = await platform.call('advanceSandboxClock', call);
    assert.deepEqual([second.body, second.headers['idempotency-replayed']], [first.body, 'true']);
    assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 60);
  });

  it('calls at the same time add up', async () => {
    const platform = await world.platform();
    const calls = [10, 20, 30].map((seconds) => platform.call('advanceSandboxClock', { body: { seconds } }));
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
    assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 60);
  });

  it('platform.md §1.1.3, §1.3.4: sandbox only, with the permission', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    assert.equal((await production.call('getSandboxClock')).status, 403);
    assert.equal((await production.call('advanceSandboxClock', { body: { seconds: 1 } })).status, 403);
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await viewer.call('getSandboxClock')).status, 200);
    assert.equal((await viewer.call('advanceSandboxClock', { body: { seconds: 1 } })).status, 403);
    assert.equal((await viewer.call('getSandboxClock', { as: 'nobody' })).status, 401);
  });
});
