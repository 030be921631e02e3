// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  advance,
  execute,
  fetchBalance,
  givenPlatform,
  listEventTypes,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, type QuoteReply, quoted } from '#tests/given/quotes.ts';
import { SCA_CODE } from '#tests/given/sca.ts';
import {
  authorize,
  fetchFunds,
  givenScaPayer,
  givenTrusted,
  givenWaiting,
  type ScaPayer,
} from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** Each race runs this often, because either side may win. */
const ROUNDS = 6;

describe('races for a payment that waits for authorization, through two processes', () => {
  const world = testWorld();
  let here: TestPlatform;
  let there: TestPlatform;
  let payer: ScaPayer;

  before(async () => {
    here = await givenPlatform(world);
    there = await world.elsewhere(here);
    payer = await givenScaPayer(here);
  });

  /** The payment moved once and completely, or not at all. */
  async function assertWholeOrNothing(quote: QuoteReply): Promise<'moved' | 'released'> {
    const kinds = (await postedKinds(here, quote.transactionId)).join(' ');
    assert.match(kinds, /^L3a (L3b L6( L7)?|L3c)$/);
    const told = (await listEventTypes(here, quote.transactionId)).join(' ');
    const moved = kinds.includes('L3b');
    assert.match(told, moved ? /^PENDING PENDING_AUTHORIZATION PROCESSING( COMPLETED)?$/ : / FAILED$/);
    return moved ? 'moved' : 'released';
  }

  it('customers.md §7.11: only one of two right answers counts', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const quote = await givenWaiting(here, payer);
      const before = await fetchFunds(here, payer);
      const replies = await Promise.all([authorize(here, quote.id), authorize(there, quote.id)]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      assert.equal(await assertWholeOrNothing(quote), 'moved');
      assert.equal((await fetchFunds(here, payer))[1], before[1] - 10_000);
    }
  });

  it('customers.md §7.8, §7.11: concurrent wrong answers are counted exactly, and the fifth ends the payment', async () => {
    const customer = await givenScaPayer(here);
    const quote = await givenWaiting(here, customer);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => authorize(i % 2 ? here : there, quote.id, { code: '000000' })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    // The sixth finds five calls within a minute, or a voided challenge.
    assert.equal(statuses.filter((status) => status === 400).length, 5);
    assert.ok(
      statuses.every((status) => [400, 409, 429].includes(status)),
      String(statuses),
    );
    assert.equal(await assertWholeOrNothing(quote), 'released');
    const query = { customerId: customer.id };
    const after = await here.call('recordSecurityEvent', {
      query,
      body: { eventType: 'FAILED_LOGIN_ATTEMPT' },
    });
    assert.equal(after.body.failedAttempts, 6);
  });

  it('an answer against the timer: the money moves, or the hold is released', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const quote = await givenWaiting(here, payer);
      world.clock.advance(round % 2 ? 300_000 : 299_999);
      const [reply] = await Promise.all([
        authorize(there, quote.id),
        world.app.worker.settle(here.id),
        ...(round % 2 ? [] : [world.clock.advance(1)]),
      ]);
      await world.app.worker.settle(here.id);
      const outcome = await assertWholeOrNothing(quote);
      assert.equal(reply.status === 200, outcome === 'moved', reply.raw);
    }
  });

  it('an answer against a reset of the password, which voids the challenge', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await givenScaPayer(here);
      const quote = await givenWaiting(here, customer);
      const query = { customerId: customer.id };
      const [reply, reset] = await Promise.all([
        authorize(here, quote.id),
        there.call('recordSecurityEvent', { query, body: { eventType: 'RESET_PASSWORD_COMPLETED' } }),
      ]);
      assert.equal(reset.status, 200, reset.raw);
      const outcome = await assertWholeOrNothing(quote);
      assert.equal(reply.status === 200, outcome === 'moved', reply.raw);
    }
  });

  it('an answer against a cancellation: a waiting payment cannot be cancelled, and a moving one is cancelled completely', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const quote = await givenWaiting(here, payer);
      const params = { transactionId: quote.transactionId };
      const [reply, cancelled] = await Promise.all([
        authorize(here, quote.id),
        there.call('cancelTransaction', { params }),
      ]);
      assert.equal(reply.status, 200, reply.raw);
      assert.ok([200, 409].includes(cancelled.status), cancelled.raw);
      await advance(here, 5);
      const { status, refund } = await readTransaction(here, quote.transactionId);
      assert.equal(status, 'COMPLETED');
      assert.equal(refund?.status, cancelled.status === 200 ? 'COMPLETED' : undefined);
    }
  });

  it('an execution against the change of its account’s trust: it is paid at once, or waits', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await givenScaPayer(here);
      const quote = await quoted(here, { from: customer.usd, to: customer.bank });
      const [reply] = await Promise.all([execute(here, quote.id), givenTrusted(there, customer.bank)]);
      assert.equal(reply.status, 200, reply.raw);
      const isWaiting = reply.body.status === 'PENDING_AUTHORIZATION';
      assert.equal((await postedKinds(here, quote.transactionId)).join(' '), isWaiting ? 'L3a' : 'L2 L6');
      if (isWaiting) assert.equal((await authorize(here, quote.id)).status, 200);
      await advance(here, 1);
      assert.equal(await fetchBalance(here, customer, 'USD'), 990_000);
    }
  });

  it('customers.md §2.4.26: the deletion of the customer against its execution, its answer and the timer', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await givenScaPayer(here, 0);
      const from = { realtime: 'USD', customerId: customer.id };
      const made = await askQuote(here, { from, to: customer.bank });
      assert.equal(made.status, 202, made.raw);
      const quote = made.body;
      if (round % 3 === 2) world.clock.advance(300_000);
      const [reply, removed] = await Promise.all([
        authorize(here, quote.id),
        there.call('deleteCustomerById', { params: { customerId: customer.id } }),
        ...(round % 3 === 2 ? [world.app.worker.settle(here.id)] : []),
      ]);
      assert.ok([200, 400, 404, 409].includes(reply.status), reply.raw);
      assert.ok([200, 409].includes(removed.status), removed.raw);
      const { status } = await readTransaction(here, quote.transactionId);
      if (removed.status === 200) assert.equal(status, 'FAILED');
    }
  });

  it('customers.md §7.10d: an execution against the change of the phone number: a code to the old number does not authorize it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await givenScaPayer(here);
      const quote = await quoted(here, { from: customer.usd, to: customer.bank });
      const params = { customerId: customer.id };
      const [reply, changed] = await Promise.all([
        execute(here, quote.id),
        there.call('updateCustomerById', {
          params,
          body: { customerType: 'INDIVIDUAL', phoneNumber: '+4915112340000' },
        }),
      ]);
      assert.equal(changed.status, 200, changed.raw);
      if (reply.status === 400) continue;
      assert.equal(reply.status, 200, reply.raw);
      const late = await authorize(here, quote.id, { code: SCA_CODE });
      assert.ok([400, 409].includes(late.status), late.raw);
      await advance(here, 301);
      assert.equal((await readTransaction(here, quote.transactionId)).failureReason, 'SCA_NOT_COMPLETED');
      assert.deepEqual(await fetchFunds(here, customer), [1_000_000, 1_000_000]);
    }
  });
});
