import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cnpj, cpf } from 'cpf-cnpj-validator';
import fc from 'fast-check';
import {
  buildAbaRoutingNumber,
  buildClabe,
  buildCvu,
  buildIban,
  buildNuban,
  isAbaRoutingNumber,
  isClabe,
  isCvu,
  isIban,
  isNuban,
} from '#foundation/lib/identifiers/account-numbers.ts';
import { isCnpj, isCpf } from '#foundation/lib/identifiers/brazil.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

interface Scheme {
  readonly name: string;
  readonly valid: fc.Arbitrary<string>;
  readonly accepts: (value: string) => boolean;
  /** The positions at which one wrong digit is always noticed; default: all. */
  readonly guarded?: (at: number) => boolean;
}

const BANK_CODE = '058';

const SCHEMES: readonly Scheme[] = [
  {
    name: 'ABA',
    valid: digits(6).map((rest) => buildAbaRoutingNumber(`11${rest}`)),
    accepts: isAbaRoutingNumber,
  },
  { name: 'CLABE', valid: digits(17).map(buildClabe), accepts: isClabe },
  {
    name: 'CVU',
    valid: fc.tuple(digits(7), digits(13)).map(([institution, account]) => buildCvu(institution, account)),
    accepts: isCvu,
  },
  {
    name: 'NUBAN',
    valid: digits(9).map((serial) => buildNuban(BANK_CODE, serial)),
    accepts: (value) => isNuban(value, BANK_CODE),
  },
  {
    name: 'IBAN',
    valid: fc.oneof(
      digits(18).map((bban) => buildIban('DE', bban)),
      digits(14).map((bban) => buildIban('DK', bban)),
      digits(19).map((bban) => buildIban('AE', bban)),
      digits(14).map((bban) => buildIban('GB', `NWBK${bban}`)),
    ),
    accepts: isIban,
  },
  // The two mod-11 digits write ten as zero, so only errors in the check digits themselves are always noticed.
  {
    name: 'CPF',
    valid: digits(9).map(withCpfDigits).filter(isCpf),
    accepts: isCpf,
    guarded: (at) => at >= 9,
  },
  {
    name: 'CNPJ',
    valid: digits(12).map(withCnpjDigits).filter(isCnpj),
    accepts: isCnpj,
    guarded: (at) => at >= 12,
  },
];

describe('check digits', () => {
  for (const scheme of SCHEMES) {
    it(`accounts.md §4.3 ${scheme.name}: a valid value is accepted, and with one digit changed refused`, () => {
      fc.assert(
        fc.property(scheme.valid.chain(withDigitChanged(scheme.guarded)), ({ value, changed }) => {
          assert.equal(scheme.accepts(value), true, value);
          assert.equal(scheme.accepts(changed), false, `${value} → ${changed}`);
        }),
        { numRuns: 300 },
      );
    });

    it(`accounts.md §4.3 ${scheme.name}: a valid value with anything around or inside it is refused`, () => {
      fc.assert(
        fc.property(scheme.valid, fc.constantFrom(' ', '\n', '-', '.', '0', '\u0663'), (value, extra) => {
          assert.equal(scheme.accepts(value + extra), false);
          assert.equal(scheme.accepts(extra + value), false);
          assert.equal(scheme.accepts(value.slice(0, 5) + extra + value.slice(5)), false);
          assert.equal(scheme.accepts(value.slice(0, -1)), false);
        }),
      );
    });

    it(`accounts.md §4.3 ${scheme.name}: arbitrary text is refused without an exception`, () => {
      fc.assert(
        fc.property(fc.string({ unit: CODE_POINT, maxLength: 60 }), (text) => {
          assert.equal(scheme.accepts(text), false);
        }),
      );
    });
  }
});

function digits(count: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count });
}

function withDigitChanged(guarded: (at: number) => boolean = () => true) {
  return (value: string): fc.Arbitrary<{ value: string; changed: string }> => {
    const places = Array.from(value, (_, at) => at).filter(
      (at) => guarded(at) && /[0-9]/.test(value.charAt(at)),
    );
    return fc.tuple(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 })).map(([at, by]) => {
      const digit = (Number(value.charAt(at)) + by) % 10;
      return { value, changed: value.slice(0, at) + digit + value.slice(at + 1) };
    });
  };
}

function withCpfDigits(base: string): string {
  const first = base + cpf.verifierDigit(base);
  return first + cpf.verifierDigit(first);
}

function withCnpjDigits(base: string): string {
  const first = base + cnpj.verifierDigit(base);
  return first + cnpj.verifierDigit(first);
}
