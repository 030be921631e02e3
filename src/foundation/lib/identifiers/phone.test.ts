import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { isPhoneOfCountry } from '#foundation/lib/identifiers/phone.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const COUNTRIES = ['BD', 'BW', 'CN', 'CO', 'EG', 'GH', 'HT', 'PK', 'SV'] as const;

describe('phone numbers', () => {
  for (const country of COUNTRIES) {
    it(`accounts.md §4.1 PH✓: a mobile number of ${country} is one of ${country} and of no other`, () => {
      const phone = getExampleNumber(country, examples)?.number ?? '';
      const accepting = [...COUNTRIES, 'US'].filter((other) => isPhoneOfCountry(phone, other));
      assert.deepEqual(accepting, [country], phone);
    });
  }

  it('accounts.md §4.1 PH✓: a number of the right length outside the plan is refused', () => {
    assert.equal(isPhoneOfCountry('+8801712345678', 'BD'), true);
    assert.equal(isPhoneOfCountry('+8800012345678', 'BD'), false);
  });

  it('accounts.md §4.1 PH: plus and digits, nothing else', () => {
    for (const phone of [
      '8801712345678',
      '+880 1712345678',
      '+8801712345678;ext=1',
      ' +8801712345678',
      '+',
    ]) {
      assert.equal(isPhoneOfCountry(phone, 'BD'), false, phone);
    }
  });

  it('accounts.md §4.1 PH✓: arbitrary text never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: CODE_POINT }), fc.stringMatching(/^\+[0-9]{6,14}$/)),
        (phone) => {
          assert.equal(typeof isPhoneOfCountry(phone, 'CO'), 'boolean');
        },
      ),
    );
  });
});
