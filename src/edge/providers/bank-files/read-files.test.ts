// lane: whole — files of a bank, with the database and folders behind them

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { findBatch, findBatchByFileId } from '#capabilities/bank-files/batch-store.ts';
import { nextDay } from '#capabilities/bank-files/calendar.ts';
import { adoptFiles, closeQuarantined, resendFile, setProfile } from '#capabilities/bank-files/registry.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { callFiles } from '#edge/providers/bank-files/files-connector.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import { listUnknownCopies } from '#edge/providers/bank-files/write-batches.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type BankEntry, bankStatement, bankStatus, nachaReturns } from '#tests/bank-files/bank-writes.ts';
import {
  BANK_IBAN,
  type FileBank,
  type FileOrders,
  givenFileOrders,
  lonelyBank,
  SEPA_PROFILE,
} from '#tests/given/bank-files.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

const DAY = 24 * 60 * 60;
const NACHA_PROFILE = {
  settlementAccounts: [
    {
      ...{ id: 'usd', name: 'Corridor Inc', currency: 'USD', zone: 'America/New_York', statements: false },
      ...{ number: '000123456', routingNumber: '021000021' },
      nacha: {
        ...{ destination: '021000021', destinationName: 'FIRST BANK', origin: '1234567890' },
        ...{ originName: 'CORRIDOR', companyName: 'CORRIDOR', companyId: '1234567890' },
        ...{ description: 'PAYOUT', odfi: '02100002' },
      },
    },
  ],
  rails: [
    {
      ...{ rail: 'ACH', currency: 'USD', kinds: ['PAYOUT', 'COLLECTION'], format: 'NACHA' },
      ...{ settlementAccounts: ['usd'], cutOffs: ['16:00'], settleAfterBankingDays: 2 },
    },
  ],
};
const ACH = {
  ...{ currency: 'USD', rail: 'ACH', settlementAccount: 'usd' },
  beneficiary: {
    ...{ name: 'Grace Hopper', accountType: 'USD_ACCOUNT' },
    fields: { accountNumber: '123456789', routingNumber: '026009593' },
  },
};

