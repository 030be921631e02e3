// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { ask, emit, emitFacts } from '#foundation/events/emit.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('events by API', () => {
  const world = testWorld({ journalIsChecked: false });

  async function emitted(
    platform: TestPlatform,
    type: Parameters<typeof emit>[1]['type'],
    resourceId: string,
  ) {
    const work = await platform.work();
    return work.write(async (tx) => emit(tx, { type, resourceId, data: { id: resourceId } }));
  }

  it('platform.md §4.7.1: events are listed newest first, by type, state, resource and time', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.answer(({ body }) => ({ status: body.type === 'CARD.STATUS_CHANGE' ? 500 : 200 }));
    const first = await emitted(platform, 'CUSTOMER.KYC_APPROVED', 'Customer:1');
    world.clock.advance(60_000);
    const later = new Date(world.clock.now()).toISOString();
    const second = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1');
    await world.app.worker.settle(platform.id);
    const listIds = async (query: Record<string, string | number>) => {
      const { status, body } = await platform.send('listEvents', { query });
      assert.equal(status, 200);
      return (body as unknown as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    assert.deepEqual((await listIds({})).slice(0, 2), [second, first]);
    assert.deepEqual(await listIds({ type: 'CARD.STATUS_CHANGE' }), [second]);
    assert.deepEqual(await listIds({ resourceId: 'Customer:1' }), [first]);
    assert.deepEqual(await listIds({ state: 'PENDING' }), [second]);
    assert.deepEqual(await listIds({ createdAfter: later }), [second]);
    assert.ok(
      !(await listIds({ createdBefore: new Date(world.clock.now() - 1).toISOString() })).includes(second),
    );
    assert.deepEqual(await listIds({ state: 'EXHAUSTED' }), []);
  });

  it('platform.md §4.7.1: a page continues after the last one, whatever happens in between', async () => {
    const platform = await world.platform();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1'));
    const one = await platform.call('listEvents', { query: { limit: 2 } });
    await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1');
    const two = await platform.call('listEvents', { query: { limit: 3, cursor: one.body.nextCursor } });
    assert.deepEqual(
      [...one.body.data, ...two.body.data].map(({ id }) => id),
      ids,
    );
  });

  it('platform.md §4.7.2: `data` is the payload that was sent or, before the first attempt, would be sent', async () => {
    const platform = await world.platform();
    const account = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    const accountId = account.body.data[0]?.id ?? '';
    await platform.call('sandboxFundInternalAccount', { params: { accountId }, body: { amount: 500 } });
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listEvents', {
      query: { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED' },
    });
    const [event] = body.data;
    assert.equal(event?.state, 'SKIPPED');
    const shown = await platform.call('getEventById', { params: { eventId: event?.id ?? '' } });
    assert.equal((shown.body.data as { id: string }).id, accountId);
    const receiver = await platform.receive();
    await platform.call('resendEvent', { params: { eventId: event?.id ?? '' } });
    await world.app.worker.settle(platform.id);
    const sent = receiver.received.find((delivery) => delivery.body.id === event?.id);
    assert.deepEqual(sent?.body.data, shown.body.data);
    const again = await platform.call('getEventById', { params: { eventId: event?.id ?? '' } });
    assert.deepEqual(again.body.data, shown.body.data);
    assert.equal(again.body.state, 'DELIVERED');
  });

  it('platform.md §4.7.3: attempts show the answer, and their address without possible secrets', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    const url = new URL(receiver.url);
    url.search = '?key=hidden';
    url.username = 'user';
    url.password = 'password';
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: url.href } });
    await world.app.worker.settle(platform.id);
    receiver.answer({ status: 418, body: { short: true } });
    const eventId = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1');
    await world.app.worker.settle(platform.id);
    receiver.answer({ status: 200 });
    await platform.call('advanceSandboxClock', { body: { seconds: 6 } });
    const { body, raw } = await platform.call('listEventAttempts', { params: { eventId } });
    assert.deepEqual(
      body.data.map(({ attempt, status, responseBody, url: to }) => ({ attempt, status, responseBody, to })),
      [
        { attempt: 1, status: 418, responseBody: '{"short":true}', to: receiver.url },
        { attempt: 2, status: 200, responseBody: undefined, to: receiver.url },
      ],
    );
    assert.doesNotMatch(raw, /hidden|password/);
  });

  it('platform.md §4.7.4: an event is sent again under its id, with an audit row; a question is not', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    const eventId = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1');
    const question = await (await platform.work()).write(async (tx) =>
      ask(tx, {
        type: 'INCOMING_PAYMENT.PENDING',
        resourceId: `Transaction:${newUuid()}`,
        data: {},
        decision: 'uma-approval',
      }),
    );
    await world.database.query(sql`
      update events set state = 'EXHAUSTED', finished_at = now() where id = ${question.slice('Webhook:'.length)}`);
    await world.app.worker.settle(platform.id);
    const { status, body } = await platform.call('resendEvent', { params: { eventId } });
    assert.deepEqual([status, body.state, body.attemptCount, body.sentTo], [200, 'PENDING', 1, ['ENDPOINT']]);
    await world.app.worker.settle(platform.id);
    assert.equal(receiver.received.filter((delivery) => delivery.body.id === eventId).length, 2);
    const audited = await world.database.query(sql`
      select 1 from audit_log where platform_id = ${platform.id} and action = 'resendEvent'`);
    assert.equal(audited.length, 1);
    const refused = await platform.call('resendEvent', { params: { eventId: question } });
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  });

  it('platform.md §4.7.5: all events that failed since a time are sent again, and skipped ones on request', async () => {
    const platform = await world.platform();
    const skipped = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:0');
    await world.app.worker.settle(platform.id);
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.answer({ status: 500 });
    const before = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:1');
    await world.app.worker.settle(platform.id);
    await exhaust(before);
    world.clock.advance(1_000);
    const since = new Date(world.clock.now()).toISOString();
    const given = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:2');
    const waiting = await emitted(platform, 'CARD.STATUS_CHANGE', 'Card:3');
    await world.app.worker.settle(platform.id);
    await exhaust(given);
    receiver.answer({ status: 200 });
    receiver.received.splice(0);
    const { body } = await platform.call('resendFailedEvents', { body: { since } });
    assert.deepEqual(body, { count: 2, hasMore: false, sentTo: ['ENDPOINT'] });
    await world.app.worker.settle(platform.id);
    assert.deepEqual(receiver.received.map((delivery) => delivery.body.id).sort(), [given, waiting].sort());
    const all = await platform.call('resendFailedEvents', {
      body: { since: '2020-01-01T00:00:00.000Z', includeSkipped: true },
    });
    assert.deepEqual(all.body, { count: 2, hasMore: false, sentTo: ['ENDPOINT'] });
    await world.app.worker.settle(platform.id);
    assert.deepEqual(
      receiver.received
        .slice(2)
        .map((delivery) => delivery.body.id)
        .sort(),
      [skipped, before].sort(),
    );
  });

  it('platform.md §4.7.5: if there are too many for one transaction, a job resends the rest, each once', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    await work.write(async (tx) => {
      for (let n = 0; n < 2_300; n++)
        emitFacts(tx, {
          type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
          resourceId: 'InternalAccount:1',
          facts: {},
        });
    });
    await world.database.query(sql`
      update events set state = 'EXHAUSTED', finished_at = now() where platform_id = ${platform.id}`);
    const body = { since: '2020-01-01T00:00:00.000Z' };
    const twice = await Promise.all([
      platform.call('resendFailedEvents', { body, key: 'once' }),
      platform.call('resendFailedEvents', { body, key: 'once' }),
    ]);
    for (const { body } of twice) assert.deepEqual(body, { count: 1_000, hasMore: true, sentTo: [] });
    await world.app.worker.settle(platform.id);
    const left = await world.database.query(sql`
      select distinct state from events where platform_id = ${platform.id}`);
    assert.deepEqual(left, [{ state: 'SKIPPED' }], 'there is no endpoint, so all of them were due');
  });

  async function exhaust(id: string): Promise<void> {
    await world.database.query(sql`
      update events set state = 'EXHAUSTED', finished_at = now(), next_attempt_at = null
       where id = ${id.slice('Webhook:'.length)}`);
  }
});
