import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corridorServiceFees, feeSchedule } from '#capabilities/pricing/fees.ts';
import { corridorLimits } from '#capabilities/pricing/limits.ts';
import { priceSending } from '#capabilities/pricing/price.ts';
import { buildCorridor, rateTable } from '#capabilities/pricing/rates.ts';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import { DEFAULT_SETTINGS, effectiveSettings } from '#foundation/lib/platform.ts';
import { payoutRailsOf } from '#foundation/lib/rails-by-currency.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

interface Rate {
  sourceCurrency: { code: string };
  destinationCurrency: { code: string };
  destinationPaymentRail: string;
  minSendingAmount: number;
  maxSendingAmount: number;
  sendingAmount: number;
  receivingAmount: number;
  exchangeRate: number;
  fees: { fixed: number; total: number };
  updatedAt: string;
}

type Query = Record<string, string | number | string[]>;

describe('exchange rates', () => {
  const world = testWorld();
  const rates = async (platform: TestPlatform, query: Query = {}): Promise<Rate[]> => {
    const answer = await platform.call('getExchangeRates', { query });
    assert.equal(answer.status, 200, answer.raw);
    assert.deepEqual(Object.keys(answer.body), ['data']);
    return answer.body.data;
  };
  const one = async (
    platform: TestPlatform,
    from: string,
    to: string,
    sendingAmount: number,
  ): Promise<Rate> => {
    const [rate] = await rates(platform, { sourceCurrency: from, destinationCurrency: to, sendingAmount });
    assert.ok(rate, `${from}→${to}`);
    return rate;
  };
  const support = async (platform: TestPlatform, currencies: object[], more: object = {}) => {
    const supportedCurrencies = currencies.map((currency) => ({
      minAmount: 1,
      maxAmount: 1_000_000_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING'],
      ...currency,
    }));
    const set = await platform.call('updatePlatformConfig', { body: { supportedCurrencies, ...more } });
    assert.equal(set.status, 200, set.raw);
  };
  const fee = {
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps: 30,
    fixedFee: { amount: 50, currency: 'USD' },
  };
  const pairs = (list: Rate[]) => [
    ...new Set(list.map((rate) => `${rate.sourceCurrency.code}-${rate.destinationCurrency.code}`)),
  ];

  it('platform.md §6.2: without a filter, every corridor from a currency that the platform may send is listed, one row per rail', async () => {
    const platform = await world.platform();
    const list = await rates(platform);
    const expected = ['USD', 'USDB', 'USDC'].flatMap((from) =>
      Object.keys(SANDBOX_RATES)
        .filter((to) => to !== from)
        .flatMap((to) => payoutRailsOf(to).map((rail) => `${from} ${to} ${rail}`)),
    );
    const keys = list.map(
      (rate) => `${rate.sourceCurrency.code} ${rate.destinationCurrency.code} ${rate.destinationPaymentRail}`,
    );
    assert.deepEqual(keys, expected.toSorted());
    assert.ok(list.every((rate) => rate.sendingAmount === 10_000));
  });

  it('platform.md §6.2: only currencies that may be sent are sources', async () => {
    const platform = await world.platform();
    await support(platform, [
      { currencyCode: 'EUR' },
      { currencyCode: 'GBP', enabledTransactionTypes: ['INCOMING'] },
      { currencyCode: 'JPY' },
    ]);
    const list = await rates(platform);
    assert.deepEqual([...new Set(list.map((rate) => rate.sourceCurrency.code))], ['EUR']);
    assert.deepEqual(await rates(platform, { sourceCurrency: 'GBP' }), []);
  });

  it('platform.md §6.2, §1.1.6: filters combine; destinations are repeated or separated by commas', async () => {
    const platform = await world.platform();
    const query = { sourceCurrency: 'USD', destinationCurrency: ['MXN', 'EUR'] };
    const repeated = await rates(platform, query);
    assert.deepEqual(pairs(repeated), ['USD-EUR', 'USD-MXN']);
    assert.deepEqual(await rates(platform, { ...query, destinationCurrency: 'MXN,EUR,EUR' }), repeated);
    assert.deepEqual(pairs(await rates(platform, { destinationCurrency: 'INR' })), [
      'USD-INR',
      'USDB-INR',
      'USDC-INR',
    ]);
    assert.deepEqual(
      (await rates(platform, { sourceCurrency: 'USD', destinationCurrency: 'EUR' })).map(
        (rate) => rate.destinationPaymentRail,
      ),
      ['SEPA', 'SEPA_INSTANT', 'SWIFT'],
    );
  });

  it('platform.md §6.3: the rate is source units per destination unit, before fees', async () => {
    const platform = await world.platform();
    assert.equal((await one(platform, 'USD', 'INR', 10_000)).exchangeRate, 0.01212121);
    assert.equal((await one(platform, 'USD', 'EUR', 10_000)).exchangeRate, 1.08695652);
    assert.equal((await one(platform, 'USD', 'BTC', 10_000)).exchangeRate, 120048.01920768);
  });

  it('money.md §1: the vectors of the price list', async () => {
    const platform = await world.platform();
    await support(platform, [{ currencyCode: 'USD' }, { currencyCode: 'BTC' }, { currencyCode: 'USDC' }]);
    const vectors = [
      ['USD', 'EUR', 25_000, 125, 22_885, 1.08695652],
      ['USD', 'BTC', 40_000, 200, 331_534, 120048.01920768],
      ['BTC', 'USD', 1_000_000, 5_000, 119_447, 0.00000833],
      ['USD', 'UGX', 100, 1, 3_663, 0.00027027],
      ['USDC', 'MXN', 2_500_000, 12_500, 4_290, 0.05797101],
    ] as const;
    for (const [from, to, sending, total, receiving, shown] of vectors) {
      const rate = await one(platform, from, to, sending);
      assert.deepEqual(
        [rate.fees, rate.receivingAmount, rate.exchangeRate],
        [{ fixed: 0, total }, receiving, shown],
        `${from}→${to}`,
      );
    }
  });

  it('platform.md §6.1, §6.3: the price includes the platform’s fees from its current configuration', async () => {
    const platform = await world.platform();
    await support(platform, [{ currencyCode: 'USD' }], { feeConfigs: [fee] });
    const charged = await one(platform, 'USD', 'EUR', 1000);
    assert.deepEqual(charged.fees, { fixed: 50, total: 58 });
    assert.equal(charged.receivingAmount, 866);
    await platform.call('updatePlatformConfig', {
      body: { feeConfigs: [{ ...fee, variableFeeBps: 0, fixedFee: undefined }] },
    });
    const free = await one(platform, 'USD', 'EUR', 1000);
    assert.deepEqual(free.fees, { fixed: 0, total: 5 });
    assert.equal(free.updatedAt, charged.updatedAt);
    assert.equal(free.exchangeRate, charged.exchangeRate);
  });

  it('platform.md §6.3, §3.3: the price includes the operator’s fees: variable, fixed, and the counterparty’s', async () => {
    const platform = await world.platform({
      settings: { fees: { crossCurrencyBps: 100, fixed: { USD: 20 }, counterpartyFixed: { EUR: 92 } } },
    });
    const rate = await one(platform, 'USD', 'EUR', 10_120);
    assert.deepEqual(rate.fees, { fixed: 120, total: 220 });
    assert.equal(rate.receivingAmount, 9108);
  });

  it('platform.md §6.3: the list agrees with a quote from the same snapshot', async () => {
    const platform = await world.platform();
    await support(platform, [{ currencyCode: 'USD' }], { feeConfigs: [fee] });
    const table = rateTable(SANDBOX_RATES);
    const settings = effectiveSettings('SANDBOX', {});
    for (const rate of await rates(platform, { sourceCurrency: 'USD', sendingAmount: 98_765 })) {
      const pair = { from: 'USD', to: rate.destinationCurrency.code };
      const schedule = feeSchedule(pair, corridorServiceFees(settings, pair), {
        configured: { variableBps: 30, fixed: 50n },
      });
      const price = priceSending(98_765n, buildCorridor(table, pair.from, pair.to), schedule);
      assert.ok(typeof price === 'object');
      assert.equal(BigInt(rate.receivingAmount), price.totalReceivingAmount);
      assert.equal(BigInt(rate.fees.total), price.feesIncluded);
      assert.equal(rate.exchangeRate, price.exchangeRate);
    }
  });

  it('platform.md §6.3: if fees take everything, the received amount is 0, never negative', async () => {
    const platform = await world.platform();
    await support(platform, [{ currencyCode: 'USD' }], { feeConfigs: [fee] });
    for (const amount of [0, 1, 49, 50])
      assert.equal((await one(platform, 'USD', 'EUR', amount)).receivingAmount, 0);
    assert.deepEqual((await one(platform, 'USD', 'EUR', 0)).fees, { fixed: 50, total: 50 });
  });

  it('platform.md §6.1, §6.6: a snapshot lasts 300 s of the platform’s clock; then updatedAt moves and rates do not', async () => {
    const platform = await world.platform();
    const first = await one(platform, 'USD', 'EUR', 10_000);
    const sinceReading = world.clock.now() - Date.parse(first.updatedAt);
    assert.ok(sinceReading >= 0 && sinceReading < 300_000);
    world.clock.advance(299_999 - sinceReading);
    assert.deepEqual(await one(platform, 'USD', 'EUR', 10_000), first);
    world.clock.advance(1);
    const next = await one(platform, 'USD', 'EUR', 10_000);
    assert.equal(Date.parse(next.updatedAt) - Date.parse(first.updatedAt), 300_000);
    assert.deepEqual({ ...next, updatedAt: first.updatedAt }, first);
  });

  it('platform.md §6.4: the corridor’s bounds are narrowed by the platform’s own; an amount outside is still priced', async () => {
    const platform = await world.platform({
      settings: {
        limits: {
          default: { minUsdCents: 500 },
          corridors: {
            'USD-MXN': { minUsdCents: 1000, maxUsdCents: 200_000 },
            'EUR-USD': { maxUsdCents: 9_200 },
          },
        },
      },
    });
    await support(platform, [
      { currencyCode: 'USD', minAmount: 700, maxAmount: 150_000 },
      { currencyCode: 'EUR' },
      { currencyCode: 'USDC' },
    ]);
    const bounds = async (from: string, to: string) => {
      const { minSendingAmount, maxSendingAmount } = await one(platform, from, to, 1);
      return [minSendingAmount, maxSendingAmount];
    };
    assert.deepEqual(await bounds('USD', 'EUR'), [700, 150_000]);
    assert.deepEqual(await bounds('USD', 'MXN'), [1000, 150_000]);
    // 5 USD are 4.60 EUR; 92 USD are 84.64 EUR, 100,000 USD are 92,000 EUR.
    assert.deepEqual(await bounds('EUR', 'USD'), [460, 8_464]);
    assert.deepEqual(await bounds('EUR', 'MXN'), [460, 9_200_000]);
    assert.deepEqual(await bounds('USDC', 'USD'), [5_000_000, 100_000_000_000]);
    assert.ok((await one(platform, 'USD', 'MXN', 50_000_000)).receivingAmount > 0);
  });

  it('platform.md §9: each limit that was not set has its default', () => {
    const settings = effectiveSettings('SANDBOX', { limits: { corridors: { USD: { dailyUsdCents: 7 } } } });
    const { default: usual } = DEFAULT_SETTINGS.SANDBOX.limits;
    assert.deepEqual(corridorLimits(settings, { from: 'USD', to: 'USD' }), {
      minUsdCents: 0n,
      maxUsdCents: BigInt(usual.maxUsdCents ?? 0),
      dailyUsdCents: 7n,
    });
    assert.equal(corridorLimits(settings, { from: 'USD', to: 'EUR' }).dailyUsdCents, 50_000_000n);
  });

  it('platform.md §6.5: unknown codes are INVALID_CURRENCY, and each is named', async () => {
    const platform = await world.platform();
    const listRefusedFields = async (query: Query) => {
      const answer = await platform.call('getExchangeRates', { query });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.code, 'INVALID_CURRENCY');
      return answer.body.details.errors.map((error: { field: string }) => error.field);
    };
    assert.deepEqual(await listRefusedFields({ sourceCurrency: 'XXX' }), ['sourceCurrency']);
    assert.deepEqual(await listRefusedFields({ sourceCurrency: 'usd' }), ['sourceCurrency']);
    assert.deepEqual(
      await listRefusedFields({ sourceCurrency: 'constructor', destinationCurrency: ['EUR', '€', 'eur'] }),
      ['sourceCurrency', 'destinationCurrency.1', 'destinationCurrency.2'],
    );
  });

  it('platform.md §6.5: an invalid amount is INVALID_INPUT, including one whose result does not fit a JSON number', async () => {
    const platform = await world.platform();
    for (const sendingAmount of [
      -1,
      '1.5',
      'ten',
      '9007199254740992',
      '99999999999999999999',
      9007199254740991,
    ]) {
      const answer = await platform.call('getExchangeRates', {
        query: { sourceCurrency: 'USD', sendingAmount },
      });
      assert.equal(answer.status, 400, String(sendingAmount));
      assert.equal(answer.body.code, 'INVALID_INPUT');
      assert.equal(answer.body.details.errors[0].field, 'sendingAmount');
    }
    assert.equal((await one(platform, 'USD', 'EUR', 9007199254740991)).sendingAmount, 9007199254740991);
  });

  it('platform.md §6.5: a known pair without a corridor gives an empty list, and so does a pair of one currency', async () => {
    const platform = await world.platform();
    assert.deepEqual(await rates(platform, { sourceCurrency: 'USD', destinationCurrency: 'JPY' }), []);
    assert.deepEqual(await rates(platform, { sourceCurrency: 'EUR', destinationCurrency: 'USD' }), []);
    assert.deepEqual(await rates(platform, { sourceCurrency: 'USD', destinationCurrency: 'USD' }), []);
  });

  it('platform.md §6.5: digital currencies are paid out on the rail CRYPTO', async () => {
    const platform = await world.platform();
    const list = await rates(platform, { sourceCurrency: 'USD', destinationCurrency: 'BTC,USDC,USDT,USDB' });
    assert.equal(list.length, 4);
    assert.ok(list.every((rate) => rate.destinationPaymentRail === 'CRYPTO'));
  });

  it('platform.md §1.3.4: the list needs VIEW', async () => {
    const platform = await world.platform({ permissions: ['TRANSACT', 'MANAGE'] });
    assert.equal((await platform.call('getExchangeRates')).body.code, 'FORBIDDEN');
    assert.equal((await platform.call('getExchangeRates', { as: 'nobody' })).body.code, 'UNAUTHORIZED');
  });
});
