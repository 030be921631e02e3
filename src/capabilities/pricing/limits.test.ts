import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  exceedsLimit,
  largestAmountWithin,
  reachesThreshold,
  smallestAmountWorth,
  valueIn,
  valueInUsd,
} from '#capabilities/pricing/limits.ts';
import { rateTable } from '#capabilities/pricing/rates.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import { fraction } from '#foundation/lib/money.ts';

const table = rateTable({ USD: '1', EUR: '0.92', UGX: '3700', USDC: '1', INR: '82.5', BTC: '0.00000833' });
/** A platform's own coins, with the fewest and the most decimals that are allowed. */
const OWN: OwnCurrencies = {
  TWO: { name: 'Two', symbol: 'TWO', decimals: 2 },
  EIGHT: { name: 'Eight', symbol: 'EIGHT', decimals: 8 },
};
const singleMax = 10_000_000n;

describe('values for limits', () => {
  it('money.md §8.3: values are converted exactly, with the rate table', () => {
    assert.deepEqual(valueInUsd(12_345n, 'USD', table, OWN), fraction(12_345n));
    assert.deepEqual(valueInUsd(100n, 'EUR', table, OWN), fraction(2500n, 23n));
    assert.deepEqual(valueInUsd(37n, 'UGX', table, OWN), fraction(1n));
    assert.deepEqual(valueInUsd(1n, 'USDC', table, OWN), fraction(1n, 10_000n));
    assert.deepEqual(valueInUsd(833n, 'BTC', table, OWN), fraction(100n));
    assert.deepEqual(valueIn('EUR', 100n, 'USD', table, OWN), fraction(92n));
  });

  it('money.md §8.2: a value equal to a limit is allowed, one smallest unit more is not', () => {
    const exceeds = (amount: bigint, currency: string) =>
      exceedsLimit(valueInUsd(amount, currency, table, OWN), singleMax);
    assert.deepEqual(
      [9_200_000n, 9_200_001n].map((amount) => exceeds(amount, 'EUR')),
      [false, true],
    );
    assert.deepEqual(
      [100_000_000_000n, 100_000_000_001n].map((amount) => exceeds(amount, 'USDC')),
      [false, true],
    );
    assert.deepEqual(
      [83_300_000n, 83_300_001n].map((amount) => exceeds(amount, 'BTC')),
      [false, true],
    );
  });

  it('stablecoins.md §8.3: the platform’s own coin is worth a dollar, whatever its decimals', () => {
    assert.deepEqual(valueInUsd(12_345n, 'TWO', table, OWN), fraction(12_345n));
    assert.deepEqual(valueInUsd(1n, 'EIGHT', table, OWN), fraction(1n, 1_000_000n));
    assert.deepEqual(valueIn('EUR', 100n, 'TWO', table, OWN), fraction(92n));
    assert.deepEqual(valueIn('EUR', 100_000_000n, 'EIGHT', table, OWN), fraction(92n));
    const exceeds = (amount: bigint, currency: string) =>
      exceedsLimit(valueInUsd(amount, currency, table, OWN), singleMax);
    for (const [currency, most] of [
      ['TWO', 10_000_000n],
      ['EIGHT', 10_000_000_000_000n],
    ] as const) {
      assert.deepEqual([exceeds(most, currency), exceeds(most + 1n, currency)], [false, true], currency);
    }
  });

  it('money.md §2.13: the EUR 1000 threshold applies from exactly its value on', () => {
    const reaches = (amount: bigint, currency: string) =>
      reachesThreshold(valueIn('EUR', amount, currency, table, OWN), 100_000n);
    assert.deepEqual(
      [99_999n, 100_000n].map((amount) => reaches(amount, 'EUR')),
      [false, true],
    );
    // 1000 EUR are 1086.9565… USD: no whole cent meets it exactly.
    assert.deepEqual(
      [108_695n, 108_696n].map((amount) => reaches(amount, 'USD')),
      [false, true],
    );
  });

  it('platform.md §6.4: the largest and smallest amounts shown are exactly those that the limits allow', () => {
    const codes = fc.constantFrom(...table.keys());
    const limits = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(codes, limits, (code, limit) => {
        const worth = (amount: bigint) => valueInUsd(amount, code, table, OWN);
        const largest = largestAmountWithin(limit, code, table);
        assert(!exceedsLimit(worth(largest), limit) && exceedsLimit(worth(largest + 1n), limit));
        const smallest = smallestAmountWorth(limit, code, table);
        assert(reachesThreshold(worth(smallest), limit) && !reachesThreshold(worth(smallest - 1n), limit));
      }),
    );
  });
});
