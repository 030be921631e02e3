import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  corridorServiceFees,
  type FeeRate,
  type FeeSchedule,
  feeSchedule,
} from '#capabilities/pricing/fees.ts';
import {
  estimateSending,
  type Price,
  type PriceRefusal,
  priceReceiving,
  priceSending,
} from '#capabilities/pricing/price.ts';
import { buildCorridor, type Corridor, rateTable } from '#capabilities/pricing/rates.ts';
import { currencyOf } from '#foundation/lib/currencies.ts';
import { AMOUNT_MAX, convertDown, fraction } from '#foundation/lib/money.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';

/** The same for every pair. */
const DEFAULT_SERVICE_FEES = corridorServiceFees(DEFAULT_SETTINGS.PRODUCTION, { from: 'USD', to: 'EUR' });

const table = rateTable({
  USD: '1',
  EUR: '0.92',
  INR: '82.5',
  MXN: '17.25',
  UGX: '3700',
  VND: '25000',
  USDC: '1',
  BTC: '0.00000833',
});
const platform30And50: FeeRate = { variableBps: 30, fixed: 50n };

describe('price', () => {
  // [case, from, to, side, amount, platform fee, S, feesIncluded, platform part, R, exchangeRate]
  const vectors = [
    ['send USD→EUR', 'USD', 'EUR', 'SENDING', 25000n, undefined, 25000n, 125n, 0n, 22885n, 1.08695652],
    [
      'send USD→EUR, platform fee',
      'USD',
      'EUR',
      'SENDING',
      1000n,
      platform30And50,
      1000n,
      58n,
      53n,
      866n,
      1.08695652,
    ],
    ['receive EUR', 'USD', 'EUR', 'RECEIVING', 10000n, undefined, 10925n, 55n, 0n, 10000n, 1.08695652],
    [
      'receive INR, platform fee',
      'USD',
      'INR',
      'RECEIVING',
      5000n,
      platform30And50,
      111n,
      50n,
      50n,
      5000n,
      0.01212121,
    ],
    ['send USD→BTC', 'USD', 'BTC', 'SENDING', 40000n, undefined, 40000n, 200n, 0n, 331534n, 120048.01920768],
    ['send BTC→USD', 'BTC', 'USD', 'SENDING', 1000000n, undefined, 1000000n, 5000n, 0n, 119447n, 0.00000833],
    ['send USD→UGX', 'USD', 'UGX', 'SENDING', 100n, undefined, 100n, 1n, 0n, 3663n, 0.00027027],
    ['send USDC→MXN', 'USDC', 'MXN', 'SENDING', 2500000n, undefined, 2500000n, 12500n, 0n, 4290n, 0.05797101],
  ] as const;
  for (const [name, from, to, side, amount, configured, S, feesIncluded, platformPart, R, shown] of vectors) {
    it(`money.md §1.11: ${name}`, () => {
      const corridor = buildCorridor(table, from, to);
      const schedule = feeSchedule(corridor, DEFAULT_SERVICE_FEES, { configured });
      const price = priced((side === 'SENDING' ? priceSending : priceReceiving)(amount, corridor, schedule));
      assert.deepEqual(
        [
          price.totalSendingAmount,
          price.feesIncluded,
          price.platformFeesIncluded,
          price.totalReceivingAmount,
        ],
        [S, feesIncluded, platformPart, R],
      );
      assert.equal(price.exchangeRate, shown);
      assert.equal(price.netAmount, S - feesIncluded);
      assert.deepEqual(price.corridor.rate, corridor.rate);
    });
  }

  it('money.md §1.8: S is the smallest that yields at least R, checked against every S from 0 up', () => {
    fc.assert(
      fc.property(smallCases, ({ corridor, schedule, R }) => {
        const S = smallestByTrying(R, corridor, schedule);
        const price = priced(priceReceiving(R, corridor, schedule));
        assert.equal(price.totalSendingAmount, S);
        assert.equal(price.totalReceivingAmount, R);
      }),
      { numRuns: 1500 },
    );
  });

  it('money.md §1.8: S is also the smallest if variable fees leave one part in ten thousand', () => {
    const corridor = buildCorridor(table, 'USD', 'EUR');
    const schedules = [
      [50, 9949],
      [9999, 0],
      [5000, 4999],
      [3333, 6666],
    ].map(([service = 0, platform = 0]) => buildSchedule(service, platform, 3n));
    for (const schedule of schedules) {
      for (const R of [1n, 2n, 3n]) {
        const price = priced(priceReceiving(R, corridor, schedule));
        assert.equal(price.totalSendingAmount, smallestByTrying(R, corridor, schedule));
      }
    }
  });

  it('money.md §1.8: if a larger S yields less, the earlier S is found', () => {
    const corridor = buildCorridor(table, 'USD', 'USDC');
    const schedule = buildSchedule(50, 50, 0n);
    const received = (S: bigint) => priced(priceSending(S, corridor, schedule)).totalReceivingAmount;
    assert.deepEqual([99n, 100n, 101n, 102n].map(received), [990_000n, 980_000n, 990_000n, 1_000_000n]);
    assert.equal(priced(priceReceiving(990_000n, corridor, schedule)).totalSendingAmount, 99n);
    assert.equal(priced(priceReceiving(990_001n, corridor, schedule)).totalSendingAmount, 102n);
  });

  it('money.md §1.8: fixing the R that some S yielded never costs more than that S', () => {
    fc.assert(
      fc.property(largeCases, ({ corridor, schedule, amount }) => {
        const sent = priceSending(amount, corridor, schedule);
        if (sent === 'AMOUNT_OUT_OF_RANGE' || variableBps(schedule) >= 10_000) return;
        const locked = priced(priceReceiving(sent.totalReceivingAmount, corridor, schedule));
        assert(locked.totalSendingAmount <= amount);
        const again = priced(priceSending(locked.totalSendingAmount, corridor, schedule));
        assert(again.totalReceivingAmount >= sent.totalReceivingAmount);
      }),
    );
  });

  it('money.md §1.8: at huge amounts no smaller S within rounding distance yields R', () => {
    const corridor = buildCorridor(table, 'USD', 'EUR');
    const bps = fc.integer({ min: 0, max: 4900 });
    const amounts = fc.bigInt({ min: 10n ** 12n, max: 10n ** 14n });
    fc.assert(
      fc.property(amounts, bps, bps, (R, service, platform) => {
        const schedule = buildSchedule(service, platform, 50n);
        const { totalSendingAmount: S } = priced(priceReceiving(R, corridor, schedule));
        assert(estimateSending(S, corridor, schedule).receivingAmount >= R);
        const reach = 20_000n / BigInt(10_000 - service - platform) + 3n;
        for (let less = S - 1n; less >= S - reach; less -= 1n) {
          assert(estimateSending(less, corridor, schedule).receivingAmount < R, `${less} of ${S}`);
        }
      }),
    );
  });

  it('money.md §1.8: a larger R never has a smaller S', () => {
    fc.assert(
      fc.property(smallCases, fc.bigInt({ min: 0n, max: 50n }), ({ corridor, schedule, R }, more) => {
        const S = priced(priceReceiving(R, corridor, schedule)).totalSendingAmount;
        assert(priced(priceReceiving(R + more, corridor, schedule)).totalSendingAmount >= S);
      }),
    );
  });

  it('money.md §1.8: variable fees of 100 percent and above are refused', () => {
    const corridor = buildCorridor(table, 'USD', 'EUR');
    for (const [service, platform] of [
      [50, 9950],
      [0, 10_000],
      [10_000, 10_000],
    ] as const) {
      assert.equal(
        priceReceiving(100n, corridor, buildSchedule(service, platform, 0n)),
        'AMOUNT_OUT_OF_RANGE',
      );
      assert.equal(priceSending(100n, corridor, buildSchedule(service, platform, 0n)), 'AMOUNT_OUT_OF_RANGE');
    }
    assert.notEqual(priceReceiving(100n, corridor, buildSchedule(50, 9949, 0n)), 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §1.8: within one currency nothing is lost: Fs = S − R − Fp', () => {
    const corridor = buildCorridor(table, 'USD', 'USD');
    const bps = fc.integer({ min: 0, max: 4999 });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 11n }),
        bps,
        bps,
        fixedFee,
        (R, service, platform, fixed) => {
          const price = priced(priceReceiving(R, corridor, buildSchedule(service, platform, fixed)));
          assert.equal(price.serviceFees, price.totalSendingAmount - R - price.platformFeesIncluded);
          assert.equal(price.netAmount, R);
          assert.equal(price.exchangeRate, 1);
        },
      ),
    );
  });

  for (const code of ['KWD', 'ACME']) {
    it(`money.md §1.4: within ${code} the default is free and amounts are equal, without any rate`, () => {
      const corridor = buildCorridor(table, code, code);
      const schedule = feeSchedule(corridor, DEFAULT_SERVICE_FEES, {});
      for (const compute of [priceSending, priceReceiving]) {
        const {
          totalSendingAmount: S,
          totalReceivingAmount: R,
          feesIncluded,
        } = priced(compute(777n, corridor, schedule));
        assert.deepEqual([S, R, feesIncluded], [777n, 777n, 0n]);
      }
    });
  }

  it('money.md §12.6: S = Fs + Fp + N with every part at least 0, up to 9·10^15', () => {
    fc.assert(
      fc.property(largeCases, fc.boolean(), ({ corridor, schedule, amount }, sends) => {
        const price = (sends ? priceSending : priceReceiving)(amount, corridor, schedule);
        if (price === 'AMOUNT_OUT_OF_RANGE') return;
        const { serviceFees: Fs, platformFeesIncluded: Fp, netAmount: N, totalSendingAmount: S } = price;
        assert.equal(S, Fs + Fp + N);
        assert(Fs >= 0n && Fp >= 0n && N > 0n);
        assert.equal(price.feesIncluded, Fs + Fp);
        assert(price.totalReceivingAmount >= 1n && price.totalReceivingAmount <= AMOUNT_MAX);
        assert(S <= AMOUNT_MAX);
      }),
      { numRuns: 1000 },
    );
  });

  it('money.md §1.7, §1.8: R is never worth more than N, and a sent amount loses less than one unit of it', () => {
    fc.assert(
      fc.property(largeCases, fc.boolean(), ({ corridor, schedule, amount }, sends) => {
        const price = (sends ? priceSending : priceReceiving)(amount, corridor, schedule);
        if (price === 'AMOUNT_OUT_OF_RANGE') return;
        const { from, to, rate } = corridor;
        const decimals = (code: string) => (from === to ? 0 : currencyOf(code).decimals);
        const fair = convertDown(price.netAmount, rate, { from: decimals(from), to: decimals(to) });
        if (sends) assert.equal(price.totalReceivingAmount, fair);
        else assert(price.totalReceivingAmount <= fair);
      }),
    );
  });

  it('money.md §2.13: an amount that leaves nothing to exchange or to receive is refused', () => {
    const usdToEur = buildCorridor(table, 'USD', 'EUR');
    assert.equal(priceSending(50n, usdToEur, buildSchedule(0, 0, 50n)), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(priceSending(1n, usdToEur, buildSchedule(0, 0, 50n)), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(priceSending(1n, usdToEur, buildSchedule(0, 0, 0n)), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(priced(priceSending(2n, usdToEur, buildSchedule(0, 0, 0n))).totalReceivingAmount, 1n);
    for (const amount of [0n, -1n]) {
      assert.equal(priceSending(amount, usdToEur, buildSchedule(0, 0, 0n)), 'AMOUNT_OUT_OF_RANGE');
      assert.equal(priceReceiving(amount, usdToEur, buildSchedule(0, 0, 0n)), 'AMOUNT_OUT_OF_RANGE');
    }
  });

  it('platform.md §1.2.4: a price whose other side does not fit a JSON number is refused, the largest that fits is not', () => {
    const free = buildSchedule(0, 0, 0n);
    const huge = 9_000_000_000_000_000n;
    assert.equal(priceSending(huge, buildCorridor(table, 'BTC', 'VND'), free), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(priceReceiving(huge, buildCorridor(table, 'VND', 'BTC'), free), 'AMOUNT_OUT_OF_RANGE');
    const one = buildCorridor(table, 'USD', 'USD');
    assert.equal(priced(priceSending(AMOUNT_MAX, one, free)).totalReceivingAmount, AMOUNT_MAX);
    assert.equal(priceSending(AMOUNT_MAX + 1n, one, free), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(priceReceiving(AMOUNT_MAX, one, buildSchedule(0, 0, 1n)), 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §1.6: a counterparty fee is withheld on top of the received amount', () => {
    const corridor = buildCorridor(table, 'USD', 'EUR');
    const schedule = { ...buildSchedule(50, 0, 0n), counterpartyFixedFee: 25n };
    const price = priced(priceReceiving(10_000n, corridor, schedule));
    assert.deepEqual([price.totalSendingAmount, price.counterpartyFixed], [10_925n + 28n, 28n]);
    assert.equal(price.serviceFees, 55n + 28n);
  });

  it('platform.md §6.3: an estimate equals the price of the same amount, and is 0 if fees take everything', () => {
    fc.assert(
      fc.property(largeCases, ({ corridor, schedule, amount }) => {
        const estimate = estimateSending(amount, corridor, schedule);
        const price = priceSending(amount, corridor, schedule);
        assert(estimate.receivingAmount >= 0n);
        if (price === 'AMOUNT_OUT_OF_RANGE') return;
        assert.equal(estimate.receivingAmount, price.totalReceivingAmount);
        assert.equal(estimate.fees.feesIncluded, price.feesIncluded);
      }),
    );
    const nothing = estimateSending(10n, buildCorridor(table, 'USD', 'EUR'), buildSchedule(50, 30, 50n));
    assert.deepEqual([nothing.receivingAmount, nothing.fees.feesIncluded], [0n, 50n]);
  });
});

function priced(result: Price | PriceRefusal): Price {
  assert(result !== 'AMOUNT_OUT_OF_RANGE', 'refused');
  return result;
}

function buildSchedule(serviceBps: number, platformBps: number, platformFixed: bigint): FeeSchedule {
  return {
    service: { variableBps: serviceBps, fixed: 0n },
    platform: { variableBps: platformBps, fixed: platformFixed },
    counterpartyFixedFee: 0n,
  };
}

function variableBps(schedule: FeeSchedule): number {
  return schedule.service.variableBps + schedule.platform.variableBps;
}

/** money.md §1.6 and §1.7 implemented independently in whole numbers, for every S in turn. */
function smallestByTrying(R: bigint, { from, to, rate }: Corridor, schedule: FeeSchedule): bigint {
  const up = BigInt(10 ** currencyOf(to).decimals) * rate.numerator;
  const down = BigInt(10 ** currencyOf(from).decimals) * rate.denominator;
  const converted = schedule.counterpartyFixedFee * down;
  const fixed = schedule.service.fixed + schedule.platform.fixed + (converted + up - 1n) / up;
  const halfUp = (base: bigint, bps: number) => (base * BigInt(bps) + 5000n) / 10_000n;
  for (let S = fixed; ; S += 1n) {
    const base = S - fixed;
    const net =
      base - halfUp(base, schedule.service.variableBps) - halfUp(base, schedule.platform.variableBps);
    if (net > 0n && (net * up) / down >= R) return S;
  }
}

const fixedFee = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 100n }));

/** Few enough units that every S can be tried: R is the result of at most 60 units of N. */
const smallCases = fc
  .record({
    pair: fc.constantFrom(['USD', 'EUR'], ['USD', 'USD'], ['USD', 'UGX'], ['KWD', 'USD'], ['USD', 'USDC']),
    numerator: fc.bigInt({ min: 1n, max: 400n }),
    denominator: fc.bigInt({ min: 1n, max: 400n }),
    serviceBps: fc.oneof(fc.constantFrom(0, 50, 100, 3333, 4999), fc.integer({ min: 0, max: 4900 })),
    platformBps: fc.oneof(fc.constantFrom(0, 30, 50, 100, 5000), fc.integer({ min: 0, max: 4900 })),
    fixed: fixedFee,
    platformFixed: fixedFee,
    counterpartyFixedFee: fixedFee,
    net: fc.bigInt({ min: 1n, max: 60n }),
    less: fc.bigInt({ min: 0n, max: 3n }),
  })
  .filter(({ serviceBps, platformBps }) => serviceBps + platformBps <= 9800)
  .map((one) => {
    const [from = '', to = ''] = one.pair;
    const rate = from === to ? fraction(1n) : fraction(one.numerator, one.denominator);
    const decimals = { from: currencyOf(from).decimals, to: currencyOf(to).decimals };
    const schedule: FeeSchedule = {
      service: { variableBps: one.serviceBps, fixed: one.fixed },
      platform: { variableBps: one.platformBps, fixed: one.platformFixed },
      counterpartyFixedFee: one.counterpartyFixedFee,
    };
    return { corridor: { from, to, rate }, schedule, R: convertDown(one.net, rate, decimals) - one.less };
  })
  .filter(({ R }) => R >= 1n);

const largeCases = fc
  .record({
    // The table does not know a platform's own currencies: they are priced within themselves.
    pair: fc.oneof(
      fc.tuple(fc.constantFrom(...table.keys()), fc.constantFrom(...table.keys())),
      fc.constant<[string, string]>(['ACME', 'ACME']),
    ),
    service: fc.record({ variableBps: fc.integer({ min: 0, max: 10_000 }), fixed: fixedFee }),
    platform: fc.record({ variableBps: fc.integer({ min: 0, max: 500 }), fixed: fixedFee }),
    counterpartyFixedFee: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 1000n })),
    amount: fc.oneof(
      fc.bigInt({ min: 1n, max: 100_000n }),
      fc.bigInt({ min: 1n, max: 9_000_000_000_000_000n }),
    ),
  })
  .map(({ pair, service, platform, counterpartyFixedFee, amount }) => ({
    corridor: buildCorridor(table, ...pair),
    schedule: { service, platform, counterpartyFixedFee },
    amount,
  }));
