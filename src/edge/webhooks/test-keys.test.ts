// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

const names = wireNames('Svc');
/** Longer than a receiver has to answer, plus the margin of the lease. */
const LEASE_MS = 45_000;

describe('the test webhook under an Idempotency-Key', () => {
  const world = testWorld();

  /** A platform whose receiver has received the TEST of its configuration. */
  async function given(): Promise<{ platform: TestPlatform; receiver: Receiver }> {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.received.splice(0);
    return { platform, receiver };
  }

  /** Stands in for another process: it shares nothing but the database. */
  async function anotherApp(): Promise<{ app: App; die(): Promise<void> }> {
    const database = openDatabase({ url: world.databaseUrl });
    const app = await createApp({
      ...world.app.runtime,
      database,
      names,
      domains: TEST_DOMAINS,
      storage: world.app.runtime.ports('SANDBOX').storage,
      log: pino({ level: 'silent' }),
    });
    return { app, die: () => database.close() };
  }

  async function ask({ http }: Pick<App, 'http'>, { authorization }: TestPlatform, key: string) {
    const reply = await http.inject({
      method: 'POST',
      url: `${names.basePath}/webhooks/test`,
      headers: { authorization, 'idempotency-key': key },
    });
    return {
      status: reply.statusCode,
      raw: reply.body,
      body: reply.json(),
      replayed: reply.headers['idempotency-replayed'] === 'true',
      headers: reply.headers,
    };
  }

  /** Makes the receiver wait with its answer until the test releases it. */
  function gated(receiver: Receiver) {
    const [arrived, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(async () => {
      arrived.resolve();
      await open.promise;
      return { status: 202, body: { nth: receiver.received.length } };
    });
    return { arrived: arrived.promise, open: open.resolve };
  }

  it('platform.md §2.3, §4.6: the same key answers as the first time, and nothing is sent again', async () => {
    const { platform, receiver } = await given();
    receiver.answer({ status: 500, body: 'down' });
    const first = await platform.call('sendTestWebhook', { key: 'k1' });
    receiver.answer({ status: 200 });
    // The key is checked before the endpoint.
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: null } });
    const again = await platform.call('sendTestWebhook', { key: 'k1', body: { ignored: true } });
    assert.deepEqual([first.status, first.body.response_status], [200, 500]);
    assert.deepEqual([again.status, again.raw], [200, first.raw]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    await world.app.worker.settle(platform.id);
    assert.equal(receiver.received.length, 1);
    const [row] = await world.database.query<{ reply: Buffer }>(
      sql`select reply from idempotency_keys where platform_id = ${platform.id} and key = 'k1'`,
    );
    assert.ok(row && !row.reply.includes('down'), 'sealed');
  });

  it('platform.md §2.3: the two paths are two scopes, another key or none is another event', async () => {
    const { platform, receiver } = await given();
    await platform.call('sendTestWebhook', { key: 'k2' });
    await platform.call('sendWebhookTest', { key: 'k2' });
    await platform.call('sendTestWebhook', { key: 'k3' });
    await platform.call('sendTestWebhook');
    await platform.call('sendTestWebhook');
    assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 5);
  });

  it('platform.md §2.5: without an answer the key is free again', async () => {
    const { platform, receiver } = await given();
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: 'http://127.0.0.1:1/' } });
    await world.app.worker.settle(platform.id);
    for (let i = 0; i < 2; i++) {
      const refused = await platform.call('sendTestWebhook', { key: 'k4' });
      assert.deepEqual(refused.body.details, { cause: 'WEBHOOK_DELIVERY_ERROR' });
    }
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: null } });
    const unset = await platform.call('sendTestWebhook', { key: 'k4' });
    assert.deepEqual(unset.body.details, { cause: 'WEBHOOK_ENDPOINT_NOT_SET' });
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: receiver.url } });
    await world.app.worker.settle(platform.id);
    receiver.received.splice(0);
    assert.equal((await platform.call('sendTestWebhook', { key: 'k4' })).status, 200);
    assert.equal(receiver.received.length, 1);
  });

  it('platform.md §2.6: of concurrent callers, in one process or two, one sends and all get its answer; none holds a transaction meanwhile', async () => {
    const { platform, receiver } = await given();
    const { app, die } = await anotherApp();
    const { arrived, open } = gated(receiver);
    const first = ask(world.app, platform, 'k5');
    await arrived;
    const others = [world.app, app, app].map((each) => ask(each, platform, 'k5'));
    const [busy] = await world.database.query<{ count: bigint }>(sql`
      select count(*) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`);
    assert.equal(busy?.count, 0n);
    open();
    const replies = await Promise.all([first, ...others]);
    assert.deepEqual(new Set(replies.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(replies.filter(({ replayed }) => !replayed).length, 1);
    assert.equal(receiver.received.length, 1);
    await app.close();
    await die();
  });

  it('platform.md §2.4: a call that still runs in another process after five seconds is a 409 that may be retried', async () => {
    const { platform, receiver } = await given();
    const { app, die } = await anotherApp();
    const { arrived, open } = gated(receiver);
    const first = ask(world.app, platform, 'k6');
    await arrived;
    const late = await ask(app, platform, 'k6');
    assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT']);
    assert.deepEqual([late.headers['retry-after'], late.headers['x-should-retry']], ['1', 'true']);
    open();
    assert.equal((await first).status, 200);
    assert.equal((await ask(app, platform, 'k6')).raw, (await first).raw);
    await app.close();
    await die();
  });

  it('platform.md §10.0.4: if the process died before it knew the answer, the key reports that once, and sends nothing', async () => {
    const { platform, receiver } = await given();
    const { app, die } = await anotherApp();
    const { arrived, open } = gated(receiver);
    const lost = ask(app, platform, 'k7');
    await arrived;
    await die();
    open();
    assert.equal((await lost).status, 500);
    assert.equal(receiver.received.length, 1);
    world.clock.advance(LEASE_MS);
    await world.app.worker.settle(platform.id);
    const told = await Promise.all([ask(world.app, platform, 'k7'), ask(world.app, platform, 'k7')]);
    const [unknown, anew] = told.toSorted((a, b) => b.status - a.status);
    assert.deepEqual([unknown?.status, unknown?.body.details], [400, { cause: 'WEBHOOK_DELIVERY_ERROR' }]);
    // After that report, the next call sends another test.
    assert.equal(anew?.status, 200);
    assert.equal(receiver.received.length, 2);
    assert.equal((await ask(world.app, platform, 'k7')).raw, anew?.raw);
    await app.close();
  });

  it('platform.md §2.6: a call that outlives its claim does not overwrite the answer of the next one', async () => {
    const { platform, receiver } = await given();
    const { app, die } = await anotherApp();
    const { arrived, open } = gated(receiver);
    const slow = ask(app, platform, 'k8');
    await arrived;
    world.clock.advance(LEASE_MS);
    assert.equal((await ask(world.app, platform, 'k8')).status, 400);
    receiver.answer({ status: 204 });
    const second = await ask(world.app, platform, 'k8');
    open();
    assert.equal((await slow).body.response_status, 202);
    assert.equal((await ask(world.app, platform, 'k8')).raw, second.raw);
    await app.close();
    await die();
  });
});
