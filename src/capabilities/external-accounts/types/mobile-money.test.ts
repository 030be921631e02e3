import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isMobileMoneyNumber,
  type MobileMoneyCountry,
} from '#capabilities/external-accounts/types/mobile-money.ts';

/** accounts.md §4.2: the dial code, and the allowed numbers of digits after it. */
const PLANS: readonly [country: MobileMoneyCountry, dialCode: string, lengths: number[]][] = [
  ['KE', '+254', [9]],
  ['MW', '+265', [9]],
  ['RW', '+250', [9]],
  ['TZ', '+255', [9]],
  ['UG', '+256', [9]],
  ['ZM', '+260', [9]],
  ['SN', '+221', [9]],
  ['CI', '+225', [10]],
  ['BJ', '+229', [8, 9, 10]],
  ['TG', '+228', [8]],
  ['CM', '+237', [3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ['CG', '+242', [3, 4, 5, 6, 7, 8, 9, 10, 11]],
];

describe('mobile money numbers', () => {
  for (const [country, dialCode, lengths] of PLANS) {
    it(`accounts.md §4.2: a number of ${country} has its dial code and its length`, () => {
      const accepted = Array.from({ length: 16 }, (_, length) => length).filter((length) =>
        isMobileMoneyNumber(dialCode + '7'.repeat(length), country),
      );
      assert.deepEqual(accepted, lengths);
      for (const [other, otherDialCode] of PLANS) {
        if (other === country) continue;
        assert.equal(isMobileMoneyNumber(`${otherDialCode}${'7'.repeat(lengths[0] ?? 0)}`, country), false);
      }
      assert.equal(isMobileMoneyNumber(`${dialCode}${'7'.repeat((lengths[0] ?? 0) - 1)}x`, country), false);
    });
  }
});
