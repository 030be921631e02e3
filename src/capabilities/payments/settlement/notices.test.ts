// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { resolveSuspense, type SuspenseTarget } from '#capabilities/payments/operator/resolve-suspense.ts';
import { receiveReport, receiveReports } from '#capabilities/payments/settlement/notices.ts';
import type { SummedAccount } from '#foundation/ledger/kinds.ts';
import { loadSum } from '#foundation/ledger/store.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { type AccountReply, fetchAccounts, supports } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  type Payer,
  platformBalance,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { freeze, type QuoteReply } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('reports of rails', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 10_000_000);
    // The platform's own external account, which every customer may pay (money.md §2.4).
    outside = await givenOutside(platform, undefined);
    // After the payer was created, so the payer has no account in it.
    await supports(platform, ['USD', 'EUR', 'USDC']);
  });

  /** Reports like a bank: by the reference alone, whatever has happened since. */
  async function report(transactionId: string, ...notices: PaymentNotice[]): Promise<void> {
    const work = await platform.work();
    const reference = uuidOf(transactionId);
    await work.write((tx) => receiveReport(tx, { reference, notices }));
  }

  /** Executed; its rail has not been called yet. */
  async function underWay(wish: { to?: string; platformFee?: { variableBps: number; fixed: bigint } } = {}) {
    const quote = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to: outside,
      send: 10_000n,
      ...wish,
    });
    const reply = await execute(platform, quote.id);
    assert.equal(reply.status, 200, reply.raw);
    return quote;
  }

  const standing = async ({ transactionId }: QuoteReply, on = platform) => {
    const { status, failureReason, refund } = await readTransaction(on, transactionId);
    return [status, failureReason, refund?.status];
  };

  const ignoredAbout = async (transactionId: string): Promise<unknown[]> => {
    const work = await platform.work();
    const rows = await work.read(
      (tx) => tx.sql<{ details: unknown }>`
        select details from audit_log
         where platform_id = ${tx.platformId} and action = 'payment notice ignored' and resource = ${transactionId}
         order by at, id`,
    );
    return rows.map(({ details }) => details);
  };

  it('money.md §4.1: a delivery that is reported twice, or concurrently, pays once', async () => {
    const quote = await underWay();
    await Promise.all(Array.from({ length: 8 }, () => report(quote.transactionId, { kind: 'delivered' })));
    await report(quote.transactionId, { kind: 'delivered' });
    await advance(platform, 10);
    assert.deepEqual(await standing(quote), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L7']);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ]);
    assert.ok((await ignoredAbout(quote.transactionId)).length >= 8);
  });

  it('money.md §11.6: what a connector reports is booked at the operator’s account that it names', async () => {
    const quote = await underWay();
    const { paymentRail, receivedAmount } = await readTransaction(platform, quote.transactionId);
    const work = await platform.work();
    const kept = async () => {
      const { debit, credit } = await work.read((tx) => loadSum(tx, `RAIL:${paymentRail}:bank.main:EUR`));
      return credit - debit;
    };
    const before = await kept();
    await report(quote.transactionId, { kind: 'delivered', settlementAccount: 'bank.main' });
    assert.equal(await kept(), before + BigInt(receivedAmount?.amount ?? 0));
    await report(quote.transactionId, { kind: 'returned', settlementAccount: 'bank.main' });
    assert.equal(await kept(), before);
    await advance(platform, 10);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
  });

  it('money.md §4.5: a failure that is reported twice refunds once; a later delivery changes nothing', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await underWay();
    const failed: PaymentNotice = { kind: 'payoutFailed', reason: 'ACCOUNT_CANNOT_RECEIVE' };
    await report(quote.transactionId, failed);
    await report(quote.transactionId, failed, { kind: 'delivered' });
    await advance(platform, 10);
    await report(quote.transactionId, { kind: 'delivered' }, { kind: 'returned' }, { kind: 'refunded' });
    assert.deepEqual(await standing(quote), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L9', 'L10', 'L11']);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    assert.deepEqual(
      (await ignoredAbout(quote.transactionId)).map((details) => (details as { notice: string }).notice),
      ['payoutFailed', 'delivered', 'delivered', 'returned', 'refunded'],
    );
  });

  it('money.md §4.1: a return before its delivery fails the payment; the later delivery changes nothing', async () => {
    const quote = await underWay();
    await report(quote.transactionId, { kind: 'returned' });
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'PENDING']);
    await report(quote.transactionId, { kind: 'delivered' });
    await advance(platform, 2);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L9', 'L10', 'L11']);
  });

  it('money.md §4.1: a later bank return reverses the payment, once', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await underWay();
    await advance(platform, 1);
    await advance(platform, 40 * 24 * 60 * 60);
    await report(quote.transactionId, { kind: 'returned' });
    await report(quote.transactionId, { kind: 'returned' });
    await advance(platform, 2);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
  });

  it('money.md §4.5, §11.L12: a refund that is reported as failed and then as paid stays failed', async () => {
    const quote = await underWay();
    await report(quote.transactionId, { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' });
    await report(quote.transactionId, { kind: 'refundFailed' });
    await report(quote.transactionId, { kind: 'refunded' });
    await advance(platform, 10);
    assert.deepEqual(await standing(quote), ['FAILED', 'ACCOUNT_INVALID', 'FAILED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L9', 'L10', 'L12']);
  });

  it('money.md §4.1: a notice about an unknown reference, or a quote that was not executed, changes nothing and is audited', async () => {
    const unknown = 'Transaction:01900000-0000-7000-8000-000000000000';
    await report(unknown, { kind: 'delivered' });
    assert.deepEqual(await ignoredAbout(unknown), [{ notice: 'delivered' }]);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to: outside });
    await report(
      quote.transactionId,
      { kind: 'delivered' },
      { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' },
      { kind: 'collected' },
      { kind: 'refunded' },
      { kind: 'cancelled' },
      { kind: 'funded', amount: 10_000n },
    );
    assert.deepEqual(await standing(quote), ['PENDING', undefined, undefined]);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
  });

  it('money.md §4.1, §4.5: a cancelled payment ends COMPLETED with its refund; the pending delivery is dropped', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await underWay();
    await report(quote.transactionId, { kind: 'cancelled' });
    assert.deepEqual(await standing(quote), ['PROCESSING', undefined, 'PENDING']);
    await report(quote.transactionId, { kind: 'delivered' });
    await advance(platform, 10);
    assert.deepEqual(await standing(quote), ['COMPLETED', undefined, 'COMPLETED']);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    const events = ['PENDING', 'PROCESSING', 'REFUND_PENDING', 'REFUND_COMPLETED', 'COMPLETED'];
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), events);
  });

  it('money.md §4.1: funds of any other amount fail a real-time quote and are refunded over their rail; a second payment is not taken for it', async () => {
    const quote = await givenQuote(world, platform, {
      from: { realtime: 'USD' },
      to: outside,
      send: 10_000n,
    });
    await report(quote.transactionId, { kind: 'funded', amount: 9_999n });
    await report(quote.transactionId, { kind: 'funded', amount: 10_000n });
    await advance(platform, 2);
    assert.deepEqual(await standing(quote), ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L4', 'L10', 'L11']);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ]);
  });

  it('money.md §4.1: exact funds execute a real-time quote, once', async () => {
    const quote = await givenQuote(world, platform, {
      from: { realtime: 'USD' },
      to: outside,
      send: 10_000n,
    });
    const funded: PaymentNotice = { kind: 'funded', amount: 10_000n };
    await Promise.all([report(quote.transactionId, funded), report(quote.transactionId, funded)]);
    assert.deepEqual(await standing(quote), ['PROCESSING', undefined, undefined]);
    await advance(platform, 1);
    assert.deepEqual(await standing(quote), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L4', 'L6', 'L7']);
  });

  it('money.md §4.5: crypto that funded a failed payment is refunded to the owner’s account, which is opened if it is missing', async () => {
    const to = await givenOutside(platform, payer.id, '004');
    const quote = await givenQuote(world, platform, {
      from: { realtime: 'USDC', network: 'SOLANA' },
      to,
      send: 50_000_000n,
      owner: payer.id,
    });
    await report(quote.transactionId, { kind: 'funded', amount: 50_000_000n, transactionHash: 'abc' });
    const { source } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual(source.onChainTransaction, { transactionHash: 'abc', network: 'SOLANA' });
    await advance(platform, 3);
    assert.deepEqual(await standing(quote), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
    assert.equal(await fetchBalance(platform, payer, 'USDC'), 50_000_000);
  });

  it('money.md §4.5: crypto that is not refunded opens no account: neither for a payout, nor for a quote that expires', async () => {
    const customer = await givenPayer(platform, 0, { currencies: ['USD', 'EUR'] });
    const wish = {
      from: { realtime: 'USDC', network: 'SOLANA' },
      send: 50_000_000n,
      owner: customer.id,
    } as const;
    const codes = async () =>
      (await fetchAccounts(platform, customer.id)).map(({ balance }) => balance.currency.code).sort();
    const before = await codes();
    const inside = await givenQuote(world, platform, { ...wish, to: customer.account('EUR').id });
    const out = await givenQuote(world, platform, { ...wish, to: await givenOutside(platform, customer.id) });
    const unpaid = await givenQuote(world, platform, { ...wish, to: outside });
    for (const { transactionId } of [inside, out]) {
      await report(transactionId, { kind: 'funded', amount: 50_000_000n, transactionHash: 'abc' });
    }
    await advance(platform, 300);
    const ends = await Promise.all([inside, out, unpaid].map(async (quote) => (await standing(quote))[0]));
    assert.deepEqual(ends, ['COMPLETED', 'COMPLETED', 'EXPIRED']);
    assert.deepEqual(await codes(), before);
  });

  it('money.md §11.b, §11.L8: a fee that the platform has spent is clawed back as far as the balance allows; later credits repay the rest', async () => {
    const [before, feeAccount] = [await platformBalance(platform, 'USD'), await platformAccountId()];
    assert.equal(before, 0);
    const quote = await underWay({ platformFee: { variableBps: 0, fixed: 500n } });
    await advance(platform, 1);
    assert.equal(await platformBalance(platform, 'USD'), 500);
    const spending = await givenQuote(world, platform, {
      from: feeAccount,
      to: payer.account('USD').id,
      send: 400n,
      execute: true,
    });
    assert.equal(spending.status, 'PROCESSING');
    await report(quote.transactionId, { kind: 'returned' });
    await advance(platform, 2);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
    assert.equal(await platformBalance(platform, 'USD'), 0);
    assert.equal(await owed(platform.id, 'USD'), 400n);
    await givenFunds(platform, feeAccount, 150);
    assert.deepEqual([await platformBalance(platform, 'USD'), await owed(platform.id, 'USD')], [0, 250n]);
    const next = await underWay({ platformFee: { variableBps: 0, fixed: 300n } });
    await advance(platform, 1);
    assert.deepEqual(await standing(next), ['COMPLETED', undefined, undefined]);
    assert.deepEqual([await platformBalance(platform, 'USD'), await owed(platform.id, 'USD')], [50, 0n]);
  });

  it('money.md §11.b, §11.L19: a collected pull that is reversed is FAILED; spent money is owed', async () => {
    const customer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
    const pull = await givenQuote(world, platform, { from, to: customer.account('USD').id, send: 5_000n });
    await execute(platform, pull.id);
    await advance(platform, 1);
    const spent = await givenQuote(world, platform, {
      from: customer.account('USD').id,
      to: outside,
      send: 3_000n,
      execute: true,
    });
    await advance(platform, 1);
    await report(pull.transactionId, { kind: 'collectionReversed' });
    await report(pull.transactionId, { kind: 'collectionReversed' });
    assert.deepEqual(await standing(pull), ['FAILED', 'COLLECTION_FAILED', undefined]);
    assert.deepEqual(await postedKinds(platform, pull.transactionId), ['L1', 'L19']);
    assert.deepEqual(await listEventTypes(platform, pull.transactionId), ['PENDING', 'COMPLETED', 'FAILED']);
    assert.equal(await fetchBalance(platform, customer, 'USD'), 0);
    assert.equal(await owed(uuidOf(customer.id), 'USD'), 3_000n);
    await givenFunds(platform, customer.account('USD').id, 3_100);
    assert.equal(await fetchBalance(platform, customer, 'USD'), 100);
    assert.deepEqual(await standing(spent), ['COMPLETED', undefined, undefined]);
  });

  it('money.md §4.2: a reversal before the collection fails the pull; the later collection changes nothing', async () => {
    const customer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
    for (const [to, reason] of [
      [customer.account('USD').id, 'COLLECTION_FAILED'],
      [outside, 'QUOTE_EXECUTION_FAILED'],
    ] as const) {
      const pull = await givenQuote(world, platform, { from, to, send: 5_000n });
      assert.equal((await execute(platform, pull.id)).status, 200);
      await report(pull.transactionId, { kind: 'collectionReversed' });
      await report(pull.transactionId, { kind: 'collected' });
      await advance(platform, 2);
      assert.deepEqual(await standing(pull), ['FAILED', reason, undefined]);
      assert.deepEqual(await postedKinds(platform, pull.transactionId), []);
    }
  });

  it('money.md §11.b, §11.L19: a reversed pull that fed a payment is owed by its owner, once; the payment stays', async () => {
    const customer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
    const quote = await givenQuote(world, platform, { from, to: outside, send: 5_000n });
    await execute(platform, quote.id);
    await advance(platform, 2);
    await report(quote.transactionId, { kind: 'collectionReversed' });
    await report(quote.transactionId, { kind: 'collectionReversed' });
    assert.deepEqual(await standing(quote), ['COMPLETED', undefined, undefined]);
    assert.equal(await owed(uuidOf(customer.id), 'USD'), 5_000n);
  });

  it('money.md §4.1: an internal account that was frozen meanwhile cannot receive: the payer is refunded', async () => {
    const receiver = await givenPayer(platform, 0);
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await underWay({ to: receiver.account('EUR').id });
    await freeze(platform, receiver.account('EUR').id);
    await advance(platform, 3);
    assert.deepEqual(await standing(quote), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
  });

  it('money.md §11.c: a refund whose account was closed is booked to SUSPENSE, and the operator resolves it', async () => {
    const customer = await givenPayer(platform, 10_000);
    const { quote, usd } = await returnedTo(customer, closeAccount);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'FAILED']);
    const kinds = await postedKinds(platform, quote.transactionId);
    assert.deepEqual(kinds.slice(-3), ['L9', 'L10', 'L12']);
    const told = await listEventTypes(platform, quote.transactionId);
    assert.deepEqual(told.slice(-3), ['FAILED', 'REFUND_PENDING', 'REFUND_FAILED']);
    const closed = (await fetchAccounts(platform, customer.id)).find(({ id }) => id === usd.id);
    assert.deepEqual([closed?.status, closed?.balance.amount], ['CLOSED', 0]);
    const work = await platform.work();
    const [waiting] = (await work.read((tx) => listSuspended(tx))).filter(
      ({ transaction_id }) => transaction_id === parseId('Transaction', quote.transactionId),
    );
    assert.deepEqual([waiting?.currency, waiting?.amount], ['USD', 10_000n]);
    const resolve = (target: SuspenseTarget) =>
      work.write((tx) =>
        resolveSuspense(tx, { entryId: waiting?.id ?? NIL_ID, target, reason: 'asked for' }),
      );
    await assert.rejects(resolve({ accountId: uuidOf(usd) }), { code: 'CONFLICT' });
    const other = await givenPayer(platform, 0);
    await resolve({ accountId: uuidOf(other.account('USD')) });
    assert.equal(await fetchBalance(platform, other, 'USD'), 10_000);
    await assert.rejects(resolve({ rail: 'ACH' }), { code: 'REFERENCE_NOT_FOUND' });
  });

  it('money.md §11.c: a refund whose account is being closed at that moment is booked to SUSPENSE as well', async () => {
    const customer = await givenPayer(platform, 10_000);
    const [usd, to] = [customer.account('USD'), await givenOutside(platform, customer.id)];
    const quote = await givenQuote(world, platform, { from: usd.id, to, send: 10_000n, execute: true });
    await advance(platform, 1);
    const letGo = await holdOpen(platform, (tx) => closeAccount(tx, { accountId: uuidOf(usd) }));
    const told = report(quote.transactionId, { kind: 'returned' }, { kind: 'refunded' });
    await untilBlocked(world.databaseUrl, 1, told);
    await letGo();
    await told;
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'FAILED']);
    const closed = (await fetchAccounts(platform, customer.id)).find(({ id }) => id === usd.id);
    assert.deepEqual([closed?.status, closed?.balance.amount], ['CLOSED', 0]);
  });

  it('money.md §11.c: a refund is paid to a frozen account', async () => {
    const customer = await givenPayer(platform, 10_000);
    const { quote } = await returnedTo(customer, freezeAccount);
    assert.deepEqual(await standing(quote), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
    assert.equal(await fetchBalance(platform, customer, 'USD'), 10_000);
  });

  it('money.md §4.5, §11.c: a crypto refund to a deleted customer is booked to SUSPENSE; no account is opened', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'USDC'] });
    const customer = await givenPayer(own, 0);
    const to = await givenOutside(own, undefined, '999', 'USD_ACCOUNT');
    const from = { realtime: 'USDC', network: 'SOLANA' } as const;
    const quote = await givenQuote(world, own, { from, to, send: 10_000_000n, owner: customer.id });
    const body = { quoteId: quote.id, currencyCode: 'USDC' };
    assert.equal((await own.call('sandboxSend', { body })).status, 200);
    await advance(own, 2);
    const removed = await own.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal(removed.status, 200, removed.raw);
    const work = await own.work();
    const reference = uuidOf(quote.transactionId);
    await work.write((tx) => receiveReports(tx, [{ reference, notices: [{ kind: 'returned' }] }]));
    await advance(own, 2);
    assert.deepEqual(await standing(quote, own), ['FAILED', 'PAYOUT_RETURNED', 'FAILED']);
    const opened = await work.read(
      (tx) => tx.sql`
        select id from internal_accounts
         where platform_id = ${tx.platformId} and customer_id = ${idOf(customer)} and status <> 'CLOSED'`,
    );
    assert.deepEqual(opened, []);
    assert.equal((await work.read((tx) => listSuspended(tx))).length, 1);
  });

  const idOf = ({ id }: Payer) => uuidOf(id);

  /** A payment of a customer's whole balance, which its bank returns after `act` was done to the account. */
  async function returnedTo(customer: Payer, act: typeof closeAccount) {
    const to = await givenOutside(platform, customer.id);
    const usd = customer.account('USD');
    const quote = await givenQuote(world, platform, { from: usd.id, to, send: 10_000n, execute: true });
    await advance(platform, 1);
    await (await platform.work()).write((tx) => act(tx, { accountId: uuidOf(usd) }));
    await report(quote.transactionId, { kind: 'returned' });
    await advance(platform, 3);
    return { quote, usd };
  }

  describe('several in one commit, with fees within one currency', () => {
    let own: TestPlatform;

    before(async () => {
      own = await givenPlatform(world, { settings: { fees: { sameCurrencyBps: 100 } } });
    });

    async function reportAll(quotes: readonly QuoteReply[], notice: PaymentNotice): Promise<void> {
      const reports = quotes.map(({ transactionId }) => ({
        reference: uuidOf(transactionId),
        notices: [notice],
      }));
      await (await own.work()).write((tx) => receiveReports(tx, reports));
    }

    it('money.md §11.b: two returns succeed even if the platform can return only one fee; a third succeeds as well', async () => {
      const customer = await givenPayer(own, 100_000);
      const to = await givenOutside(own, customer.id, '999', 'USD_ACCOUNT');
      const usd = customer.account('USD').id;
      const wish = { from: usd, to, send: 10_000n, execute: true };
      const fee = { platformFee: { variableBps: 0, fixed: 500n } };
      const returned = [
        await givenQuote(world, own, { ...wish, ...fee }),
        await givenQuote(world, own, { ...wish, ...fee }),
        await givenQuote(world, own, wish),
      ];
      await advance(own, 1);
      const from = await platformAccountId(own);
      await givenQuote(world, own, { from, to: usd, send: 500n, execute: true });
      assert.equal(await platformBalance(own, 'USD'), 500);
      await reportAll(returned, { kind: 'returned' });
      assert.deepEqual([await platformBalance(own, 'USD'), await owed(own.id, 'USD', own)], [0, 500n]);
      await advance(own, 2);
      for (const quote of returned) {
        assert.deepEqual(await standing(quote, own), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
        const kinds = ['L2', 'L6', 'L7', 'L8', 'L9', 'L10', 'L11'];
        assert.deepEqual(await postedKinds(own, quote.transactionId), kinds);
      }
    });

    it('money.md §11.b: a fee in the same commit as the return of another covers it; nothing is owed', async () => {
      const customer = await givenPayer(own, 100_000);
      const to = await givenOutside(own, customer.id, '999', 'USD_ACCOUNT');
      const [usd, fees] = [customer.account('USD').id, await platformAccountId(own)];
      const wish = {
        from: usd,
        to,
        send: 10_000n,
        platformFee: { variableBps: 0, fixed: 500n },
        execute: true,
      };
      await givenFunds(own, fees, 1_000);
      const back = await givenQuote(world, own, wish);
      await reportAll([back], { kind: 'delivered' });
      const held = await platformBalance(own, 'USD');
      await givenQuote(world, own, { from: fees, to: usd, send: BigInt(held), execute: true });
      const next = await givenQuote(world, own, wish);
      const told = (
        [
          [back, { kind: 'returned' }],
          [next, { kind: 'delivered' }],
        ] as const
      ).map(([{ transactionId }, notice]) => ({
        reference: uuidOf(transactionId),
        notices: [notice],
      }));
      await (await own.work()).write((tx) => receiveReports(tx, told));
      assert.deepEqual([await platformBalance(own, 'USD'), await owed(own.id, 'USD', own)], [0, 0n]);
      assert.deepEqual(await standing(next, own), ['COMPLETED', undefined, undefined]);
    });

    it('money.md §11.b, §11.f: two pulls that would repay the same debt both succeed, and it is repaid once', async () => {
      const customer = await givenPayer(own, 0);
      const owner = uuidOf(customer.id);
      const from = await givenOutside(own, customer.id, '555', 'USD_ACCOUNT');
      const usd = customer.account('USD').id;
      const pulled = async (send: bigint) => {
        const quote = await givenQuote(world, own, { from, to: usd, send });
        assert.equal((await execute(own, quote.id)).status, 200);
        return quote;
      };
      const first = await pulled(5_000n);
      await reportAll([first], { kind: 'collected' });
      const to = await givenOutside(own, customer.id, '999', 'USD_ACCOUNT');
      await givenQuote(world, own, { from: usd, to, send: 4_950n, execute: true });
      await reportAll([first], { kind: 'collectionReversed' });
      assert.equal(await owed(owner, 'USD', own), 4_950n);
      await reportAll([await pulled(6_000n), await pulled(6_000n)], { kind: 'collected' });
      assert.equal(await owed(owner, 'USD', own), 0n);
      assert.equal(await fetchBalance(own, customer, 'USD'), 2 * 5_940 - 4_950);
    });

    const fee = { platformFee: { variableBps: 0, fixed: 500n } };
    const sumIn = async (account: SummedAccount) => {
      const { debit, credit } = await (await own.work()).read((tx) => loadSum(tx, account));
      return credit - debit;
    };

    it('money.md §11.b, §11.L19: after a reversed pull each returns its part: the customer R, the platform Fp, the service Fs', async () => {
      const customer = await givenPayer(own, 0);
      const from = await givenOutside(own, customer.id, '555', 'USD_ACCOUNT');
      const usd = customer.account('USD').id;
      const platformNet = async () =>
        BigInt(await platformBalance(own, 'USD')) - (await owed(own.id, 'USD', own));
      const [platformBefore, fees, rail] = [
        await platformNet(),
        await sumIn('FEES:USD'),
        await sumIn('RAIL:ACH:USD'),
      ];
      const pulls = [
        await givenQuote(world, own, { from, to: usd, send: 10_000n, ...fee }),
        await givenQuote(world, own, { from, to: usd, send: 10_000n, ...fee }),
      ];
      for (const { id } of pulls) assert.equal((await execute(own, id)).status, 200);
      await reportAll(pulls, { kind: 'collected' });
      assert.equal(await fetchBalance(own, customer, 'USD'), 2 * 9_405);
      assert.equal(await platformNet(), platformBefore + 1_000n);
      assert.equal(await sumIn('FEES:USD'), fees + 190n);
      await reportAll(pulls, { kind: 'collectionReversed' });
      assert.deepEqual(
        [await fetchBalance(own, customer, 'USD'), await owed(idOf(customer), 'USD', own)],
        [0, 0n],
      );
      assert.equal(await platformNet(), platformBefore);
      assert.deepEqual([await sumIn('FEES:USD'), await sumIn('RAIL:ACH:USD')], [fees, rail]);
      for (const quote of pulls) {
        assert.deepEqual(await standing(quote, own), ['FAILED', 'COLLECTION_FAILED', undefined]);
        assert.deepEqual(await postedKinds(own, quote.transactionId), ['L5', 'L6', 'L7', 'L19']);
      }
    });

    it('money.md §11.b, §11.L19: customer and platform each owe the money that they have spent meanwhile', async () => {
      const customer = await givenPayer(own, 0);
      const from = await givenOutside(own, customer.id, '555', 'USD_ACCOUNT');
      const [usd, fees] = [customer.account('USD').id, await platformAccountId(own)];
      await givenFunds(own, fees, 1_000);
      const pull = await givenQuote(world, own, { from, to: usd, send: 10_000n, ...fee });
      assert.equal((await execute(own, pull.id)).status, 200);
      await reportAll([pull], { kind: 'collected' });
      const spend = async (account: string, of: Payer | undefined, left: number) => {
        const to = await givenOutside(own, of?.id, '999', 'USD_ACCOUNT');
        const held = of ? await fetchBalance(own, of, 'USD') : await platformBalance(own, 'USD');
        await givenQuote(world, own, { from: account, to, send: BigInt(held - left), execute: true });
      };
      await spend(usd, customer, 400);
      await spend(fees, undefined, 300);
      await reportAll([pull], { kind: 'collectionReversed' });
      assert.deepEqual([await fetchBalance(own, customer, 'USD'), await platformBalance(own, 'USD')], [0, 0]);
      assert.deepEqual(
        [await owed(idOf(customer), 'USD', own), await owed(own.id, 'USD', own)],
        [9_005n, 200n],
      );
      await givenFunds(own, fees, 250);
      assert.deepEqual([await platformBalance(own, 'USD'), await owed(own.id, 'USD', own)], [50, 0n]);
      await givenFunds(own, usd, 9_005);
    });

    it('money.md §11.b, §11.L19: the platform’s own pull into its fee account is clawed back in one line', async () => {
      const fees = await platformAccountId(own);
      const from = await givenOutside(own, undefined, '555', 'USD_ACCOUNT');
      const before = await platformBalance(own, 'USD');
      const pull = await givenQuote(world, own, { from, to: fees, send: 10_000n, ...fee });
      assert.equal((await execute(own, pull.id)).status, 200);
      await reportAll([pull], { kind: 'collected' });
      assert.equal(await platformBalance(own, 'USD'), before + 9_905);
      await reportAll([pull], { kind: 'collectionReversed' });
      assert.deepEqual([await platformBalance(own, 'USD'), await owed(own.id, 'USD', own)], [before, 0n]);
    });
  });

  describe('several about one payment in one report', () => {
    let own: TestPlatform;
    let customer: Payer;
    let from: string;

    before(async () => {
      own = await givenPlatform(world);
      customer = await givenPayer(own, 10_000);
      from = await givenOutside(own, customer.id, '555', 'USD_ACCOUNT');
    });

    const reportAtOnce = async ({ transactionId }: QuoteReply, ...notices: PaymentNotice[]) => {
      const reference = uuidOf(transactionId);
      await (await own.work()).write((tx) => receiveReports(tx, [{ reference, notices }]));
    };

    it('money.md §11.b: a delivery and its return claw the fee back from the account that it was credited to; nothing is owed', async () => {
      const to = await givenOutside(own, customer.id);
      const platformFee = { variableBps: 0, fixed: 500n };
      const wish = { from: customer.account('USD').id, to, send: 10_000n, platformFee, execute: true };
      const quote = await givenQuote(world, own, wish);
      await reportAtOnce(quote, { kind: 'delivered' }, { kind: 'returned' });
      assert.deepEqual([await platformBalance(own, 'USD'), await owed(own.id, 'USD', own)], [0, 0n]);
      await advance(own, 2);
      assert.deepEqual(await standing(quote, own), ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']);
      const events = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'];
      assert.deepEqual(await listEventTypes(own, quote.transactionId), events);
    });

    it('money.md §11.b: a collection and its reversal leave the balance unchanged; nothing is owed', async () => {
      const before = await fetchBalance(own, customer, 'USD');
      const quote = await givenQuote(world, own, { from, to: customer.account('USD').id, send: 5_000n });
      assert.equal((await execute(own, quote.id)).status, 200);
      await reportAtOnce(quote, { kind: 'collected' }, { kind: 'collectionReversed' });
      assert.deepEqual(await standing(quote, own), ['FAILED', 'COLLECTION_FAILED', undefined]);
      assert.equal(await fetchBalance(own, customer, 'USD'), before);
      assert.equal(await owed(uuidOf(customer.id), 'USD', own), 0n);
    });

    it('a repeated reversal does not suppress the delivery in the same report', async () => {
      const to = await givenOutside(own, customer.id);
      const quote = await givenQuote(world, own, { from, to, send: 5_000n });
      assert.equal((await execute(own, quote.id)).status, 200);
      await reportAtOnce(quote, { kind: 'collected' }, { kind: 'collectionReversed' });
      await reportAtOnce(quote, { kind: 'collectionReversed' }, { kind: 'delivered' });
      assert.deepEqual(await standing(quote, own), ['COMPLETED', undefined, undefined]);
      assert.deepEqual(await postedKinds(own, quote.transactionId), ['L5', 'L6', 'L19', 'L7']);
      assert.equal(await owed(uuidOf(customer.id), 'USD', own), 5_000n);
    });
  });

  it('accounts.md §2.2, money.md §11.b: the fee’s account is not closed while a quote with a fee is open or under way', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 10_000);
    const platformFee = { variableBps: 0, fixed: 500n };
    const to = await givenOutside(own, customer.id, '004');
    const wish = { from: customer.account('USD').id, to, platformFee };
    const accountId = uuidOf(await platformAccountId(own));
    const close = async () => (await own.work()).write((tx) => closeAccount(tx, { accountId }));
    await givenQuote(world, own, wish);
    await assert.rejects(close(), { code: 'CONFLICT' }, 'open');
    await advance(own, 300);
    const quote = await givenQuote(world, own, { ...wish, execute: true });
    await assert.rejects(close(), { code: 'CONFLICT' }, 'under way');
    await advance(own, 2);
    assert.deepEqual(await standing(quote, own), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
    assert.equal((await close()).status, 'CLOSED');
  });

  it('money.md §4.3, §11.b: a reversed pull to another owner’s account is clawed back from that account, and its mirror fails', async () => {
    const receiver = await givenPayer(platform, 0);
    const from = await givenOutside(platform, undefined, '555', 'USD_ACCOUNT');
    const quote = await givenQuote(world, platform, { from, to: receiver.account('USD').id, send: 5_000n });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await advance(platform, 1);
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 5_000);
    const query = { customerId: receiver.id };
    const { body } = await platform.call('listTransactions', { query });
    const [mirror] = body.data;
    assert.deepEqual([body.data.length, mirror.status], [1, 'COMPLETED']);
    await report(quote.transactionId, { kind: 'collectionReversed' });
    const { status, failureReason } = await readTransaction(platform, mirror.id);
    assert.deepEqual([status, failureReason], ['FAILED', 'COLLECTION_FAILED']);
    assert.deepEqual(await listEventTypes(platform, mirror.id), ['COMPLETED', 'FAILED']);
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 0);
  });

  it('accounts.md §2.2: an account with a payment under way is not closed; afterwards it is', async () => {
    const customer = await givenPayer(platform, 10_000);
    const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
    const to = await givenOutside(platform, customer.id, '004');
    const [usd, eur] = [customer.account('USD'), customer.account('EUR')];
    const close = async (account: Pick<AccountReply, 'id'>) => {
      const work = await platform.work();
      return work.write((tx) => closeAccount(tx, { accountId: uuidOf(account) }));
    };
    const isConflict = { code: 'CONFLICT' };
    const out = await givenQuote(world, platform, { from: usd.id, to, send: 10_000n, execute: true });
    await assert.rejects(close(usd), isConflict, 'paid out of');
    await report(out.transactionId, { kind: 'payoutFailed', reason: 'ACCOUNT_CANNOT_RECEIVE' });
    await assert.rejects(close(usd), isConflict, 'to be refunded');
    await advance(platform, 3);
    const across = await givenQuote(world, platform, {
      from: usd.id,
      to: eur.id,
      send: 10_000n,
      execute: true,
    });
    await assert.rejects(close(eur), isConflict, 'paid into');
    await report(across.transactionId, { kind: 'delivered' });
    const pull = await givenQuote(world, platform, { from, to: usd.id, send: 5_000n });
    await execute(platform, pull.id);
    await assert.rejects(close(usd), isConflict, 'collected into');
    await report(pull.transactionId, { kind: 'collectionFailed' });
    await close(usd);
  });

  it('money.md §4.4: pendingReason is shown while the payment is blocked, and no longer', async () => {
    const quote = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to: '$pending.long.usd@sandbox.corridor.test',
      send: 10_000n,
    });
    await execute(platform, quote.id);
    await advance(platform, 1);
    const held = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([held.status, held.pendingReason], ['PROCESSING', 'COMPLIANCE_REVIEW']);
    await advance(platform, 360);
    const done = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([done.status, done.pendingReason], ['COMPLETED', undefined]);
    assert.match(done.reconciliationInstructions.transactionHash, /^[0-9a-f]{64}$/);
    for (const end of [{ kind: 'cancelled' }, { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' }] as const) {
      const ended = await underWay();
      await report(ended.transactionId, { kind: 'held' });
      const { pendingReason } = await readTransaction(platform, ended.transactionId);
      assert.equal(pendingReason, 'COMPLIANCE_REVIEW');
      await report(ended.transactionId, end);
      assert.equal((await readTransaction(platform, ended.transactionId)).pendingReason, undefined, end.kind);
    }
  });

  async function platformAccountId(on = platform): Promise<string> {
    const { body } = await on.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    return body.data[0].id;
  }

  /** The debt of an owner. */
  async function owed(owner: string, currency: string, on = platform): Promise<bigint> {
    const work = await on.work();
    const [row] = await work.read(
      (tx) => tx.sql<{ balance: bigint }>`
        select balance from ledger_balances
         where platform_id = ${tx.platformId} and account = ${`RECEIVABLE:${owner}:${currency}`}`,
    );
    return row?.balance ?? 0n;
  }
});
