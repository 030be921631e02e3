import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { writeNacha } from '#foundation/bank-formats/nacha-writer.ts';
import { type CreditTransferFile, writePain001 } from '#foundation/bank-formats/pain001.ts';
import { GENERIC_FILE, NACHA_FILE, ONE_TRANSFER, SEPA_FILE } from '#tests/bank-files/files.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';
import { skipWithout } from '#tests/harness/judges.ts';

const JAR = '/usr/share/java/hbci4j-core.jar';
const UNPACK =
  'import sys, zipfile; open(sys.argv[3], "wb").write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
const golden = (name: string) => join(import.meta.dirname, 'golden', name);

describe('files for banks, as others read them', async () => {
  const withoutSchema = await skipWithout('xmllint');
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-judges-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Throws with xmllint's words if one of the files breaks the schema. */
  async function judge(files: readonly Buffer[]): Promise<void> {
    const schema = join(folder, 'pain.001.xsd');
    execFileSync('python3', ['-c', UNPACK, JAR, 'pain.001.001.09.xsd', schema]);
    const names = await Promise.all(
      files.map(async (bytes, index) => {
        const name = join(folder, `${index}.xml`);
        await writeFile(name, bytes);
        return name;
      }),
    );
    execFileSync('xmllint', ['--noout', '--nonet', '--schema', schema, ...names], { stdio: 'pipe' });
  }

  it(
    'bank-files.md §3.2: files of every variant keep the schema of pain.001.001.09',
    { skip: withoutSchema },
    () =>
      judge([SEPA_FILE, { ...SEPA_FILE, variant: 'SEPA_INSTANT' as const }, GENERIC_FILE].map(writePain001)),
  );

  it('bank-files.md §3.3: any text of a name gives a valid file', { skip: withoutSchema }, async () => {
    const text = fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    const variants = fc.constantFrom(SEPA_FILE, GENERIC_FILE);
    const files = fc
      .sample(fc.tuple(variants, text, text, text), 200)
      .map(([file, ...texts]) => named(file, texts));
    await judge(files.map(writePain001));
  });

  it('bank-files.md §3.2: the judge refuses a file that is not right', { skip: withoutSchema }, async () => {
    const wrong = Buffer.from(writePain001(SEPA_FILE).toString().replace('<PmtMtd>TRF', '<PmtMtd>XXX'));
    await assert.rejects(judge([wrong]));
  });

  it('bank-files.md §3.4: a reader of fixed columns reads the same entries', () => {
    const text = execFileSync('python3', [join(import.meta.dirname, 'read_nacha.py')], {
      input: writeNacha(NACHA_FILE),
    });
    const { batches, modifier } = JSON.parse(text.toString());
    assert.equal(modifier, 'A');
    assert.deepEqual(
      batches.map((batch: { class: string }) => batch.class),
      ['PPD', 'CCD'],
    );
    const entry = batches[0].entries[0];
    assert.deepEqual(
      [entry.code, entry.routing, entry.account, entry.amount, entry.name, entry.trace, entry.remittance],
      ['22', '026009593', '123456789', '12550', 'Grace Hopper', '021000020000001', 'Invoice 4711'],
    );
    const other = batches[1].entries[0];
    assert.deepEqual([other.code, other.amount, other.name], ['32', '9999999999', 'Mueller . Soehne Incor']);
  });

  it('bank-files.md §3.4: debits have their own codes, and totals and hash hold for many entries', () => {
    const [first] = NACHA_FILE.entries;
    assert.ok(first);
    const entries = Array.from({ length: 137 }, (_, index) => ({
      ...first,
      ...{
        sequence: 9_999_800 + index,
        amount: BigInt(index) * 70_000_000n + 1n,
        isSavings: index % 3 === 0,
      },
      ...{ isBusiness: index % 2 === 0, routingNumber: index % 5 === 0 ? '121000248' : '026009593' },
    }));
    const input = writeNacha({ ...NACHA_FILE, isDebit: true, entries });
    const read = JSON.parse(
      execFileSync('python3', [join(import.meta.dirname, 'read_nacha.py')], { input }).toString(),
    );
    const codes = read.batches.flatMap((batch: { entries: { code: string }[] }) =>
      batch.entries.map(({ code }) => code),
    );
    assert.equal(codes.length, 137);
    assert.deepEqual([...new Set(codes)].sort(), ['27', '37']);
  });

  it('bank-files.md §3.6: the bytes are those of the golden files', async () => {
    for (const [name, bytes] of [
      ['sepa.xml', writePain001(SEPA_FILE)],
      ['generic.xml', writePain001(GENERIC_FILE)],
      ['payouts.ach', writeNacha(NACHA_FILE)],
    ] as const) {
      assert.equal(bytes.toString(), await readFile(golden(name), 'utf8'), name);
    }
  });
});

function named(
  file: CreditTransferFile,
  [name = '', originator = '', remittance = '']: string[],
): CreditTransferFile {
  const [transfer = ONE_TRANSFER] = file.transfers;
  const beneficiary = { ...transfer.beneficiary, name: `A${name}` };
  return { ...file, transfers: [{ ...transfer, beneficiary, originator: `B${originator}`, remittance }] };
}
