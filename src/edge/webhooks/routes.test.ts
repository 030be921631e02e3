import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import { sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the test webhook', () => {
  const world = testWorld();

  for (const operation of ['sendTestWebhook', 'sendWebhookTest'] as const) {
    it(`platform.md §4.6.1: ${operation} sends one signed TEST event now and reports the answer`, async () => {
      const platform = await world.platform();
      const receiver = await platform.receive();
      await world.app.worker.settle();
      receiver.received.splice(0);
      receiver.answer({ status: 201, body: { fine: true } });
      const reply = await platform.call(operation);
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, {
        response_status: 201,
        url: receiver.url,
        response_body: '{"fine":true}',
      });
      const [delivery, ...others] = receiver.received;
      assert.deepEqual(others, []);
      assert.ok(delivery);
      const { type, data, timestamp } = delivery.body;
      assert.deepEqual(
        { type, data, timestamp },
        { type: 'TEST', data: {}, timestamp: new Date(world.clock.now()).toISOString() },
      );
      const { s } = JSON.parse(String(delivery.headers['x-svc-signature']));
      assert.ok(verify('sha256', delivery.raw, platform.webhookPublicKey, Buffer.from(s, 'base64')));
      await world.app.worker.settle();
      assert.equal(receiver.received.length, 1, 'it is not sent again');
    });
  }

  it('platform.md §4.6.1: any HTTP answer, even 500, is a 200 that reports it', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    receiver.answer({ status: 500, body: 'down' });
    const { status, body } = await platform.call('sendTestWebhook');
    assert.deepEqual([status, body.response_status, body.response_body], [200, 500, '"down"']);
    world.clock.advance(60_000);
    receiver.received.splice(0);
    await world.app.worker.settle();
    assert.deepEqual(
      receiver.received.filter(({ body }) => body.id === undefined),
      [],
    );
  });

  it('platform.md §4.6.1: response_body is cut at 10 KiB, between characters', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    receiver.answer({ status: 200, body: 'é'.repeat(10_000) });
    const { body } = await platform.call('sendTestWebhook');
    assert.equal(body.response_body, `"${'é'.repeat(5_119)}`);
  });

  it('platform.md §4.6.1: a body that is sent is ignored', async () => {
    const platform = await world.platform();
    await platform.receive();
    for (const body of ['{"x":1}', '[]', 'not json']) {
      assert.equal((await platform.call('sendTestWebhook', { body })).status, 200);
    }
  });

  it('platform.md §4.6.2: no endpoint configured is 400 with its cause', async () => {
    const platform = await world.platform();
    const { status, body } = await platform.call('sendTestWebhook');
    assert.deepEqual(
      [status, body.code, body.details],
      [400, 'INVALID_INPUT', { cause: 'WEBHOOK_ENDPOINT_NOT_SET' }],
    );
  });

  it('platform.md §4.6.2: no HTTP answer is 400 with its cause', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await receiver.close();
    const { status, body } = await platform.call('sendTestWebhook');
    assert.deepEqual(
      [status, body.code, body.details],
      [400, 'INVALID_INPUT', { cause: 'WEBHOOK_DELIVERY_ERROR' }],
    );
  });

  it('platform.md §4.6.2: a signature that cannot be made is 500 SVC_SWITCH_ERROR', async () => {
    const platform = await world.platform();
    await platform.receive();
    await world.database.query(
      sql`update webhook_keys set private_key = '' where platform_id = ${platform.id}`,
    );
    const { status, body } = await platform.call('sendTestWebhook');
    assert.deepEqual([status, body.code], [500, 'SVC_SWITCH_ERROR']);
  });

  it('platform.md §4.6.3: works with a production token, which may not reach a private address', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const unset = await platform.call('sendTestWebhook');
    assert.deepEqual(unset.body.details, { cause: 'WEBHOOK_ENDPOINT_NOT_SET' });
    const { vault } = world.app.runtime;
    const sealed = vault.seal('https://127.0.0.1:9/', endpointContext(platform.id));
    await world.database.query(sql`
      update platform_configs set webhook_endpoint = ${sealed} where platform_id = ${platform.id}`);
    const { status, body } = await platform.call('sendWebhookTest');
    assert.deepEqual([status, body.details], [400, { cause: 'WEBHOOK_DELIVERY_ERROR' }]);
    assert.match(body.reason, /not allowed/);
  });

  it('platform.md §1.3.4: needs MANAGE, and credentials', async () => {
    const viewer = await world.platform({ permissions: ['VIEW', 'TRANSACT'] });
    assert.equal((await viewer.call('sendTestWebhook')).status, 403);
    assert.equal((await viewer.call('sendWebhookTest', { as: 'nobody' })).status, 401);
  });

  it('platform.md §3.2.3: a changed endpoint queues one TEST delivery', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: receiver.url } });
    await world.app.worker.settle();
    assert.deepEqual(receiver.types(), ['TEST']);
  });

  it('platform.md §4.2.6: the attempt is in the log', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await world.app.worker.settle();
    receiver.answer({ status: 404 });
    await platform.call('sendTestWebhook');
    const rows = await world.database.query(sql`
      select e.state, e.attempts, a.status from events e
        join webhook_attempts a on a.platform_id = e.platform_id and a.event_id = e.id
       where e.platform_id = ${platform.id} and e.state = 'EXHAUSTED'`);
    assert.deepEqual(rows, [{ state: 'EXHAUSTED', attempts: 1, status: 404 }]);
  });
});
