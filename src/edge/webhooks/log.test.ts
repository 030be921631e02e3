import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEvents, resendByOperator, showEvent } from '#edge/webhooks/log.ts';
import { sql } from '#foundation/database/sql.ts';
import { ask } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { outboxWorld } from '#tests/harness/outbox-world.ts';

describe('the delivery log', () => {
  const world = outboxWorld();

  it('platform.md §4.2.6: each attempt is logged with its URL, number, time, duration, and status or error', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 500, body: { oops: true } });
    const id = await platform.emit('CUSTOMER.KYB_PENDING', 'Customer:1', { id: 'Customer:1' });
    const worker = world.worker();
    await worker.settle();
    const first = new Date(world.clock.now());
    world.clock.advance(5_000);
    await platform.setEndpoint('http://127.0.0.1:1/');
    await worker.settle();
    const shown = await platform.write((tx) => showEvent(tx, {}, publicId('Webhook', id)));
    const { log, ...event } = shown;
    assert.deepEqual(event, {
      id: publicId('Webhook', id),
      type: 'CUSTOMER.KYB_PENDING',
      resourceId: 'Customer:1',
      state: 'PENDING',
      attempts: 2,
      createdAt: first,
      nextAttemptAt: new Date(world.clock.now() + 10_000),
      erasedAt: null,
      data: { id: 'Customer:1' },
    });
    assert.deepEqual(
      log.map(({ attempt, at, url, status, response }) => ({ attempt, at, url, status, response })),
      [
        { attempt: 1, at: first, url: receiver.url, status: 500, response: '{"oops":true}' },
        {
          attempt: 2,
          at: new Date(world.clock.now()),
          url: 'http://127.0.0.1:1/',
          status: null,
          response: null,
        },
      ],
    );
    assert.equal(log[0]?.error, null);
    assert.match(log[1]?.error ?? '', /ECONNREFUSED/);
    assert.ok(log.every(({ durationMs }) => Number.isInteger(durationMs) && durationMs >= 0));
  });

  it('platform.md §4.2.6: the first 10 KiB of the response are stored, encrypted', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer({ status: 200, body: `secret ${'x'.repeat(50_000)}` });
    const id = await platform.emit();
    await world.worker().settle();
    const [row] = await world.database.query<{ response: Buffer }>(
      sql`select response from webhook_attempts where event_id = ${id}`,
    );
    assert.equal(row?.response.includes('secret'), false);
    const { log } = await platform.write((tx) => showEvent(tx, {}, id));
    assert.equal(log[0]?.response?.length, 10 * 1024);
    assert.ok(log[0]?.response?.startsWith('"secret xxx'));
  });

  it('platform.md §4.2.6: the list shows the states, newest event first, and can be filtered by them', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer(({ body }) => ({ status: Number(body.data.status) }));
    const worker = world.worker();
    for (const status of [200, 409, 500]) {
      await platform.emit('CARD.STATUS_CHANGE', `Card:${status}`, { status });
      await worker.settle();
    }
    await platform.setEndpoint(null);
    await platform.emit('CARD.STATUS_CHANGE', 'Card:none');
    await worker.settle();
    const list = await platform.write((tx) => listEvents(tx));
    assert.deepEqual(
      list.map(({ state }) => state),
      ['SKIPPED', 'PENDING', 'ACKED_DUPLICATE', 'DELIVERED'],
    );
    const skipped = await platform.write((tx) => listEvents(tx, { state: 'SKIPPED', limit: 10 }));
    assert.deepEqual(
      skipped.map(({ resourceId }) => resourceId),
      ['Card:none'],
    );
  });

  it('platform.md §4.2.6: the operator resends under the same id, and retries start again', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    world.clock.advance(8 * 24 * 60 * 60 * 1000);
    receiver.answer({ status: 500 });
    await platform.write((tx) => resendByOperator(tx, publicId('Webhook', id)));
    await worker.settle();
    assert.equal((await platform.event(id)).state, 'PENDING');
    world.clock.advance(5_000);
    receiver.answer({ status: 200 });
    await worker.settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => body.id),
      Array(3).fill(publicId('Webhook', id)),
    );
    assert.equal((await platform.event(id)).state, 'DELIVERED');
    assert.equal((await platform.attempts(id)).length, 3);
  });

  it('platform.md §4.2.6: skipped events can be resent on request', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform();
    const id = await platform.emit();
    const worker = world.worker();
    await worker.settle();
    await platform.setEndpoint(receiver.url);
    await platform.write((tx) => resendByOperator(tx, id));
    await worker.settle();
    assert.equal((await platform.event(id)).state, 'DELIVERED');
    assert.equal(receiver.received.length, 1);
  });

  it('platform.md §4.2.6: a resend leaves an audit row', async () => {
    const platform = await world.platform();
    const id = await platform.emit();
    await world.worker().settle();
    await platform.write((tx) => resendByOperator(tx, id));
    const rows = await world.database.query<{ resource: string }>(sql`
      select resource from audit_log where platform_id = ${platform.id} and action = 'webhook resend'`);
    assert.deepEqual(rows, [{ resource: publicId('Webhook', id) }]);
  });

  it('a question, an unknown id and another platform’s event are not resent', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const question = {
      type: 'INCOMING_PAYMENT.PENDING',
      resourceId: 'Transaction:1',
      data: {},
      decision: 'x',
    } as const;
    const asked = await platform.write(async (tx) => ask(tx, question));
    const refused = async (id: string, code: string) => {
      await assert.rejects(
        other.write((tx) => resendByOperator(tx, id)),
        (error) => error instanceof Refusal && error.code === code,
      );
    };
    await refused(asked, 'NOT_FOUND');
    await refused('Webhook:nonsense', 'NOT_FOUND');
    await assert.rejects(
      platform.write((tx) => resendByOperator(tx, asked)),
      (error) => error instanceof Refusal && error.code === 'CONFLICT',
    );
  });
});
