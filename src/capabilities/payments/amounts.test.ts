// lane: whole — every unusual amount in every call

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import { inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { COINS, givenCurrencies } from '#tests/given/coins.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, quoteBody, quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** JSON text, because a parser would round some of these. */
const ODD = [
  '9000000000000001',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '1e15',
  '1e21',
  '1e308',
  '1e400',
  '-1',
  '-0',
  '0',
  '0.1',
  '-9007199254740993',
  '-1e400',
  '"1"',
  'null',
  'true',
  '[1]',
  '{}',
] as const;

describe('amounts at the limit of exact numbers', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;

  before(async () => {
    platform = await givenPlatform(world);
    await givenCurrencies(platform, COINS);
    await supports(platform, ['USD', 'EUR', 'VND', 'USDC', ...COINS.map(({ code }) => code)]);
    payer = await givenPayer(platform, 10_000);
    usd = payer.account('USD').id;
  });

  /** The body with this JSON text in place of AMOUNT. */
  const withAmount = (body: object, amount: string) => JSON.stringify(body).replace('"AMOUNT"', amount);
  const isCalm = (status: number) => status < 500;

  it('no amount in a quote causes a 5xx or is read as another amount', async () => {
    const to = await givenOutside(platform, payer.id);
    const ours = await platformAccounts(platform);
    const realtime = { realtime: 'USDC', network: 'SOLANA', customerId: payer.id };
    for (const amount of ODD) {
      for (const wish of [
        { from: usd, to },
        { from: realtime, to },
        { from: usd, to: payer.account('EUR').id },
        ...COINS.map(({ code }) => ({ from: payer.account(code).id, to: inCurrency(ours, code).id })),
      ]) {
        for (const lockedCurrencySide of ['SENDING', 'RECEIVING']) {
          const body = { ...quoteBody(wish), lockedCurrencySide, lockedCurrencyAmount: 'AMOUNT' };
          const reply = await platform.send('createQuote', { body: withAmount(body, amount) });
          assert.ok(isCalm(reply.status), `${amount} ${lockedCurrencySide}: ${reply.raw}`);
          assert.notEqual(reply.status, 201, `${amount} ${lockedCurrencySide}: ${reply.raw}`);
        }
      }
    }
  });

  it('no amount in a fee, a transfer, a deposit, funds or an offer causes a 5xx', async () => {
    const [to, from] = [
      await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT'),
      await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT'),
    ];
    const quote = await quoted(platform, {
      from: { realtime: 'USDC', network: 'SOLANA', customerId: payer.id },
      to: usd,
      send: 5_000_000,
    });
    const fee = { platformVariableFeeBps: 0, platformFixedFee: { amount: 'AMOUNT', currency: 'USD' } };
    for (const amount of ODD) {
      for (const [operation, call] of [
        ['createQuote', { body: { ...quoteBody({ from: usd, to }), platformFeeOverride: fee } }],
        [
          'createTransferOut',
          { body: { source: { accountId: usd }, destination: { accountId: to }, amount: 'AMOUNT' } },
        ],
        [
          'createTransferIn',
          { body: { source: { accountId: from }, destination: { accountId: usd }, amount: 'AMOUNT' } },
        ],
        ['sandboxFundInternalAccount', { params: { accountId: usd }, body: { amount: 'AMOUNT' } }],
        [
          'sandboxReceive',
          {
            body: {
              senderUmaAddress: '$success.usd@sandbox.corridor.test',
              customerId: payer.id,
              receivingCurrencyCode: 'USD',
              receivingCurrencyAmount: 'AMOUNT',
            },
          },
        ],
        ['sandboxSend', { body: { quoteId: quote.id, currencyCode: 'USDC', currencyAmount: 'AMOUNT' } }],
        [
          'updatePlatformConfig',
          {
            body: {
              feeConfigs: [
                {
                  feeType: 'CROSS_CURRENCY_TRANSACTION',
                  sourceCurrency: 'USD',
                  variableFeeBps: 0,
                  fixedFee: { amount: 'AMOUNT', currency: 'USD' },
                },
              ],
            },
          },
        ],
      ] as const) {
        const reply = await platform.send(operation, { ...call, body: withAmount(call.body, amount) });
        assert.ok(isCalm(reply.status), `${operation} ${amount}: ${reply.status} ${reply.raw}`);
      }
    }
  });

  it('with the highest limits, amounts that cannot be stated exactly are refused, and all others are exact', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const own = await givenPlatform(world, {
      currencies: ['USD', 'VND', 'USDC', 'BTC', 'EUR'],
      settings: {
        limits: { default: { maxUsdCents: most, dailyUsdCents: most }, corridors: {} },
      } as never,
    });
    await givenCurrencies(own, COINS);
    const coins = COINS.map(({ code }) => code);
    const codes = ['USD', 'VND', 'USDC', 'BTC', 'EUR', ...coins];
    await supports(own, codes, most);
    const customer = await givenPayer(own, 0);
    const ours = await platformAccounts(own);
    const networkOf = (code: string) => (coins.includes(code) ? 'SPARK' : 'SOLANA');
    const made = new Map(codes.map((code) => [code, 0]));
    for (const from of codes) {
      for (const to of codes) {
        for (const amount of [9_000_000_000_000_000, 9_000_000_000_000, 1_234_567_890_123]) {
          for (const side of ['send', 'receive'] as const) {
            for (const source of [
              customer.account(from).id,
              { realtime: from, network: networkOf(from), customerId: customer.id },
            ]) {
              const wish = { from: source, to: inCurrency(ours, to).id, [side]: amount };
              const reply = await askQuote(own, wish);
              if (reply.status !== 201) {
                assert.ok(reply.status < 500, reply.raw);
                continue;
              }
              made.set(from, (made.get(from) ?? 0) + 1);
              const { totalSendingAmount, totalReceivingAmount } = reply.body;
              assert.ok(
                Number.isSafeInteger(totalSendingAmount) && Number.isSafeInteger(totalReceivingAmount),
                reply.raw,
              );
            }
          }
        }
      }
    }
    for (const [code, count] of made) assert.ok(count > 0, code);
  });

  it('money.md §9.4: an account holds at most the largest exact amount; a crypto refund beyond it is booked to suspense', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'USDC'] });
    const customer = await givenPayer(own, 0);
    const usdc = customer.account('USDC').id;
    const from = { realtime: 'USDC', network: 'SOLANA', customerId: customer.id };
    /** The outcome of a refund of this amount. */
    const refunded = async (currencyAmount: number) => {
      const quote = await quoted(own, { from, to: customer.account('USD').id, send: 5_000_000 });
      const reply = await own.call('sandboxSend', {
        body: { quoteId: quote.id, currencyCode: 'USDC', currencyAmount },
      });
      assert.equal(reply.status, 200, reply.raw);
      await advance(own, 3);
      return (await readTransaction(own, quote.transactionId)).refund.status;
    };
    const most = Number.MAX_SAFE_INTEGER;
    assert.equal(await refunded(most - 2), 'COMPLETED');
    assert.equal(await refunded(most), 'FAILED');
    assert.equal(await refunded(3), 'FAILED');
    assert.equal(await refunded(1), 'COMPLETED');
    assert.equal(await fetchBalance(own, customer, 'USDC'), most - 1);
    const fund = (amount: number) =>
      own.call('sandboxFundInternalAccount', { params: { accountId: usdc }, body: { amount } });
    const refused = await fund(2);
    assert.deepEqual([refused.status, refused.body.code], [400, 'AMOUNT_OUT_OF_RANGE']);
    assert.equal((await fund(1)).body.balance.amount, most);
  });

  it('a payment or a pull that its account cannot hold is not credited, and no money is lost', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'USDC'] });
    const [full, other] = [await givenPayer(own, 0), await givenPayer(own, 5_000)];
    const work = await own.work();
    const account = { id: uuidOf(full.account('USD').id), currency: 'USD' };
    const amount = BigInt(Number.MAX_SAFE_INTEGER) - 1_000n;
    const deposit = { account: { ...account, customerId: uuidOf(full.id) }, amount, rail: 'SANDBOX' };
    await work.write((tx) => recordDeposit(tx, deposit));
    const from = await givenOutside(own, full.id, '555', 'USD_ACCOUNT');
    const into = full.account('USD').id;
    const pull = await quoted(own, { from, to: into, send: 1_001, more: { immediatelyExecute: true } });
    const sent = await quoted(own, {
      from: other.account('USD').id,
      to: into,
      send: 1_001,
      more: { immediatelyExecute: true },
    });
    await advance(own, 3);
    const standing = async ({ transactionId }: { transactionId: string }) => {
      const { status, failureReason, refund } = await readTransaction(own, transactionId);
      return [status, failureReason, refund?.status];
    };
    assert.deepEqual(await standing(pull), ['FAILED', 'COLLECTION_FAILED', undefined]);
    assert.deepEqual(await standing(sent), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']);
    assert.equal(await fetchBalance(own, other, 'USD'), 5_000);
    assert.equal(await fetchBalance(own, full, 'USD'), Number(amount));
    const waits = await work.read((tx) => listSuspended(tx));
    assert.deepEqual(
      waits.map(({ kind, amount }) => [kind, amount]),
      [['receipt.suspended', 1_001n]],
    );
  });
});
