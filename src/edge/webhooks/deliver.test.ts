// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { rotateWebhookKey } from '#capabilities/platform/webhook-keys.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Received } from '#tests/harness/receiver.ts';

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');

describe('webhook delivery', () => {
  const world = outboxWorld();

  it('platform.md §4.1.1: the body is id, type, timestamp and the data at the time of the event', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const data = { id: 'Customer:1', kycStatus: 'APPROVED', nested: [{ ü: '€' }] };
    const id = await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:1', data);
    await world.worker().settle();
    const [delivery] = receiver.received as [Received];
    assert.deepEqual(delivery.body, {
      id: publicId('Webhook', id),
      type: 'CUSTOMER.KYC_APPROVED',
      timestamp: new Date(world.clock.now()).toISOString(),
      data,
    });
    assert.equal(delivery.headers['content-type'], 'application/json');
    assert.equal((await platform.event(id)).state, 'DELIVERED');
  });

  it('platform.md §4.1.2: a retry keeps id, type and data, and has a new timestamp and signature', {
    skip: NO_OPENSSL,
  }, async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    await platform.emit();
    const worker = world.worker();
    await worker.settle();
    world.clock.advance(5_000);
    receiver.answer({ status: 200 });
    await worker.settle();
    const [first, second] = receiver.received as [Received, Received];
    assert.equal(receiver.received.length, 2);
    assert.deepEqual({ ...second.body, timestamp: '' }, { ...first.body, timestamp: '' });
    assert.equal(Date.parse(second.body.timestamp) - Date.parse(first.body.timestamp), 5_000);
    assert.notEqual(second.headers['x-svc-signature'], first.headers['x-svc-signature']);
    assert.ok(await isVerifiedByOpenssl(second, platform.publicKey));
  });

  it('platform.md §4.1.3: openssl verifies the signature over the exact bytes with the public key', {
    skip: NO_OPENSSL,
  }, async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:ä', { id: 'Customer:ä', name: 'Zoë "Q" \u2028' });
    await world.worker().settle();
    const [delivery] = receiver.received as [Received];
    assert.match(String(delivery.headers['x-svc-signature']), /^\{"v":"1","s":"[A-Za-z0-9+/]+={0,2}"\}$/);
    assert.ok(await isVerifiedByOpenssl(delivery, platform.publicKey));
    const tampered = { ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) };
    assert.equal(await isVerifiedByOpenssl(tampered, platform.publicKey), false);
    const other = await world.platform();
    assert.equal(await isVerifiedByOpenssl(delivery, other.publicKey), false);
  });

  it('platform.md §4.1.6: after a rotation at once every attempt is signed with the new key, retries too', {
    skip: NO_OPENSSL,
  }, async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 503 });
    await platform.emit();
    const worker = world.worker();
    await worker.settle();
    const [key] = await platform.write((tx) => rotateWebhookKey(tx, { immediately: true }));
    const newKey = key?.publicKey ?? '';
    world.clock.advance(5_000);
    await worker.settle();
    const [before, since] = receiver.received as [Received, Received];
    assert.ok(await isVerifiedByOpenssl(before, platform.publicKey));
    assert.ok(await isVerifiedByOpenssl(since, newKey));
    assert.equal(await isVerifiedByOpenssl(since, platform.publicKey), false);
  });

  it('platform.md §1.2.7: another service name shows in the header and in the names of fields', {
    skip: NO_OPENSSL,
  }, async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', {
      id: 'Card:1',
      svcApiFixedFee: 1,
      free: 'svcApiFixedFee!',
    });
    await world.worker({ names: wireNames('Acme') }).settle();
    const [delivery] = receiver.received as [Received];
    assert.deepEqual(delivery.body.data, { id: 'Card:1', acmeApiFixedFee: 1, free: 'svcApiFixedFee!' });
    assert.ok(delivery.headers['x-acme-signature']);
    assert.match(String(delivery.headers['x-acme-signature-key-id']), /^WebhookKey:/);
    const asSigned = { ...delivery, headers: { 'x-svc-signature': delivery.headers['x-acme-signature'] } };
    assert.ok(await isVerifiedByOpenssl(asSigned, platform.publicKey));
  });

  it('platform.md §4.2.1: nothing is sent for a change that was rolled back', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const { emit } = await import('#foundation/events/emit.ts');
    await assert.rejects(
      platform.write(async (tx) => {
        emit(tx, { type: 'CUSTOMER.KYC_APPROVED', resourceId: 'Customer:1', data: {} });
        throw new Error('undone');
      }),
    );
    await world.worker().settle();
    assert.deepEqual(receiver.received, []);
    assert.deepEqual(await platform.events(), []);
  });

  it('decision 0002: the payload of an event is stored encrypted', async () => {
    const platform = await world.platform();
    const id = await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:1', { name: 'Grace Hopper' });
    const { payload } = await platform.event(id);
    assert.ok(payload);
    assert.equal(payload.includes('Grace'), false);
    assert.match(world.runtime.vault.openText(payload, `events.payload:${id}`), /Grace Hopper/);
  });

  for (const status of [200, 201, 202, 204, 299]) {
    it(`platform.md §4.2.2: ${status} is done`, async () => {
      const { state, count } = await answered(status);
      assert.deepEqual({ state, count }, { state: 'DELIVERED', count: 1 });
    });
  }

  it('platform.md §4.2.2: 409 is done, as a duplicate', async () => {
    const { state, count } = await answered(409);
    assert.deepEqual({ state, count }, { state: 'ACKED_DUPLICATE', count: 1 });
  });

  for (const status of [301, 302, 307, 400, 401, 404, 410, 429, 500, 503]) {
    it(`platform.md §4.2.2: ${status} is tried again`, async () => {
      const { state, count } = await answered(status);
      assert.deepEqual({ state, count }, { state: 'PENDING', count: 2 });
    });
  }

  it('platform.md §4.2.2: a redirect is not followed', async () => {
    const elsewhere = await world.receiver();
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 308, headers: { location: elsewhere.url } });
    await platform.emit();
    await world.worker().settle();
    assert.equal(receiver.received.length, 1);
    assert.equal(elsewhere.received.length, 0);
  });

  it('platform.md §4.2.2, money.md §7.2: a receiver has 30 s to answer an event, and 5 s a question', () => {
    const { sender } = world.worker().deliverer;
    assert.deepEqual([sender.timeoutMs, sender.questionTimeoutMs], [30_000, 5_000]);
  });

  it('platform.md §4.2.2: a failed connection and a timeout are retried', async () => {
    const closed = await world.receiver();
    await closed.close();
    const silent = await world.receiver();
    silent.answer(() => new Promise(() => undefined));
    const worker = world.worker({ timeoutMs: 50 });
    for (const [url, error] of [
      [closed.url, /ECONNREFUSED/],
      [silent.url, /no answer in time/],
    ] as const) {
      const platform = await world.platform({ endpoint: url });
      const id = await platform.emit();
      await worker.settle(platform.id);
      assert.match((await platform.attempts(id))[0]?.error ?? '', error);
      assert.equal((await platform.event(id)).state, 'PENDING');
      world.clock.advance(5_000);
      await worker.settle(platform.id);
      assert.equal((await platform.attempts(id)).length, 2);
    }
  });

  it('platform.md §4.2.5: each attempt goes to the endpoint configured at that time', async () => {
    const [old, current] = [await world.receiver(), await world.receiver()];
    const platform = await world.platform({ endpoint: old.url });
    old.answer({ status: 500 });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    await platform.setEndpoint(current.url);
    world.clock.advance(5_000);
    await worker.settle();
    assert.deepEqual([old.received.length, current.received.length], [1, 1]);
    assert.deepEqual(
      (await platform.attempts(id)).map(({ url }) => url),
      [old.url, current.url],
    );
  });

  it('platform.md §4.2.5: without an endpoint an event is skipped and never sent later', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform();
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    assert.equal((await platform.event(id)).state, 'SKIPPED');
    await platform.setEndpoint(receiver.url);
    world.clock.advance(3_600_000);
    await worker.settle();
    assert.deepEqual(receiver.received, []);
    assert.equal((await platform.event(id)).state, 'SKIPPED');
  });

  it('platform.md §4.2.5: a retry without an endpoint is skipped, too', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500 });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    await platform.setEndpoint(null);
    world.clock.advance(5_000);
    await worker.settle();
    assert.equal((await platform.event(id)).state, 'SKIPPED');
    assert.equal(receiver.received.length, 1);
  });

  /** State and number of attempts after the first attempt and the time of its retry. */
  async function answered(status: number): Promise<{ state: string; count: number }> {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    world.clock.advance(5_000);
    await worker.settle();
    const event = await platform.event(id);
    assert.equal(event.attempts, receiver.received.length);
    return { state: event.state, count: receiver.received.length };
  }
});

const run = promisify(execFile);

/** Verifies as a platform's developer would by hand. */
async function isVerifiedByOpenssl(
  delivery: Pick<Received, 'headers' | 'raw'>,
  publicKey: string,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-signature-'));
  try {
    const { s } = JSON.parse(String(delivery.headers['x-svc-signature'])) as { s: string };
    const files = { key: publicKey, signature: Buffer.from(s, 'base64'), body: delivery.raw };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    await run('openssl', ['dgst', '-sha256', '-verify', 'key', '-signature', 'signature', 'body'], {
      cwd: folder,
    });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return false;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
