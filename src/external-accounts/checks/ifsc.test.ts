import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ifscExists } from '#external-accounts/checks/ifsc.ts';

describe('IFSC', () => {
  it('§4.2 INR_ACCOUNT: branches of digits and of letters are found', () => {
    for (const ifsc of ['SBIN0000001', 'HDFC0000001', 'BARB0AMBALA'])
      assert.equal(ifscExists(ifsc), true, ifsc);
  });

  it('§4.2 INR_ACCOUNT: an unknown bank or branch, and another form, are refused', () => {
    for (const ifsc of ['SBIN0999999', 'ZZZZ0000001', 'SBIN1000001', 'sbin0000001', 'SBIN000001', '']) {
      assert.equal(ifscExists(ifsc), false, ifsc);
    }
  });

  it("§4.2 INR_ACCOUNT: the verdict is the package's own", () => {
    const require = createRequire(import.meta.url);
    const { validate }: { validate(ifsc: string): boolean } = require('ifsc');
    const table: Record<string, (string | number)[]> = require('ifsc/src/IFSC.json');
    const known = fc
      .constantFrom(...Object.keys(table))
      .chain((bank) => fc.constantFrom(...(table[bank] ?? [])).map((branch) => code(bank, branch)));
    const near = fc
      .tuple(fc.constantFrom(...Object.keys(table)), fc.nat({ max: 999_999 }))
      .map(([bank, branch]) => code(bank, branch));
    fc.assert(
      fc.property(fc.oneof(known, near, fc.string()), (ifsc) => {
        assert.equal(ifscExists(ifsc), validate(ifsc) && ifsc === ifsc.toUpperCase(), ifsc);
      }),
      { numRuns: 500 },
    );
  });
});

function code(bank: string, branch: string | number): string {
  return `${bank}0${String(branch).padStart(6, '0')}`;
}
