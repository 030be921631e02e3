// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { brCode, crc16, hasValidCrc } from '#foundation/lib/identifiers/brazil.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const KEY = '5f8a6a5e-2b1c-4d6f-9a3e-0c1d2e3f4a5b';

describe('BR Code', () => {
  it('accounts.md §2.4: the checksum is CRC-16/CCITT-FALSE, whose check value is 29B1', () => {
    assert.equal(crc16('123456789'), '29B1');
  });

  it('accounts.md §2.4: a static code for the key, field by field', () => {
    const fields = parse(brCode(KEY, 'Svc FBO Rosa Conceição'));
    assert.deepEqual([...fields.keys()], ['00', '26', '52', '53', '58', '59', '60', '62', '63']);
    assert.deepEqual([...parse(fields.get('26') ?? '').values()], ['br.gov.bcb.pix', KEY]);
    assert.equal(fields.get('53'), '986');
    assert.equal(fields.get('59'), 'Svc FBO Rosa Conceicao');
  });

  it('accounts.md §2.4: any holder name gives a readable code that ends in its checksum', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT, maxLength: 60 }), (name) => {
        const code = brCode(KEY, name);
        const holder = parse(code).get('59') ?? '';
        assert.equal(hasValidCrc(code), true);
        assert.ok(holder.length >= 1 && holder.length <= 25, holder);
        assert.equal(holder, holder.trim());
      }),
    );
  });

  it('accounts.md §2.4: any one changed character is noticed', () => {
    const code = brCode(KEY, 'Svc FBO Rosa');
    fc.assert(
      fc.property(fc.nat({ max: code.length - 1 }), fc.integer({ min: 0x20, max: 0x7e }), (at, character) => {
        fc.pre(code.charCodeAt(at) !== character);
        assert.equal(
          hasValidCrc(code.slice(0, at) + String.fromCharCode(character) + code.slice(at + 1)),
          false,
        );
      }),
    );
  });
});

function parse(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    assert.ok(at + 4 + length <= code.length, 'a field reaches past the end');
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}
