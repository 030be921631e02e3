import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { iso31661 } from 'iso-3166';
import {
  currencyCodes,
  currencyOf,
  isCurrencyCode,
  NO_OWN_CURRENCIES,
  presentAmount,
  presentCurrency,
  sayAmount,
  sayReported,
  showAmount,
} from '#foundation/lib/currencies.ts';

/** ISO 4217 minor units other than 2. */
const ZERO = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const FOUR = ['CLF', 'UYW'];
const DIGITAL = ['BTC', 'USDB', 'USDC', 'USDT'];

describe('currencies', () => {
  it('an amount is shown to people with its decimals', () => {
    const shown = [
      showAmount(5n, 'USD', NO_OWN_CURRENCIES),
      showAmount(123_456n, 'EUR', NO_OWN_CURRENCIES),
      showAmount(7n, 'JPY', NO_OWN_CURRENCIES),
      showAmount(1n, 'BTC', NO_OWN_CURRENCIES),
    ];
    assert.deepEqual(shown, ['0.05 USD', '1234.56 EUR', '7 JPY', '0.00000001 BTC']);
  });

  it('an amount in a sentence is grouped', () => {
    const said = [5n, 99_999n, 100_000n, 10_000_000n, 123_456_789_012n].map((amount) =>
      sayAmount(amount, 'USD', NO_OWN_CURRENCIES),
    );
    assert.deepEqual(said, [
      '0.05 USD',
      '999.99 USD',
      '1,000.00 USD',
      '100,000.00 USD',
      '1,234,567,890.12 USD',
    ]);
    assert.equal(sayAmount(1_234_567n, 'JPY', NO_OWN_CURRENCIES), '1,234,567 JPY');
    assert.equal(sayAmount(-1_234_567n, 'USD', NO_OWN_CURRENCIES), '-12,345.67 USD');
  });

  it('connectors.md §9.5: an amount of a bank is said as people say it, also in a currency that nobody knows', () => {
    assert.equal(sayReported({ amount: 100_000n, currency: 'EUR' }), '1,000.00 EUR');
    assert.equal(sayReported({ amount: 100_000n, currency: 'XQQ' }), '100000 XQQ');
  });

  it('platform.md §1.2.5, accounts.md §1.6: decimals are ISO 4217 minor units, 8 for BTC, 6 for the stablecoins', () => {
    const expected = (code: string): number => {
      if (code === 'BTC') return 8;
      if (DIGITAL.includes(code)) return 6;
      if (ZERO.includes(code)) return 0;
      if (THREE.includes(code)) return 3;
      return FOUR.includes(code) ? 4 : 2;
    };
    for (const code of [...ZERO, ...THREE, ...FOUR, ...DIGITAL]) assert(isCurrencyCode(code), code);
    for (const code of currencyCodes()) assert.equal(currencyOf(code).decimals, expected(code), code);
  });

  it('platform.md §1.2.5: every currency and fund of ISO 4217 that has a minor unit is known, none twice', () => {
    const iso = currencyCodes().filter((code) => !DIGITAL.includes(code));
    assert.equal(iso.length, 165);
    assert.deepEqual(iso, [...iso].sort());
    for (const code of iso) assert.match(code, /^[A-Z]{3}$/);
  });

  it('platform.md §1.2.5: withdrawn codes, codes without a minor unit and other spellings are unknown', () => {
    const unknown = 'ANG BGN CUC HRK SLL ZWL DEM XAU XAG XDR XTS XXX usd Usd US USDD'.split(' ');
    for (const code of [...unknown, '', ' USD', 'USD\n', 'constructor', '__proto__', 'toString']) {
      assert.equal(isCurrencyCode(code), false, JSON.stringify(code));
      assert.throws(() => currencyOf(code), assert.AssertionError);
    }
  });

  it('platform.md §1.2.4: every currency has a name and a symbol, and its country exists if a single one issues it', () => {
    const countries = new Set(iso31661.map((country) => country.alpha2));
    const shared = ['EUR', 'XAD', 'XAF', 'XCD', 'XCG', 'XOF', 'XPF', ...DIGITAL];
    const names = new Set<string>();
    for (const code of currencyCodes()) {
      const { name, symbol, country } = currencyOf(code);
      assert(name.trim() === name && name.length > 0 && symbol.trim() === symbol && symbol.length > 0, code);
      names.add(name);
      if (shared.includes(code)) assert.equal(country, undefined, code);
      else assert(country !== undefined && countries.has(country), code);
    }
    assert.equal(names.size, currencyCodes().length);
  });

  it('platform.md §1.2.4: an amount object carries the integer and exactly four facts of the currency', () => {
    const usd = { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 };
    assert.deepEqual(presentAmount(12_345n, 'USD', NO_OWN_CURRENCIES), { amount: 12_345, currency: usd });
    assert.deepEqual(presentCurrency('USD', NO_OWN_CURRENCIES), usd);
    assert.equal(
      presentAmount(9_007_199_254_740_991n, 'BTC', NO_OWN_CURRENCIES).amount,
      Number.MAX_SAFE_INTEGER,
    );
    assert.equal(presentAmount(-5n, 'USD', NO_OWN_CURRENCIES).amount, -5);
  });

  it('platform.md §1.2.4: an amount that a JSON number cannot carry exactly is never presented', () => {
    assert.throws(
      () => presentAmount(9_007_199_254_740_992n, 'USD', NO_OWN_CURRENCIES),
      assert.AssertionError,
    );
    assert.throws(
      () => presentAmount(-9_007_199_254_740_992n, 'USD', NO_OWN_CURRENCIES),
      assert.AssertionError,
    );
    assert.throws(() => presentAmount(1n, 'XXX', NO_OWN_CURRENCIES), assert.AssertionError);
  });
});
