// lane: whole — several processes contend

import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import {
  type ListedWebhookKey,
  listWebhookKeys,
  type RotationRequest,
  rotateWebhookKey,
  webhookKeyJobs,
} from '#capabilities/platform/webhook-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import { startOutboxChild } from '#tests/given/outbox-child.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Received, Receiver } from '#tests/harness/receiver.ts';

describe('webhook keys and several processes', () => {
  const world = outboxWorld();
  const children: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await child.end();
  });

  const rotate = (platform: OutboxPlatform, request: RotationRequest) =>
    platform.write((tx) => rotateWebhookKey(tx, request));
  const shown = async (platform: OutboxPlatform) => (await platform.work()).read(listWebhookKeys);
  const idsOf = (keys: readonly ListedWebhookKey[]) => keys.map(({ id }) => id);

  async function emitMany(platform: OutboxPlatform, count: number): Promise<void> {
    await platform.write(async (tx) => {
      for (let i = 0; i < count; i++)
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${i % 50}`, data: { i } });
    });
  }

  function untilReceived(receiver: Receiver, total: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.answer(() => {
      if (receiver.received.length >= total) resolve();
      return { status: 200 };
    });
    if (receiver.received.length >= total) resolve();
    return promise;
  }

  /** The key that a webhook names, and that has to verify it. */
  function findSigningKey({ headers, raw }: Received, keys: readonly ListedWebhookKey[]): string {
    const id = String(headers['x-svc-signature-key-id']);
    const key = keys.find((one) => one.id === id);
    assert.ok(key, `${id} was never on show`);
    const { s } = JSON.parse(String(headers['x-svc-signature'])) as { s: string };
    assert.ok(verify('sha256', raw, key.publicKey, Buffer.from(s, 'base64')), `not signed by ${id}`);
    return id;
  }

  it('platform.md §4.1.3, §4.1.5: while two processes deliver, each webhook verifies with the published key that it names', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    children.push(await startOutboxChild(world), await startOutboxChild(world));
    const half = untilReceived(receiver, 300);
    await emitMany(platform, 400);
    const sending = emitMany(platform, 400);
    const [old, next] = await rotate(platform, { signsAfterSeconds: 10, keepsOldForSeconds: 3_600 });
    await Promise.all([sending, half]);
    // The children's real time stands still: the platform's own clock is moved.
    await world.database.query(sql`update platforms set clock_offset_ms = 10000 where id = ${platform.id}`);
    const keys = await shown(platform);
    assert.deepEqual(
      [idsOf(keys), keys.map(({ status }) => status)],
      [
        [old?.id, next?.id],
        ['RETIRING', 'SIGNING'],
      ],
    );
    await untilReceived(receiver, 800);
    const before = receiver.received.length;
    const all = untilReceived(receiver, before + 200);
    await emitMany(platform, 200);
    await all;
    const named = receiver.received.map((delivery) => findSigningKey(delivery, keys));
    assert.equal(named[0], old?.id);
    assert.deepEqual(
      new Set(named.slice(before)),
      new Set([next?.id]),
      'what came to be since is signed by the new key',
    );
  });

  it('platform.md §4.1.6: after an immediate rotation two processes sign with the new key', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    children.push(await startOutboxChild(world), await startOutboxChild(world));
    const ever = await shown(platform);
    let expected = 0;
    for (let round = 0; round < 5; round++) {
      const keys = await rotate(platform, { immediately: true });
      ever.push(...keys);
      expected += 60;
      const all = untilReceived(receiver, expected);
      await emitMany(platform, 60);
      await all;
      const named = receiver.received.slice(-60).map((delivery) => findSigningKey(delivery, ever));
      assert.deepEqual(new Set(named), new Set(idsOf(keys)));
    }
  });

  it('platform.md §4.1.5: an interrupted rotation changes nothing', async () => {
    const platform = await world.platform();
    const before = await shown(platform);
    for (const request of [{}, { immediately: true }]) {
      const killed = platform.write(async (tx) => {
        await rotateWebhookKey(tx, request);
        await tx.sql`select pg_terminate_backend(pg_backend_pid())`;
      });
      await assert.rejects(killed);
      assert.deepEqual(await shown(platform), before);
    }
    const jobs = await world.database.query(
      sql`select 1 from jobs where platform_id = ${platform.id} and kind = 'webhook-keys.remove'`,
    );
    assert.deepEqual(jobs, []);
  });

  it('platform.md §4.1.5: a rotation continues after all processes were restarted', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [old, next] = await rotate(platform, { signsAfterSeconds: 60, keepsOldForSeconds: 60 });
    const sendFrom = async () => {
      const worker = world.worker({ jobs: webhookKeyJobs });
      await platform.emit();
      await worker.settle(platform.id);
      await worker.stop(1_000);
      return findSigningKey(receiver.received.at(-1) as Received, [old, next] as ListedWebhookKey[]);
    };
    assert.equal(await sendFrom(), old?.id);
    world.clock.advance(60_000);
    assert.equal(await sendFrom(), next?.id);
    world.clock.advance(60_000);
    assert.equal(await sendFrom(), next?.id);
    const rows = await world.database.query<{ id: string }>(
      sql`select id from webhook_keys where platform_id = ${platform.id}`,
    );
    assert.deepEqual(
      rows.map(({ id }) => `WebhookKey:${id}`),
      [next?.id],
    );
  });
});
