// lane: whole — pays through a connector
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { BOOKING_CHECKS, MATCH_CHECKS } from '#capabilities/reconciliation/ledger-checks.ts';
import { matchLines } from '#capabilities/reconciliation/match-lines.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { NIL_ID, publicId } from '#foundation/lib/ids.ts';
import { type BankDays, givenBankDays } from '#tests/given/bank-days.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { testWorld } from '#tests/harness/harness.ts';

interface Suggested {
  readonly item: string;
  readonly amount: string;
  readonly reasons: readonly string[];
}

describe('what operators see and do about lines of banks', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  let days: BankDays;
  let finance: SeatedOperator;

  beforeEach(async () => {
    days = await givenBankDays(world, at);
    await days.own();
    await setApprovals(world, { approvals: 'off' });
    const { platform } = await at.live.work();
    finance = await seatedOperator(world, platform, ['finance']);
  });

  const breakOf = async (kind: string, amount?: bigint) => {
    const open = (await days.openBreaks()).filter((one) => one.kind === kind);
    const found = amount === undefined ? open[0] : open.find((one) => one.amount === amount);
    return found?.id ?? assert.fail(`${kind}: ${JSON.stringify(open.map((one) => `${one.amount}`))}`);
  };
  const suggested = async (breakId: string) => {
    const { status, body } = await finance.call('listBreakSuggestions', { breakId });
    assert.equal(status, 200, JSON.stringify(body));
    return body as { line: { amount: string } | null; notes: string | null; suggestions: Suggested[] };
  };
  const checkBooks = async () => {
    for (const check of [...MATCH_CHECKS, ...BOOKING_CHECKS])
      assert.deepEqual((await check.run(world.database.query)).violations, []);
  };

  it('bank-files.md §6.2: lines that may belong to a break are suggested, the best first, and nothing is matched by itself', async () => {
    const [first, second] = [await days.paid(), await days.paid()];
    const amount = -days.amountOf(first);
    // The bank cut the reference of the second payment.
    days.book.book({ amount, references: [second.slice(0, 20)] });
    days.book.book({ amount: amount - 1n, references: ['another-amount'] });
    const day = await days.closeDay();
    const breakId = await breakOf('THEIRS_UNMATCHED', amount);
    const { line, suggestions } = await suggested(breakId);
    assert.equal(line?.amount, amount.toString());
    assert.deepEqual(
      suggestions.map(({ reasons }) => reasons),
      [['SIMILAR_REFERENCE', 'SAME_DAY'], ['SAME_DAY']],
    );
    assert.deepEqual((await suggested(await breakOf('THEIRS_UNMATCHED', amount - 1n))).suggestions, []);
    const proof = await days.proofOf(day);
    assert.deepEqual([proof.is_proven, proof.theirs_in_transit], [true, 2n * amount - 1n]);
    const matched = await finance.call('matchBreak', { breakId }, { lines: [suggestions[0]?.item] });
    assert.deepEqual([matched.status, matched.body.rest], [200, '0'], JSON.stringify(matched.body));
    assert.deepEqual((await days.openBreaks()).length, 1);
    await days.reach();
    assert.equal((await days.proofOf(day)).theirs_in_transit, amount - 1n);
    await checkBooks();
  });

  it('bank-files.md §6.2: a break about a line of ours has lines of the bank beside it', async () => {
    const reference = await days.paid();
    const amount = -days.amountOf(reference);
    for (let day = 0; day < 4; day++) await days.closeDay();
    days.book.book({ amount, references: ['unreadable'] });
    for (let day = 0; day < 3; day++) await days.closeDay();
    const breakId = await breakOf('OURS_UNMATCHED');
    const { suggestions } = await suggested(breakId);
    assert.deepEqual(
      suggestions.map((one) => one.amount),
      [amount.toString()],
    );
    const done = await finance.call('matchBreak', { breakId }, { lines: [suggestions[0]?.item] });
    assert.equal(done.status, 200, JSON.stringify(done.body));
    assert.deepEqual(await days.openBreaks(), [], 'the break about the line of the bank is closed, too');
  });

  for (const rest of [0n, -35n])
    it(`bank-files.md §6.4, §6.5: a line that an operator matched before the service compared it ends in no break, with a rest of ${rest}`, async () => {
      const amount = -days.amountOf(await days.paid());
      for (let day = 0; day < 6; day++) await days.closeDay();
      const breakId = await breakOf('OURS_UNMATCHED');
      days.book.book({ amount: amount + rest, references: ['unreadable'] });
      const day = days.today();
      days.book.close(day);
      const connector = (await findConnector(world.database.query, at.name)) ?? assert.fail('no connector');
      const { runtime } = world.app;
      const statement = at.bank.statements.get(`main ${day}`) as Statement;
      await fetchingKeys(runtime.personKeys, NIL_ID, () =>
        world.database.transaction((run) =>
          receiveStatement({ run, runtime, now: new Date(world.clock.now()) }, connector, statement),
        ),
      );
      const isNew = sql`connector_id = ${days.connectorId} and is_new`;
      const [line] = await world.database.query<{ id: string }>(
        sql`select id from bank_lines where ${isNew}`,
      );
      const named = { lines: [line?.id], ...(rest !== 0n && { charge: true }) };
      const done = await finance.call('matchBreak', { breakId }, named);
      assert.deepEqual([done.status, done.body.rest], [200, `${rest}`], JSON.stringify(done.body));
      // The entry of the charge is copied only afterwards.
      assert.equal(await matchLines(runtime), true);
      assert.deepEqual(await world.database.query(sql`select from bank_lines where ${isNew}`), []);
      await days.reach();
      world.clock.advance(86_400_000);
      const last = await days.closeDay();
      assert.deepEqual(await days.openBreaks(), []);
      const { is_proven, ours_in_transit, theirs_in_transit } = await days.proofOf(last);
      assert.deepEqual([is_proven, ours_in_transit, theirs_in_transit], [true, 0n, 0n]);
    });

  it('bank-files.md §6.5: sums must be equal to the unit, and a rest is the bank’s charge', async () => {
    const [first, second] = [await days.paid(), await days.paid()];
    const each = -days.amountOf(first);
    days.book.book({ amount: 2n * each - 35n, references: ['collected'] });
    const day = await days.closeDay();
    const breakId = await breakOf('THEIRS_UNMATCHED');
    const rows = await world.database.query<{ entry_id: string }>(sql`
      select entry_id from bank_ours where transaction_id in (${first}, ${second}) and match is null`);
    const lines = rows.map(({ entry_id }) => publicId('JournalEntry', entry_id));
    const refused = async (body: Record<string, unknown>) => {
      const { status, body: reply } = await finance.call('matchBreak', { breakId }, body);
      return [status, reply.code];
    };
    assert.deepEqual(await refused({ lines }), [409, 'CONFLICT'], 'the sums differ');
    assert.deepEqual(await refused({ lines: ['nothing'], charge: true }), [400, 'INVALID_INPUT']);
    assert.deepEqual(await refused({ lines: [rows[0]?.entry_id], charge: true }), [400, 'INVALID_INPUT']);
    const done = await finance.call('matchBreak', { breakId }, { lines, charge: true });
    assert.deepEqual(
      [done.status, done.body.rest, done.body.ours],
      [200, '-35', 2],
      JSON.stringify(done.body),
    );
    assert.deepEqual(await refused({ lines, charge: true }), [409, 'CONFLICT'], 'a second time');
    await days.reach();
    world.clock.advance(86_400_000);
    const last = await days.closeDay();
    assert.deepEqual(await days.openBreaks(), []);
    const { is_proven, ours, closing, ours_in_transit, theirs_in_transit } = await days.proofOf(last);
    assert.deepEqual([is_proven, ours, ours_in_transit, theirs_in_transit], [true, closing, 0n, 0n]);
    assert.equal((await days.proofOf(day)).is_proven, true);
    await checkBooks();
  });

  it('bank-files.md §6.5, operator.md §6: a match that books nothing needs a second operator', async () => {
    await setApprovals(world, { approvals: 'required' });
    const reference = await days.paid();
    days.book.book({ amount: -days.amountOf(reference), references: ['unreadable'] });
    await days.closeDay();
    const breakId = await breakOf('THEIRS_UNMATCHED');
    const [own] = (await suggested(breakId)).suggestions;
    const proposed = await finance.call('matchBreak', { breakId }, { lines: [own?.item] });
    assert.equal(proposed.status, 202, JSON.stringify(proposed.body));
    assert.equal((await days.openBreaks()).length, 1);
  });

  it('bank-files.md §6.4: an operator of finance takes care of a break, and notes what was found', async () => {
    days.book.book({ amount: 777n, references: ['unknown-4713'] });
    await days.closeDay();
    const breakId = await breakOf('THEIRS_UNMATCHED');
    const given = await finance.call('setBreakOwner', { breakId }, { owner: finance.name });
    assert.deepEqual([given.status, given.body.owner], [200, finance.name]);
    const { platform } = await at.live.work();
    const viewer = await seatedOperator(world, platform, ['viewer']);
    const wrong = await finance.call('setBreakOwner', { breakId }, { owner: viewer.name });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_INPUT']);
    assert.equal((await viewer.call('noteBreak', { breakId }, { note: 'x' })).status, 403);
    assert.equal(
      (await finance.call('noteBreak', { breakId }, { note: 'the bank looks for it' })).status,
      200,
    );
    assert.equal((await suggested(breakId)).notes, 'the bank looks for it');
    assert.equal((await finance.call('setBreakOwner', { breakId })).body.owner, null, 'nobody');
    assert.equal((await finance.call('resolveBreak', { breakId })).status, 200);
    assert.equal((await finance.call('noteBreak', { breakId }, { note: 'late' })).status, 409);
  });

  it('bank-files.md §6.5: a line that came after 30 days is matched by hand', async () => {
    const reference = await days.paid();
    await days.closeDay();
    world.clock.advance(31 * 86_400_000);
    days.book.book({ amount: -days.amountOf(reference), references: [reference] });
    const day = await days.closeDay();
    const breakId = await breakOf('LATE');
    const [own] = (await suggested(breakId)).suggestions;
    assert.ok(own);
    assert.ok(own.reasons.includes('SAME_REFERENCE'));
    assert.equal((await finance.call('matchBreak', { breakId }, { lines: [own.item] })).status, 200);
    await days.reach();
    assert.deepEqual(await days.openBreaks(), []);
    const { theirs_in_transit, ours_in_transit } = await days.proofOf(day);
    assert.deepEqual([theirs_in_transit, ours_in_transit], [0n, 0n]);
  });

  it('bank-files.md §7.4, operator.md §6.3: finance and treasury read accounts, proofs and exports; others are refused', async () => {
    const reference = await days.paid();
    days.book.book({ amount: -days.amountOf(reference), references: [reference] });
    days.book.book({ amount: 5n, references: ['=HYPERLINK("x")'] });
    const day = await days.closeDay();
    const account = `${at.name}.main`;
    const { body: all } = await finance.call('listReconciledAccounts', {});
    const own = all.data.find((one: { account: string }) => one.account === account);
    assert.deepEqual([own.lastProven, own.unprovenDays], [day, 0]);
    const { body: proofs } = await finance.call('listAccountProofs', { account }, { from: day, to: day });
    assert.deepEqual(
      proofs.data.map((one: { day: string; state: string }) => [one.day, one.state]),
      [[day, 'PROVEN']],
    );
    const { body: proof } = await finance.call('showAccountProof', { account }, { day });
    assert.deepEqual(
      proof.items.map((one: Record<string, string>) => [
        one.whose,
        one.amount,
        one.breakKind,
        one.breakState,
      ]),
      [['THEIRS', '5', 'THEIRS_UNMATCHED', 'OPEN']],
    );
    const period = { from: day, to: day };
    const { body: exported } = await finance.call(
      'exportReconciliation',
      { account },
      { ...period, format: 'json' },
    );
    assert.deepEqual(exported.data.map(({ record }: { record: string }) => record).toSorted(), [
      'BREAK',
      'OURS',
      'PROOF',
      'THEIRS',
      'THEIRS',
    ]);
    await world.database.query(sql`
      update bank_lines set line_id = 'Mr John Smith, rent' where settlement_account = 'main' and amount = 5`);
    for (const operation of ['showAccountProof', 'exportReconciliation']) {
      const shown = await finance.call(operation, { account }, { day, ...period, format: 'json' });
      const text = JSON.stringify(shown.body);
      assert.deepEqual([/…rent/.test(text), /John|Smith/.test(text)], [true, false], operation);
    }
    for (const [params, query, expected] of [
      [{ account: 'nobody.main' }, {}, [404, 'NOT_FOUND']],
      [{ account: 'no account' }, {}, [404, 'NOT_FOUND']],
      [{ account }, { from: '2026-02-30', to: 'yesterday' }, [400, 'INVALID_INPUT']],
      [{ account }, { from: '2026-03-02', to: '2026-03-01' }, [400, 'INVALID_INPUT']],
      [{ account }, { from: '2024-03-02', to: '2026-03-01' }, [400, 'INVALID_INPUT']],
    ] as const) {
      const { status, body } = await finance.call('listAccountProofs', params, query);
      assert.deepEqual([status, body.code], expected, JSON.stringify(query));
    }
    const { platform } = await at.live.work();
    const support = await seatedOperator(world, platform, ['support']);
    const breakId = await breakOf('THEIRS_UNMATCHED');
    for (const [operation, params] of [
      ['listReconciledAccounts', {}],
      ['showAccountProof', { account }],
      ['exportReconciliation', { account }],
      ['listBreakSuggestions', { breakId }],
    ] as const)
      assert.equal((await support.call(operation, params, { ...period })).status, 403, operation);
    const [read] = await world.database.query<{ fields: string[] }>(sql`
      select fields from record_reads where actor_id = ${finance.name} and kind = 'EXPORT'`);
    assert.deepEqual(read?.fields, ['reconciliation', day, day]);
  });
});

