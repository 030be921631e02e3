import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildAbaRoutingNumber,
  isAbaRoutingNumber,
  isUsAccountNumber,
} from '#foundation/lib/identifiers/account-numbers.ts';

describe('US accounts', () => {
  it('accounts.md §4.3 ABA: real routing numbers are accepted, ascending digits are not', () => {
    for (const valid of ['110000000', '021000021', '026009593', '121000248']) {
      assert.equal(isAbaRoutingNumber(valid), true, valid);
    }
    for (const invalid of [
      '123456789',
      '021000022',
      '02100002',
      '0210000210',
      '02100002a',
      ' 21000021',
      '',
    ]) {
      assert.equal(isAbaRoutingNumber(invalid), false, invalid);
    }
  });

  it('accounts.md §4.3 ABA: only first digits 00–12, 21–32, 61–72 and 80 are in use', () => {
    const accepted = Array.from({ length: 100 }, (_, first) => first).filter((first) =>
      isAbaRoutingNumber(buildAbaRoutingNumber(`${String(first).padStart(2, '0')}123456`)),
    );
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    assert.deepEqual(accepted, [...range(0, 12), ...range(21, 32), ...range(61, 72), 80]);
  });

  it('accounts.md §4.2 USD_ACCOUNT: an account number has 4 to 17 digits', () => {
    assert.deepEqual(
      ['123', '1234', '12345678901234567', '123456789012345678', '12a4', '1234 '].map(isUsAccountNumber),
      [false, true, true, false, false, false],
    );
  });
});
