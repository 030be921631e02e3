import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callsIn, type ExplanationReply, explained, movesIn, titlesIn } from '#tests/given/explanations.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
} from '#tests/given/payments.ts';
import { givenEuropean, givenScaSession } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the explanation of a payment', () => {
  const world = testWorld();

  /** A quote for 100.00 USD to a euro account whose suffix decides. */
  async function given(suffix = '999', usd = 1_000_000) {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, usd);
    const to = await givenOutside(platform, payer.id, suffix);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    return { platform, payer, quote, id: quote.transactionId };
  }

  function show(explanation: ExplanationReply) {
    if (process.env.SHOW_EXPLANATIONS) console.log(JSON.stringify(explanation, null, 1));
  }

  it('operator.md §8.2: a payment that was refused for lack of funds says how much is missing, and how to continue', async () => {
    const { platform, payer, quote, id } = await given('999', 2_000);
    assert.equal((await execute(platform, quote.id)).status, 400);
    const explanation = await explained(platform, id);
    show(explanation);
    assert.equal(
      explanation.summary,
      `Nothing has moved: the quote has not been executed. The last request about it, at ${explanation.refusal?.at}, was refused with INSUFFICIENT_FUNDS.`,
    );
    assert.equal(
      explanation.waiting?.for,
      'The payer’s account is short by 80.00 USD: it has 20.00 USD, and the quote needs 100.00 USD. Once it is funded, the platform has to execute the quote.',
    );
    assert.equal(explanation.waiting.until, quote.expiresAt);
    const { at: _at, requestId: _id, ...refusal } = explanation.refusal ?? {};
    assert.deepEqual(refusal, {
      code: 'INSUFFICIENT_FUNDS',
      method: 'POST',
      path: `/quotes/${quote.id}/execute`,
      status: 400,
      rule: 'money.md §3.3',
    });
    assert.deepEqual(titlesIn(explanation, 'request'), [
      'POST /quotes was answered with 201.',
      'POST /quotes/{quoteId}/execute was refused with 400 INSUFFICIENT_FUNDS.',
    ]);
    assert.deepEqual(callsIn(explanation), [
      `POST /sandbox/internal-accounts/${payer.account('USD').id}/fund`,
      `POST /quotes/${quote.id}/execute`,
      'POST /sandbox/clock/advance',
    ]);
    // The offered calls do what they say.
    world.clock.advance(1_000);
    await givenFunds(platform, payer.account('USD').id, 8_000);
    const funded = await explained(platform, id);
    assert.deepEqual(
      [funded.refusal, funded.summary, funded.waiting?.for],
      [
        undefined,
        'Nothing has moved: the quote has not been executed.',
        'The platform has to execute the quote.',
      ],
      'the check would pass now',
    );
    assert.match(titlesIn(funded, 'request')[1] ?? '', /refused with 400 INSUFFICIENT_FUNDS/);
    assert.equal((await execute(platform, quote.id)).status, 200);
    assert.equal((await explained(platform, quote.id)).refusal, undefined);
  });

  it('operator.md §8.1: an expired quote names its rule, and that nothing has moved', async () => {
    const { platform, id } = await given();
    await advance(platform, 301);
    const explanation = await explained(platform, id);
    show(explanation);
    assert.equal(
      explanation.summary,
      'Nothing has moved: the quote was not executed in time, so it expired. To pay, the platform has to create a new quote.',
    );
    assert.deepEqual(movesIn(explanation), ['none → PENDING', 'PENDING → EXPIRED']);
    const last = explanation.items.findLast(({ kind }) => kind === 'transition');
    assert.deepEqual([last?.rule, last?.actor], ['money.md §3.1', { kind: 'SERVICE' }]);
    assert.deepEqual([explanation.waiting, titlesIn(explanation, 'entry')], [undefined, []]);
  });

  it('operator.md §8.3: a payment that failed at its rail names the reason, the rule and the sandbox’s value', async () => {
    const { platform, quote, id } = await given('004');
    await execute(platform, quote.id);
    await advance(platform, 1);
    const refunding = await explained(platform, id);
    assert.match(refunding.summary, /The money that was taken, 100\.00 USD, is being paid back\.$/);
    assert.equal(refunding.waiting?.for, 'The rail has to pay the refund.');
    await advance(platform, 5);
    const explanation = await explained(platform, id);
    show(explanation);
    assert.equal(
      explanation.summary,
      'The payment failed. The receiver’s account cannot be credited. The payer got all of the money back into the account: 100.00 USD, fees included.',
    );
    assert.deepEqual(explanation.failure, {
      reason: 'ACCOUNT_CANNOT_RECEIVE',
      sentence: 'The receiver’s account cannot be credited.',
      rule: 'money.md §4.6',
      causedBy: {
        value: '004',
        of: 'the end of the receiver’s account number',
        table: 'Payments into another currency',
        link: '/docs/sandbox#cross-currency-payouts',
        effect:
          'The receiver’s bank cannot credit the account: it fails after 1 second; 1 second later the money is back.',
      },
    });
    assert.deepEqual(movesIn(explanation), [
      'none → PENDING',
      'PENDING → PROCESSING',
      'PROCESSING → FAILED',
      'refund none → PENDING',
      'refund PENDING → COMPLETED',
    ]);
    assert.equal(explanation.waiting, undefined);
  });

  it('operator.md §8.1: a returned and refunded payment tells its whole story, in order', async () => {
    const { platform, quote, id } = await given('005');
    const receiver = await platform.receive();
    await execute(platform, quote.id);
    await advance(platform, 10);
    const explanation = await explained(platform, id);
    show(explanation);
    assert.match(
      explanation.summary,
      /The receiver’s bank sent the money back after the payment had been completed\. The payer got all of the money back/,
    );
    assert.deepEqual(movesIn(explanation), [
      'none → PENDING',
      'PENDING → PROCESSING',
      'PROCESSING → COMPLETED',
      'COMPLETED → FAILED',
      'refund none → PENDING',
      'refund PENDING → COMPLETED',
    ]);
    const entries = explanation.items.filter(({ kind }) => kind === 'entry');
    assert.deepEqual(
      entries.map(({ details }) => details.number),
      ['L2', 'L6', 'L7', 'L8', 'L9', 'L10', 'L11'],
    );
    assert.deepEqual(entries.map(({ rule }) => rule).slice(0, 2), ['money.md §11.L2', 'money.md §11.L6']);
    assert.ok(entries.every(({ recordedAt }) => recordedAt !== undefined));
    assert.deepEqual(
      [entries[1]?.title, entries[4]?.title],
      [
        'Booked: 0.50 USD in fees was taken, and 99.50 USD was converted into 91.54 EUR.',
        'Booked: 0.50 USD in fees was given back, and the conversion of 99.50 USD into 91.54 EUR was reversed.',
      ],
    );
    const orders = explanation.items.filter(({ kind }) => kind === 'order');
    assert.deepEqual(
      orders.map(({ details }) => `${details.order} ${details.answer ?? details.state}`),
      ['PAYOUT ASKED', 'PAYOUT DELIVERED', 'PAYOUT RETURNED', 'REFUND ASKED', 'REFUND PAID'],
    );
    const attempts = explanation.items.filter(({ kind }) => kind === 'attempt');
    assert.equal(attempts.length, receiver.received.filter(({ body }) => body.data.id === id).length);
    const times = explanation.items.map(({ at }) => Date.parse(at));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const decisions = explanation.items.filter(({ kind }) => kind === 'decision');
    assert.deepEqual(
      decisions.map(({ details }) => details.about),
      ['PRICE', 'FEES', 'SIZE_LIMIT', 'ACCOUNTS', 'AUTHENTICATION', 'DAILY_LIMIT'],
    );
  });

  it('operator.md §8.2: a payment that waits for strong customer authentication says how the code is sent', async () => {
    const platform = await givenPlatform(world);
    const ada = await givenEuropean(platform);
    await givenScaSession(platform, ada);
    const explanation = await waitingForCode(platform, ada.id);
    show(explanation);
    assert.match(explanation.summary, /^100\.00 USD is on hold in the payer’s account, because the customer/);
    assert.equal(
      explanation.waiting?.for,
      'The customer has to authorize the payment with the code from the text message.',
    );
    assert.match(explanation.waiting.afterwards ?? '', /SCA_NOT_COMPLETED, and the hold is released/);
    assert.deepEqual(titlesIn(explanation, 'message'), [
      'The service sent the customer a text message with a code.',
    ]);
    const way = explanation.waiting.by.find(({ call }) => call?.path.endsWith('/authorize'));
    assert.ok(way?.call);
    const reply = await platform.send('authorizeQuote', {
      params: { quoteId: way.call.path.split('/')[2] ?? '' },
      body: way.call.body,
    });
    assert.equal(reply.status, 200, reply.raw);
    const after = await explained(platform, explanation.id);
    assert.deepEqual(movesIn(after).slice(0, 3), [
      'none → PENDING',
      'PENDING → PENDING_AUTHORIZATION',
      'PENDING_AUTHORIZATION → PROCESSING',
    ]);
  });

  async function waitingForCode(platform: TestPlatform, customerId: string): Promise<ExplanationReply> {
    const { body: accounts } = await platform.call('listCustomerInternalAccounts', {
      query: { customerId },
    });
    const usd = accounts.data.find(({ balance }) => balance.currency.code === 'USD')?.id ?? '';
    await givenFunds(platform, usd, 100_000);
    const to = await givenOutside(platform, customerId);
    const quote = await givenQuote(world, platform, { from: usd, to });
    const executed = await execute(platform, quote.id);
    assert.equal(executed.body.status, 'PENDING_AUTHORIZATION', executed.raw);
    return explained(platform, quote.transactionId);
  }

  it('operator.md §8.2: a payment that waits for its rail says when the rail is asked, and how to move the clock there', async () => {
    const { platform, quote, id } = await given('003');
    await execute(platform, quote.id);
    await world.app.worker.settle(platform.id);
    const explanation = await explained(platform, id);
    show(explanation);
    assert.equal(
      explanation.summary,
      '100.00 USD was taken from the payer, and 91.54 EUR is set aside for the receiver: the rail was asked to pay it, and has not reported whether it did.',
    );
    const { waiting } = explanation;
    assert.equal(waiting?.for, 'The rail has to report whether the money was delivered.');
    const way = waiting.by.find(({ call }) => call?.path === '/sandbox/clock/advance');
    assert.deepEqual(way, {
      who: 'TOKEN',
      how: `Move the sandbox’s clock to ${waiting.nextCheckAt}, when the service asks the rail.`,
      call: { method: 'POST', path: '/sandbox/clock/advance', body: { seconds: 360 } },
      command: 'corridor clock advance 360s',
    });
    assert.equal(waiting.until, undefined, 'the next question is no deadline');
    assert.match(
      titlesIn(explanation, 'order')[0] ?? '',
      /over SEPA to the receiver\. The sandbox decides by the end of the receiver’s account number, 003: /,
    );
    await advance(platform, 360);
    assert.equal((await explained(platform, id)).status, 'COMPLETED');
  });

  /** Fails if an effect stands before its cause. */
  function assertCausal({ items }: ExplanationReply) {
    const position = (one: ExplanationReply['items'][number]) => items.indexOf(one);
    const events = new Map(
      items.filter(({ kind }) => kind === 'event').map((event) => [event.details.eventId, event]),
    );
    const attempts = items.filter(({ kind }) => kind === 'attempt');
    for (const attempt of attempts) {
      const event = events.get(attempt.details.eventId);
      assert.ok(event && position(event) < position(attempt), attempt.title);
      assert.ok(Date.parse(event.at) <= Date.parse(attempt.at), attempt.title);
    }
    const [created, executed] = items.filter(({ kind }) => kind === 'request');
    const at = (to: string) => items.findIndex(({ details }) => details.to === to);
    assert.ok(created && position(created) < at('PENDING'), 'the creation');
    if (executed) assert.ok(at('PENDING') < position(executed), 'the execution follows the creation');
    if (executed && at('PROCESSING') >= 0) assert.ok(position(executed) < at('PROCESSING'), 'the execution');
    return attempts.length;
  }

  it('operator.md §8.1b: an expired quote is told in order, whenever the clock is moved', async () => {
    const { platform, id } = await given();
    await platform.receive();
    world.clock.advance(40);
    await advance(platform, 301);
    const first = await explained(platform, id);
    assert.ok(assertCausal(first) > 0);
    world.clock.advance(2_000);
    await advance(platform, 3_600);
    const later = await explained(platform, id);
    assertCausal(later);
    assert.deepEqual(
      later.items.map(({ title }) => title),
      first.items.map(({ title }) => title),
    );
    assert.ok(Date.parse(later.now) - Date.parse(first.now) >= 3_602_000, 'the platform’s clock');
  });

  it('operator.md §8.1b: each step of a payment keeps its place if the clock was moved before it', async () => {
    const { platform, quote, id } = await given('005');
    await platform.receive();
    for (const seconds of [100, 100]) {
      world.clock.advance(30);
      await advance(platform, seconds);
    }
    world.clock.advance(30);
    assert.equal((await execute(platform, quote.id)).status, 200);
    world.clock.advance(30);
    for (const seconds of [1, 20, 600]) {
      await advance(platform, seconds);
      world.clock.advance(500);
      assert.ok(assertCausal(await explained(platform, id)) > 0);
    }
    const { items } = await explained(platform, id);
    const executed = items.find(({ details }) => details.route === '/quotes/{quoteId}/execute');
    const started = items.find(({ details }) => details.to === 'PROCESSING');
    const wait = Date.parse(started?.at ?? '') - Date.parse(executed?.at ?? '');
    assert.ok(wait >= 0 && wait < 60_000, `${wait}`);
  });

  it('operator.md §8.2: every move of the clock that is offered leads to the moment that it names', async () => {
    for (const suffix of ['999', '003']) {
      const { platform, quote, id } = await given(suffix);
      if (suffix === '003') await execute(platform, quote.id);
      await world.app.worker.settle(platform.id);
      const { waiting, now } = await explained(platform, id);
      const way = waiting?.by.find(({ call }) => call?.path === '/sandbox/clock/advance');
      const [named = ''] = /\d{4}-\S+Z/.exec(way?.how ?? '') ?? [];
      assert.equal(named, waiting?.until ?? waiting?.nextCheckAt);
      const reached = Date.parse(now) + Number(way?.call?.body?.seconds) * 1000;
      assert.ok(reached >= Date.parse(named) && reached < Date.parse(named) + 1_000);
      await advance(platform, Number(way?.call?.body?.seconds));
      assert.equal((await explained(platform, id)).status, suffix === '003' ? 'COMPLETED' : 'EXPIRED');
    }
  });
});
