import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNuban } from '#foundation/lib/identifiers/account-numbers.ts';

describe('NUBAN', () => {
  it('accounts.md §4.3 NUBAN: the check digit covers bank code and serial number together', () => {
    // 0·3+1·7+1·3 + 0·3+0·7+0·3+0·3+1·7+4·3+5·3+7·7+9·3 = 120
    assert.equal(isNuban('0000145790', '011'), true);
    assert.equal(isNuban('0000145790', '058'), false);
  });

  it('accounts.md §4.3 NUBAN: without a three-digit bank code the digit is not checked', () => {
    for (const bankCode of [undefined, '', '50515', '0a1']) {
      assert.equal(isNuban('0000145791', bankCode), true, String(bankCode));
      assert.equal(isNuban('000014579', bankCode), false, String(bankCode));
    }
  });
});
