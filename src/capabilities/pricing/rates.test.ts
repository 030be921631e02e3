import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildCorridor,
  crossRate,
  hasRate,
  rateTable,
  roundedRate,
  shownRate,
} from '#capabilities/pricing/rates.ts';
import { fraction, invert, multiply, parseDecimal } from '#foundation/lib/money.ts';

const table = rateTable({ USD: '1', EUR: '0.92', MXN: '17.25', VND: '25000', BTC: '0.00000833' });

describe('rates', () => {
  it('money.md §1.3: a pair without USD is the exact quotient of two entries', () => {
    assert.deepEqual(crossRate(table, 'EUR', 'MXN'), fraction(1725n, 92n));
    assert.deepEqual(crossRate(table, 'USD', 'BTC'), fraction(833n, 100_000_000n));
    assert.deepEqual(buildCorridor(table, 'BTC', 'USD').rate, fraction(100_000_000n, 833n));
  });

  it('money.md §1.3: every pair is the exact inverse of its opposite and consistent through a third', () => {
    const codes = fc.constantFrom(...table.keys());
    fc.assert(
      fc.property(codes, codes, codes, (a, b, c) => {
        assert.deepEqual(crossRate(table, a, b), invert(crossRate(table, b, a)));
        assert.deepEqual(multiply(crossRate(table, a, b), crossRate(table, b, c)), crossRate(table, a, c));
      }),
    );
  });

  it('money.md §1.1: the rate within one currency is 1, even without an entry', () => {
    assert.deepEqual(crossRate(table, 'KWD', 'KWD'), fraction(1n));
    assert.equal(shownRate(crossRate(table, 'EUR', 'EUR')), 1);
  });

  it('money.md §1.1: exchangeRate is sending per receiving, half-up to 8 decimals', () => {
    assert.equal(shownRate(crossRate(table, 'USD', 'EUR')), 1.08695652);
    assert.equal(shownRate(crossRate(table, 'USD', 'BTC')), 120_048.01920768);
    assert.equal(shownRate(crossRate(table, 'BTC', 'USD')), 0.00000833);
    assert.equal(roundedRate(parseDecimal('0.123456785')), 0.12345679);
    assert.equal(roundedRate(parseDecimal('0.1234567849999999')), 0.12345678);
  });

  it('money.md §1.1: below 0.000001 it keeps 8 significant digits instead, and is never shown as 0', () => {
    assert.equal(roundedRate(parseDecimal('0.000001')), 0.000001);
    assert.equal(roundedRate(parseDecimal('0.00000100000001')), 0.000001);
    assert.equal(roundedRate(parseDecimal('0.0000009999')), 0.0000009999);
    assert.equal(roundedRate(parseDecimal('0.00000012345678499')), 0.00000012345678);
    assert.equal(roundedRate(parseDecimal('0.000000123456785')), 0.00000012345679);
    assert.equal(shownRate(crossRate(table, 'BTC', 'VND')), 3.332e-10);
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (n) => {
        assert(roundedRate(fraction(1n, n)) > 0);
      }),
    );
  });

  it('money.md §1.3: a table is refused if a rate is zero, malformed or of an unknown currency, or USD is not 1', () => {
    const good = { USD: '1', BTC: '0.00000833' };
    const bad = [{ EUR: '0' }, { EUR: '1e3' }, { EUR: '' }, { EUX: '1' }, { USD: '1.1' }].map((entry) => ({
      ...good,
      ...entry,
    }));
    for (const entries of [...bad, { BTC: '0.00000833' }]) {
      assert.throws(() => rateTable(entries), assert.AssertionError, JSON.stringify(entries));
    }
    assert.equal(rateTable(good).size, 2);
  });

  it('money.md §2.13: a currency without a rate is detected before pricing', () => {
    assert.equal(hasRate(table, 'EUR'), true);
    assert.equal(hasRate(table, 'KWD'), false);
    assert.equal(hasRate(table, '__proto__'), false);
    assert.throws(() => crossRate(table, 'USD', 'KWD'), assert.AssertionError);
  });
});
