import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  platformBalance,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const OVERRIDE = {
  platformFeeOverride: { platformFixedFee: { amount: 50, currency: 'USD' }, platformVariableFeeBps: 30 },
};

describe('the price of a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'BTC', 'INR', 'UGX', 'MXN', 'USDC'] });
    payer = await givenPayer(platform, 0);
  });

  const vectors = [
    { send: 25_000, from: 'USD', to: 'EUR', s: 25_000, fees: 125, own: 0, r: 22_885, rate: 1.08695652 },
    {
      send: 1_000,
      from: 'USD',
      to: 'EUR',
      more: OVERRIDE,
      s: 1_000,
      fees: 58,
      own: 53,
      r: 866,
      rate: 1.08695652,
    },
    { receive: 10_000, from: 'USD', to: 'EUR', s: 10_925, fees: 55, own: 0, r: 10_000, rate: 1.08695652 },
    {
      receive: 5_000,
      from: 'USD',
      to: 'INR',
      more: OVERRIDE,
      s: 111,
      fees: 50,
      own: 50,
      r: 5_000,
      rate: 0.01212121,
    },
    {
      send: 40_000,
      from: 'USD',
      to: 'BTC',
      s: 40_000,
      fees: 200,
      own: 0,
      r: 331_534,
      rate: 120_048.01920768,
    },
    {
      send: 1_000_000,
      from: 'BTC',
      to: 'USD',
      s: 1_000_000,
      fees: 5_000,
      own: 0,
      r: 119_447,
      rate: 0.00000833,
    },
    { send: 100, from: 'USD', to: 'UGX', s: 100, fees: 1, own: 0, r: 3_663, rate: 0.00027027 },
    {
      send: 2_500_000,
      from: 'USDC',
      to: 'MXN',
      s: 2_500_000,
      fees: 12_500,
      own: 0,
      r: 4_290,
      rate: 0.05797101,
    },
  ];

  for (const { from, to, s, fees, own, r, rate, ...locked } of vectors) {
    const name = `${locked.send ? `send ${locked.send}` : `receive ${locked.receive}`} ${from}→${to}`;
    it(`money.md §1.11: ${name}${own ? ', platform 30 bps + 50' : ''}`, async () => {
      const accounts = { from: payer.account(from).id, to: payer.account(to).id };
      const quote = await quoted(platform, { ...accounts, ...locked });
      assert.equal(quote.totalSendingAmount, s);
      assert.equal(quote.feesIncluded, fees);
      assert.equal(quote.platformFeesIncluded, own);
      assert.equal(quote.totalReceivingAmount, r);
      assert.equal(quote.exchangeRate, rate);
    });
  }

  it('money.md §1.1, §1.4, §1.9: within one currency the rate is 1, no fee is charged and there are no rate details', async () => {
    const to = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 777 });
    assert.equal(quote.exchangeRate, 1);
    assert.equal(quote.feesIncluded, 0);
    assert.equal(quote.totalReceivingAmount, 777);
    assert.equal(quote.rateDetails, undefined);
  });

  it('money.md §1.9: rate details of a quote across currencies', async () => {
    const quote = await quoted(platform, {
      from: payer.account('USD').id,
      to: payer.account('EUR').id,
      send: 25_000,
    });
    const details = quote.rateDetails;
    assert.equal(details.svcApiVariableFeeRate, 0.005);
    assert.equal(details.svcApiVariableFeeAmount, 125);
    assert.equal(details.svcApiFixedFee, 0);
    assert.equal(details.counterpartyFixedFee, 0);
    // 1 US cent is 0.01 × 0.00000833 BTC = 8330 mSAT, less half a percent.
    assert.equal(details.svcApiMultiplier, 8_288.35);
    assert.ok(details.counterpartyMultiplier > 0);
  });

  it('money.md §1.5: the configured fee applies across currencies; an override replaces it, on any dollar quote', async () => {
    const own = await givenPlatform(world);
    const sender = await givenPayer(own, 0);
    const [usd, eur] = [sender.account('USD').id, sender.account('EUR').id];
    const outside = await givenOutside(own, sender.id, '999', 'USD_ACCOUNT');
    const feeConfigs = [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 100,
        fixedFee: { amount: 10, currency: 'USD' },
      },
    ];
    const set = await own.call('updatePlatformConfig', {
      body: { feeConfigs },
    });
    assert.equal(set.status, 200, set.raw);
    const configured = await quoted(own, { from: usd, to: eur, send: 10_010 });
    assert.equal(configured.platformFeesIncluded, 110);
    const replaced = await quoted(own, { from: usd, to: eur, send: 10_050, more: OVERRIDE });
    assert.equal(replaced.platformFeesIncluded, 80);
    const same = await quoted(own, { from: usd, to: outside, send: 10_000 });
    assert.equal(same.platformFeesIncluded, 0);
    const sameReplaced = await quoted(own, { from: usd, to: outside, send: 10_050, more: OVERRIDE });
    assert.equal(sameReplaced.platformFeesIncluded, 80);
    assert.equal(sameReplaced.totalReceivingAmount, 9_970);
  });

  it('money.md §1.8: a locked receiving amount within one currency loses nothing: S = R + fees', async () => {
    const to = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const quote = await quoted(platform, {
      from: payer.account('USD').id,
      to,
      receive: 10_000,
      more: OVERRIDE,
    });
    assert.equal(quote.totalReceivingAmount, 10_000);
    assert.equal(quote.totalSendingAmount, 10_000 + quote.feesIncluded);
  });

  it('money.md §6.6, §11.f: a pull within one currency shows its fees, and credits the rest', async () => {
    const receiver = await givenPayer(platform, 0);
    const before = await platformBalance(platform, 'USD');
    const from = await givenOutside(platform, receiver.id, '999', 'USD_ACCOUNT');
    const more = { ...OVERRIDE, immediatelyExecute: true };
    const quote = await quoted(platform, { from, to: receiver.account('USD').id, send: 10_000, more });
    // 50 and 30 basis points of the rest: 29.85.
    assert.deepEqual(
      [quote.feesIncluded, quote.platformFeesIncluded, quote.totalReceivingAmount],
      [80, 80, 9_920],
    );
    await advance(platform, 1);
    const { type, status, sentAmount, receivedAmount, fees } = await readTransaction(
      platform,
      quote.transactionId,
    );
    assert.deepEqual([type, status, fees], ['INCOMING', 'COMPLETED', 80]);
    assert.deepEqual([sentAmount.amount, receivedAmount.amount], [10_000, 9_920]);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L5', 'L7']);
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 9_920);
    assert.equal(await platformBalance(platform, 'USD'), before + 80);
  });

  it('money.md §1.8: fees as large as the amount → AMOUNT_OUT_OF_RANGE', async () => {
    const more = {
      platformFeeOverride: {
        platformFixedFee: { amount: 0, currency: 'USD' },
        platformVariableFeeBps: 10_000,
      },
    };
    const ask = { from: payer.account('USD').id, to: payer.account('EUR').id, receive: 10_000, more };
    const reply = await askQuote(platform, ask);
    assert.equal(reply.status, 400);
    assert.equal(reply.body.code, 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §1.10: an override with another source, another currency, too large or incomplete is INVALID_INPUT', async () => {
    const [usd, eur] = [payer.account('USD').id, payer.account('EUR').id];
    const fee = (amount: number, currency: string, platformVariableFeeBps?: number) => ({
      platformFeeOverride: {
        platformFixedFee: { amount, currency },
        ...(platformVariableFeeBps !== undefined && { platformVariableFeeBps }),
      },
    });
    const refused: [string, string, object][] = [
      [eur, 'platformFeeOverride', fee(1, 'EUR', 1)],
      [usd, 'platformFeeOverride.platformFixedFee.currency', fee(1, 'EUR', 1)],
      [usd, 'platformFeeOverride.platformVariableFeeBps', fee(1, 'USD', 10_001)],
      [usd, 'platformFeeOverride.platformFixedFee.amount', fee(-1, 'USD', 1)],
      [usd, 'platformFeeOverride.platformVariableFeeBps', fee(1, 'USD')],
    ];
    for (const [from, field, more] of refused) {
      const reply = await askQuote(platform, { from, to: from === usd ? eur : usd, more });
      assert.equal(reply.status, 400, reply.raw);
      assert.equal(reply.body.code, 'INVALID_INPUT');
      assert.deepEqual(
        reply.body.details.errors.map((error: { field: string }) => error.field),
        [field],
      );
    }
  });

  it('money.md §1.10: a fee without an account of the platform to credit is INVALID_INPUT', async () => {
    const bare = await givenPlatform(world, { currencies: ['EUR'] });
    const eur = await givenPayer(bare, 0, { currencies: ['EUR'] });
    const reply = await bare.call('updatePlatformConfig', {
      body: {
        supportedCurrencies: ['EUR', 'USD'].map((currencyCode) => ({
          currencyCode,
          minAmount: 1,
          maxAmount: 1_000_000,
          requiredCounterpartyFields: [],
          enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
        })),
      },
    });
    assert.equal(reply.status, 200, reply.raw);
    const work = await bare.work();
    await work.write(async (tx) => {
      await tx.sql`update internal_accounts set status = 'CLOSED'
        where platform_id = ${tx.platformId} and customer_id is null and currency = 'USD'`;
    });
    const usd = await givenExternalAccount(bare, 'USD_ACCOUNT', {}, { customerId: eur.id });
    const ask = { from: usd.id, to: eur.account('EUR').id };
    const refused = await askQuote(bare, { ...ask, more: OVERRIDE });
    assert.equal(refused.status, 400, refused.raw);
    assert.equal(refused.body.code, 'INVALID_INPUT');
    const without = await askQuote(bare, ask);
    assert.equal(without.status, 201, without.raw);
  });
});
