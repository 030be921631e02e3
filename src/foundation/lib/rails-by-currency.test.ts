import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import { currencyCodes } from '#foundation/lib/currencies.ts';
import {
  isFiat,
  PAYMENT_RAILS,
  payoutCountriesOf,
  payoutRailsOf,
} from '#foundation/lib/rails-by-currency.ts';

describe('rails by currency', () => {
  it('accounts.md §4.2: every ISO 4217 currency can be paid out by SWIFT, no digital one can', () => {
    for (const code of currencyCodes()) {
      assert.equal(payoutRailsOf(code).includes('SWIFT'), isFiat(code), code);
    }
  });

  it('platform.md §6.5: digital currencies are paid out on the rail CRYPTO alone', () => {
    for (const code of ['BTC', 'USDB', 'USDC', 'USDT']) assert.deepEqual(payoutRailsOf(code), ['CRYPTO']);
  });

  it('every currency of the sandbox table can be paid out, over rails of the contract', () => {
    const known = new Set<string>([...PAYMENT_RAILS, 'CRYPTO']);
    for (const code of Object.keys(SANDBOX_RATES)) {
      const rails = payoutRailsOf(code);
      assert.ok(rails.length > 0, code);
      assert.ok(rails.every((rail) => known.has(rail)));
      assert.equal(new Set(rails).size, rails.length);
      assert.equal(payoutCountriesOf(code).length > 0, isFiat(code), code);
    }
  });

  it('a code that is not a currency has no rails and no country', () => {
    for (const code of ['', 'ACME', 'usd', 'XXX', 'constructor', '__proto__', 'toString']) {
      assert.equal(isFiat(code), false);
      assert.deepEqual(payoutRailsOf(code), []);
      assert.deepEqual(payoutCountriesOf(code), []);
    }
  });
});
