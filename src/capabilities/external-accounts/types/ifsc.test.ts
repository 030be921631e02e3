import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeBranches, ifscExists } from '#capabilities/external-accounts/types/ifsc.ts';

describe('IFSC', () => {
  it('accounts.md §4.2 INR_ACCOUNT: branches of digits and of letters are found', () => {
    for (const ifsc of ['SBIN0000001', 'HDFC0000001', 'BARB0AMBALA'])
      assert.equal(ifscExists(ifsc), true, ifsc);
  });

  it('accounts.md §4.2 INR_ACCOUNT: an unknown bank or branch, and another format, are refused', () => {
    for (const ifsc of ['SBIN0999999', 'ZZZZ0000001', 'SBIN1000001', 'sbin0000001', 'SBIN000001', '']) {
      assert.equal(ifscExists(ifsc), false, ifsc);
    }
  });

  it('accounts.md §4.2 INR_ACCOUNT: the table contains exactly its source', () => {
    const branch = fc.oneof(
      fc.nat({ max: 60 }),
      fc.nat({ max: 999_999 }),
      fc.stringMatching(/^[A-Z][A-Z0-9]{5}$/),
    );
    fc.assert(
      fc.property(fc.uniqueArray(branch), fc.array(branch), (listed, others) => {
        const table = encodeBranches({ ABCD: listed });
        for (const branch of [...listed, ...others]) {
          assert.equal(ifscExists(code('ABCD', branch), table), listed.includes(branch), String(branch));
        }
      }),
    );
  });
});

function code(bank: string, branch: string | number): string {
  return `${bank}0${String(branch).padStart(6, '0')}`;
}
