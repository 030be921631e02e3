// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newUuid } from '#foundation/lib/ids.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

describe('POST /sandbox/send', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let receiver: Receiver;

  before(async () => {
    platform = await givenPlatform(world);
    receiver = await platform.receive();
    payer = await givenPayer(platform, 0);
  });

  const send = (body: RequestOf<'sandboxSend'>, more: object = {}) =>
    platform.call('sandboxSend', { body, ...more });

  async function unpaid(suffix = '999') {
    const to = await givenOutside(platform, payer.id, suffix);
    return quoted(platform, { from: { realtime: 'USD', customerId: payer.id }, to, send: 20_000 });
  }

  it('money.md §9.4, §11.L4: exactly the amount, which is also the default, starts the payment', async () => {
    for (const amount of [{}, { currencyAmount: 20_000 }]) {
      const { id, transactionId } = await unpaid();
      const reply = await send({ quoteId: id, currencyCode: 'USD', ...amount });
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual([reply.body.id, reply.body.status], [transactionId, 'PROCESSING']);
      await advance(platform, 2);
      assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED');
      assert.deepEqual(await postedKinds(platform, transactionId), ['L4', 'L6', 'L7']);
      assert.deepEqual(await listEventTypes(platform, transactionId), ['PENDING', 'PROCESSING', 'COMPLETED']);
    }
  });

  for (const currencyAmount of [19_999, 20_001]) {
    it(`money.md §4.1, §9.4: ${currencyAmount} instead of 20000 fails it, and the money is refunded`, async () => {
      const { id, transactionId } = await unpaid();
      const reply = await send({ quoteId: id, currencyCode: 'USD', currencyAmount });
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual([reply.body.status, reply.body.failureReason], ['FAILED', 'FUNDING_AMOUNT_MISMATCH']);
      assert.equal(reply.body.refund.status, 'PENDING');
      assert.deepEqual(
        [reply.body.refund.amount.amount, reply.body.refund.amount.currency.code],
        [currencyAmount, 'USD'],
      );
      await advance(platform, 2);
      const { refund } = await readTransaction(platform, transactionId);
      assert.deepEqual([refund.status, refund.amount], ['COMPLETED', reply.body.refund.amount]);
      const told = receiver.received.filter(({ body }) => body.data.id === transactionId);
      assert.deepEqual(
        told.map(({ body }) => (body.data as { refund?: { amount: unknown } }).refund?.amount),
        [undefined, undefined, refund.amount, refund.amount],
        'what arrived is told with the refund',
      );
      assert.deepEqual(await postedKinds(platform, transactionId), ['L4', 'L10', 'L11']);
      assert.deepEqual(await listEventTypes(platform, transactionId), [
        'PENDING',
        'FAILED',
        'REFUND_PENDING',
        'REFUND_COMPLETED',
      ]);
    });
  }

  it('money.md §9.4: the destination’s suffix then decides', async () => {
    const { id, transactionId } = await unpaid('004');
    assert.equal((await send({ quoteId: id, currencyCode: 'USD' })).body.status, 'PROCESSING');
    await advance(platform, 3);
    const after = await readTransaction(platform, transactionId);
    assert.deepEqual([after.failureReason, after.refund.status], ['ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
  });

  it('money.md §9.4: a quote that cannot be funded is refused, and nothing changes', async () => {
    const own = await givenPayer(platform, 5_000);
    const to = await givenOutside(platform, own.id);
    const prefunded = await quoted(platform, { from: own.account('USD').id, to, send: 100 });
    const paid = await unpaid();
    assert.equal((await send({ quoteId: paid.id, currencyCode: 'USD' })).status, 200);
    const open = await unpaid();
    const wrong: [object, number, string][] = [
      [{ quoteId: open.id, currencyCode: 'EUR' }, 400, 'INVALID_CURRENCY'],
      [{ quoteId: open.id, currencyCode: 'USD', currencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
      [{ quoteId: open.id, currencyCode: 'USD', currencyAmount: -5 }, 400, 'INVALID_AMOUNT'],
      [{ quoteId: open.id }, 400, 'INVALID_INPUT'],
      [{ currencyCode: 'USD' }, 400, 'INVALID_INPUT'],
      [{ quoteId: 'x', currencyCode: 'USD' }, 400, 'INVALID_INPUT'],
      [{ quoteId: `Quote:${newUuid()}`, currencyCode: 'USD' }, 404, 'QUOTE_NOT_FOUND'],
      [{ quoteId: prefunded.id, currencyCode: 'USD' }, 400, 'INVALID_INPUT'],
      [{ quoteId: paid.id, currencyCode: 'USD' }, 400, 'INVALID_INPUT'],
    ];
    for (const [body, status, code] of wrong) {
      const reply = await send(body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(body));
    }
    assert.equal((await readTransaction(platform, open.transactionId)).status, 'PENDING');
    assert.deepEqual(await postedKinds(platform, open.transactionId), []);
    const other = await givenPlatform(world);
    const foreign = await other.call('sandboxSend', { body: { quoteId: open.id, currencyCode: 'USD' } });
    assert.equal(foreign.body.code, 'QUOTE_NOT_FOUND');
  });

  describe('for a quote out of an external account', () => {
    const drawn = async (suffix = '999') => {
      const own = await givenPayer(platform, 0);
      const from = await givenOutside(platform, own.id, suffix, 'USD_ACCOUNT');
      const quote = await quoted(platform, { from, to: own.account('EUR').id, send: 20_000 });
      return { own, ...quote };
    };

    it('money.md §9.4: it is executed, also with its own amount, and the account’s suffix decides', async () => {
      for (const amount of [{}, { currencyAmount: 20_000 }]) {
        const { own, id, transactionId } = await drawn();
        const reply = await send({ quoteId: id, currencyCode: 'USD', ...amount });
        assert.equal(reply.status, 200, reply.raw);
        assert.equal(reply.body.id, transactionId);
        await advance(platform, 3);
        assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED');
        assert.ok((await fetchBalance(platform, own, 'EUR')) > 0);
        const again = await send({ quoteId: id, currencyCode: 'USD' });
        assert.equal(again.status >= 400 && again.status < 500, true, again.raw);
      }
      const { own, id, transactionId } = await drawn('004');
      assert.equal((await send({ quoteId: id, currencyCode: 'USD' })).status, 200);
      await advance(platform, 3);
      assert.equal((await readTransaction(platform, transactionId)).status, 'FAILED');
      assert.equal(await fetchBalance(platform, own, 'EUR'), 0);
    });

    it('money.md §9.4: another currency or amount is refused, and nothing changes', async () => {
      const { id, transactionId } = await drawn();
      for (const [more, code] of [
        [{ currencyCode: 'EUR' }, 'INVALID_CURRENCY'],
        [{ currencyCode: 'USD', currencyAmount: 19_999 }, 'INVALID_AMOUNT'],
      ] as const) {
        const reply = await send({ quoteId: id, ...more });
        assert.deepEqual([reply.status, reply.body.code], [400, code], reply.raw);
      }
      assert.equal((await readTransaction(platform, transactionId)).status, 'PENDING');
      const key = newUuid();
      const [first, second] = [
        await send({ quoteId: id, currencyCode: 'USD' }, { key }),
        await send({ quoteId: id, currencyCode: 'USD' }, { key }),
      ];
      assert.deepEqual([first.status, second.raw], [200, first.raw]);
    });

    it('money.md §9.4, §12.8: only one of several concurrent calls executes it', async () => {
      const { id, transactionId } = await drawn();
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => send({ quoteId: id, currencyCode: 'USD' })),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      await advance(platform, 3);
      assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED');
    });
  });

  it('money.md §9.4: an expired quote is refused, before and after its timer has run', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 0);
    const to = await givenOutside(own, customer.id);
    const { id, transactionId } = await quoted(own, { from: { realtime: 'USD' }, to, send: 1_000 });
    world.clock.advance(300_000);
    for (let i = 0; i < 2; i++) {
      const reply = await own.call('sandboxSend', { body: { quoteId: id, currencyCode: 'USD' } });
      assert.deepEqual([reply.status, reply.body.code], [400, 'QUOTE_EXPIRED']);
      await world.app.worker.settle(own.id);
    }
    assert.deepEqual(await listEventTypes(own, transactionId), ['PENDING', 'EXPIRED']);
  });

  it('money.md §12.8: only one of several concurrent payments counts', async () => {
    const { id, transactionId } = await unpaid();
    const replies = await Promise.all(
      [20_000, 20_000, 1, 20_000].map((currencyAmount) =>
        send({ quoteId: id, currencyCode: 'USD', currencyAmount }),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal((await postedKinds(platform, transactionId)).filter((kind) => kind === 'L4').length, 1);
  });

  it('money.md §6.7, §4.5: crypto has a hash on the source, and its refund goes to the owner’s own account', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC'] });
    const customer = await givenPayer(own, 0);
    const to = await givenOutside(own, customer.id, '002');
    const from = { realtime: 'USDC', network: 'SOLANA', customerId: customer.id };
    const quote = await quoted(own, { from, to, send: 2_000_000 });
    const reply = await own.call('sandboxSend', { body: { quoteId: quote.id, currencyCode: 'USDC' } });
    assert.equal(reply.status, 200, reply.raw);
    const { onChainTransaction } = reply.body.source;
    assert.equal(onChainTransaction.network, 'SOLANA');
    assert.match(onChainTransaction.transactionHash, /^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    await advance(own, 3);
    assert.equal((await readTransaction(own, quote.transactionId)).refund.status, 'COMPLETED');
    assert.equal(await fetchBalance(own, customer, 'USDC'), 2_000_000);
  });

  it('money.md §6.7: bitcoin has a hash on its chain, whichever way it was paid in, and the source names its customer', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'BTC'] });
    const customer = await givenPayer(own, 0);
    const from = { realtime: 'BTC', customerId: customer.id };
    const quote = await quoted(own, { from, to: customer.account('USD').id, send: 100_000 });
    assert.equal(quote.source.customerId, customer.id);
    const reply = await own.call('sandboxSend', { body: { quoteId: quote.id, currencyCode: 'BTC' } });
    assert.equal(reply.status, 200, reply.raw);
    const { source, destination, reconciliationInstructions } = reply.body;
    assert.deepEqual([source.customerId, source.currency], [customer.id, 'BTC']);
    assert.equal(source.onChainTransaction.network, 'BITCOIN');
    assert.match(source.onChainTransaction.transactionHash, /^[0-9a-f]{64}$/);
    assert.equal(reconciliationInstructions.transactionHash, source.onChainTransaction.transactionHash);
    assert.equal(destination.onChainTransaction, undefined);
  });

  it('platform.md §1.1.3: production tokens may not', async () => {
    const real = await world.platform({ environment: 'PRODUCTION' });
    for (const operation of ['sandboxSend', 'sandboxReceive'] as const) {
      const reply = await real.call(operation, { body: {} });
      assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN']);
    }
  });

  interface Scenario {
    readonly name: string;
    /** Seconds after the funds, and the state read then. */
    readonly stands: readonly (readonly [seconds: number, status: string, pendingReason?: string])[];
    readonly events: readonly string[];
    readonly postings: readonly string[];
    readonly more?: object;
  }

  const DONE = { events: ['COMPLETED'], postings: ['L7'] };

  /** money.md §9.5, the column of outgoing payments: one row each. */
  const OUTGOING: readonly Scenario[] = [
    ...['success.usd', 'success.eur', 'success.mxn'].map((name) => ({
      name,
      stands: [[0, 'PROCESSING'], [1, 'COMPLETED']] as const, // biome-ignore format: a table
      ...DONE,
    })),
    {
      name: 'pending.long.usd',
      stands: [[0, 'PROCESSING', 'COMPLIANCE_REVIEW'], [359, 'PROCESSING', 'COMPLIANCE_REVIEW'], [360, 'COMPLETED']], // biome-ignore format: a table
      ...DONE,
    },
    {
      name: 'fail.compliance.usd',
      stands: [[0, 'PROCESSING'], [1, 'FAILED'], [2, 'FAILED']], // biome-ignore format: a table
      events: ['FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
      postings: ['L9', 'L10', 'L11'],
    },
    {
      name: 'needinfo.usd',
      stands: [[0, 'PROCESSING'], [1, 'COMPLETED']], // biome-ignore format: a table
      ...DONE,
      more: { senderCustomerInfo: { FULL_NAME: 'Ada Lovelace', BIRTH_DATE: '1990-12-10' } },
    },
  ];
  for (const { name, stands, events, postings, more } of OUTGOING) {
    it(`money.md §9.5: paying ${name}: ${events.join(', ')}`, async () => {
      const to = `$${name}@${TEST_DOMAINS.sandboxUmaDomain}`;
      const lookupId = await lookedUp(platform, to);
      const from = { realtime: 'EUR' };
      const quote = await quoted(platform, { from, to, send: 3_000, more: { lookupId, ...more } });
      assert.equal((await send({ quoteId: quote.id, currencyCode: 'EUR' })).status, 200);
      await world.app.worker.settle(platform.id);
      let now = 0;
      for (const [seconds, status, pendingReason] of stands) {
        if (seconds > now) await advance(platform, seconds - now);
        now = seconds;
        const { status: shown, pendingReason: reason } = await readTransaction(platform, quote.transactionId);
        assert.deepEqual([shown, reason], [status, pendingReason], `after ${seconds} s`);
      }
      const isCrossing = quote.receivingCurrency.code !== 'EUR';
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
        'PENDING',
        'PROCESSING',
        ...events,
      ]);
      assert.deepEqual(await postedKinds(platform, quote.transactionId), [
        'L4',
        ...(isCrossing ? ['L6'] : []),
        ...postings,
      ]);
      const after = await readTransaction(platform, quote.transactionId);
      if (after.status === 'COMPLETED') {
        assert.match(after.reconciliationInstructions.transactionHash, /^[0-9a-f]{64}$/);
        assert.equal(after.destination.onChainTransaction, undefined);
      } else {
        assert.deepEqual([after.failureReason, after.refund.status], ['COMPLIANCE_REJECTED', 'COMPLETED']);
      }
    });
  }
});
