import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BankFile, type CamtFile, readBankFile } from '#foundation/bank-formats/bank-file.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { bankStatement, bankStatus, nachaReturns } from '#tests/bank-files/bank-writes.ts';

const IBAN = 'DE35370400440532013002';
const STATEMENT = {
  ...{ id: 'STMT-1', iban: IBAN, day: '2026-03-02', opening: '100000', closing: '-2550' },
  entries: [
    {
      ...{ amount: '2000', side: 'CRDT' as const, reference: 'REF-1' },
      details: [
        {
          endToEndId: 'NOTPROVIDED',
          name: 'Grace & Søn',
          iban: 'DE89370400440532013000',
          remittance: 'SVC-1',
        },
      ],
    },
    {
      ...{
        amount: '104550',
        side: 'DBIT' as const,
        reference: 'REF-2',
        batch: { paymentInformationId: 'PMT-1' },
      },
      details: [
        { amount: '100000', reference: 'D-1', endToEndId: 'E-1' },
        { amount: '4550', reference: 'D-2', endToEndId: 'E-2' },
      ],
    },
    { amount: '77', side: 'DBIT' as const, status: 'PDNG' },
  ],
};

const read = (text: string): BankFile => readBankFile(Buffer.from(text));

function fault(bytes: string | Uint8Array): FileFault {
  try {
    readBankFile(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  } catch (error) {
    assert.ok(error instanceof FileFault, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the file was taken' });
}

describe('files of banks', () => {
  for (const version of ['02', '04', '08', '12']) {
    it(`bank-files.md §4.2: camt.053 ${version} is read with its balances, entries and details`, () => {
      const file = read(bankStatement({ ...STATEMENT, version })) as CamtFile;
      assert.deepEqual([file.kind, file.message, file.statements.length], ['CAMT', 'camt.053', 1]);
      const [statement] = file.statements;
      assert.ok(statement);
      assert.deepEqual([statement.id, statement.account.iban, statement.currency], ['STMT-1', IBAN, 'EUR']);
      assert.deepEqual(
        statement.balances.map(({ type, amount, day }) => [type, amount, day]),
        [
          ['OPBD', 100_000n, '2026-03-02'],
          ['CLBD', -2_550n, '2026-03-02'],
        ],
      );
      const [credit, batch, pending] = statement.entries;
      assert.deepEqual([credit?.side, credit?.amount, credit?.reference], ['CREDIT', 2_000n, 'REF-1']);
      const [payer] = credit?.details ?? [];
      assert.deepEqual(payer?.debtor, { name: 'Grace & Søn', account: 'DE89370400440532013000' });
      assert.deepEqual([payer?.remittance, payer?.endToEndId], ['SVC-1', undefined]);
      assert.equal(batch?.paymentInformationId, 'PMT-1');
      assert.deepEqual(
        batch?.details.map(({ endToEndId, amount, reference }) => [endToEndId, amount, reference]),
        [
          ['E-1', 100_000n, 'D-1'],
          ['E-2', 4_550n, 'D-2'],
        ],
      );
      assert.deepEqual([pending?.isBooked, credit?.isBooked], [false, true]);
    });
  }

  it('bank-files.md §4.2: camt.052 and camt.054 are read as such', () => {
    for (const message of ['052', '054'] as const) {
      const file = read(bankStatement({ ...STATEMENT, message })) as CamtFile;
      assert.equal(file.message, `camt.${message}`);
      assert.equal(file.statements[0]?.entries.length, 3);
    }
  });

  it('bank-files.md §4.2: UTF-16 and ISO-8859-1 give the same as UTF-8', () => {
    const text = bankStatement(STATEMENT);
    const expected = read(text);
    const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    assert.deepEqual(readBankFile(latin), expected);
    const wide = Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    assert.deepEqual(readBankFile(wide), expected);
    assert.deepEqual(readBankFile(Buffer.from(wide).swap16()), expected);
    assert.deepEqual(readBankFile(Buffer.from(`\ufeff${text}`)), expected);
    assert.deepEqual(
      read(text.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1x:').replace('xmlns=', 'xmlns:x=')),
      expected,
    );
    assert.match(fault(text.replace('UTF-8', 'windows-1252')).message, /written in windows-1252/);
    assert.match(
      fault(latin.map((byte, at) => (at > 30 && at < 43 ? 32 : byte))).message,
      /UTF-8|well-formed/,
    );
  });

  it('bank-files.md §4.2: a file that is cut anywhere is refused', () => {
    const bytes = Buffer.from(bankStatement({ ...STATEMENT, entries: STATEMENT.entries.slice(0, 1) }));
    for (let length = 0; length < bytes.length; length++) fault(bytes.subarray(0, length));
    const ach = nachaReturns([{ trace: '021000020000001', amount: '12550', code: 'R01' }]);
    for (let length = 0; length < ach.lastIndexOf('\n9000') + 94; length++) fault(ach.slice(0, length));
  });

  it('bank-files.md §4.1: a DOCTYPE, entities, junk behind the end and other messages are refused', () => {
    const text = bankStatement(STATEMENT);
    const doctype = text.replace('\n', '\n<!DOCTYPE Document [<!ENTITY e SYSTEM "file:///etc/passwd">]>');
    assert.deepEqual([fault(doctype).message, fault(doctype).line], ['it has a DOCTYPE', 2]);
    assert.match(fault(text.replace('SVC-1', '&e;')).message, /not well-formed/);
    assert.match(fault(`${text}<x/>`).message, /not well-formed/);
    assert.match(fault(text.replace('</Document>', '')).message, /not well-formed/);
    assert.match(fault('<Document xmlns="urn:x"><Other/></Document>').message, /message Other is not read/);
    assert.match(fault(Buffer.alloc(64 * 1024 * 1024 + 1)).message, /64 MiB/);
    assert.match(fault('<a>'.repeat(5_000)).message, /too deep/);
  });

  it('bank-files.md §4.2: a file that lacks a needed element is refused with its line', () => {
    const text = bankStatement(STATEMENT);
    assert.deepEqual(
      [fault(text.replace('<Id>STMT-1</Id>', '')).message, fault(text.replace('<Id>STMT-1</Id>', '')).line],
      ['Stmt has no Id', 2],
    );
    assert.match(fault(text.replace('>20.00<', '>20.001<')).message, /cannot be read exactly/);
    assert.match(fault(text.replace('Ccy="EUR">20.00', 'Ccy="QQQ">20.00')).message, /cannot be read exactly/);
    assert.match(fault(text.replace('CRDT', 'CREDIT')).message, /neither CRDT nor DBIT/);
    assert.match(fault(text.replace('<Dt>2026-03-02</Dt>', '<Dt>02.03.2026</Dt>')).message, /no day/);
  });

  it('bank-files.md §4.2: pain.002 is read with the status of file, payment and transfers', () => {
    for (const version of ['03', '10', '14']) {
      const file = read(
        bankStatus({
          ...{ messageId: 'M-1', file: ['PART'], payment: ['P-1', 'PART'], version },
          transfers: [
            ['E-1', 'RJCT', 'AC04'],
            ['E-2', 'ACSC'],
          ],
        }),
      );
      assert.ok(file.kind === 'STATUS');
      assert.deepEqual(
        [file.messageId, file.file.status, file.payments],
        ['M-1', 'PART', [{ id: 'P-1', status: 'PART', reason: undefined, isDuplicate: false }]],
      );
      assert.deepEqual(
        file.transfers.map(({ endToEndId, status, reason }) => [endToEndId, status, reason]),
        [
          ['E-1', 'RJCT', 'AC04'],
          ['E-2', 'ACSC', undefined],
        ],
      );
    }
    assert.match(
      fault(bankStatus({ messageId: 'M' }).replace('<OrgnlMsgId>M</OrgnlMsgId>', '')).message,
      /OrgnlMsgId/,
    );
  });

  it('bank-files.md §4.5: returns and notifications of change are read by trace number and amount', () => {
    const text = nachaReturns([
      { trace: '021000020000001', amount: '12550', code: 'R01' },
      { trace: '021000020000002', amount: '99', code: 'C01' },
      { trace: '021000020000003', amount: '7', code: 'R29', debit: true },
    ]);
    const file = read(text);
    assert.ok(file.kind === 'NACHA');
    assert.deepEqual(
      file.notices.map(({ kind, code, trace, amount }) => [kind, code, trace, amount]),
      [
        ['RETURN', 'R01', '021000020000001', 12_550n],
        ['CHANGE', 'C01', '021000020000002', 0n],
        ['RETURN', 'R29', '021000020000003', 7n],
      ],
    );
    assert.deepEqual(read(text.replaceAll('\n', '')), file);
    assert.match(fault(text.replaceAll('\n', '').slice(0, -1)).message, /a line has \d+ characters/);
    assert.match(fault(text.replace('0000012550', '0000012551')).message, /totals/);
    assert.match(fault(text.replace('799R01', '705R01')).message, /neither returns/);
  });
});
