import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '#foundation/database/migrate.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { ask, emitTest } from '#foundation/events/emit.ts';
import type { QuestionResult } from '#foundation/events/handlers.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The state before the migration: each event had its own lease. */
const TAKE_BACK = [
  'drop table webhook_queues',
  'drop trigger events_queued on events',
  'drop function queue_webhook',
  'alter table events drop column is_queued',
  'alter table events add column leased_until timestamptz, add column lease_owner uuid',
  `create index events_asked on events (platform_id, seq)
     where state = 'PENDING' and next_attempt_at is null and decision is not null`,
  `create index events_again on events (platform_id, next_attempt_at)
     where state = 'PENDING' and next_attempt_at is not null`,
  `create table webhook_lanes (platform_id uuid primary key, after_resource text, lap_end text, again_after text)`,
  "delete from schema_migrations where name in ('0051_webhook_queues', '0053_queues_leased_by_commits')",
];
const ALL_LISTENERS = '00000000-0000-0000-0000-000000000001';

describe('webhooks from the time when each event had a lease', () => {
  const world = outboxWorld();

  it('platform.md §4.2.1, §4.2.4: pending, leased and retried events are sent after the upgrade, in order, at their time, and questions once', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const emitNumbered = (resource: string, n: number) =>
      platform.emit('CARD.STATUS_CHANGE', `Card:${resource}`, { id: `Card:${resource}`, n });
    for (let n = 0; n < 2; n++) await emitNumbered('pending', n);
    const leased = [await emitNumbered('leased', 0), await emitNumbered('leased', 1)];
    const expired = await emitNumbered('expired', 0);
    const retried = await emitNumbered('retried', 0);
    const test = uuidOf(await platform.write(async (tx) => emitTest(tx)));
    const question = { type: 'INCOMING_PAYMENT.PENDING', resourceId: 'Transaction:1', data: {} } as const;
    const asked = uuidOf(await platform.write(async (tx) => ask(tx, { ...question, decision: 'approval' })));
    for (const statement of TAKE_BACK) await world.database.query(rawSql(statement));
    await lease([...leased, test], 5_000);
    await lease([expired], -1_000);
    await lease([asked], 0, ALL_LISTENERS);
    await setNext(asked, 3_000);
    await setNext(retried, 60_000);
    const { migrations } = await migrate(world.databaseUrl);
    assert.deepEqual(migrations, ['0051_webhook_queues', '0053_queues_leased_by_commits']);

    const outcomes: QuestionResult[] = [];
    const worker = world.worker({
      decisions: { approval: async (_tx, _question, outcome) => void outcomes.push(outcome) },
    });
    const arrived = () => receiver.received.splice(0).map(({ body }) => `${body.data.id} ${body.data.n}`);
    await worker.deliverer.step(platform.id, 60_000);
    assert.deepEqual(arrived().sort(), ['Card:expired 0', 'Card:pending 0', 'Card:pending 1']);
    world.clock.advance(3_000);
    await worker.deliverer.step(platform.id, 60_000);
    assert.deepEqual([arrived(), outcomes], [[], [{ kind: 'none' }]], 'no listener answered in time');
    world.clock.advance(3_000);
    await worker.settle(platform.id);
    assert.deepEqual(arrived(), ['Card:leased 0', 'Card:leased 1'], 'the TEST may have been sent');
    world.clock.advance(60_000);
    await worker.settle(platform.id);
    assert.deepEqual(arrived(), ['Card:retried 0']);
    assert.deepEqual(await world.database.query(sql`select resource_id from webhook_queues`), []);
  });

  async function lease(ids: readonly string[], forMs: number, owner: string = newUuid()): Promise<void> {
    await world.database.query(sql`
      update events set lease_owner = ${owner}, leased_until = ${new Date(world.clock.now() + forMs)}
       where id = any(${ids}::uuid[])`);
  }

  async function setNext(id: string, inMs: number): Promise<void> {
    await world.database.query(sql`
      update events set next_attempt_at = ${new Date(world.clock.now() + inMs)} where id = ${id}`);
  }
});
