// lane: whole — reads files of very many elements

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CamtFile, readBankFile } from '#foundation/bank-formats/bank-file.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { bankStatement } from '#tests/bank-files/bank-writes.ts';

const EMPTY = bankStatement({
  ...{ id: 'STMT-1', iban: 'DE35370400440532013002', day: '2026-03-02', opening: '0', closing: '0' },
  entries: [],
});
const ENTRY = '<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>';
const read = (entries: string) => readBankFile(Buffer.from(EMPTY.replace('</Stmt>', `${entries}</Stmt>`)));
const refuses = (entries: string, message: RegExp) =>
  assert.throws(
    () => read(entries),
    (error) => error instanceof FileFault && message.test(error.message),
  );

describe('large files of banks', () => {
  const MANY = 1_100_000;
  const kept = {
    'elements outside of entries': () => '<a/>'.repeat(MANY),
    'elements of one entry': () => `<Ntry>${'<a/>'.repeat(MANY)}</Ntry>`,
    'attributes of one element': () =>
      `<a ${Array.from({ length: MANY }, (_, index) => `a${index}=""`).join(' ')}/>`,
  };
  for (const [what, write] of Object.entries(kept))
    it(`bank-files.md §4.1: a file is refused if the memory cannot hold the ${what}`, () =>
      refuses(write(), /too much of it belongs together/));

  it('bank-files.md §4.1: entries that are together more than the memory may hold are read one after the other', () => {
    const file = read(ENTRY.repeat(200_000)) as CamtFile;
    assert.equal(file.statements[0]?.entries.length, 200_000);
  });

  it('bank-files.md §4.1: a file with more than 500,000 entries and details is refused', () => {
    const details = `<NtryDtls>${'<TxDtls/>'.repeat(130_000)}</NtryDtls>`;
    refuses(ENTRY.replace('</Ntry>', `${details}</Ntry>`).repeat(4), /more than 500,000/);
  });
});
