import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { purgeEvents } from '#edge/webhooks/log-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { purgeHandler } from '#foundation/jobs/purge.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type KeptTimes, LEAST_KEPT } from '#foundation/lib/kept-times.ts';

import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('purging by age', () => {
  const world = outboxWorld();

  it('every platform has a daily purge from its creation', async () => {
    const platform = await world.platform();
    const worker = world.worker();
    for (let day = 1; day <= 3; day++) {
      assert.deepEqual(await purges(platform), [new Date(world.clock.now() + DAY_MS)]);
      world.clock.advance(DAY_MS);
      await worker.settle(platform.id);
    }
  });

  it('platform.md §2.5: idempotency keys are deleted after 24 hours', async () => {
    const platform = await world.platform();
    await addKey(platform, 'old', world.clock.now() - DAY_MS - 1);
    await addKey(platform, 'young', world.clock.now() - DAY_MS + 1);
    await runNow(platform);
    const rows = await world.database.query(
      sql`select key from idempotency_keys where platform_id = ${platform.id}`,
    );
    assert.deepEqual(rows, [{ key: 'young' }]);
  });

  it('platform.md §4.2.6: the delivery log and finished events are deleted after 30 days', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const worker = world.worker();
    await platform.emit();
    await worker.settle(platform.id);
    world.clock.advance(30 * DAY_MS);
    receiver.answer({ status: 500 });
    const waiting = await platform.emit();
    await worker.deliverer.step(platform.id, 5_000);
    world.clock.advance(1);
    await runNow(platform);
    assert.deepEqual(
      (await platform.events()).map(({ id }) => id),
      [waiting],
    );
    assert.equal((await platform.attempts(waiting)).length, 1);
  });

  it('platform.md §4.2.6: all attempts of an event are deleted with it, even younger ones', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const id = await platform.emit();
    await world.worker().settle(platform.id);
    // Like another process that received its receiver's answer very late.
    await world.database.query(sql`
      insert into webhook_attempts (platform_id, event_id, attempt, at, url, duration_ms, status)
      select platform_id, event_id, 2, at + interval '1 day', url, 1, 200 from webhook_attempts where event_id = ${id}`);
    world.clock.advance(30 * DAY_MS + 1);
    await runNow(platform);
    assert.deepEqual([await platform.events(), await platform.attempts(id)], [[], []]);
  });

  it('money.md §12.9: events of a transaction are deleted in their order, whenever their delivery ended', async () => {
    const platform = await world.platform();
    const old = new Date(world.clock.now() - 30 * DAY_MS - 1);
    const add = async (resource: string, name: string, finished: Date | null) => {
      await world.database.query(sql`
        insert into events (platform_id, type, resource_id, payload, created_at, state, finished_at)
        values (${platform.id}, ${name}, ${resource}, '\\x00', ${old}, ${finished ? 'DELIVERED' : 'PENDING'}, ${finished})`);
    };
    const [over, waiting] = [`Transaction:${newUuid()}`, `Transaction:${newUuid()}`];
    for (const name of ['PAID.1', 'PAID.2', 'PAID.3']) await add(over, name, old);
    await add(waiting, 'WAITS.1', old);
    await add(waiting, 'WAITS.2', null);
    await add(waiting, 'WAITS.3', old);
    await add('Customer:1', 'CUSTOMER.1', null);
    await add('Customer:1', 'CUSTOMER.2', old);
    const left = async () => (await platform.events()).map(({ type }) => type).toSorted();
    const work = await platform.work();
    // A batch of one event takes the earlier ones of its transaction along, and leaves none without them.
    const all = await left();
    for (let batch = 0; batch < 3; batch++) {
      await work.write((tx) => purgeEvents(tx, 1));
      const now = await left();
      for (const name of all.filter((one) => !now.includes(one) && !one.startsWith('CUSTOMER')))
        assert.ok(!now.includes(name.replace(/\d/, (no) => String(Number(no) - 1))), `${name} went first`);
    }
    assert.deepEqual(await left(), ['CUSTOMER.1', 'WAITS.2', 'WAITS.3']);
  });

  it('a pending event is kept, however old', async () => {
    const platform = await world.platform();
    const id = await platform.emit();
    world.clock.advance(400 * DAY_MS);
    await runNow(platform);
    assert.equal((await platform.event(id)).state, 'PENDING');
  });

  it('customers.md §2.4.26j: data with a setting is kept for as long as the setting says', async () => {
    const platform = await world.platform();
    const now = world.clock.now();
    const older = (days: number) => new Date(now - days * DAY_MS - 1);
    for (const days of [30, 45]) {
      await world.database.query(sql`
        insert into events (platform_id, type, resource_id, payload, created_at, state, finished_at)
        values (${platform.id}, 'TEST', ${`Customer:${days}`}, '\\x00', ${older(days)}, 'DELIVERED', ${older(days)})`);
    }
    const resources = async () => (await platform.events()).length;
    await purgeKeeping(platform, { ...LEAST_KEPT, webhookDays: 60 });
    assert.equal(await resources(), 2);
    await purgeKeeping(platform, { ...LEAST_KEPT, webhookDays: 40 });
    assert.equal(await resources(), 1);
    await runNow(platform);
    assert.equal(await resources(), 0);
  });

  it('works in bounded batches: after a full batch the next one follows in a second', async () => {
    const platform = await world.platform();
    await world.database.query(sql`
      insert into idempotency_keys (platform_id, scope, key, body_hash, created_at)
      select ${platform.id}, 'POST /x', n::text, '', ${new Date(world.clock.now() - 2 * DAY_MS)}
        from generate_series(1, 2500) n`);
    const left: number[] = [];
    for (let i = 0; i < 3; i++) {
      await runNow(platform);
      left.push(await keyCount(platform));
    }
    assert.deepEqual(left, [1_500, 500, 0]);
    assert.deepEqual(await purges(platform), [new Date(world.clock.now() + DAY_MS)]);
  });

  it('does not touch other platforms', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    await addKey(other, 'old', world.clock.now() - 2 * DAY_MS);
    await runNow(platform);
    assert.equal(await keyCount(other), 1);
  });

  /** Runs the platform's purge at once. */
  async function runNow(platform: OutboxPlatform): Promise<void> {
    await world.database.query(sql`
      update jobs set due_at = ${new Date(world.clock.now())} where platform_id = ${platform.id}`);
    const runner = world.worker({ jobs: purgeHandler(SERVICE.purges) });
    await runner.jobs.step(platform.id);
  }

  /** Runs the purges of a service with these settings. */
  async function purgeKeeping(of: OutboxPlatform, kept: KeptTimes): Promise<void> {
    const { platform } = await of.work();
    const work = new Work({ ...world.runtime, kept }, platform, { kind: 'worker', id: 'test' });
    await work.write(async (tx) => {
      for (const purge of SERVICE.purges) await purge(tx, 1_000);
    });
  }

  async function purges(platform: OutboxPlatform): Promise<Date[]> {
    const rows = await world.database.query<{ due_at: Date }>(sql`
      select due_at from jobs where platform_id = ${platform.id} and kind = 'platform.purge'`);
    return rows.map(({ due_at }) => due_at);
  }

  async function addKey(platform: OutboxPlatform, key: string, at: number): Promise<void> {
    await world.database.query(sql`
      insert into idempotency_keys (platform_id, scope, key, body_hash, created_at)
      values (${platform.id}, 'POST /x', ${key}, '', ${new Date(at)})`);
  }

  async function keyCount(platform: OutboxPlatform): Promise<number> {
    const rows = await world.database.query(
      sql`select 1 from idempotency_keys where platform_id = ${platform.id}`,
    );
    return rows.length;
  }
});
