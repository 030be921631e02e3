import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readBankFile } from '#foundation/bank-formats/bank-file.ts';
import { skipWithout } from '#tests/harness/judges.ts';

/** Where Debian installs them; they are not ours to pass on. */
const FOLDER = '/usr/lib/python3/dist-packages/trytond/modules/account_payment_sepa/tests';

describe('example messages that others publish', async () => {
  const withoutSamples = await skipWithout('samples');
  const read = async (version: string) =>
    readBankFile(await readFile(`${FOLDER}/camt.054.001.${version}.xml`));

  for (const [version, detailAmount] of [
    ['02', undefined],
    ['03', 10_567_850n],
    // The published example says so.
    ['04', 0n],
  ] as const) {
    it(`bank-files.md §4.2: the example of camt.054.001.${version} is read to its last element`, {
      skip: withoutSamples,
    }, async () => {
      const file = await read(version);
      assert.ok(file.kind === 'CAMT');
      const [statement, ...others] = file.statements;
      assert.deepEqual([file.message, statement?.id, others], ['camt.054', 'AAAASESS-FP-CN-98765', []]);
      assert.equal(statement?.account.number, '50000000054910000003');
      const [entry, ...more] = statement?.entries ?? [];
      const { side, amount, currency, reference, isBooked, bookedOn, details } = entry ?? assert.fail();
      assert.deepEqual(more, []);
      assert.deepEqual(
        [side, amount, currency, reference, isBooked, bookedOn],
        ['CREDIT', 10_567_850n, 'SEK', 'AAAASESS-FP-CN-98765/01', true, '2010-10-18'],
      );
      assert.deepEqual(
        details.map((detail) => [detail.endToEndId, detail.amount, detail.debtor?.name]),
        [['MUELL/FINP/RA12345', detailAmount, 'MUELLER']],
      );
    });
  }

  it(
    'bank-files.md §4.2: the example of camt.054.001.01, which has another root, is refused whole',
    { skip: withoutSamples },
    () => assert.rejects(read('01'), /BkToCstmrDbtCdtNtfctnV01 is not read/),
  );
});
