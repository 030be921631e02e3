// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { createVerify } from 'node:crypto';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import { rotateWebhookKey } from '#capabilities/platform/webhook-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { emit, emitTest } from '#foundation/events/emit.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Received, Receiver } from '#tests/harness/receiver.ts';

describe('webhooks while their endpoint or key is changed', () => {
  const world = outboxWorld();

  it('platform.md §3.2.3: the TEST of the first endpoint is sent there, although a claim was running when it was set', async () => {
    const platform = await world.platform();
    const receiver = await world.receiver();
    await duringClaim(platform, () => setWithTest(platform, receiver.url));
    assert.deepEqual(receiver.types().sort(), ['CARD.STATUS_CHANGE', 'TEST']);
    assert.deepEqual(await states(platform), ['DELIVERED', 'DELIVERED']);
  });

  it('platform.md §4.2.5: the TEST of another endpoint goes to that one, although a claim was running when it was set', async () => {
    const [former, present] = [await world.receiver(), await world.receiver()];
    const platform = await world.platform({ endpoint: former.url });
    await duringClaim(platform, () => setWithTest(platform, present.url));
    assert.deepEqual([former.types(), present.types().sort()], [[], ['CARD.STATUS_CHANGE', 'TEST']]);
  });

  it('platform.md §4.2.5: an event right after the endpoint was cleared is skipped, although a claim was running', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await duringClaim(platform, async () => {
      await platform.setEndpoint(null);
      await platform.emit();
    });
    assert.deepEqual([receiver.types(), await states(platform)], [[], ['SKIPPED', 'SKIPPED']]);
  });

  it('platform.md §4.1.6: queued events are signed with the new key if the key is replaced at once', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    let rotated = '';
    await whileInLine(platform, receiver, async () => {
      const [key] = await platform.write((tx) => rotateWebhookKey(tx, { immediately: true }));
      rotated = key?.publicKey ?? '';
    });
    const [first, second] = receiver.received as [Received, Received];
    assert.deepEqual([isSignedBy(platform.publicKey, first), isSignedBy(rotated, second)], [true, true]);
  });

  it('platform.md §4.2.5: queued events go to the new endpoint if it is changed', async () => {
    const [former, present] = [await world.receiver(), await world.receiver()];
    const platform = await world.platform({ endpoint: former.url });
    await whileInLine(platform, former, () => platform.setEndpoint(present.url));
    assert.deepEqual([former.received.length, present.received.length], [1, 1]);
    assert.deepEqual(await states(platform), ['DELIVERED', 'DELIVERED']);
  });

  it('platform.md §4.2.5: queued events are skipped if the endpoint is cleared', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await whileInLine(platform, receiver, () => platform.setEndpoint(null));
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(await states(platform), ['DELIVERED', 'SKIPPED']);
  });

  it('platform.md §4.2.1: an event that commits while the last event of its resource is recorded is sent', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [arrived, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(async () => {
      arrived.resolve();
      await end.promise;
      return { status: 200 };
    });
    const first = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { n: 0 });
    const worker = world.worker();
    const stepping = worker.deliverer.step(platform.id, 60_000);
    await arrived.promise;
    const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const second = platform.write(async (tx) => {
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { n: 1 } });
      await tx.flush();
      inserted.resolve();
      await commit.promise;
    });
    await inserted.promise;
    end.resolve();
    while ((await platform.event(first)).state === 'PENDING') await turn();
    // Another event of another resource is claimed, sent, recorded and settled meanwhile.
    await platform.emit('CARD.STATUS_CHANGE', 'Card:2', { n: 2 });
    await world.worker().deliverer.step(platform.id, 60_000);
    commit.resolve();
    await Promise.all([second, stepping]);
    await worker.settle(platform.id);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.n),
      [0, 2, 1],
    );
    assert.deepEqual(await states(platform), ['DELIVERED', 'DELIVERED', 'DELIVERED']);
    const left = await world.database.query(sql`select resource_id from webhook_queues`);
    assert.deepEqual(left, [], 'resources without pending events have no queue');
  });

  /** Runs a step after a claim has locked the queue of an event, and before it reads events: it waits for the listeners. */
  async function duringClaim(platform: OutboxPlatform, change: () => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    await platform.emit('CARD.STATUS_CHANGE');
    await client.query('begin');
    await client.query('lock table webhook_listeners in access exclusive mode');
    const settling = world.worker().settle(platform.id);
    await untilBlocked(world.databaseUrl, 1, settling);
    await change();
    await client.query('rollback');
    await client.end();
    await settling;
  }

  /** Two events of one resource: while the first is in flight, the second, claimed with it, waits. */
  async function whileInLine(
    platform: OutboxPlatform,
    receiver: Receiver,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const [arrived, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(async () => {
      arrived.resolve();
      await end.promise;
      return { status: 200 };
    });
    for (let n = 0; n < 2; n++) await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { n });
    const settling = world.worker().settle(platform.id);
    await arrived.promise;
    await change();
    world.clock.advance(1_000);
    end.resolve();
    await settling;
  }

  function setWithTest(platform: OutboxPlatform, url: string): Promise<unknown> {
    return platform.write(async (tx) => {
      const sealed = tx.vault.seal(url, endpointContext(tx.platformId));
      await tx.sql`update platform_configs set webhook_endpoint = ${sealed} where platform_id = ${tx.platformId}`;
      emitTest(tx);
    });
  }

  async function states(platform: OutboxPlatform): Promise<string[]> {
    return (await platform.events()).map(({ state }) => state);
  }

  function isSignedBy(publicKey: string, { headers, raw }: Received): boolean {
    const { s } = JSON.parse(String(headers['x-svc-signature'])) as { s: string };
    return createVerify('sha256').update(raw).verify(publicKey, s, 'base64');
  }
});
