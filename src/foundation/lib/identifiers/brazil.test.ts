import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isBrazilTaxId,
  isPixKey,
  PIX_KEY_TYPES,
  type PixKeyType,
} from '#foundation/lib/identifiers/brazil.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const CPF = '52998224725';
const CNPJ = '11222333000181';
const UUID = '5f8a6a5e-2b1c-4d6f-9a3e-0c1d2e3f4a5b';

const KEYS: Readonly<Record<PixKeyType, { accepted: string[]; refused: string[] }>> = {
  CPF: {
    accepted: [CPF],
    refused: ['52998224726', '529.982.247-25', '11111111111', '12345678909', CNPJ, ''],
  },
  CNPJ: { accepted: [CNPJ], refused: ['11222333000182', '11.222.333/0001-81', '00000000000000', CPF] },
  EMAIL: {
    accepted: ['rosa.004@mail.example', `${'a'.repeat(64)}@mail.example`],
    refused: [
      'rosa',
      'rosa@',
      '@mail.example',
      'rosa@mail',
      'a@b@c.example',
      'a b@c.example',
      'a@c..example',
    ],
  },
  PHONE: {
    accepted: ['+5511987654321', '+551133334444'],
    refused: ['5511987654321', '+55119876543210', '+55113333444', '+1 2025550123', '+351912345678'],
  },
  RANDOM: {
    accepted: [UUID, UUID.toUpperCase(), UUID.replaceAll('-', '')],
    refused: [UUID.slice(1), UUID.replace('-', ''), `${UUID}0`, `{${UUID}}`, UUID.replace('5', 'g')],
  },
};

describe('Brazilian identifiers', () => {
  for (const type of PIX_KEY_TYPES) {
    it(`accounts.md §4.3 PIX key: the form of ${type}`, () => {
      for (const key of KEYS[type].accepted) assert.equal(isPixKey(type, key), true, key);
      for (const key of KEYS[type].refused) assert.equal(isPixKey(type, key), false, key);
    });
  }

  it('accounts.md §4.3 PIX key: an email has at most 77 characters', () => {
    assert.equal(isPixKey('EMAIL', `${'a'.repeat(64)}@${'b'.repeat(4)}.example`), true);
    assert.equal(isPixKey('EMAIL', `${'a'.repeat(64)}@${'b'.repeat(5)}.example`), false);
  });

  it('accounts.md §4.3 CPF / CNPJ: a tax id is either, in exactly 11 or 14 digits', () => {
    assert.equal(isBrazilTaxId(CPF), true);
    assert.equal(isBrazilTaxId(CNPJ), true);
    for (const value of ['', '529982247250', `0${CNPJ}`, '12ABC34501DE35', ...'0123456789'].map(repeated)) {
      assert.equal(isBrazilTaxId(value), false, value);
    }
  });

  it('accounts.md §4.3 PIX key: arbitrary text never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PIX_KEY_TYPES),
        fc.string({ unit: CODE_POINT, maxLength: 90 }),
        (type, key) => {
          assert.equal(typeof isPixKey(type, key), 'boolean');
        },
      ),
    );
  });
});

/** Expands a single digit to a CPF that consists of it. */
function repeated(value: string): string {
  return value.length === 1 ? value.repeat(11) : value;
}
