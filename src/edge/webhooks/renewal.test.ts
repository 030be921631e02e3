import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deliverer, type DelivererOptions } from '#edge/webhooks/deliverer.ts';
import type { Database } from '#foundation/database/database.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import { ask, emit } from '#foundation/events/emit.ts';
import type { QuestionResult } from '#foundation/events/handlers.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';

describe('leases of webhooks in flight', () => {
  const world = outboxWorld();

  it('platform.md §4.2.1: an attempt may take longer than a lease: the lease is renewed, and no other process sends the event', async () => {
    const { receiver, platform, arrived, end } = await hangingReceiver();
    const id = await platform.emit();
    const holder = world.worker().deliverer;
    const stepping = holder.step(platform.id, 60_000);
    await arrived;
    for (let seconds = 0; seconds < 25; seconds += 5) {
      world.clock.advance(5_000);
      await holder.renew();
      assert.equal((await world.worker().deliverer.step(platform.id, 60_000)).done, 0);
    }
    end();
    await stepping;
    assert.equal(receiver.received.length, 1);
    assert.equal((await platform.event(id)).state, 'DELIVERED');
  });

  it('platform.md §4.2.1: an attempt whose lease cannot be renewed is aborted before another process starts it', async () => {
    const { receiver, platform, arrived, end } = await hangingReceiver();
    await platform.write(async (tx) => {
      for (let n = 0; n < 3; n++) {
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { n } });
      }
    });
    const holder = delivererWithout(isRenewal);
    const stepping = holder.step(platform.id, 60_000);
    await arrived;
    world.clock.advance(6_000);
    await holder.renew();
    // It has no leases any more.
    assert.equal((await stepping).done, 3);
    const other = world.worker();
    assert.equal((await other.deliverer.step(platform.id, 60_000)).done, 0, 'the lease is not over yet');
    world.clock.advance(1_000);
    end();
    await other.settle(platform.id);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [0, 0, 1, 2],
    );
    assert.deepEqual(new Set((await platform.events()).map(({ attempts }) => attempts)), new Set([1]));
    await holder.drain(1_000);
  });

  it('platform.md §4.2.2: an answer during an outage of the database is recorded afterwards, and the event is not sent again', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const id = await platform.emit();
    let failures = 0;
    const deliverer = delivererWithout((text) => isRecord(text) && ++failures <= 3);
    await deliverer.step(platform.id, 60_000);
    assert.equal(failures, 4);
    assert.equal(receiver.received.length, 1);
    assert.equal((await platform.event(id)).state, 'DELIVERED');
    await deliverer.drain(1_000);
  });

  it('money.md §7.2: an answer to a question is not lost with the connection that was to record it', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const question = { type: 'INCOMING_PAYMENT.PENDING', resourceId: 'Transaction:1', data: {} } as const;
    await platform.write(async (tx) => ask(tx, { ...question, decision: 'approval' }));
    const outcomes: QuestionResult[] = [];
    let failures = 0;
    const worker = world.worker({
      decisions: {
        async approval(tx, _question, outcome) {
          if (++failures === 1) await tx.sql`select pg_terminate_backend(pg_backend_pid())`;
          outcomes.push(outcome);
        },
      },
    });
    await worker.settle(platform.id);
    assert.deepEqual(outcomes, [{ kind: 'answered', status: 200, body: undefined }]);
    assert.equal(receiver.received.length, 1);
  });

  it('platform.md §4.2.4: a hanging attempt holds back later events of its resource only briefly, and no other process sends them', async () => {
    const { receiver, platform, arrived, end } = await hangingReceiver();
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { n: 0 });
    const holder = world.worker({ slowAfterMs: 0 }).deliverer;
    const stepping = holder.step(platform.id, 60_000);
    await arrived;
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { n: 1 });
    const other = world.worker().deliverer;
    assert.equal((await other.step(platform.id, 60_000)).done, 0, 'the resource is leased');
    await holder.pump();
    await receiver.until((received) => received.length === 2);
    assert.equal((await other.step(platform.id, 60_000)).done, 0, 'it still is');
    end();
    await stepping;
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [0, 1],
    );
    assert.deepEqual(
      (await platform.events()).map(({ state, attempts }) => `${state} ${attempts}`),
      ['DELIVERED 1', 'DELIVERED 1'],
    );
  });

  /** A receiver that answers the first delivery when the test says so, all others at once. */
  async function hangingReceiver() {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(async () => {
      if (receiver.received.length === 1) {
        arrived.resolve();
        await ended.promise;
      }
      return { status: 200 };
    });
    return { receiver, platform, arrived: arrived.promise, end: ended.resolve };
  }

  /** A deliverer that loses its connection at these statements. */
  function delivererWithout(
    isLost: (text: string) => boolean,
    options: Partial<DelivererOptions> = {},
  ): Deliverer {
    const query = async <Row>(piece: Sql): Promise<Row[]> => {
      if (isLost(compile(piece).text)) throw new Error('the connection was lost');
      return world.database.query<Row>(piece);
    };
    const commit: Database['commit'] = async (pieces) => {
      if (pieces.some((piece) => isLost(compile(piece).text))) throw new Error('the connection was lost');
      return world.database.commit(pieces);
    };
    const runtime = { ...world.runtime, database: { ...world.database, query, commit } };
    const onError = (error: unknown) => void world.errors.push(error);
    return new Deliverer(runtime, { names: wireNames('Svc'), onError, ...options });
  }

  function isRenewal(text: string): boolean {
    return text.includes('update webhook_queues r set leased_until');
  }

  function isRecord(text: string): boolean {
    return text.includes('record_webhooks(');
  }
});
