import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasName, writeText } from '#foundation/bank-formats/characters.ts';
import { writePain001 } from '#foundation/bank-formats/pain001.ts';
import { readAmount } from '#foundation/bank-formats/read-amount.ts';
import { needText, readXml } from '#foundation/bank-formats/xml-reader.ts';
import { currencyCodes, decimalAmount, NO_OWN_CURRENCIES } from '#foundation/lib/currencies.ts';
import { GENERIC_FILE, ONE_TRANSFER, SEPA_FILE } from '#tests/bank-files/files.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const ANY_TEXT = fc.oneof(fc.string({ unit: CODE_POINT }), fc.string({ unit: 'grapheme' }), fc.string());

describe('amounts in files', () => {
  const writeAmount = (minor: bigint, currency: string) => decimalAmount(minor, currency, NO_OWN_CURRENCIES);

  it('bank-files.md §3.7: amounts that are written read back equal, in every currency', () => {
    const amount = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n });
    fc.assert(
      fc.property(amount, fc.constantFrom(...currencyCodes()), (minor, currency) => {
        assert.equal(readAmount(writeAmount(minor, currency), currency), minor);
      }),
      { numRuns: 2_000 },
    );
  });

  it('bank-files.md §3.7: the point is moved in text, and a part of the smallest unit is refused', () => {
    assert.equal(writeAmount(5n, 'EUR'), '0.05');
    assert.equal(writeAmount(5n, 'JPY'), '5');
    assert.equal(writeAmount(9_007_199_254_740_991n, 'KWD'), '9007199254740.991');
    assert.equal(readAmount('1.50000', 'EUR'), 150n);
    assert.equal(readAmount('.5', 'EUR'), 50n);
    for (const wrong of ['1.501', '', '.', '1,50', '-1', '1e2', '0x10', '1 000']) {
      assert.equal(readAmount(wrong, 'EUR'), undefined, wrong);
    }
    assert.equal(readAmount('1', 'XYZ'), undefined);
  });
});

describe('characters in files', () => {
  it('bank-files.md §3.3: only basic characters are left of any text', () => {
    fc.assert(
      fc.property(ANY_TEXT, fc.integer({ min: 1, max: 140 }), (text, max) => {
        const written = writeText(text, 'basic', max);
        assert.match(written, /^[a-zA-Z0-9/\-?:().,'+ ]*$/);
        assert.doesNotMatch(written, /^\/|\/$|\/\//);
        assert.ok(written.length <= max);
        assert.equal(writeText(written, 'basic', max), written);
      }),
      { numRuns: 1_000 },
    );
  });

  it('bank-files.md §3.3: letters with marks become plain ones, anything else a dot', () => {
    const basic = (text: string) => writeText(text, 'basic', 70);
    assert.equal(basic('Jürgen Weiß & Søren Ångström'), 'Juergen Weiss . Soren Angstroem');
    assert.equal(basic('//Café // René/'), 'Cafe / Rene');
    assert.equal(basic('株式'), '..');
    assert.equal(writeText('株式 & Café', 'utf8', 70), '株式 & Café');
    assert.equal(hasName(basic('株式')), false);
    assert.equal(hasName(basic('Zoë')), true);
  });
});

describe('pain.001', () => {
  it('bank-files.md §3.6: any name gives the same well-formed file twice, with the name as a value', () => {
    fc.assert(
      fc.property(ANY_TEXT, ANY_TEXT, (name, remittance) => {
        const beneficiary = { ...ONE_TRANSFER.beneficiary, name: `A${name}` };
        const file = { ...GENERIC_FILE, transfers: [{ ...ONE_TRANSFER, beneficiary, remittance }] };
        const bytes = writePain001(file);
        assert.deepEqual(bytes, writePain001(file));
        const { root } = readXml(bytes, { pieces: new Set(), onPiece() {} });
        const transfer = ['CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf'];
        assert.equal(needText(root, ...transfer, 'Cdtr', 'Nm'), writeText(`A${name}`, 'utf8', 140).trim());
      }),
      { numRuns: 500 },
    );
  });

  it('bank-files.md §3.2: the sums are exact, and names and remittance have the lengths of SEPA', () => {
    const transfers = Array.from({ length: 5_000 }, (_, index) => ({
      ...ONE_TRANSFER,
      endToEndId: index.toString(16).padStart(32, '0'),
      amount: 999_999_999_99n,
      beneficiary: { ...ONE_TRANSFER.beneficiary, name: 'N'.repeat(200) },
      remittance: 'R'.repeat(500),
    }));
    const { root } = readXml(writePain001({ ...SEPA_FILE, transfers }), { pieces: new Set(), onPiece() {} });
    const message = ['CstmrCdtTrfInitn'];
    for (const header of [
      [...message, 'GrpHdr'],
      [...message, 'PmtInf'],
    ]) {
      assert.equal(needText(root, ...header, 'NbOfTxs'), '5000');
      assert.equal(needText(root, ...header, 'CtrlSum'), '4999999999950.00');
    }
    const transfer = [...message, 'PmtInf', 'CdtTrfTxInf'];
    assert.equal(needText(root, ...transfer, 'Cdtr', 'Nm').length, 70);
    assert.equal(needText(root, ...transfer, 'RmtInf', 'Ustrd').length, 140);
  });
});
