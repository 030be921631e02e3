import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBicOfCountry } from '#foundation/lib/identifiers/account-numbers.ts';

describe('BIC', () => {
  it('accounts.md §4.2 BIC country: the fifth and sixth letters decide', () => {
    assert.equal(isBicOfCountry('HSBCHKHH', 'HK'), true);
    assert.equal(isBicOfCountry('HSBCHKHHXXX', 'HK'), true);
    assert.equal(isBicOfCountry('HSBCHKHH', 'SG'), false);
  });

  it('accounts.md §4.1 BIC: 8 or 11 capitals and digits', () => {
    for (const bic of ['HSBCHKH', 'HSBCHKHHX', 'HSBCHKHHXXXX', 'hsbchkhh', 'HSB1HKHH', 'HSBCHKHH ', '']) {
      assert.equal(isBicOfCountry(bic, 'HK'), false, bic);
    }
  });
});
