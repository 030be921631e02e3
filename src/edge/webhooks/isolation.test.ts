import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emit } from '#foundation/events/emit.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';

describe('webhooks of several platforms', () => {
  const world = outboxWorld();

  it("a receiver that never answers delays no other platform's deliveries", async () => {
    const [silent, alive] = [await world.receiver(), await world.receiver()];
    const stuck = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    let hanging = 0;
    silent.answer(() => {
      if (++hanging === 64) stuck.resolve();
      return new Promise(() => undefined);
    });
    alive.answer(() => {
      arrived.resolve();
      return { status: 200 };
    });
    const dead = await world.platform({ endpoint: silent.url });
    const other = await world.platform({ endpoint: alive.url });
    await dead.write(async (tx) => {
      for (let n = 0; n < 2_000; n++) {
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
      }
    });
    const worker = world.worker();
    worker.start();
    worker.wake();
    // As many as one platform may have in flight are hanging now.
    await stuck.promise;
    const id = await other.emit();
    worker.wake();
    await arrived.promise;
    await worker.settle(other.id);
    assert.equal((await other.event(id)).state, 'DELIVERED');
    assert.equal(hanging, 64, 'the dead receiver gets no more than its share');
  });

  it('a backlog of one platform does not delay the first event of another', async () => {
    const receiver = await world.receiver();
    const [large, small] = [
      await world.platform({ endpoint: receiver.url }),
      await world.platform({ endpoint: receiver.url }),
    ];
    await large.write(async (tx) => {
      for (let n = 0; n < 3_000; n++) {
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
      }
    });
    await small.emit('CUSTOMER.KYC_APPROVED');
    const worker = world.worker();
    await worker.deliverer.pump();
    await worker.settle(small.id);
    assert.equal((await small.events())[0]?.state, 'DELIVERED');
    const left = (await large.events()).filter(({ state }) => state === 'PENDING').length;
    assert.ok(left > 2_000, `${left} of the backlog are left`);
  });
});
