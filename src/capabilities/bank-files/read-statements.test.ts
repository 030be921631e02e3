import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statementOf } from '#capabilities/bank-files/read-statements.ts';
import { readBankFile } from '#foundation/bank-formats/bank-file.ts';
import { bankStatement } from '#tests/bank-files/bank-writes.ts';
import { BANK_IBAN, SEPA_PROFILE } from '#tests/given/bank-files.ts';

const [ACCOUNT] = SEPA_PROFILE.settlementAccounts;

type Change = (text: string) => string;

/** Returns the first and last day of a statement with balances at these moments, and one line of this day, or none. */
function daysOf(
  opening: string,
  closing: string,
  bookedOn: string | undefined,
  change: Change = (text) => text,
): [string, string] {
  const entries = bookedOn === undefined ? [] : [{ amount: '50', side: 'CRDT', reference: 'B-1' } as const];
  const given = { id: 'S-1', iban: BANK_IBAN, day: bookedOn ?? '2026-07-01', opening: '100' };
  const text = bankStatement({ ...given, closing: bookedOn === undefined ? '100' : '150', entries });
  const [beforeOpening = '', afterOpening = '', afterClosing = '', ...rest] = text.split(
    /<Dt><Dt>[0-9-]+<\/Dt><\/Dt>(?=<\/Bal>)/,
  );
  assert.deepEqual(rest, []);
  const changed = change(
    `${beforeOpening}<Dt>${opening}</Dt>${afterOpening}<Dt>${closing}</Dt>${afterClosing}`,
  );
  const file = readBankFile(Buffer.from(changed));
  assert.ok(file.kind === 'CAMT' && file.statements[0] && ACCOUNT);
  const { from, to } = statementOf(file.statements[0], ACCOUNT);
  return [from, to];
}

describe('the days of a statement', () => {
  const day = (text: string) => `<Dt>${text}</Dt>`;
  const moment = (text: string) => `<DtTm>${text}</DtTm>`;

  it('bank-files.md §4.2: a closing balance at the midnight after the last entry is that of the day before', () => {
    const midnights = ['T00:00:00+02:00', 'T00:00:00.000000000', 'T00:00:00Z', 'T00:00:00'];
    for (const at of midnights) {
      const days = daysOf(moment(`2026-06-01${at}`), moment(`2026-07-01${at}`), '2026-06-28');
      assert.deepEqual(days, ['2026-06-01', '2026-06-30'], at);
    }
    const oneDay = daysOf(moment('2026-06-30T00:00:00'), moment('2026-07-01T00:00:00'), '2026-06-30');
    assert.deepEqual(oneDay, ['2026-06-30', '2026-06-30']);
  });

  it('bank-files.md §4.2: a day written as midnight is that day if something is booked on it, or the statement begins on it', () => {
    const booked = daysOf(moment('2026-07-01T00:00:00'), moment('2026-07-02T00:00:00'), '2026-07-02');
    assert.deepEqual(booked, ['2026-07-01', '2026-07-02']);
    const same = daysOf(moment('2026-07-01T00:00:00'), moment('2026-07-01T00:00:00'), '2026-07-01');
    assert.deepEqual(same, ['2026-07-01', '2026-07-01']);
    const evening = daysOf(moment('2026-07-01T00:00:00'), moment('2026-07-02T23:59:59.9'), '2026-07-01');
    assert.deepEqual(evening, ['2026-07-01', '2026-07-02']);
    const days = daysOf(day('2026-07-01'), day('2026-07-02'), '2026-07-01');
    assert.deepEqual(days, ['2026-07-01', '2026-07-02']);
  });

  it('bank-files.md §4.2: the day stays if nothing is booked, the opening is of the day before, or the period says the day', () => {
    const [opening, closing] = [moment('2026-07-01T00:00:00'), moment('2026-07-02T00:00:00')];
    assert.deepEqual(daysOf(opening, closing, undefined)[1], '2026-07-02');
    const before = daysOf(opening, closing, '2026-07-01', (text) => text.replace('OPBD', 'PRCD'));
    assert.deepEqual(before[1], '2026-07-02');
    const within = (to: string) => (text: string) =>
      text.replace(
        /(?=<Acct>)/,
        `<FrToDt><FrDtTm>2026-07-01T00:00:00</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`,
      );
    assert.deepEqual(daysOf(opening, closing, '2026-07-01', within('2026-07-02T23:59:59'))[1], '2026-07-02');
    assert.deepEqual(daysOf(opening, closing, '2026-07-01', within('2026-07-02T00:00:00'))[1], '2026-07-01');
    assert.deepEqual(daysOf(opening, closing, '2026-07-01', within('2026-07-01T23:59:59'))[1], '2026-07-01');
  });
});
