// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount, unfreezeAccount } from '#capabilities/accounts/change-status.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { prepareExecution } from '#capabilities/payments/execution/execute-quote.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { parseId } from '#foundation/lib/ids.ts';
import {
  fetchAccounts,
  inCurrency,
  listAccountWebhooks,
  platformAccounts,
  supports,
} from '#tests/given/accounts.ts';
import { EUROPEAN, fieldsOf, givenCustomer } from '#tests/given/customers.ts';
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
  paymentPartsOf,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, lookedUp, quoteBody, quoted } from '#tests/given/quotes.ts';
import { commitPlan } from '#tests/harness/commit-plan.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('executing a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 10_000_000);
    // The platform's own external account, which every customer may pay (money.md §2.4).
    outside = await givenOutside(platform, undefined);
  });

  const createQuote = (send = 10_000n, from = payer) =>
    givenQuote(world, platform, { from: from.account('USD').id, to: outside, send });

  async function assertUntouched(transactionId: string, status = 'PENDING'): Promise<void> {
    assert.equal((await readTransaction(platform, transactionId)).status, status);
    assert.deepEqual(await postedKinds(platform, transactionId), []);
  }

  it('money.md §3.2, §4.1, §6.6, §10.3: 200 with the quote in PROCESSING; a step later the payment is COMPLETED', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await createQuote(25_000n);
    assert.equal(quote.status, 'PENDING');
    const reply = await execute(platform, quote.id);
    assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual(reply.body, { ...quote, status: 'PROCESSING' });
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 25_000);
    await advance(platform, 1);
    const transaction = await readTransaction(platform, quote.transactionId);
    assert.equal(transaction.status, 'COMPLETED');
    assert.equal(transaction.settledAt, transaction.updatedAt);
    assert.equal(transaction.sentAmount.amount, 25_000);
    assert.equal(transaction.receivedAmount.amount, 22_885);
    assert.deepEqual([transaction.fees, transaction.platformFees], [125, 0]);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L7']);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ]);
  });

  it('money.md §10.1, §10.2: each event carries the transaction as it was, whenever it is sent', async () => {
    const receiver = await platform.receive();
    const quote = await createQuote();
    await execute(platform, quote.id);
    await advance(platform, 1);
    const told = receiver.received
      .map(({ body }) => body)
      .filter(({ data }) => data.id === quote.transactionId);
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.status]),
      [
        ['OUTGOING_PAYMENT.PENDING', 'PENDING'],
        ['OUTGOING_PAYMENT.PROCESSING', 'PROCESSING'],
        ['OUTGOING_PAYMENT.COMPLETED', 'COMPLETED'],
      ],
    );
    assert.deepEqual(told.at(-1)?.data, await readTransaction(platform, quote.transactionId));
    const balances = receiver.received
      .map(({ body }) => body as { type: string; data: { balance?: { amount: number } } })
      .filter(({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED');
    assert.equal(balances.length, 1);
    assert.equal(balances[0]?.data.balance?.amount, await fetchBalance(platform, payer, 'USD'));
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: null } });
  });

  it('money.md §3.3: unknown, foreign and malformed quotes get the same answer', async () => {
    const foreign = await givenPlatform(world);
    const quote = await createQuote();
    const unknown = await execute(platform, 'Quote:01900000-0000-7000-8000-000000000000');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'QUOTE_NOT_FOUND']);
    assert.equal((await execute(foreign, quote.id)).raw, unknown.raw);
    assert.equal((await execute(platform, 'Quote:nonsense')).raw, unknown.raw);
    await assertUntouched(quote.transactionId);
  });

  it('money.md §3.2: a real-time quote is not executed by a call', async () => {
    const quote = await givenQuote(world, platform, {
      from: { realtime: 'USD' },
      to: outside,
      owner: payer.id,
    });
    const reply = await execute(platform, quote.id);
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    await assertUntouched(quote.transactionId);
  });

  it('money.md §3.3: a second execution is 409, also after completion', async () => {
    const quote = await createQuote();
    await execute(platform, quote.id);
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [409, 'CONFLICT']);
    await advance(platform, 1);
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [409, 'CONFLICT']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L7']);
  });

  it('money.md §3.1, §3.3: after expiresAt it is 400 QUOTE_EXPIRED and reads EXPIRED; the event is sent once', async () => {
    const quote = await createQuote();
    world.clock.advance(5 * 60_000);
    const read = await platform.call('getQuoteById', { params: { quoteId: quote.id } });
    assert.equal(read.body.status, 'EXPIRED');
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'EXPIRED');
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING']);
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [400, 'QUOTE_EXPIRED']);
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [400, 'QUOTE_EXPIRED']);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'EXPIRED']);
  });

  it('money.md §3.1: after its deadline a quote and its transaction read EXPIRED everywhere, even before the timer has run', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 50_000);
    const bank = await givenOutside(own, customer.id, '555', 'USD_ACCOUNT');
    const usd = customer.account('USD').id;
    const quotes = [
      await givenQuote(world, own, { from: usd, to: bank }),
      await givenQuote(world, own, { from: usd, to: customer.account('EUR').id }),
      await givenQuote(world, own, { from: bank, to: usd }),
      await givenQuote(world, own, { from: { realtime: 'USD' }, to: usd }),
    ];
    const ids = new Set<string>(quotes.map(({ transactionId }) => transactionId));
    const read = async () => {
      const list = async (query: object) =>
        (await own.call('listTransactions', { query: { limit: 100, ...query } })).body.data.filter(
          ({ id }: { id: string }) => ids.has(id),
        );
      const seen = [];
      for (const { id: quoteId, transactionId } of quotes) {
        const { body } = await own.call('getQuoteById', { params: { quoteId } });
        const listed = (await list({})).find(({ id }: { id: string }) => id === transactionId);
        const shown = await readTransaction(own, transactionId);
        assert.deepEqual(listed, shown);
        seen.push([body.status, shown.status]);
      }
      return {
        seen,
        pending: (await list({ status: 'PENDING' })).length,
        expired: (await list({ status: 'EXPIRED' })).length,
      };
    };
    world.clock.advance(299_999);
    const open = Array.from({ length: 4 }, () => ['PENDING', 'PENDING']);
    assert.deepEqual(await read(), { seen: open, pending: 4, expired: 0 });
    world.clock.advance(1);
    const over = Array.from({ length: 4 }, () => ['EXPIRED', 'EXPIRED']);
    assert.deepEqual(await read(), { seen: over, pending: 0, expired: 4 });
    for (const { transactionId } of quotes) {
      const params = { transactionId };
      for (const refused of [
        await own.call('approvePendingPayment', { params }),
        await own.call('rejectPendingPayment', { params }),
        await own.call('cancelTransaction', { params }),
        await own.call('confirmReceiptDelivery', { params }),
      ]) {
        assert.ok(refused.status >= 400, refused.raw);
        assert.equal(refused.body.details?.status ?? 'EXPIRED', 'EXPIRED', refused.raw);
      }
    }
    await world.app.worker.settle(own.id);
    assert.deepEqual(await read(), { seen: over, pending: 0, expired: 4 });
  });

  it('money.md §4.1, §4.2, §11.d: the timer expires quotes that were not executed, and nothing else', async () => {
    const [used, unused] = [await createQuote(), await createQuote()];
    const to = payer.account('USD').id;
    const from = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const pull = await givenQuote(world, platform, { from, to, send: 100n });
    await execute(platform, used.id);
    await advance(platform, 301);
    assert.deepEqual(await listEventTypes(platform, unused.transactionId), ['PENDING', 'EXPIRED']);
    assert.deepEqual(await listEventTypes(platform, used.transactionId), [
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ]);
    assert.equal((await readTransaction(platform, pull.transactionId)).status, 'EXPIRED');
    assert.deepEqual(
      await listEventTypes(platform, pull.transactionId),
      [],
      'an unexecuted pull expires without an event',
    );
    for (const { transactionId } of [unused, pull])
      assert.deepEqual(await postedKinds(platform, transactionId), []);
  });

  it('money.md §3.3: a refusal for the quote’s state names the state, and one for its expiry names the time', async () => {
    const own = await givenPlatform(world);
    const other = await givenPayer(own, 50_000);
    const to = await givenOutside(own, other.id);
    const wish = { from: other.account('USD').id, to };
    const [done, late] = [await givenQuote(world, own, wish), await givenQuote(world, own, wish)];
    await execute(own, done.id);
    await advance(own, 300);
    assert.deepEqual((await execute(own, done.id)).body.details, { status: 'COMPLETED' });
    assert.deepEqual((await execute(own, late.id)).body.details, { expiresAt: late.expiresAt });
  });

  it('money.md §3.3: a withdrawn corridor is 400 QUOTE_RATE_UNAVAILABLE, and the payment FAILED with that reason', async () => {
    const own = await givenPlatform(world);
    const other = await givenPayer(own, 50_000);
    const to = await givenOutside(own, other.id);
    const quote = await givenQuote(world, own, { from: other.account('USD').id, to });
    await supports(own, ['EUR']);
    assert.deepEqual(codeOf(await execute(own, quote.id)), [400, 'QUOTE_RATE_UNAVAILABLE']);
    const { status, failureReason, refund } = await readTransaction(own, quote.transactionId);
    assert.deepEqual([status, failureReason, refund], ['FAILED', 'QUOTE_RATE_UNAVAILABLE', undefined]);
    assert.deepEqual(await listEventTypes(own, quote.transactionId), ['PENDING', 'FAILED']);
    assert.deepEqual(codeOf(await execute(own, quote.id)), [409, 'CONFLICT']);
  });

  it('money.md §3.3: disabling INCOMING for a currency withdraws its pulls, but not payments that send it', async () => {
    const own = await givenPlatform(world);
    const other = await givenPayer(own, 50_000);
    const bank = await givenOutside(own, other.id, '999', 'USD_ACCOUNT');
    const pull = await givenQuote(world, own, { from: bank, to: other.account('USD').id });
    const sent = await givenQuote(world, own, { from: other.account('USD').id, to: bank });
    const { body: config } = await own.call('getPlatformConfig');
    const supportedCurrencies = config.supportedCurrencies.map((rule: object) => ({
      ...rule,
      enabledTransactionTypes: ['OUTGOING'],
    }));
    const set = await own.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.equal(set.status, 200, set.raw);
    assert.deepEqual(codeOf(await execute(own, pull.id)), [400, 'QUOTE_RATE_UNAVAILABLE']);
    // The contract's reasons for incoming transactions have no word for this case.
    const { status, failureReason } = await readTransaction(own, pull.transactionId);
    assert.deepEqual([status, failureReason], ['FAILED', 'QUOTE_EXECUTION_FAILED']);
    assert.equal((await execute(own, sent.id)).status, 200);
  });

  it('money.md §3.3, customers.md §1.7: without accepted terms 403, before the approval is checked', async () => {
    const plain = await givenPlatform(world, { settings: { isRegulatedFinancialInstitution: false } });
    const customer = await givenPayer(plain, 50_000);
    const to = await givenOutside(plain, customer.id);
    const quote = await givenQuote(world, plain, { from: customer.account('USD').id, to });
    const reply = await execute(plain, quote.id);
    assert.deepEqual(codeOf(reply), [403, 'END_USER_TERMS_NOT_ACCEPTED']);
    assert.equal((await readTransaction(plain, quote.transactionId)).status, 'PENDING');
  });

  it('money.md §3.3: obstacles are reported in the order of the rule, one after the other', async () => {
    const limits = { default: { dailyUsdCents: 5_000 }, corridors: {}, ownershipThresholdEurCents: 100_000 };
    const settings = { isRegulatedFinancialInstitution: false, limits };
    const strict = await givenPlatform(world, { settings });
    const customer = await givenPayer(strict, 0);
    const to = await givenOutside(strict, customer.id);
    const quote = await givenQuote(world, strict, { from: customer.account('USD').id, to });
    const work = await strict.work();
    const id = ownerOf(customer);
    const account = { accountId: uuidOf(customer.account('USD')) };
    const setStatus = (status: string) =>
      work.write(
        (tx) => tx.sql`update external_accounts set status = ${status}
          where platform_id = ${tx.platformId} and id = ${parseId('ExternalAccount', to)}`,
      );
    await work.write((tx) => setCustomerStatus(tx, id, 'HOLD'));
    await work.write((tx) => freezeAccount(tx, account));
    await setStatus('INACTIVE');
    const refused = async () => {
      const { status, body } = await execute(strict, quote.id);
      return [status, body.code, body.details?.customerId !== undefined];
    };
    assert.deepEqual(await refused(), [403, 'END_USER_TERMS_NOT_ACCEPTED', true]);
    const consent = { acceptedAt: '2026-03-01T00:00:00Z', version: '1' };
    await work.write(
      (tx) => tx.sql`update customers set terms_consent = ${JSON.stringify(consent)}
        where platform_id = ${tx.platformId} and id = ${id}`,
    );
    assert.deepEqual(await refused(), [403, 'USER_NOT_READY', true], 'the customer');
    await work.write((tx) => setCustomerStatus(tx, id, 'APPROVED'));
    assert.deepEqual(await refused(), [403, 'USER_NOT_READY', false], 'the account');
    await work.write((tx) => unfreezeAccount(tx, account));
    assert.deepEqual(await refused(), [400, 'INVALID_RECEIVER', false]);
    await setStatus('ACTIVE');
    assert.deepEqual(await refused(), [429, 'DAILY_VOLUME_LIMIT_EXCEEDED', false]);
    assert.equal((await readTransaction(strict, quote.transactionId)).status, 'PENDING');
    assert.deepEqual(await listEventTypes(strict, quote.transactionId), ['PENDING']);
    await work.write((tx) => freezeAccount(tx, account));
    const late = await givenQuote(world, strict, { from: customer.account('USD').id, to });
    await supports(strict, ['EUR']);
    assert.deepEqual(await refused(), [400, 'QUOTE_RATE_UNAVAILABLE', false], 'before the parties');
    world.clock.advance(300_000);
    assert.deepEqual(await refused(), [409, 'CONFLICT', false], 'before the expiry');
    const expired = await execute(strict, late.id);
    assert.deepEqual(codeOf(expired), [400, 'QUOTE_EXPIRED'], 'before the corridor');
  });

  it('money.md §1.2, §3.3: a rate source that is down withdraws no corridor, because the quote has its own rate', async () => {
    const quote = await createQuote();
    const { platform: row, actor, runtime } = await platform.work();
    const without: Runtime = {
      ...runtime,
      ports: (environment) => ({
        ...runtime.ports(environment),
        rates: { snapshot: async () => undefined },
      }),
    };
    const quoteId = uuidOf(quote.id);
    const executed = await commitPlan<Quote>(new Work(without, row, actor), (tx) =>
      prepareExecution(paymentPartsOf(world), tx, { quoteId }),
    );
    assert.equal(executed.status, 'PROCESSING');
  });

  it('money.md §3.3: a customer who is not approved, or whose account is not active, is 403 USER_NOT_READY', async () => {
    const customer = await givenPayer(platform, 50_000);
    const quote = await createQuote(1_000n, customer);
    const work = await platform.work();
    const action = { accountId: uuidOf(customer.account('USD')) };
    await work.write((tx) => freezeAccount(tx, action));
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [403, 'USER_NOT_READY']);
    await work.write((tx) => unfreezeAccount(tx, action));
    await work.write((tx) => setCustomerStatus(tx, ownerOf(customer), 'HOLD'));
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [403, 'USER_NOT_READY']);
    await work.write((tx) => setCustomerStatus(tx, ownerOf(customer), 'APPROVED'));
    assert.equal((await execute(platform, quote.id)).status, 200);
  });

  it('money.md §3.3: an internal account that cannot receive is 403 USER_NOT_READY, named or behind a UMA address', async () => {
    const receiver = await givenPayer(platform, 0);
    const { body } = await platform.call('getCustomerById', { params: { customerId: receiver.id } });
    const from = payer.account('USD').id;
    const more = { lookupId: await lookedUp(platform, body.umaAddress) };
    const quotes = [
      await quoted(platform, { from, to: receiver.account('EUR').id }),
      await quoted(platform, { from, to: receiver.account('USD').id }),
      await quoted(platform, { from, to: body.umaAddress, more }),
    ];
    const work = await platform.work();
    for (const account of receiver.accounts) {
      await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(account) }));
    }
    for (const { id, transactionId } of quotes) {
      assert.deepEqual(codeOf(await execute(platform, id)), [403, 'USER_NOT_READY']);
      await assertUntouched(transactionId);
    }
    for (const account of receiver.accounts) {
      await work.write((tx) => unfreezeAccount(tx, { accountId: uuidOf(account) }));
    }
    for (const { id } of quotes) assert.equal((await execute(platform, id)).status, 200);
  });

  it('money.md §3.3a: an external account that was deleted meanwhile is 404 ACCOUNT_NOT_FOUND', async () => {
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    const gone = await platform.call('deleteCustomerExternalAccountById', {
      params: { externalAccountId: to },
    });
    assert.equal(gone.status, 204, gone.raw);
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [404, 'ACCOUNT_NOT_FOUND']);
    await assertUntouched(quote.transactionId);
  });

  it('money.md §3.3a: an external account that was disabled meanwhile is INVALID_RECEIVER', async () => {
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    const work = await platform.work();
    await work.write(
      (tx) => tx.sql`update external_accounts set status = 'INACTIVE'
        where platform_id = ${tx.platformId} and id = ${parseId('ExternalAccount', to)}`,
    );
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [400, 'INVALID_RECEIVER']);
    await assertUntouched(quote.transactionId);
  });

  it('money.md §3.3a: accounts.md §3.5 and §4.7 are checked again, at the value that the quote was created with', async () => {
    const bank = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
    const work = await platform.work();
    const set = (id: string, status: string, us: string | null = null) =>
      work.write(
        (tx) => tx.sql`update external_accounts set status = ${status}, us_validation = ${us}
          where platform_id = ${tx.platformId} and id = ${parseId('ExternalAccount', id)}`,
      );
    const [large, small] = [await createQuote(108_696n), await createQuote(108_695n)];
    await set(outside, 'PENDING_OWNERSHIP_VERIFICATION');
    const unproven = codeOf(await execute(platform, large.id));
    assert.deepEqual(unproven, [400, 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED']);
    assert.equal((await execute(platform, small.id)).status, 200);
    await set(outside, 'ACTIVE');
    const pull = await givenQuote(world, platform, { from: bank, to: outside, send: 1_000n });
    for (const [status, us, answer] of [
      ['INACTIVE', null, [400, 'INVALID_BANK_ACCOUNT']],
      ['ACTIVE', 'PENDING', [409, 'BANK_ACCOUNT_VALIDATION_PENDING']],
      ['ACTIVE', 'FAILED', [400, 'INVALID_BANK_ACCOUNT']],
    ] as const) {
      await set(bank, status, us);
      assert.deepEqual(codeOf(await execute(platform, pull.id)), answer);
    }
    await assertUntouched(pull.transactionId);
    await set(bank, 'ACTIVE');
    assert.equal((await execute(platform, pull.id)).status, 200);
    const over = async (paymentRail: string) => {
      const body = quoteBody({ from: payer.account('USD').id, to: bank, send: 100 });
      const destination = { ...(body.destination as object), paymentRail };
      return (await platform.call('createQuote', { body: { ...body, destination } })).body.id;
    };
    const [ach, wire] = [await over('ACH'), await over('WIRE')];
    await set(bank, 'ACTIVE', 'PENDING');
    assert.deepEqual(codeOf(await execute(platform, ach)), [409, 'BANK_ACCOUNT_VALIDATION_PENDING']);
    assert.equal((await execute(platform, wire)).status, 200);
  });

  it('customers.md §7.10e: a customer without any factor cannot authorize a payment: 400 on scaFactor', async () => {
    const customer = await givenCustomer(platform, EUROPEAN);
    const account = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    await givenFunds(platform, account.id, 50_000);
    const to = await givenOutside(platform, customer.id);
    const quote = await givenQuote(world, platform, { from: account.id, to });
    const refused = await execute(platform, quote.id);
    assert.deepEqual(codeOf(refused), [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(refused.body), ['scaFactor']);
    await assertUntouched(quote.transactionId);
  });

  it('customers.md §7: money from the platform’s own accounts needs no strong authentication', async () => {
    const customer = await givenCustomer(platform, EUROPEAN);
    const own = inCurrency(await platformAccounts(platform), 'USD').id;
    await givenFunds(platform, own, 50_000);
    const toOutside = await givenOutside(platform, customer.id);
    const toInside = inCurrency(await fetchAccounts(platform, customer.id), 'EUR').id;
    for (const to of [toOutside, toInside]) {
      const quote = await quoted(platform, { from: own, to });
      const reply = await execute(platform, quote.id);
      assert.deepEqual([reply.status, reply.body.status], [200, 'PROCESSING'], reply.raw);
      const atOnce = await quoted(platform, { from: own, to, more: { immediatelyExecute: true } });
      assert.equal(atOnce.status, 'PROCESSING');
    }
    const pulled = await givenOutside(platform, undefined, '555', 'USD_ACCOUNT');
    const collected = await quoted(platform, {
      from: pulled,
      to: toInside,
      more: { immediatelyExecute: true },
    });
    assert.equal(collected.status, 'PROCESSING');
  });

  it('money.md §2.6, §9: a fee within one currency and a payout refused at once: refused or refunded, never half', async () => {
    const fees = { sameCurrencyBps: 20 } as never;
    const charging = await givenPlatform(world, { settings: { fees } });
    const customer = await givenPayer(charging, 0);
    const from = customer.account('USD').id;
    const to = await givenOutside(charging, customer.id, '003', 'USD_ACCOUNT');
    const quote = await quoted(charging, { from, to });
    assert.equal(quote.feesIncluded, 20);
    assert.deepEqual(codeOf(await execute(charging, quote.id)), [400, 'INSUFFICIENT_FUNDS']);
    const atOnce = await askQuote(charging, { from, to, more: { immediatelyExecute: true } });
    assert.deepEqual(codeOf(atOnce), [400, 'INSUFFICIENT_FUNDS']);
    await givenFunds(charging, from, 10_000);
    assert.equal((await execute(charging, quote.id)).body.status, 'FAILED');
    await advance(charging, 1);
    assert.equal(await fetchBalance(charging, customer, 'USD'), 10_000);
    assert.deepEqual(await postedKinds(charging, quote.transactionId), ['L2', 'L10', 'L11']);
  });

  it('money.md §3.3, §12.10, accounts.md §2.3.22: INSUFFICIENT_FUNDS leaves the quote unchanged; after a top-up it executes', async () => {
    const customer = await givenPayer(platform, 9_999);
    const quote = await createQuote(10_000n, customer);
    const told = (await listAccountWebhooks(platform)).length;
    const refused = await execute(platform, quote.id, 'once');
    assert.deepEqual(codeOf(refused), [400, 'INSUFFICIENT_FUNDS']);
    const { reason, details } = refused.body;
    assert.equal(reason, 'The account has 99.99 USD available; this payment needs 100.00 USD.');
    const accountId = customer.account('USD').id;
    assert.deepEqual(details, { accountId, currency: 'USD', available: 9_999, required: 10_000 });
    await assertUntouched(quote.transactionId);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING']);
    assert.equal((await listAccountWebhooks(platform)).length, told);
    await givenFunds(platform, customer.account('USD').id, 1);
    assert.equal((await execute(platform, quote.id, 'once')).status, 200, 'the key was free again');
    assert.equal(await fetchBalance(platform, customer, 'USD'), 0);
  });

  it('money.md §3.4: exactly as many of N parallel executions succeed as the balance covers', async () => {
    const customer = await givenPayer(platform, 10_000);
    const quotes = await Promise.all(Array.from({ length: 25 }, () => createQuote(1_000n, customer)));
    const replies = await Promise.all(quotes.map(({ id }) => execute(platform, id)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 10);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      assert.deepEqual(codeOf(reply), [400, 'INSUFFICIENT_FUNDS']);
    }
    assert.equal(await fetchBalance(platform, customer, 'USD'), 0);
  });

  it('money.md §3.4: one quote is debited once, however many callers race', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await createQuote();
    const replies = await Promise.all(Array.from({ length: 20 }, () => execute(platform, quote.id)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 10_000);
  });

  it('money.md §2.12: the same key gives the same bytes, with no second effect', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await createQuote();
    const first = await execute(platform, quote.id, 'key-1');
    const raced = await Promise.all(Array.from({ length: 5 }, () => execute(platform, quote.id, 'key-1')));
    await advance(platform, 1);
    for (const reply of [...raced, await execute(platform, quote.id, 'key-1')]) {
      assert.equal(reply.status, 200);
      assert.equal(reply.raw, first.raw);
      assert.equal(reply.headers['idempotency-replayed'], 'true');
    }
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 10_000);
    const other = await platform.call('executeQuote', {
      params: { quoteId: quote.id },
      key: 'key-1',
      body: { scaFactor: 'SMS_OTP' },
    });
    assert.deepEqual(codeOf(other), [409, 'DUPLICATE_PAY_REQUEST']);
    assert.deepEqual(codeOf(await execute(platform, quote.id, 'key-2')), [409, 'CONFLICT']);
  });

  it('money.md §2.12: N parallel calls with one key have one effect and one answer', async () => {
    const quote = await createQuote();
    const replies = await Promise.all(Array.from({ length: 10 }, () => execute(platform, quote.id, 'raced')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6']);
  });

  it('platform.md §2.5: after a day the key is free again', async () => {
    const quote = await createQuote();
    await execute(platform, quote.id, 'old');
    await advance(platform, 24 * 60 * 60);
    assert.deepEqual(codeOf(await execute(platform, quote.id, 'old')), [409, 'CONFLICT']);
  });

  it('an executed quote leaves an audit row with its commit', async () => {
    const quote = await createQuote();
    await execute(platform, quote.id);
    const work = await platform.work();
    const rows = await work.read(
      (tx) => tx.sql<{ actor_kind: string }>`
        select actor_kind from audit_log
         where platform_id = ${tx.platformId} and action = 'executeQuote' and resource like ${`%${parseId('Quote', quote.id)}%`}`,
    );
    assert.deepEqual(rows, [{ actor_kind: 'token' }]);
  });

  it('needs a token that may transact', async () => {
    const quote = await createQuote();
    const nobody = await platform.call('executeQuote', { params: { quoteId: quote.id }, as: 'nobody' });
    assert.deepEqual(codeOf(nobody), [401, 'UNAUTHORIZED']);
    const viewer = await world.platform({ permissions: ['VIEW', 'MANAGE'] });
    assert.deepEqual(codeOf(await execute(viewer, quote.id)), [403, 'FORBIDDEN']);
  });

  it('money.md §2.6: executed in the same request, or not stored at all', async () => {
    const customer = await givenPayer(platform, 5_000);
    const wish = { from: customer.account('USD').id, to: outside, execute: true };
    const quote = await givenQuote(world, platform, { ...wish, send: 5_000n });
    assert.equal(quote.status, 'PROCESSING');
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'PROCESSING']);
    const refused = await askQuote(platform, { ...wish, send: 1_000, more: { immediatelyExecute: true } });
    assert.equal(refused.body.code, 'INSUFFICIENT_FUNDS');
    const work = await platform.work();
    const [row] = await work.read(
      (tx) => tx.sql<{ count: bigint }>`
        select count(*) from transactions
         where platform_id = ${tx.platformId} and customer_id = ${ownerOf(customer)} and kind = 'QUOTE'`,
    );
    assert.equal(row?.count, 1n);
  });

  it('money.md §4.3, §11.e: an internal account of another owner gets a COMPLETED incoming transaction in the same commit', async () => {
    const receiver = await givenPayer(platform, 0);
    const quote = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to: receiver.account('EUR').id,
      send: 10_000n,
    });
    await execute(platform, quote.id);
    await advance(platform, 1);
    const work = await platform.work();
    const [mirror] = await work.read(
      (tx) => tx.sql<{ id: string }>`
        select id from transactions where platform_id = ${tx.platformId} and kind = 'MIRROR'
           and destination_account = ${uuidOf(receiver.account('EUR'))}`,
    );
    const seen = await readTransaction(platform, `Transaction:${mirror?.id}`);
    assert.deepEqual([seen.type, seen.direction, seen.status], ['INCOMING', 'CREDIT', 'COMPLETED']);
    assert.equal(seen.customerId, receiver.id);
    assert.equal(seen.receivedAmount.amount, quote.totalReceivingAmount);
    assert.deepEqual([seen.sentAmount.amount, seen.sentAmount.currency.code], [10_000, 'USD']);
    assert.deepEqual([seen.exchangeRate, seen.fees], [1.08695652, 0]);
    assert.equal(await fetchBalance(platform, receiver, 'EUR'), quote.totalReceivingAmount);
    assert.deepEqual(await listEventTypes(platform, seen.id), ['COMPLETED']);
    assert.deepEqual(await postedKinds(platform, seen.id), []);
  });

  it('money.md §4.3: within one currency as well, the receiver sees the payer’s S and R, and no fees', async () => {
    const own = await givenPlatform(world, { settings: { fees: { sameCurrencyBps: 100 } } });
    const [sender, receiver] = [await givenPayer(own, 10_000), await givenPayer(own, 0)];
    const to = receiver.account('USD').id;
    const wish = { from: sender.account('USD').id, to, send: 10_000n, execute: true };
    const { transactionId } = await givenQuote(world, own, wish);
    await advance(own, 1);
    const paid = await readTransaction(own, transactionId);
    const { body } = await own.call('listTransactions', { query: { customerId: receiver.id } });
    const [seen] = body.data;
    assert.deepEqual([seen.sentAmount, seen.receivedAmount], [paid.sentAmount, paid.receivedAmount]);
    assert.deepEqual([seen.sentAmount.amount, seen.receivedAmount.amount, seen.fees], [10_000, 9_900, 0]);
    assert.deepEqual(seen.destination, { destinationType: 'ACCOUNT', accountId: to, currency: 'USD' });
    assert.deepEqual(await listEventTypes(own, seen.id), ['COMPLETED']);
  });
});

function codeOf(reply: { status: number; body: { code?: string } }): [number, string | undefined] {
  return [reply.status, reply.body.code];
}

function ownerOf(payer: Payer): CustomerId {
  const uuid = parseId('Customer', payer.id, 'full');
  assert.ok(uuid);
  return uuid;
}