describe('the files connector', () => {
  const world = testWorld();
  let bank: FileBank;
  let orders: FileOrders;
  const given = async (profile: unknown = SEPA_PROFILE) => {
    bank = await lonelyBank(world, profile);
    orders = await givenFileOrders(world, bank);
  };
  beforeEach(() => given());
  const plain = (reference: string) => reference.replaceAll('-', '');
  const day = () => new Date(world.clock.now()).toISOString().slice(0, 10);
  const types = async () => (await orders.events()).map(({ type }) => type);
  const statement = (id: string, more: Partial<Parameters<typeof bankStatement>[0]>) =>
    bankStatement({ id, iban: BANK_IBAN, day: day(), entries: [], ...more });
  const RECEIPT = {
    ...{ amount: '5000', side: 'CRDT' as const },
    details: [{ name: 'Grace Hopper', iban: 'DE89370400440532013000', remittance: 'SVC-7K2MQ4XA' }],
  };

  it('bank-files.md §1.1: it answers the calls of the protocol, and the same order again has no effect', async () => {
    const reference = await orders.payout(12_550n);
    assert.equal(await orders.stateOf(reference), 'RECEIVED');
    const [event] = await orders.events();
    assert.deepEqual([event?.type, event?.state, event?.amount], ['ORDER', 'RECEIVED', '12550']);
    const body = { kind: 'PAYOUT' };
    const wrong = await orders.put(reference, body);
    assert.deepEqual([wrong.kind, wrong.kind === 'refusal' && wrong.status], ['refusal', 400]);
    const unknown = await callFiles(world.app.runtime, orders.connectorId, 'listEvents', {
      query: { after: '99' },
    });
    assert.equal(unknown.kind === 'refusal' && unknown.status, 410);
  });

  it('bank-files.md §2.3: an order can be cancelled until its batch is sealed, and an unknown one leaves a mark', async () => {
    const reference = await orders.payout(100n);
    assert.equal(await orders.cancel(reference), 'CANCELLED');
    const later = newUuid() as string;
    assert.equal(await orders.cancel(later), 'CANCELLED');
    const kept = await orders.payout(200n);
    await bank.later(DAY, 1);
    assert.equal(await orders.cancel(kept), 'SENT');
    const [file] = await bank.collect();
    assert.equal(file?.text.includes(plain(reference)), false);
    assert.equal(await orders.stateOf(kept), 'SENT');
  });

  it('bank-files.md §3.3: a name that no bank can compare fails its order before it is in a batch', async () => {
    const beneficiary = {
      name: '株式会社',
      accountType: 'EUR_ACCOUNT',
      fields: { iban: 'DE89370400440532013000' },
    };
    const reference = await orders.payout(100n, { beneficiary });
    assert.equal(await orders.stateOf(reference), 'FAILED');
    await bank.later(DAY, 1);
    assert.deepEqual(await bank.collect(), []);
  });

  it('bank-files.md §1.3: everything that is wrong with a profile is named, and the old one stays', async () => {
    const wrong = {
      settlementAccounts: [{ ...SEPA_PROFILE.settlementAccounts[0], iban: 'DE00' }],
      rails: [{ ...SEPA_PROFILE.rails[1], currency: 'USD', cutOffs: [] }],
    };
    const about = { name: bank.name, reason: 'test' };
    await assert.rejects(
      onInstallation(world, (tx) => setProfile(tx, { ...about, profile: wrong })),
      (error: { details?: { errors?: { field: string }[] } }) => {
        const fields = error.details?.errors?.map(({ field }) => field) ?? [];
        for (const field of ['settlementAccounts.0.iban', 'rails.0.currency', 'rails.0.cutOffs']) {
          assert.ok(fields.includes(`profile.${field}`), fields.join());
        }
        return true;
      },
    );
    const silent = {
      ...NACHA_PROFILE,
      rails: [{ ...NACHA_PROFILE.rails[0], settleAfterBankingDays: undefined }],
    };
    await assert.rejects(onInstallation(world, (tx) => setProfile(tx, { ...about, profile: silent })));
    await orders.payout(100n);
  });

  it('bank-files.md §3.5: a profile with SEPA direct debits is refused', async () => {
    const rails = [{ ...SEPA_PROFILE.rails[1], kinds: ['COLLECTION'] }];
    const change = { name: bank.name, reason: 'test', profile: { ...SEPA_PROFILE, rails } };
    await assert.rejects(
      onInstallation(world, (tx) => setProfile(tx, change)),
      (error: { details?: { errors?: { field: string; message: string }[] } }) => {
        const [fault] = error.details?.errors ?? [];
        assert.deepEqual(fault, {
          field: 'profile.rails.0.kinds',
          message: 'must not have COLLECTION: only NACHA files collect',
        });
        return true;
      },
    );
  });

  it('bank-files.md §4.3: a receipt is credited once, from the one message that the profile names', async () => {
    const receipt = { ...RECEIPT, reference: 'R-1' };
    await bank.deliver('a.xml', statement('N-1', { message: '054', entries: [receipt] }));
    await bank.later(0, 1);
    assert.deepEqual(await types(), []);
    const text = statement('S-1', { opening: '0', closing: '5000', entries: [receipt] });
    await bank.deliver('b.xml', text);
    await bank.later(0, 1);
    assert.deepEqual(await types(), ['CREDIT', 'STATEMENT']);
    await bank.deliver('c.xml', text);
    await bank.later(0, 1);
    await bank.deliver('d.xml', `${text}\n`);
    await bank.later(0, 1);
    assert.deepEqual(await types(), ['CREDIT', 'STATEMENT']);
    const [credit] = await orders.events();
    assert.deepEqual(
      [credit?.creditId, credit?.amount, credit?.remittance, credit?.settlementAccount],
      ['main:R-1', '5000', 'SVC-7K2MQ4XA', 'main'],
    );
    await bank.deliver('e.xml', statement('R-9', { message: '052', entries: [receipt] }));
    await bank.later(0, 1);
    assert.match(bank.alarms.join(), /camt\.052 is an intraday report: ask the bank for camt\.053/);
    assert.deepEqual(await bank.names('inbox'), []);
    assert.equal((await bank.names('quarantine')).length, 1);
    assert.equal((await bank.names('archive/read')).length, 4);
  });

  it('bank-files.md §4.4: a receipt without a reference is credited from a statement that follows on, else it is a break', async () => {
    await bank.deliver('a.xml', statement('S-1', { opening: '0', closing: '5000', entries: [RECEIPT] }));
    await bank.later(0, 1);
    assert.deepEqual(await types(), ['CREDIT', 'STATEMENT']);
    await bank.deliver('b.xml', statement('S-2', { opening: '9999', closing: '14999', entries: [RECEIPT] }));
    await bank.later(0, 1);
    assert.deepEqual(await types(), ['CREDIT', 'STATEMENT', 'STATEMENT']);
    assert.deepEqual(await orders.breaks(), ['DUPLICATE']);
    const pending = { ...RECEIPT, reference: 'R-5', status: 'PDNG' };
    await bank.deliver('c.xml', statement('S-3', { opening: '14999', closing: '14999', entries: [pending] }));
    await bank.later(0, 1);
    assert.equal((await types()).filter((type) => type === 'CREDIT').length, 1);
    const answer = await callFiles(world.app.runtime, orders.connectorId, 'getStatement', {
      query: { settlementAccount: 'main', date: day() },
    });
    assert.ok(answer.kind === 'answer');
    assert.deepEqual([answer.body.closing, answer.body.id], ['14999', 'S-3']);
    assert.equal(answer.body.lines.length, 1);
  });

  it('bank-files.md §4.4, §5.2: a longer statement of the same day credits new receipts, and opens no breaks about the rest', async () => {
    const known = { ...RECEIPT, reference: 'R-1' };
    const send = async (id: string, entries: readonly BankEntry[], opening = '0') => {
      const sum = entries.reduce((total, { amount }) => total + BigInt(amount), BigInt(opening));
      await bank.deliver(`${id}.xml`, statement(id, { opening, closing: sum.toString(), entries }));
      await bank.later(0, 1);
    };
    const credits = async () =>
      (await orders.events()).flatMap(({ type, creditId }) => (type === 'CREDIT' ? [creditId] : []));
    await send('S-1', [known, RECEIPT]);
    await send('S-2', [known, RECEIPT, RECEIPT, { ...RECEIPT, reference: 'R-2' }]);
    await send('S-3', [known]);
    assert.deepEqual(await credits(), ['main:R-1', 'main:S-1/2', 'main:S-2/3', 'main:R-2']);
    assert.deepEqual(await orders.breaks(), []);
    const answer = await callFiles(world.app.runtime, orders.connectorId, 'getStatement', {
      query: { settlementAccount: 'main', date: day() },
    });
    assert.ok(answer.kind === 'answer');
    assert.deepEqual(
      [answer.body.id, answer.body.opening, answer.body.closing, answer.body.lines.map(({ id }) => id)],
      ['S-2', '0', '20000', ['R-1', 'S-1/2', 'S-2/3', 'R-2']],
    );
    // The next day begins where the longest of them ended.
    world.clock.advance(DAY * 1_000);
    await send('S-4', [RECEIPT], '20000');
    assert.equal((await credits()).at(-1), 'main:S-4/1');
    assert.deepEqual(await orders.breaks(), []);
  });

  /** Sends statements; days count from a first day. Each opens with the given balance, or with the last closing balance. */
  function statementsOf(first = '2026-06-01') {
    let balance = 0n;
    const dayAt = (count: number) => nextDay(first, count);
    return async (
      id: string,
      [from, to]: readonly [number, number],
      entries: readonly (BankEntry & { readonly at?: number })[],
      opening = balance,
    ) => {
      balance = entries.reduce(
        (sum, { amount, side }) => sum + (side === 'CRDT' ? BigInt(amount) : -BigInt(amount)),
        opening,
      );
      const text = statement(id, {
        ...{ from: dayAt(from), day: dayAt(to), opening: `${opening}`, closing: `${balance}` },
        entries: entries.map(({ at = to, ...entry }) => ({ ...entry, on: dayAt(at) })),
      });
      await bank.deliver(`${id}.xml`, text);
      await bank.later(0, 1);
      const query = { settlementAccount: 'main', date: dayAt(to) };
      const answer = await callFiles(world.app.runtime, orders.connectorId, 'getStatement', { query });
      assert.ok(answer.kind === 'answer');
      return answer.body.lines.map((line) => line.id);
    };
  }

  const credited = async () =>
    (await orders.events()).flatMap(({ type, creditId }) => (type === 'CREDIT' ? [creditId] : []));

  it('bank-files.md §4.4, §5.2: a receipt without a reference is credited once if statements of several days overlap', async () => {
    const send = statementsOf();
    const RECEIPT_AT = (at: number) => ({ ...RECEIPT, at });
    await send('P', [0, 0], [{ ...RECEIPT, reference: 'R-0' }]);
    assert.deepEqual(await send('T', [2, 2], [RECEIPT]), ['T/1']);
    assert.deepEqual(await send('W', [1, 5], [RECEIPT_AT(2)], 5_000n), ['T/1']);
    assert.deepEqual([await credited(), await orders.breaks()], [['main:R-0', 'main:T/1'], []]);
    // The week first, and then its first day.
    assert.deepEqual(await send('V', [6, 8], [RECEIPT_AT(6), RECEIPT_AT(7)]), ['V/1', 'V/2']);
    assert.deepEqual(await send('M', [6, 6], [RECEIPT], 10_000n), ['V/1']);
    const known = ['main:R-0', 'main:T/1', 'main:V/1', 'main:V/2'];
    assert.deepEqual([await credited(), await orders.breaks()], [known, []]);
    // The opening balance is dated on the day before, as some banks do.
    await send('N', [8, 9], [RECEIPT], 20_000n);
    assert.deepEqual([(await credited()).slice(4), await orders.breaks()], [['main:N/1'], []]);
    // A person decides about new lines in such a statement.
    assert.deepEqual(await send('X', [8, 10], [RECEIPT_AT(9), RECEIPT_AT(10)], 20_000n), ['N/1', 'X/2']);
    assert.deepEqual([(await credited()).slice(5), await orders.breaks()], [[], ['DUPLICATE']]);
  });

  it('bank-files.md §4.4: each receipt with a reference that was credited before is a break of its own', async () => {
    const send = statementsOf();
    await send('A', [0, 0], [{ ...RECEIPT, reference: 'R-1' }]);
    await send('B', [1, 1], [{ ...RECEIPT, reference: 'R-1' }]);
    await send('C', [2, 2], [{ ...RECEIPT, reference: 'R-1', amount: '70' }]);
    assert.deepEqual([await credited(), await orders.breaks()], [['main:R-1'], ['DUPLICATE', 'DUPLICATE']]);
  });

  it('bank-files.md §4.4, §5.2: a receipt without a reference is not credited if its day may be a repetition', async () => {
    const send = statementsOf();
    const back = { amount: RECEIPT.amount, side: 'DBIT' as const, family: 'ICDT' };
    await send('Z', [0, 0], [RECEIPT, back]);
    assert.deepEqual([await credited(), await orders.breaks()], [['main:Z/1'], []]);
    // The day adds up to zero, so its balances do not show whether the lines came again.
    await send('Y', [0, 0], [RECEIPT, back]);
    assert.deepEqual([await credited(), await orders.breaks()], [['main:Z/1'], ['DUPLICATE']]);
    // Statements that share days and do not fit together.
    await send('W', [0, 3], [{ ...RECEIPT, amount: '700' }], 30n);
    await send('Q', [2, 2], [RECEIPT], 400n);
    assert.deepEqual(
      [await credited(), await orders.breaks()],
      [['main:Z/1'], ['DUPLICATE', 'DUPLICATE', 'DUPLICATE']],
    );
  });

  it('bank-files.md §4.1: a file that cannot be taken is in quarantine with line and reason, until it is closed or taken', async () => {
    const text = statement('S-1', {
      opening: '0',
      closing: '1',
      entries: [{ ...RECEIPT, reference: 'R-1' }],
    });
    await bank.deliver('.hidden.xml', 'x');
    await bank.deliver('upload.part', 'x');
    await bank.deliver('wrong.xml', text);
    await bank.deliver('other.xml', text.replace(BANK_IBAN, 'DE89370400440532013000'));
    await bank.later(0, 1);
    assert.deepEqual((await bank.names('inbox')).toSorted(), ['.hidden.xml', 'upload.part']);
    assert.deepEqual(bank.alarms.toSorted(), [
      'the profile does not name the account of the statement',
      'the statement is not right: closing must be 5000: opening plus lines',
    ]);
    assert.deepEqual(await types(), []);
    const rows = await world.database.query<{ id: string; line: number }>(
      sql`select id, line from bank_files where connector_id = ${orders.connectorId} and closed_at is null`,
    );
    assert.deepEqual(
      rows.map(({ line }) => line),
      [2, 2],
    );
    for (const { id } of rows)
      await onInstallation(world, (tx) => closeQuarantined(tx, { file: id, reason: 'seen' }));
    await assert.rejects(
      onInstallation(world, (tx) => closeQuarantined(tx, { file: newUuid(), reason: 'x' })),
    );
  });

  it('bank-files.md §4.5: a report that contradicts an end, or has another amount, changes nothing and is a break', async () => {
    const [first, second] = [await orders.payout(1_000n), await orders.payout(2_000n)];
    await bank.later(DAY, 1);
    const [file] = await bank.collect();
    const messageId = /<MsgId>([0-9a-f]{32})</.exec(file?.text ?? '')?.[1] ?? '';
    await bank.deliver(
      '1.xml',
      bankStatus({
        messageId,
        file: ['ACCP'],
        transfers: [
          [plain(first), 'ACSC'],
          [plain(second), 'ACSP'],
        ],
      }),
    );
    await bank.later(0, 1);
    assert.deepEqual([await orders.stateOf(first), await orders.stateOf(second)], ['SETTLED', 'SENT']);
    await bank.deliver('2.xml', bankStatus({ messageId, transfers: [[plain(first), 'RJCT', 'AC01']] }));
    const entry = {
      amount: '1999',
      side: 'DBIT' as const,
      reference: 'B-1',
      details: [{ endToEndId: plain(second) }],
    };
    await bank.deliver('3.xml', statement('S-1', { opening: '1999', closing: '0', entries: [entry] }));
    await bank.later(0, 1);
    assert.deepEqual([await orders.stateOf(first), await orders.stateOf(second)], ['SETTLED', 'SENT']);
    assert.deepEqual((await orders.breaks()).toSorted(), ['AMOUNT_DIFFERS', 'CONTRADICTION']);
    await bank.deliver('4.xml', bankStatus({ messageId: 'f'.repeat(32), file: ['RJCT'] }));
    await bank.later(0, 1);
    assert.match(bank.alarms.join(), /not written here/);
  });

  it('bank-files.md §2.1: a rejected file fails all its orders, and its batch ends', async () => {
    const references = [await orders.payout(1n), await orders.payout(2n)];
    await bank.later(DAY, 1);
    const [file] = await bank.collect();
    const messageId = /<MsgId>([0-9a-f]{32})</.exec(file?.text ?? '')?.[1] ?? '';
    await bank.deliver('1.xml', bankStatus({ messageId, file: ['RJCT', 'RR01'] }));
    await bank.later(0, 1);
    for (const reference of references) assert.equal(await orders.stateOf(reference), 'FAILED');
    const failed = (await orders.events()).filter(({ state }) => state === 'FAILED');
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['COMPLIANCE_REJECTED', 'COMPLIANCE_REJECTED'],
    );
    const id = messageId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    assert.equal((await findBatch(world.database.query, id))?.status, 'ENDED');
  });

  for (const [which, isResent] of [
    ['a rejection that names a duplicate', false],
    ['a rejection after the file was written again', true],
  ] as const)
    for (const level of ['file', 'payment', 'order', 'order within a rejected file'] as const)
      it(`bank-files.md §4.5: ${which}, of the ${level}, fails nothing and is a break`, async () => {
        const references = [await orders.payout(1n), await orders.payout(2n)];
        await bank.later(DAY, 1);
        const [file] = await bank.collect();
        const idOf = (name: string) =>
          new RegExp(`<${name}>([0-9a-f]{32})<`).exec(file?.text ?? '')?.[1] ?? '';
        const messageId = idOf('MsgId');
        const bare = references.map((reference) => [plain(reference), 'RJCT'] as const);
        const [ofFile, ofPayment, ofOrder] = isResent ? ['RR01', 'AM04', 'AC04'] : ['DU01', 'AM05', 'DU04'];
        const report = {
          file: { file: ['RJCT', ofFile], transfers: bare },
          payment: { payment: [idOf('PmtInfId'), 'RJCT', ofPayment] },
          order: { transfers: [[plain(references[0] ?? ''), 'RJCT', ofOrder]] },
          'order within a rejected file': {
            file: ['RJCT'],
            transfers: [[plain(references[0] ?? ''), 'RJCT', ofOrder]],
          },
        } as const;
        await bank.deliver('1.xml', bankStatus({ messageId, file: ['ACCP'] }));
        await bank.later(0, 1);
        const id = messageId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
        // Otherwise the transport has sent the file a second time.
        if (isResent) await onInstallation(world, (tx) => resendFile(tx, { batch: id, reason: 'not known' }));
        await bank.later(0, 1);
        await bank.deliver('2.xml', bankStatus({ messageId, ...report[level] }));
        await bank.later(0, 1);
        for (const reference of references) assert.equal(await orders.stateOf(reference), 'SENT');
        assert.deepEqual(await orders.breaks(), ['DUPLICATE']);
        assert.equal((await findBatch(world.database.query, id))?.status, 'ACCEPTED');
        await bank.deliver('3.xml', bankStatus({ messageId, file: ['ACSC'] }));
        await bank.later(0, 1);
        for (const reference of references) assert.equal(await orders.stateOf(reference), 'SETTLED');
      });

  it('bank-files.md §4.5: an order that one statement has as paid and as returned is settled, and then returned', async () => {
    const reference = await orders.payout(1_000n);
    await bank.later(DAY, 1);
    await bank.collect();
    const details = { endToEndId: plain(reference) };
    const paid = { amount: '1000', side: 'DBIT' as const, reference: 'B-1', details: [details] };
    const back = {
      ...{ amount: '1000', side: 'CRDT' as const, reference: 'B-2' },
      details: [{ ...details, returned: 'AC04' }],
    };
    // The newest entry first, as some banks write them.
    await bank.deliver('1.xml', statement('S-1', { opening: '0', closing: '0', entries: [back, paid] }));
    await bank.later(0, 1);
    assert.equal(await orders.stateOf(reference), 'RETURNED');
    const states = (await orders.events()).flatMap(({ type, state }) => (type === 'ORDER' ? [state] : []));
    assert.deepEqual(states, ['RECEIVED', 'SENT', 'SETTLED', 'RETURNED']);
    assert.deepEqual(await orders.breaks(), []);
  });

  it('bank-files.md §4.1: a file with values that nobody can keep is in quarantine, and holds up no later one', async () => {
    const profile = {
      ...SEPA_PROFILE,
      settlementAccounts: [{ ...SEPA_PROFILE.settlementAccounts[0], credits: 'camt.054' }],
    };
    await given(profile);
    const notice = (id: string, entries: readonly BankEntry[], on = day()) =>
      statement(id, { message: '054', entries, day: on });
    await bank.deliver('1.xml', notice('N-1', [{ ...RECEIPT, reference: 'R-1', amount: '9'.repeat(20) }]));
    const midnight = statement('S-1', { opening: '0', closing: '5000', entries: [RECEIPT] })
      .replaceAll('<Dt><Dt>', '<Dt><DtTm>')
      .replaceAll('</Dt></Dt>', 'T00:00:00</DtTm></Dt>');
    await bank.deliver('2.xml', midnight.replace(/CLBD(.*?)<DtTm>[0-9-]+/, 'CLBD$1<DtTm>2027-02-30'));
    await bank.deliver(
      '3.ach',
      nachaReturns([{ trace: '0210000200000\u00001', amount: '12550', code: 'R01' }]),
    );
    await bank.deliver('4.xml', notice('N-4', [{ ...RECEIPT, reference: 'R-4' }]));
    await bank.later(0, 1);
    assert.deepEqual(await bank.names('inbox'), []);
    assert.equal((await bank.names('quarantine')).length, 3);
    assert.deepEqual(await credited(), ['main:R-4']);
  });

  it('bank-files.md §4.1, §5.3: a text that is cut keeps no half of a character', async () => {
    const text = `${'x'.repeat(499)}😀`;
    const entry = {
      ...RECEIPT,
      reference: 'R-1',
      details: [{ name: `${'n'.repeat(199)}😀`, remittance: text }],
    };
    await bank.deliver('1.xml', statement('S-1', { opening: '0', closing: '5000', entries: [entry] }));
    await bank.later(0, 1);
    assert.deepEqual(bank.alarms, []);
    const [credit] = await orders.events();
    assert.deepEqual([credit?.creditId, String(credit?.remittance).isWellFormed()], ['main:R-1', true]);
  });

  it('bank-files.md §4.6: without statements a payout by NACHA settles after the profile’s days, and a return brings it back', async () => {
    await given(NACHA_PROFILE);
    const [first, second] = [await orders.payout(12_550n, ACH), await orders.payout(99n, ACH)];
    await bank.later(3 * DAY, 1);
    const [file] = await bank.collect();
    assert.match(file?.text ?? '', /^101 021000021/);
    const trace = (name: string) =>
      (file?.text ?? '')
        .split('\n')
        .find((line) => line.includes(plain(name).slice(-15)))
        ?.slice(79) ?? '';
    assert.equal(await orders.stateOf(first), 'SENT');
    await bank.later(9 * DAY, 1);
    assert.equal(await orders.stateOf(first), 'SETTLED');
    await bank.deliver(
      'r.ach',
      nachaReturns([
        { trace: trace(first), amount: '12550', code: 'R01' },
        { trace: trace(second), amount: '99', code: 'C01' },
      ]),
    );
    await bank.later(0, 1);
    assert.deepEqual(bank.alarms, []);
    assert.deepEqual([await orders.stateOf(first), await orders.stateOf(second)], ['RETURNED', 'SETTLED']);
    assert.deepEqual(await orders.breaks(), ['CONTRADICTION']);
  });

  it('bank-files.md §2.2: orders whose total a NACHA file cannot hold are in several files', async () => {
    await given(NACHA_PROFILE);
    const references: string[] = [];
    for (let count = 0; count < 101; count++) references.push(await orders.payout(9_999_999_999n, ACH));
    await bank.later(3 * DAY, 2);
    const files = await bank.collect();
    const totals = files.map(({ text }) => /^9\d{30}0{12}(\d{12})/m.exec(text)?.[1]).toSorted();
    assert.deepEqual(totals, ['009999999999', '999999999900']);
    for (const reference of references) assert.equal(await orders.stateOf(reference), 'SENT');
  });

  it('bank-files.md §2.6–2.7: a database that was restored writes nothing that the archive has, until it adopts that', async () => {
    const reference = await orders.payout(777n);
    await bank.later(DAY, 1);
    const [file] = await bank.collect();
    const id = /([0-9a-f]{32})$/.exec(file?.name ?? '')?.[1] ?? '';
    await onInstallation(world, (tx) => resendFile(tx, { batch: id, reason: 'the bank lost it' }));
    await bank.later(0, 1);
    assert.deepEqual(await bank.collect(), [file]);
    // As after a restore: the batch is not known, and its order waits again.
    const run = world.database.query;
    await run(sql`alter table bank_file_orders disable trigger bank_file_orders_keep_batch`);
    await run(sql`
      update bank_file_orders set batch_id = null, place = null, state = 'RECEIVED',
             content = (select content from bank_file_orders o where o.reference = bank_file_orders.reference)
       where connector_id = ${orders.connectorId}`);
    await run(sql`alter table bank_file_orders enable trigger bank_file_orders_keep_batch`);
    await run(sql`delete from bank_file_batches where connector_id = ${orders.connectorId}`);
    await bank.later(DAY, 2);
    assert.deepEqual(await bank.collect(), []);
    assert.match(bank.alarms.join(), /the archive has a file that this database has not written/);
    await onInstallation(world, (tx) => adoptFiles(tx, { name: bank.name, reason: 'restored' }));
    await bank.later(0, 2);
    assert.equal(await orders.stateOf(reference), 'SENT');
    assert.notEqual((await findBatch(run, id))?.resent_at ?? null, null, 'the bank may have two copies');
    assert.deepEqual(await bank.collect(), []);
    const [row] = await run<{ paused: string | null }>(
      sql`select paused_because as paused from connectors where id = ${orders.connectorId}`,
    );
    assert.equal(row?.paused, null);
  });

  it('bank-files.md §9.4: a file that the worker writes during a check of the archive does not count as unknown', async () => {
    await orders.payout(778n);
    const place = folderPlace(join(bank.folder, bank.name));
    const slow: FilePlace = {
      ...place,
      async list(area) {
        await bank.later(DAY, 1);
        return place.list(area);
      },
    };
    const { query } = world.database;
    const connector = { connector_id: orders.connectorId };
    assert.deepEqual(await listUnknownCopies({ query, connector, place: slow }), []);
    assert.equal((await place.list('archive')).length, 1);
    await writeFile(join(bank.folder, bank.name, 'archive', 'other.sealed'), 'x');
    assert.deepEqual(await listUnknownCopies({ query, connector, place }), ['other']);
  });

  it('bank-files.md §2.8: a file is written again only if an operator asks, and other content stops the connector', async () => {
    await orders.payout(5n);
    await bank.later(DAY, 1);
    const [file] = await bank.collect();
    const batch = /([0-9a-f]{32})$/.exec(file?.name ?? '')?.[1] ?? '';
    const id = batch.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    await bank.later(DAY, 2);
    assert.deepEqual(await bank.collect(), []);
    await onInstallation(world, (tx) => resendFile(tx, { batch: id, reason: 'the bank lost it' }));
    await bank.later(0, 1);
    const again = await bank.collect();
    assert.deepEqual(again, [file]);
    const outbox = join(bank.folder, bank.name, 'outbox');
    await mkdir(outbox, { recursive: true });
    await writeFile(join(outbox, file?.name ?? ''), 'something else');
    await onInstallation(world, (tx) => resendFile(tx, { batch: id, reason: 'again' }));
    await bank.later(0, 1);
    assert.match(bank.alarms.join(), /another content/);
    assert.equal(await readFile(join(outbox, file?.name ?? ''), 'utf8'), 'something else');
    await rm(join(outbox, file?.name ?? ''));
  });

  it('bank-files.md §1.4: while one worker has the lease, no other one works', async () => {
    await orders.payout(5n);
    world.clock.advance(DAY * 1_000);
    const other = bank.newWorker(world.app.runtime);
    await Promise.all([bank.worker.round(), other.round()]);
    assert.equal((await bank.collect()).length, 1);
    const archive = await readdir(join(bank.folder, bank.name, 'archive'));
    assert.equal(archive.filter((name) => name.endsWith('.sealed')).length, 1);
  });

  it('bank-files.md §4.5: the batch that a line names is found by an index, however many there are', async () => {
    const plan = await world.database.transaction(async (run) => {
      await run(sql`
        insert into bank_file_batches
          (connector_id, id, version, status, settlement_account, rail, kind, currency, format, seal_at, message_id,
           payment_information_id, name, content_hash, orders, total, created_at, updated_at, sealed_at, ended_at)
        select ${orders.connectorId}, gen_random_uuid(), 1, 'ENDED', 'main', 'SEPA', 'PAYOUT', 'EUR', 'SEPA', now(),
               'message-' || n, 'payment-' || n, 'file-' || n, '', 1, 1, now(), now(), now(), now()
          from generate_series(1, 3000) n`);
      await run(sql`analyze bank_file_batches`);
      const lines: string[] = [];
      const explain = async <Row>(statement: Sql) => {
        const rows = await run<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
        return [] as Row[];
      };
      await findBatchByFileId(explain, orders.connectorId, 'payment-7');
      return lines.join('\n');
    });
    assert.match(plan, /bank_file_batches_by_payment/, plan);
    assert.doesNotMatch(plan, /Seq Scan/, plan);
  });

  it('bank-files.md §2.9: no name of a file, and no file in archive or quarantine, shows a person', async () => {
    await orders.payout(5n);
    await bank.later(DAY, 1);
    const [file] = await bank.collect();
    assert.match(file?.name ?? '', /^main-sepa-\d{4}-\d{2}-\d{2}-[0-9a-f]{32}$/);
    const root = join(bank.folder, bank.name, 'archive');
    for (const name of await bank.names('archive')) {
      assert.doesNotMatch(await readFile(join(root, name), 'latin1'), /Hopper|Lovelace/);
    }
  });
});
