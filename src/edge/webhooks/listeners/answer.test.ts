// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { advance, fetchBalance, givenPayer, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { EventListener, type Heard } from '#tests/harness/event-listener.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const SENDER = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('questions that listeners answer', () => {
  const world = testWorld();

  interface Asked {
    readonly platform: TestPlatform;
    readonly customer: Awaited<ReturnType<typeof givenPayer>>;
    readonly transactionId: string;
    readonly eventId: string;
    readonly question: Heard;
  }

  /** A platform without an endpoint; its listener has received a question that no worker has claimed yet. */
  async function asked(): Promise<Asked> {
    const platform = await givenPlatform(world);
    const customer = await givenPayer(platform, 0);
    await world.app.worker.settle(platform.id);
    const listener = await new EventListener({ answersQuestions: true }).begin(platform);
    const body = { senderUmaAddress: SENDER, customerId: customer.id, receivingCurrencyCode: 'USD' };
    const offer = await platform.call('sandboxReceive', {
      body: { ...body, receivingCurrencyAmount: 5_000 },
    });
    assert.equal(offer.status, 200, offer.raw);
    const question = await listener.hearQuestion(platform);
    return { platform, customer, transactionId: offer.body.id, eventId: question.id, question };
  }

  const answer = ({ platform, eventId }: Asked, status: number, body?: string) =>
    platform.call('answerEvent', {
      params: { eventId },
      body: { status, ...(body !== undefined && { body }) },
    });
  const settle = ({ platform }: Asked) => world.app.worker.settle(platform.id);
  const loadState = async ({ platform, eventId }: Asked) =>
    (await platform.call('getEventById', { params: { eventId } })).body.state;
  const payment = async ({ platform, transactionId }: Asked) => {
    const { status, failureReason } = await readTransaction(platform, transactionId);
    return [status, failureReason];
  };

  for (const isSeen of [true, false]) {
    const when = isSeen ? 'that waits' : 'that no worker has seen yet';
    it(`platform.md §4.8.7: the answer to a question ${when} approves the payment, and the log names the answering token`, async () => {
      const at = await asked();
      if (isSeen) await settle(at);
      assert.deepEqual(await payment(at), ['PENDING', undefined]);
      assert.equal(await loadState(at), 'PENDING');
      world.clock.advance(4_000);
      const reply = await answer(at, 200, '{}');
      assert.deepEqual(
        [reply.status, reply.body.state, reply.body.attemptCount],
        [200, 'DELIVERED', 1],
        reply.raw,
      );
      await advance(at.platform, 1);
      assert.deepEqual(await payment(at), ['COMPLETED', undefined]);
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 5_000);
      const log = await at.platform.call('listEventAttempts', { params: { eventId: at.eventId } });
      const tokens = await at.platform.call('listTokens');
      assert.deepEqual(
        log.body.data.map(({ url, status, durationMs, responseBody }) => [
          url,
          status,
          durationMs,
          responseBody,
        ]),
        [[`listener:${tokens.body.data[0]?.id}`, 200, 4_000, '{}']],
      );
    });
  }

  const RESULTS: [number, string | undefined, (string | undefined)[], string][] = [
    [403, undefined, ['REJECTED', undefined], 'EXHAUSTED'],
    [422, '{"code":"x"}', ['FAILED', 'PAY_REQUEST_FAILED'], 'EXHAUSTED'],
    [500, 'not JSON', ['FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'], 'EXHAUSTED'],
    [202, undefined, ['PENDING', undefined], 'DELIVERED'],
    [409, undefined, ['PENDING', undefined], 'ACKED_DUPLICATE'],
  ];
  for (const [status, body, result, state] of RESULTS) {
    it(`platform.md §4.8.7, money.md §7.2: ${status} decides as an endpoint's answer would`, async () => {
      const at = await asked();
      await settle(at);
      assert.equal((await answer(at, status, body)).status, 200);
      assert.deepEqual([await payment(at), await loadState(at)], [result, state]);
    });
  }

  it('platform.md §4.8.7: no answer in time counts like an endpoint’s timeout', async () => {
    const at = await asked();
    await settle(at);
    world.clock.advance(4_999);
    await settle(at);
    assert.deepEqual([await payment(at), await loadState(at)], [['PENDING', undefined], 'PENDING']);
    world.clock.advance(1);
    const late = await answer(at, 200);
    assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT']);
    assert.match(String(late.body.reason), /too late/);
    await settle(at);
    assert.deepEqual(
      [await payment(at), await loadState(at)],
      [['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'], 'EXHAUSTED'],
    );
    assert.match(String((await answer(at, 200)).body.reason), /too late/);
    const log = await at.platform.call('listEventAttempts', { params: { eventId: at.eventId } });
    assert.deepEqual(log.body.data, []);
  });

  it('platform.md §4.8.7, §1.5: moving the platform’s clock past the five seconds ends the wait', async () => {
    const at = await asked();
    await advance(at.platform, 6);
    assert.deepEqual(
      [await payment(at), await loadState(at)],
      [['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'], 'EXHAUSTED'],
    );
    assert.equal((await answer(at, 200)).status, 409);
  });

  it('platform.md §4.8.8: if two listeners answer at once, the first answer counts', async () => {
    const at = await asked();
    const elsewhere = { ...at, platform: await world.elsewhere(at.platform) };
    await settle(at);
    const replies = await Promise.all([answer(at, 200), answer(elsewhere, 403), answer(at, 422)]);
    const counted = replies.filter(({ status }) => status === 200);
    assert.equal(counted.length, 1);
    for (const { status, body } of replies.filter((reply) => reply !== counted[0])) {
      assert.deepEqual(
        [status, body.code, body.reason],
        [409, 'CONFLICT', 'This question was answered already.'],
      );
    }
    const [{ count }] = (await world.database.query<{ count: bigint }>(sql`
      select count(*) from webhook_attempts where platform_id = ${at.platform.id}`)) as [{ count: bigint }];
    assert.equal(Number(count), 1);
  });

  it('platform.md §4.8.8: if an answer and its deadline coincide, either counts, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const at = await asked();
      await settle(at);
      world.clock.advance(4_999);
      const answering = answer(at, 200);
      world.clock.advance(1);
      const [reply] = await Promise.all([answering, settle(at)]);
      await settle(at);
      const [status, reason] = await payment(at);
      if (reply.status === 200 && reason === undefined) assert.equal(await loadState(at), 'DELIVERED');
      else assert.deepEqual([status, reason], ['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT']);
      if (reply.status === 409) assert.equal(await loadState(at), 'EXHAUSTED');
    }
  });

  it('platform.md §4.8.8: with an endpoint the endpoint decides, and listeners receive the question for information', async () => {
    const at = await asked();
    await answer(at, 200);
    const receiver = await at.platform.receive();
    const hanging = Promise.withResolvers<void>();
    receiver.answer(async ({ body }) => {
      if (body.type === 'INCOMING_PAYMENT.PENDING') await hanging.promise;
      return { status: body.type === 'INCOMING_PAYMENT.PENDING' ? 403 : 200 };
    });
    const listener = await new EventListener({ answersQuestions: true }).begin(at.platform);
    const offer = await at.platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: SENDER,
        customerId: at.customer.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 5_000,
      },
    });
    const question = await listener.hearQuestion(at.platform);
    assert.deepEqual([question.isQuestion, question.answerBy], [true, undefined]);
    const refused = await answer({ ...at, eventId: question.id }, 200);
    assert.deepEqual(
      [refused.status, refused.body.reason],
      [409, 'The platform’s webhook endpoint answers this question.'],
    );
    hanging.resolve();
    await settle(at);
    assert.equal((await readTransaction(at.platform, offer.body.id)).status, 'REJECTED');
  });

  it('platform.md §4.8.8: an event that is no question cannot be answered, and an unknown one is not found', async () => {
    const at = await asked();
    const events = await at.platform.call('listEvents', { query: { type: 'CUSTOMER.KYC_APPROVED' } });
    const other = await answer({ ...at, eventId: events.body.data[0]?.id ?? '' }, 200);
    assert.deepEqual([other.status, other.body.reason], [409, 'This event does not ask for a decision.']);
    const unknown = await answer({ ...at, eventId: 'Webhook:019542f5-b3e7-7d02-8000-0000000000ff' }, 200);
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND']);
    const bad = await at.platform.send('answerEvent', {
      params: { eventId: at.eventId },
      body: { status: 99, body: 'ä'.repeat(10_241) },
    });
    assert.deepEqual([bad.status, bad.body.code], [400, 'INVALID_INPUT']);
    const long = await answer(at, 200, 'ä'.repeat(10_000));
    assert.deepEqual([long.status, long.body.code], [400, 'INVALID_INPUT']);
    assert.deepEqual(await payment(at), ['PENDING', undefined]);
  });

  it('platform.md §4.8.6: a dead listener stays registered for a while; after that, a question is an error', async () => {
    const at = await asked();
    await answer(at, 403);
    const body = {
      senderUmaAddress: SENDER,
      customerId: at.customer.id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 5_000,
    };
    const waiting = await at.platform.call('sandboxReceive', { body });
    await settle(at);
    assert.equal((await readTransaction(at.platform, waiting.body.id)).status, 'PENDING');
    world.clock.advance(15_000);
    await settle(at);
    const refused = await at.platform.call('sandboxReceive', { body });
    assert.deepEqual([refused.status, refused.body.code], [400, 'WEBHOOK_ENDPOINT_NOT_SET']);
    assert.equal(
      (await readTransaction(at.platform, waiting.body.id)).failureReason,
      'PAYMENT_APPROVAL_TIMED_OUT',
    );
  });

  it('platform.md §4.8.6: answersQuestions requires TRANSACT', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    const refused = await viewer.call('listenToEvents', { query: { answersQuestions: true } });
    assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
    assert.equal((await viewer.call('listenToEvents')).status, 200);
  });

  it('platform.md §4.8.9: the feed shows the deadline of a question, in real time', async () => {
    const platform = await givenPlatform(world);
    await advance(platform, 3_600);
    const customer = await givenPayer(platform, 0);
    const listener = await new EventListener({ answersQuestions: true }).begin(platform);
    const body = { senderUmaAddress: SENDER, customerId: customer.id, receivingCurrencyCode: 'USD' };
    await platform.call('sandboxReceive', { body: { ...body, receivingCurrencyAmount: 5_000 } });
    const by = new Date(world.clock.now() + 5_000).toISOString();
    const question = await listener.hearQuestion(platform);
    assert.equal(question.answerBy, by);
  });
});
