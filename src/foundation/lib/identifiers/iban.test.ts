import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildIban,
  isIban,
  isSepaCountry,
  isSepaIban,
  requiresIban,
} from '#foundation/lib/identifiers/account-numbers.ts';

describe('IBAN', () => {
  it('accounts.md §4.1 IBAN✓: examples of the registry are accepted', () => {
    for (const iban of [
      'AE070331234567890123456',
      'DE89370400440532013000',
      'DK5000400440116243',
      'EG380019000500000000263180002',
      'GB29NWBK60161331926819',
      'IL620108000000099999999',
      'PK36SCBL0000001123456702',
      'MT84MALT011000012345MTLCAST001S',
    ]) {
      assert.equal(isIban(iban), true, iban);
      assert.equal(isIban(iban, iban.slice(0, 2)), true, iban);
      assert.equal(isIban(iban, 'FR'), false, iban);
    }
  });

  it('accounts.md §4.1 IBAN✓: the country’s length counts even if mod-97 holds', () => {
    const short = withCheckDigits('DE', '3704004405320130');
    assert.equal(isIban(short), false);
    assert.equal(isIban(withCheckDigits('DE', '370400440532013000')), true);
  });

  it('accounts.md §4.1 IBAN✓: no IBAN of a country without IBANs is valid', () => {
    assert.equal(isIban(withCheckDigits('US', '370400440532013000')), false);
    assert.equal(isIban(withCheckDigits('ZZ', '370400440532013000')), false);
  });

  it('accounts.md §4.1 IBAN✓: national digits inside the account part do not decide', () => {
    assert.equal(isIban(withCheckDigits('BE', '539007547034')), true);
    assert.equal(isIban(withCheckDigits('BE', '539007547035')), true);
  });

  it('accounts.md §4.2 EUR_ACCOUNT: only SEPA countries, the late joiners included', () => {
    assert.equal(isSepaIban('DE89370400440532013000'), true);
    assert.equal(isSepaIban('AE070331234567890123456'), false);
    assert.equal(isSepaIban('DE88370400440532013000'), false);
    for (const country of ['AL', 'MD', 'ME', 'MK', 'RS', 'CH', 'GB', 'SM']) {
      assert.equal(isSepaCountry(country), true, country);
    }
    for (const country of ['US', 'TR', 'UA', 'AE', '', '__proto__']) {
      assert.equal(isSepaCountry(country), false, country);
    }
  });

  it('accounts.md §4.2 SWIFT_ACCOUNT: countries of the IBAN registry need an IBAN', () => {
    for (const country of ['GB', 'BR', 'DE', 'AE']) assert.equal(requiresIban(country), true, country);
    for (const country of ['US', 'IN', 'ZA', 'constructor', '']) {
      assert.equal(requiresIban(country), false, country);
    }
  });

  it('accounts.md §4.1 IBAN✓: arbitrary text after any country never throws', () => {
    const country = fc.constantFrom('NO', 'BE', 'HU', 'CZ', 'FI', 'ES', 'FR', 'HR', 'NL', 'PL', 'PT', 'SI');
    fc.assert(
      fc.property(country, fc.stringMatching(/^[0-9]{2}[A-Za-z0-9]{11,30}$/), (code, rest) => {
        assert.equal(typeof isIban(code + rest), 'boolean');
      }),
      { numRuns: 500 },
    );
  });

  it('builds no IBAN from an account part of the wrong form', () => {
    assert.throws(() => buildIban('DE', '123'));
  });
});

/** ISO 13616 by hand: 98 minus the remainder of account part, country and 00. */
function withCheckDigits(country: string, bban: string): string {
  const numeric = Array.from(`${bban}${country}00`, (character) => Number.parseInt(character, 36)).join('');
  return country + String(98n - (BigInt(numeric) % 97n)).padStart(2, '0') + bban;
}