describe('the money that a settlement account began with', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);

  it('bank-files.md §7.2, money.md §11.L30: it is what the first proof lacks apart from items in transit, and counts from that day', async () => {
    const days = await givenBankDays(world, at, 1_000_000n);
    await days.own();
    const { platform } = await at.live.work();
    const finance = await seatedOperator(world, platform, ['finance']);
    const body = { connector: at.name, settlementAccount: 'main' };
    const book = () => finance.call('bookOpeningBalance', { platformId: at.live.id }, body);
    assert.equal((await book()).status, 409, 'no statement has come yet');
    // The bank has booked one payment, the other is in transit; and it booked a charge that the books do not have.
    const [booked, open] = [await days.paid(), await days.paid()];
    days.book.book({ amount: -days.amountOf(booked), references: [booked] });
    days.book.book({ amount: -250n, references: ['monthly-fee'], kind: 'CHARGE' });
    const first = await days.closeDay();
    const before = await days.proofOf(first);
    assert.deepEqual([before.is_proven, before.ours_in_transit], [false, -days.amountOf(open)]);
    const done = await book();
    assert.deepEqual([done.status, done.body.amount], [200, '1000000'], JSON.stringify(done.body));
    assert.equal((await book()).status, 409, 'a second time');
    await days.reach();
    const after = await days.proofOf(first);
    assert.deepEqual(
      [after.is_proven, after.ours_in_transit, after.theirs_in_transit],
      [true, before.ours_in_transit, -250n],
    );
    // P − C = O − T, with the opening balance in P.
    assert.equal(after.ours - after.closing, after.ours_in_transit - after.theirs_in_transit);
    days.book.book({ amount: -days.amountOf(open), references: [open] });
    const next = await days.closeDay();
    assert.equal((await days.proofOf(next)).is_proven, true);
    assert.deepEqual(
      (await days.openBreaks()).map(({ kind }) => kind),
      ['THEIRS_UNMATCHED'],
    );
    for (const check of [...MATCH_CHECKS, ...BOOKING_CHECKS])
      assert.deepEqual((await check.run(world.database.query)).violations, []);
    const [entry] = await world.database.query<{ kind: string }>(sql`
      select e.kind from ledger_entries e join bank_openings b on b.platform_id = e.platform_id and b.entry_id = e.id`);
    assert.equal(entry?.kind, 'bank.own_moved');
  });
});
