import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimWebhooks } from '#edge/webhooks/queue-store.ts';
import { type AttemptResult, type ClaimedEvent, recordAttempts } from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';

describe('leases of webhooks', () => {
  const world = outboxWorld();
  const LEASE_MS = 60_000;

  it('platform.md §4.2.4: while one process claims a resource, others skip it without waiting', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const first = await platform.emit('CARD.STATUS_CHANGE', 'Card:0');
    const second = await platform.emit('CARD.STATUS_CHANGE', 'Card:0');
    await world.database.transaction(async (run) => {
      assert.deepEqual(idsOf(await claim(run, platform, newUuid(), 1)), [first]);
      const meanwhile = await world.database.transaction(async (other) => {
        await other(sql`set local lock_timeout = '2s'`);
        return claim(other, platform, newUuid());
      });
      assert.deepEqual(idsOf(meanwhile), [], 'the second event would overtake the first');
    });
    assert.deepEqual(
      idsOf(await claim(world.database.query, platform, newUuid())),
      [],
      'the first is in hand',
    );
    world.clock.advance(LEASE_MS);
    assert.deepEqual(idsOf(await claim(world.database.query, platform, newUuid())), [first, second]);
  });

  it('platform.md §4.2.3: a process whose lease has expired cannot schedule a retry or give the event up', async () => {
    const { platform, id, late } = await takenOver();
    for (const outcome of ['RETRY', 'EXHAUSTED'] as const) {
      assert.deepEqual(await late(outcome), []);
      const { state, attempts, next_attempt_at } = await platform.event(id);
      assert.deepEqual([state, attempts, next_attempt_at], ['PENDING', 0, null]);
    }
  });

  it('platform.md §4.2.2: a delivery is recorded from any process, and only once', async () => {
    const { platform, id, late } = await takenOver();
    assert.deepEqual(await late('DELIVERED'), [{ id, state: 'DELIVERED' }]);
    assert.deepEqual(await late('ACKED_DUPLICATE'), []);
    const { state, attempts } = await platform.event(id);
    assert.deepEqual([state, attempts], ['DELIVERED', 1]);
  });

  it('platform.md §4.2.3: nor can a process whose event is taken over at the very moment of recording', async () => {
    for (const outcome of ['RETRY', 'EXHAUSTED'] as const) {
      const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
      const id = await platform.emit();
      const [slow, quick] = [newUuid(), newUuid()];
      const [event] = await claim(world.database.query, platform, slow);
      world.clock.advance(LEASE_MS);
      const recording = await world.database.transaction(async (run) => {
        assert.deepEqual(idsOf(await claim(run, platform, quick)), [id]);
        const recorded = recordAttempts(world.database.query, new Date(world.clock.now()), [
          { event: event as ClaimedEvent, attempt: 1, outcome, delayMs: 5_000 },
        ]);
        await untilBlocked(world.databaseUrl, 1, recorded);
        return { recorded };
      });
      assert.deepEqual(await recording.recorded, []);
      const { state, attempts, next_attempt_at } = await platform.event(id);
      assert.deepEqual([state, attempts, next_attempt_at], ['PENDING', 0, null]);
    }
  });

  /** An event whose lease expired and that another process has leased; `late` is the result of the first one. */
  async function takenOver() {
    const { query } = world.database;
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const id = await platform.emit();
    const [slow, quick] = [newUuid(), newUuid()];
    const [event] = await claim(query, platform, slow);
    world.clock.advance(LEASE_MS);
    assert.deepEqual(idsOf(await claim(query, platform, quick)), [id]);
    const late = (outcome: AttemptResult['outcome']) =>
      recordAttempts(query, new Date(world.clock.now()), [
        { event: event as ClaimedEvent, attempt: 1, outcome, delayMs: 5_000 },
      ]);
    return { platform, id, late };
  }

  async function claim(
    run: Run,
    platform: OutboxPlatform,
    owner: string,
    count = 10,
  ): Promise<ClaimedEvent[]> {
    const now = new Date(world.clock.now());
    const until = new Date(now.getTime() + LEASE_MS);
    const capacity = new Map([[platform.id, { resources: count, blocked: count - 1, questions: count }]]);
    return claimWebhooks(run, { now, until, owner, capacity, rowsMax: 100, questionMs: 5_000, held: [] });
  }

  function idsOf(events: readonly ClaimedEvent[]): string[] {
    return events.map(({ id }) => id);
  }
});
