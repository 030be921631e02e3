import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDocumentFields, checkFile, isSuitable, mediaTypeOf } from '#capabilities/documents/rules.ts';
import { DocumentType } from '#capabilities/documents/schemas.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]);
const PDF = Buffer.from('%PDF-1.4');
const NONSENSE = Buffer.from('MZ nonsense');

describe('document rules', () => {
  it("customers.md §5.2: the type comes from the part's Content-Type, else the extension, else the leading bytes", () => {
    const cases: [string, string, Buffer, string | undefined][] = [
      ['application/pdf', 'a.bin', NONSENSE, 'application/pdf'],
      ['image/jpeg', 'a', PDF, 'image/jpeg'],
      ['image/jpg', 'a', PDF, 'image/jpeg'],
      ['image/png', 'a.pdf', PDF, 'image/png'],
      ['application/octet-stream', 'a.PDF', PNG, 'application/pdf'],
      ['text/plain', 'a.b.jpeg', NONSENSE, 'image/jpeg'],
      ['', 'a.jpg', NONSENSE, 'image/jpeg'],
      ['', 'a.png', PDF, 'image/png'],
      ['', '', PDF, 'application/pdf'],
      ['text/plain', '', JPEG, 'image/jpeg'],
      ['application/octet-stream', '', PNG, 'image/png'],
      ['application/octet-stream', 'scan', PNG, 'image/png'],
      ['application/octet-stream', 'scan.', PDF, 'application/pdf'],
      // A specific type or extension takes precedence, even if it is not accepted.
      ['application/octet-stream', 'a.docx', PDF, undefined],
      ['application/octet-stream', 'a.constructor', PDF, undefined],
      ['image/gif', 'a.png', PNG, undefined],
      ['constructor', 'a.png', PNG, undefined],
      ['text/html', '', PDF, undefined],
      ['application/octet-stream', 'pdf', NONSENSE, undefined],
      ['', '', NONSENSE, undefined],
      ['', '', PDF.subarray(0, 4), undefined],
      ['', '', Buffer.alloc(0), undefined],
    ];
    for (const [mediaType, fileName, leading, expected] of cases)
      assert.equal(mediaTypeOf({ mediaType, fileName, leading }), expected, `${mediaType} ${fileName}`);
  });

  it('customers.md §5.2, §9: production checks the leading bytes, the sandbox accepts any content', () => {
    const file = (mediaType: string, leading: Buffer) => ({ mediaType, leading, fileName: 'a', bytes: 10 });
    const fitting: [string, Buffer][] = [
      ['application/pdf', PDF],
      ['image/jpeg', JPEG],
      ['image/png', PNG],
    ];
    for (const [type, leading] of fitting) {
      assert.deepEqual(checkFile(file(type, leading), true), []);
      for (const [other] of fitting.filter(([name]) => name !== type)) {
        assert.equal(checkFile(file(other, leading), true).length, 1, `${type} as ${other}`);
        assert.deepEqual(checkFile(file(other, leading), false), []);
      }
      assert.equal(checkFile(file(type, leading.subarray(0, 2)), true).length, 1);
    }
  });

  it('customers.md §5.2: an empty file, another type and a name that is too long are errors of `file`', () => {
    const base = { mediaType: 'application/pdf', leading: PDF, fileName: 'a.pdf', bytes: 10 };
    for (const bad of [{ bytes: 0 }, { mediaType: 'image/gif' }, { fileName: 'a'.repeat(256) }]) {
      assert.deepEqual(
        checkFile({ ...base, ...bad }, false).map(({ field }) => field),
        ['file'],
      );
    }
  });

  it('customers.md §5.1: the three identity types need number and authority, the others do not', () => {
    for (const documentType of ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'] as const) {
      const fields = (sent: object) =>
        checkDocumentFields({ documentType, ...sent }).map(({ field }) => field);
      assert.deepEqual(fields({}), ['documentNumber', 'issuingAuthority']);
      assert.deepEqual(fields({ documentNumber: '1' }), ['issuingAuthority']);
      assert.deepEqual(fields({ documentNumber: '1', issuingAuthority: 'x' }), []);
    }
    assert.deepEqual(checkDocumentFields({ documentType: 'SELFIE' }), []);
  });

  it('customers.md §5.4: every type suits a person, a business or both', () => {
    const types = (DocumentType as unknown as { enum: DocumentType[] }).enum;
    const fits = (type: (typeof types)[number]) =>
      `${isSuitable(type, 'PERSON') ? 'P' : ''}${isSuitable(type, 'BUSINESS') ? 'B' : ''}`;
    const groups = Map.groupBy(types, fits);
    assert.deepEqual(groups.get('P')?.toSorted(), ['DRIVERS_LICENSE', 'NATIONAL_ID', 'PASSPORT', 'SELFIE']);
    assert.deepEqual(groups.get('PB')?.toSorted(), [
      'BANK_STATEMENT',
      'ELECTRICITY_BILL',
      'OTHER',
      'POWER_OF_ATTORNEY',
      'PROOF_OF_ADDRESS',
      'RENT_OR_LEASE_AGREEMENT',
      'TAX_RETURN',
      'UTILITY_BILL',
    ]);
    assert.equal(groups.get('B')?.length, 14);
    assert.equal(groups.get(''), undefined);
  });
});
