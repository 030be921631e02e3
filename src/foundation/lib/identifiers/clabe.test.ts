import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isClabe } from '#foundation/lib/identifiers/account-numbers.ts';

describe('CLABE', () => {
  it('accounts.md §4.3 CLABE: a published example is accepted, ascending digits are not', () => {
    assert.equal(isClabe('002010077777777771'), true);
    assert.equal(isClabe('032180000118359719'), true);
    assert.equal(isClabe('123456789012345678'), false);
  });

  it('accounts.md §4.3 CLABE: a bank or city unknown to the library does not matter', () => {
    assert.equal(isClabe('999999000000000000'), isCheckedByHand('999999000000000000'));
    assert.equal(isClabe('998998123456789010'), isCheckedByHand('998998123456789010'));
    const valid = Array.from({ length: 10 }, (_, digit) => `99899812345678901${digit}`).filter(isClabe);
    assert.equal(valid.length, 1);
  });
});

/** The rule of accounts.md §4.3, word for word. */
function isCheckedByHand(value: string): boolean {
  let sum = 0;
  for (let at = 0; at < 17; at++) sum += (Number(value[at]) * ([3, 7, 1][at % 3] as number)) % 10;
  return Number(value[17]) === (10 - (sum % 10)) % 10;
}
