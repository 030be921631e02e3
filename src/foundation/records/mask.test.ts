import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { FIELD_WORDS } from '#foundation/records/field-words.ts';
import { maskBySchema, masked, maskFields } from '#foundation/records/mask.ts';
import { type Masking, maskValue } from '#foundation/records/mask-value.ts';

describe('masking of replies to operators', () => {
  it('operator.md §4.1: shows first letters, domains, last digits, regions and years, and no text', () => {
    const cases: [Masking, unknown, unknown][] = [
      ['name', 'Ada Maria Lovelace', 'A. M. L.'],
      ['name', 'Müller-Čapek', 'M. Č.'],
      ['email', 'ada.lovelace@example.com', 'a…@example.com'],
      ['email', 'not an address', '…'],
      ['uma', '$ada@pay.example', '$a…@pay.example'],
      ['phone', '+4915112345678', '…78'],
      ['phone', '123', '…3'],
      ['number', 'DE89370400440532013000', '…3000'],
      ['number', '1234', '…34'],
      ['birthDate', '1990-12-10', '1990'],
      ['birthDate', 'in spring', undefined],
      [
        'address',
        { line1: '1 Main St', city: 'Bern', postalCode: '3000', state: 'BE', country: 'CH' },
        { country: 'CH', state: 'BE' },
      ],
      ['address', '1 Main St, Bern', undefined],
      ['text', 'Rent of Ada', undefined],
      ['code', 'PENDING', 'PENDING'],
      ['code', 'Ada Lovelace', undefined],
      ['code', 12.5, 12.5],
      ['none', 'Acme', 'Acme'],
      ['name', null, null],
      ['name', ['Ada L', 'Bob'], ['A. L.', 'B.']],
      [
        'currency',
        { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
        { code: 'EUR', symbol: '€', decimals: 2 },
      ],
    ];
    for (const [masking, value, expected] of cases) assert.deepEqual(maskValue(masking, value), expected);
  });

  it('operator.md §4.1: a field without a word is left out, whatever its type', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const item = Type.Object({ id: masked('code', Type.String()), added: Type.Unknown() });
        const shown = maskBySchema(item, { id: 'OK', added: value, unknown: value });
        assert.deepEqual(shown, value === null ? { id: 'OK', added: null } : { id: 'OK' });
      }),
    );
    assert.deepEqual(maskFields({ somethingNew: 'Ada', constructor: 'Ada' }), {});
  });

  it('operator.md §4.1: of a payload no text of a person is left, below any name and at any depth', () => {
    const mark = 'vexlorin';
    const leaf = fc.constantFrom(
      `${mark} smith`,
      `${mark}@${'example.com'}`,
      `Rent for ${mark}`,
      `+49 ${mark} 22`,
      `1 ${mark} street`,
    );
    const name = fc.constantFrom(...Object.keys(FIELD_WORDS), 'unknownField', 'note', 'reference');
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (payload) => {
        const shown = JSON.stringify(maskFields(payload)) ?? '';
        assert.doesNotMatch(shown, new RegExp(mark, 'i'));
      }),
      { numRuns: 500 },
    );
  });

  it('operator.md §4.1: a status is shown in clear, even if its field has the name of a contact', () => {
    const contactVerification = { email: 'PENDING', phone: 'VERIFIED' };
    const customer = { contactVerification, email: 'ada@example.com' };
    assert.deepEqual(maskFields(customer), { contactVerification, email: 'a…@example.com' });
    const text = { contactVerification: { email: 'ada@example.com', phone: '+4915112345678' } };
    assert.deepEqual(maskFields(text), { contactVerification: {} });
  });

  it('operator.md §4.1: no name of a secret has a word that shows anything', () => {
    const secrets = Object.keys(FIELD_WORDS).filter((name) =>
      /secret|password|otp|token(?!Id|UsedAt)|^pan$|cvv|^pin|(?<!has)key$|signature/i.test(name),
    );
    assert.deepEqual(secrets, []);
  });
});
