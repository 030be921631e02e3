import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emit } from '#foundation/events/emit.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('emitting events', () => {
  const world = outboxWorld();

  it('platform.md §4.1.1: the data is that of the moment of the call, whatever happens to the object later', async () => {
    const platform = await world.platform();
    const data = { id: 'Card:1', status: 'ACTIVE' };
    const id = await platform.write(async (tx) => {
      const webhookId = emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: data.id, data });
      data.status = 'CLOSED';
      return uuidOf(webhookId);
    });
    const { payload } = await platform.event(id);
    const text = world.runtime.vault.openText(payload ?? Buffer.alloc(0), `events.payload:${id}`);
    assert.deepEqual(JSON.parse(text), { id: 'Card:1', status: 'ACTIVE' });
  });

  it('platform.md §4.2.4: events of one transaction are stored in the order in which they were emitted', async () => {
    const platform = await world.platform();
    const emitted = await platform.write(async (tx) =>
      Array.from({ length: 200 }, (_, n) =>
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n % 3}`, data: { n } }),
      ),
    );
    const stored = (await platform.events()).map(({ id }) => `Webhook:${id}`);
    assert.deepEqual(stored, emitted);
  });

  it('platform.md §4.2.1: an event has the business time of its transaction', async () => {
    const platform = await world.platform();
    await platform.emit();
    const [event] = await platform.write(
      (tx) =>
        tx.sql<{ created_at: Date }>`select created_at from events where platform_id = ${tx.platformId}`,
    );
    assert.deepEqual(event?.created_at, new Date(world.clock.now()));
  });
});
