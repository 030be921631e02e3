// lane: whole — pays through a connector
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { bookLine } from '#capabilities/reconciliation/book-line.ts';
import { BOOKING_CHECKS, MATCH_CHECKS } from '#capabilities/reconciliation/ledger-checks.ts';
import { matchLines } from '#capabilities/reconciliation/match-lines.ts';
import { listProvenAccounts } from '#capabilities/reconciliation/proof-store.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import { reconcile } from '#capabilities/reconciliation/reconcile.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { type BankDays, DAY_MS, givenBankDays } from '#tests/given/bank-days.ts';
import type { BankBook } from '#tests/given/bank-statements.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { givenRates } from '#tests/given/rates.ts';
import { testWorld } from '#tests/harness/harness.ts';

type Line = Statement['lines'][number];
type TransactionSteps = Parameters<Database['transaction']>[0];

describe('statements of banks and the proof', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  let book: BankBook;
  let days: BankDays;

  beforeEach(async () => {
    days = await givenBankDays(world, at);
    book = days.book;
  });

  const today = () => days.today();
  const connectorId = async () => days.connectorId;
  const closeDay = () => days.closeDay();
  const reach = () => days.reach();
  const paid = () => days.paid();
  const amountOf = async (reference: string) => days.amountOf(reference);
  const proofOf = (day: string) => days.proofOf(day);
  const openBreaks = () => days.openBreaks();

  const writeOff = async (breakId = '', on = at.live) =>
    (await on.work()).write((tx) => bookLine(tx, { breakId, as: 'WRITE_OFF', reason: 'test' }));

  it('bank-files.md §5.1, §6.1, §7.1: a line with the reference of an order is matched at once, and the day is proven', async () => {
    const reference = await paid();
    book.book({
      amount: -(await amountOf(reference)),
      references: [reference.replaceAll('-', '').toUpperCase()],
    });
    const day = await closeDay();
    assert.deepEqual(at.failures, []);
    const { is_proven, ours, closing, ours_in_transit, theirs_in_transit } = await proofOf(day);
    assert.deepEqual([is_proven, ours, ours_in_transit, theirs_in_transit], [true, closing, 0n, 0n]);
    assert.deepEqual(await openBreaks(), []);
  });

  it('bank-files.md §6.2, decision 0056: lines wait while the hashes of references change, and are matched afterwards', async () => {
    const reference = await paid();
    book.book({ amount: -(await amountOf(reference)), references: [reference] });
    await closeDay();
    const connector = await connectorId();
    const matched = () =>
      world.database.query(sql`
        select from bank_lines where connector_id = ${connector} and match is not null`);
    await world.database.query(sql`
      update bank_lines set match = null, matched_on = null, is_new = true where connector_id = ${connector}`);
    await world.database.query(sql`
      update bank_ours set match = null, matched_on = null, is_new = true where connector_id = ${connector}`);
    const { database, clock } = world.app.runtime;
    const undone = new Error('undone');
    await assert.rejects(
      database.transaction(async (run, runAll) => {
        // Between the switch of a rotation and its end.
        await run(sql`
          insert into encryption_keys (id, purpose, wrapped, created_at) values (9001, 'hash', '', now())`);
        await run(sql`update hash_versions set next = 9001, written = 9001`);
        const within = { ...database, transaction: (steps: TransactionSteps) => steps(run, runAll) };
        assert.equal(await matchLines({ database: within as Database, clock }), false);
        throw undone;
      }),
      undone,
    );
    assert.deepEqual(await matched(), []);
    assert.equal(await matchLines(world.app.runtime), true);
    assert.equal((await matched()).length, 1);
    assert.deepEqual(await openBreaks(), []);
  });

  it('bank-files.md §7.1: items in transit are part of the equation, in both directions', async () => {
    const [first, second] = [await paid(), await paid()];
    book.book({ amount: -(await amountOf(first)), references: [first] });
    const day = await closeDay();
    const before = await proofOf(day);
    assert.deepEqual([before.is_proven, before.ours_in_transit], [true, -(await amountOf(second))]);
    book.book({ amount: -(await amountOf(second)), references: [second] });
    const next = await closeDay();
    assert.equal((await proofOf(next)).ours_in_transit, 0n);
    const still = await proofOf(day);
    assert.deepEqual([still.is_proven, still.ours_in_transit], [true, before.ours_in_transit]);
  });

  it('bank-files.md §6.3, §6.4: each difference is a break of its kind, and nothing else is', async () => {
    const [good, partial, doubled] = [await paid(), await paid(), await paid()];
    const missing = await paid();
    const amount = await amountOf(good);
    book.book({ amount: -amount, references: [good] });
    book.book({ amount: -amount + 100n, references: [partial] });
    book.book({ amount: -amount, references: [doubled] });
    book.book({ amount: -amount, references: [doubled] });
    book.book({ amount: 777n, references: ['unknown-4711'] });
    book.book({ amount, references: [good], kind: 'RETURN' });
    const day = await closeDay();
    assert.deepEqual((await openBreaks()).map(({ kind }) => kind).toSorted(), [
      ...['AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED', 'THEIRS_UNMATCHED'],
    ]);
    assert.equal((await proofOf(day)).is_proven, true);
    for (let more = 0; more < 6; more++) await closeDay();
    const kinds = (await openBreaks()).map(({ kind }) => kind).toSorted();
    // The one that the bank never booked, and the one that it booked with another amount.
    assert.deepEqual(kinds, [
      ...['AMOUNT_DIFFERS', 'DUPLICATE', 'OURS_UNMATCHED', 'OURS_UNMATCHED', 'RETURNED', 'THEIRS_UNMATCHED'],
    ]);
    book.book({ amount: -amount, references: [missing] });
    await closeDay();
    const left = await openBreaks();
    assert.equal(left.filter(({ kind }) => kind === 'OURS_UNMATCHED').length, 1);
    const [gone] = await world.database.query<{ is_gone: boolean }>(sql`
      select is_gone from connector_breaks where is_gone and connector_id = ${await connectorId()}`);
    assert.deepEqual(gone, { is_gone: true });
  });

  it('bank-files.md §6.4: a return in the bank’s statement is a break until the books have it', async () => {
    const reference = await paid();
    const amount = await amountOf(reference);
    book.book({ amount: -amount, references: [reference] });
    await closeDay();
    book.book({ amount, references: [reference], kind: 'RETURN' });
    await closeDay();
    const [found, ...others] = await openBreaks();
    assert.deepEqual([found?.kind, others], ['RETURNED', []]);
    at.bank.play(reference, 'RETURNED');
    const day = await closeDay();
    assert.deepEqual(await openBreaks(), []);
    const [gone] = await world.database.query<{ is_gone: boolean; resolution: string }>(sql`
      select is_gone, resolution from connector_breaks where id = ${found?.id}`);
    assert.deepEqual(gone, { is_gone: true, resolution: 'The missing line came later.' });
    const { is_proven, ours_in_transit, theirs_in_transit } = await proofOf(day);
    assert.deepEqual([is_proven, ours_in_transit, theirs_in_transit], [true, 0n, 0n]);
  });

  it('bank-files.md §5.2: the same statement changes nothing, another one under its id is a break', async () => {
    const reference = await paid();
    book.book({ amount: -(await amountOf(reference)), references: [reference] });
    const day = await closeDay();
    const key = `main ${day}`;
    const statement = at.bank.statements.get(key) as { lines: unknown[] };
    const again = () =>
      at.bank.list({
        id: crypto.randomUUID(),
        type: 'STATEMENT',
        at: `${day}T21:00:00Z`,
        settlementAccount: 'main',
        date: day,
      });
    again();
    await reach();
    assert.deepEqual(await openBreaks(), []);
    at.bank.statements.set(key, { ...statement, closing: '5', opening: '5', lines: [] });
    again();
    await reach();
    assert.deepEqual(
      (await openBreaks()).map(({ kind }) => kind),
      ['CONTRADICTION'],
    );
    assert.equal((await proofOf(day)).is_proven, true);
  });

  /** Counts the lines and statements of the bank in the database, and the matched lines. */
  async function held() {
    const [row] = await world.database.query<Record<'lines' | 'matched' | 'statements', bigint>>(sql`
      select (select count(*) from bank_lines where connector_id = ${days.connectorId}) as lines,
             (select count(*) from bank_lines where connector_id = ${days.connectorId} and match is not null) as matched,
             (select count(*) from bank_statements where connector_id = ${days.connectorId}) as statements`);
    return [row?.statements, row?.lines, row?.matched].map(Number);
  }

  /** Returns lines of a day as a bank writes them, for statements that repeat each other. */
  async function booked(count: number) {
    const lines: Statement['lines'] = [];
    for (let index = 0; index < count; index++) {
      const reference = await paid();
      lines.push({
        ...{ id: `L-${index}`, bookedOn: today(), side: 'DEBIT', kind: 'PAYMENT', references: [reference] },
        amount: `${await amountOf(reference)}`,
      });
    }
    return lines;
  }

  /** Returns the statement of today with these lines, which follow on earlier lines. */
  function statementOf(id: string, lines: Statement['lines'], before: Statement['lines'] = []): Statement {
    const sum = (some: Statement['lines']) => some.reduce((total, { amount }) => total - BigInt(amount), 0n);
    const opening = sum(before);
    const [from, to] = [today(), today()];
    const closing = `${opening + sum(lines)}`;
    return { id, settlementAccount: 'main', from, to, opening: `${opening}`, closing, lines };
  }

  /** Lets the bank report a statement, and the worker fetch it. */
  async function fetched(statement: Statement): Promise<void> {
    at.bank.statements.set(`main ${statement.to}`, statement);
    const date = statement.to;
    at.bank.list({
      ...{ id: crypto.randomUUID(), type: 'STATEMENT', at: `${date}T21:00:00Z` },
      ...{ settlementAccount: 'main', date },
    });
    await reach();
  }

  it('bank-files.md §5.2, §6.1, §7.1: a longer statement of the same day brings only the lines that are not known yet', async () => {
    const [first, second, third] = (await booked(3)) as [Line, Line, Line];
    await fetched(statementOf('S-1', [first]));
    await fetched(statementOf('S-2', [first, second]));
    assert.deepEqual(await held(), [2, 2, 2]);
    // The same statement under another id; an earlier state; new lines only; and everything, the newest first.
    await fetched(statementOf('S-3', [first, second]));
    await fetched(statementOf('S-4', [first]));
    await fetched(statementOf('S-5', []));
    assert.deepEqual(await held(), [2, 2, 2]);
    await fetched(statementOf('S-6', [third], [first, second]));
    await fetched(statementOf('S-7', [third, second, first]));
    assert.deepEqual(await held(), [3, 3, 3]);
    const { is_proven, ours, closing, ours_in_transit, theirs_in_transit } = await proofOf(today());
    assert.deepEqual([is_proven, ours, ours_in_transit, theirs_in_transit], [true, closing, 0n, 0n]);
    assert.deepEqual(await openBreaks(), []);
    const [found] = await world.database.query<{ violations: bigint }>(sql`
      select count(*) as violations from bank_statements s
       where s.connector_id = ${days.connectorId}
         and s.closing - s.opening <> (select coalesce(sum(l.amount), 0) from bank_lines l where l.statement = s.id)`);
    assert.equal(found?.violations, 0n);
  });

  it('bank-files.md §5.2: equal lines of one statement stay two, and so do lines of two statements with the same id', async () => {
    const [line] = (await booked(1)) as [Line];
    const twin = { ...line, id: 'L-twin' };
    await fetched(statementOf('S-1', [line, twin]));
    assert.deepEqual(await held(), [1, 2, 1]);
    await fetched(statementOf('S-2', [line], [line, twin]));
    assert.deepEqual(await held(), [2, 3, 1]);
    assert.deepEqual(
      (await openBreaks()).map(({ kind }) => kind),
      ['DUPLICATE', 'DUPLICATE'],
    );
    await fetched({
      ...statementOf('S-3', [line, twin]),
      opening: '7',
      closing: `${7n - 2n * BigInt(line.amount)}`,
    });
    assert.deepEqual(await held(), [3, 3, 1]);
    assert.ok((await openBreaks()).some(({ kind }) => kind === 'GAP'));
  });

  it('bank-files.md §5.2: a statement of several days and those of its days bring each line once', async () => {
    const [line] = (await booked(1)) as [Line];
    await fetched(statementOf('D-1', [line]));
    const [from, before] = [today(), [line]];
    world.clock.advance(DAY_MS);
    const [next] = (await booked(1)).map((one) => ({ ...one, id: 'L-next' })) as [Line];
    const whole = statementOf('W', [line, next]);
    await fetched({ ...whole, from });
    await fetched(statementOf('D-2', [next], before));
    assert.deepEqual(await held(), [2, 2, 2]);
    assert.equal((await proofOf(today())).is_proven, true);
    assert.deepEqual(await openBreaks(), []);
  });

  /** Sends a day with one line, before the days of the test, and a second day. */
  async function firstDay() {
    const [line] = (await booked(1)) as [Line];
    await fetched(statementOf('P', [line]));
    world.clock.advance(DAY_MS);
    return { line, next: today() };
  }

  async function assertProven(counts: readonly number[], unproven: readonly string[] = []) {
    assert.deepEqual(await held(), counts);
    assert.equal((await proofOf(today())).is_proven, true);
    assert.deepEqual(
      (await openBreaks()).map(({ about }) => about),
      unproven.map((day) => `proof of main on ${day}`),
    );
  }

  it('bank-files.md §5.2: a statement of several days adds nothing to one of its days that is known', async () => {
    const { line, next } = await firstDay();
    world.clock.advance(DAY_MS);
    const [known] = (await booked(1)) as [Line];
    await fetched(statementOf('M', [known], [line]));
    await fetched({ ...statementOf('S', [known], [line]), from: next });
    await assertProven([2, 2, 2]);
  });

  it('bank-files.md §5.2: a statement of one day adds nothing to one of several days that is known', async () => {
    const { line, next } = await firstDay();
    const [first] = (await booked(1)) as [Line];
    world.clock.advance(DAY_MS);
    const [second] = (await booked(1)).map((one) => ({ ...one, id: 'L-second' })) as [Line];
    await fetched({ ...statementOf('W', [first, second], [line]), from: next });
    await fetched({ ...statementOf('M', [first], [line]), from: next, to: next });
    await assertProven([2, 3, 3]);
  });

  for (const which of ['last', 'first'] as const)
    it(`bank-files.md §5.2, §7.3: one more line on the ${which} of known days is placed behind them, without a gap`, async () => {
      const { line, next } = await firstDay();
      const [first] = (await booked(1)) as [Line];
      await fetched(statementOf('D-1', [first], [line]));
      world.clock.advance(DAY_MS);
      const [second, late] = (await booked(2)).map((one, at) => ({ ...one, id: `M-${at}` })) as [Line, Line];
      await fetched(statementOf('D-2', [second], [line, first]));
      const more = which === 'last' ? late : { ...late, bookedOn: next };
      await fetched({ ...statementOf('W', [first, second, more], [line]), from: next });
      // The balance that the bank gave for the first day does not contain the line.
      const unproven = which === 'last' ? [] : [next];
      await assertProven([4, 4, 4], unproven);
      world.clock.advance(DAY_MS);
      await fetched(statementOf('D-3', [], [line, first, second, more]));
      await assertProven([5, 4, 4], unproven);
    });

  it('bank-files.md §7.3: a proof is computed again if a later statement has a line that was booked on its day', async () => {
    const { line, next } = await firstDay();
    const first = Temporal.PlainDate.from(next).subtract({ days: 1 }).toString();
    assert.equal((await proofOf(first)).is_proven, true);
    const late: Line = { ...line, id: 'L-late', bookedOn: first, references: ['stranger'] };
    await fetched(statementOf('N', [late], [line]));
    const { is_proven, theirs_in_transit } = await proofOf(first);
    assert.deepEqual([is_proven, theirs_in_transit], [false, -BigInt(line.amount)]);
    assert.equal((await proofOf(next)).is_proven, true);
  });

  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const which = order[0] === 0 ? 'shorter' : 'longer';
    it(`bank-files.md §5.2: of two statements of a day received at once, the ${which} one first, each line is stored once`, async () => {
      const [first, second] = (await booked(2)) as [Line, Line];
      const both = [statementOf('S-1', [first]), statementOf('S-2', [first, second])];
      const { runtime } = world.app;
      const connector = (await findConnector(world.database.query, at.name)) ?? assert.fail('no connector');
      const receive = (run: Run, statement = both[0] as Statement) =>
        receiveStatement({ run, runtime, now: new Date(world.clock.now()) }, connector, statement);
      let late: Promise<unknown> | undefined;
      await world.database.transaction(async (run) => {
        assert.equal(await receive(run, both[order[0]]), 'stored');
        late = world.database.transaction((other) => receive(other, both[order[1]]));
        await untilBlocked(world.databaseUrl, 1, late);
      });
      assert.equal(await late, order[0] === 0 ? 'stored' : 'repeated');
      await reach();
      assert.deepEqual(await held(), [order[0] === 0 ? 2 : 1, 2, 2]);
      assert.equal((await proofOf(today())).is_proven, true);
      assert.deepEqual(await openBreaks(), []);
    });
  }

  it('bank-files.md §5.2, §7.3: an opening that is not the closing before it is a gap until the missing statement comes', async () => {
    const first = await closeDay();
    book.book({ amount: 500n, references: ['interest-1'] });
    const missing = today();
    book.close(missing);
    const hidden = at.bank.statements.get(`main ${missing}`) as Record<string, unknown>;
    at.bank.statements.delete(`main ${missing}`);
    world.clock.advance(DAY_MS);
    const last = await closeDay();
    assert.deepEqual((await openBreaks()).map(({ kind }) => kind).toSorted(), ['GAP', 'UNPROVEN']);
    assert.deepEqual([(await proofOf(first)).is_proven, (await proofOf(last)).is_proven], [true, false]);
    at.bank.statements.set(`main ${missing}`, hidden);
    await at.later(3_600);
    await reach();
    assert.deepEqual(
      (await openBreaks()).map(({ kind }) => kind),
      ['THEIRS_UNMATCHED'],
    );
    assert.equal((await proofOf(last)).is_proven, true);
    const [listed] = (await listProvenAccounts(world.database.query)).filter(
      ({ connector }) => connector === at.name,
    );
    assert.deepEqual([listed?.last_proven, listed?.unproven_days], [last, 0n]);
    at.failures.splice(0);
  });

  it('bank-files.md §6.5, §6.6, money.md §11.L30, §11.L31, §11.L32: a booked break is matched, and every day stays proven', async () => {
    const [good, partial, missing] = [await paid(), await paid(), await paid()];
    const amount = await amountOf(good);
    book.book({ amount: -amount, references: [good] });
    book.book({ amount: -amount - 30n, references: [partial] });
    book.book({ amount: -250n, references: ['monthly-fee'], kind: 'CHARGE' });
    book.book({ amount: 40n, references: ['interest-of-march'], kind: 'INTEREST' });
    book.book({ amount: 5_000n, references: ['from-our-other-bank'], kind: 'OTHER' });
    const day = await closeDay();
    for (let more = 0; more < 6; more++) await closeDay();
    const isHomeless = ({ platform_id }: { platform_id: string | null }) => platform_id === null;
    assert.equal((await openBreaks()).filter(isHomeless).length, 3, 'nobody’s before there is an owner');
    await at.change((tx) =>
      setOwner(tx, { name: at.name, settlementAccount: 'main', platformId: at.live.id, reason: 'test' }),
    );
    const open = await openBreaks();
    assert.deepEqual(open.filter(isHomeless), []);
    const theBreak = (kind: string, units: bigint) => {
      const found = open.find((one) => one.kind === kind && one.amount === units);
      assert.ok(found, `${kind} ${units}`);
      return found.id;
    };
    const finance = await seatedOperator(world, (await at.live.work()).platform, ['finance']);
    const call = async (operation: string, breakId: string, as: string) =>
      finance.call(operation, { breakId }, { as });
    const wrong = await call('bookBankLine', theBreak('THEIRS_UNMATCHED', 40n), 'CHARGE');
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'CONFLICT']);
    for (const [operation, kind, units, as] of [
      ['bookBankLine', 'THEIRS_UNMATCHED', -250n, 'CHARGE'],
      ['bookBankLine', 'THEIRS_UNMATCHED', 40n, 'INTEREST'],
      ['bookBankDifference', 'THEIRS_UNMATCHED', 5_000n, 'OWN'],
      ['bookBankDifference', 'AMOUNT_DIFFERS', -amount - 30n, 'WRITE_OFF'],
    ] as const) {
      const done = await call(operation, theBreak(kind, units), as);
      assert.equal(done.status, 200, JSON.stringify(done.body));
      assert.equal((await call(operation, theBreak(kind, units), as)).status, 409, 'a second time');
    }
    await reach();
    const [left, ...more] = await openBreaks();
    assert.deepEqual([left?.kind, more], ['OURS_UNMATCHED', []]);
    assert.equal((await call('bookBankDifference', left?.id ?? '', 'WRITE_OFF')).status, 200);
    world.clock.advance(DAY_MS);
    await reach();
    const last = await closeDay();
    assert.deepEqual(await openBreaks(), []);
    const { ours, closing, ours_in_transit, theirs_in_transit, is_proven } = await proofOf(last);
    assert.deepEqual([is_proven, ours, ours_in_transit, theirs_in_transit], [true, closing, 0n, 0n]);
    assert.equal((await proofOf(day)).is_proven, true);
    const kinds = await world.database.query<{ kind: string; count: bigint }>(sql`
      select kind, count(*) as count from ledger_entries where kind like 'bank.%' group by kind order by kind`);
    assert.deepEqual(
      kinds.map(({ kind, count }) => [kind, count]),
      [
        ['bank.charged', 2n],
        ['bank.own_moved', 1n],
        ['bank.written_off', 2n],
      ],
    );
    assert.ok(missing);
  });

  it('bank-files.md §6.3, §6.5: a line that came before the order settled is one break at a time, and is booked once', async () => {
    await givenRates(world);
    const { reference } = await at.ordered();
    await at.rounds();
    const amount = await amountOf(reference);
    book.book({ amount: -amount - 30n, references: [reference] });
    await closeDay();
    const [early] = await openBreaks();
    assert.equal(early?.kind, 'THEIRS_UNMATCHED');
    at.bank.play(reference, 'SETTLED');
    await reach();
    const [late, ...more] = await openBreaks();
    assert.deepEqual([late?.kind, more], ['AMOUNT_DIFFERS', []]);
    await at.change((tx) =>
      setOwner(tx, { name: at.name, settlementAccount: 'main', platformId: at.live.id, reason: 'test' }),
    );
    await assert.rejects(writeOff(early?.id), /resolved already/);
    const reopen = async (open: boolean) =>
      world.database.query(sql`
        update connector_breaks set resolved_at = ${open ? null : new Date()}, is_gone = ${!open} where id = ${early?.id ?? ''}`);
    await reopen(true);
    await assert.rejects(writeOff(early?.id), /now a break of the kind AMOUNT_DIFFERS/);
    await reopen(false);
    assert.equal((await writeOff(late?.id)).amount, -30n);
    const again = world.database.query(sql`
      insert into bank_bookings (platform_id, entry_id, break_id, line, booked_at)
      select platform_id, gen_random_uuid(), ${early?.id ?? ''}, line, booked_at from bank_bookings
       where break_id = ${late?.id ?? ''}`);
    await assert.rejects(again, /bank_bookings_by_line/);
    await reach();
    assert.deepEqual(await openBreaks(), []);
    assert.equal((await proofOf(await closeDay())).is_proven, true);
  });

  it('bank-files.md §6.5: nothing is booked beside what the books have on another day', async () => {
    const reference = await paid();
    await closeDay();
    world.clock.advance(31 * DAY_MS);
    book.book({ amount: -(await amountOf(reference)), references: [reference] });
    await closeDay();
    const late = (await openBreaks()).find(({ kind }) => kind === 'LATE');
    await at.change((tx) =>
      setOwner(tx, { name: at.name, settlementAccount: 'main', platformId: at.live.id, reason: 'test' }),
    );
    await assert.rejects(writeOff(late?.id), /have the line already/);
  });

  it('bank-files.md §6.6: a line is booked in the books of the owner of the day, also if there was another one before', async () => {
    const next = await givenPlatform(world, { environment: 'PRODUCTION' });
    const own = ({ id: platformId }: { id: PlatformId }) =>
      at.change((tx) =>
        setOwner(tx, { name: at.name, settlementAccount: 'main', platformId, reason: 'test' }),
      );
    book.book({ amount: 777n, references: ['unknown-4712'] });
    await own(at.live);
    await closeDay();
    const [before] = await openBreaks();
    assert.equal(before?.platform_id, at.live.id);
    await own(next);
    const [after] = await openBreaks();
    assert.deepEqual([after?.id, after?.platform_id], [before?.id, next.id]);
    await assert.rejects(writeOff(after?.id), /books of the owner/);
    assert.equal((await writeOff(after?.id, next)).amount, 777n);
  });

  it('bank-files.md §6.3, §7.3: over days with planted differences every one is a break of its kind, and nothing else is', async () => {
    const random = createRandom(39);
    const planted = new Map<string, number>();
    const plant = (kind: string) => planted.set(kind, (planted.get(kind) ?? 0) + 1);
    const delayed: { amount: bigint; references: string[] }[] = [];
    const closed: string[] = [];
    for (let day = 0; day < 8; day++) {
      for (const line of delayed.splice(0)) book.book(line);
      for (let order = 0; order < 4; order++) {
        const reference = await paid();
        const line = { amount: -(await amountOf(reference)), references: [reference] };
        const fault = Math.floor(random() * 7);
        if (fault === 0) plant('OURS_UNMATCHED');
        else if (fault === 1) delayed.push(line);
        else if (fault === 2) {
          book.book({ ...line, amount: line.amount + 1n });
          plant('AMOUNT_DIFFERS');
          plant('OURS_UNMATCHED');
        } else {
          book.book(line);
          if (fault === 3) book.book(line);
          if (fault === 3) plant('DUPLICATE');
          if (fault === 4) book.book({ amount: -line.amount, references: [reference], kind: 'RETURN' });
          if (fault === 4) plant('RETURNED');
        }
      }
      if (random() < 0.5) {
        book.book({ amount: BigInt(1 + Math.floor(random() * 900)), references: [`stranger-${day}`] });
        plant('THEIRS_UNMATCHED');
      }
      closed.push(await closeDay());
    }
    for (const line of delayed.splice(0)) book.book(line);
    for (let day = 0; day < 7; day++) closed.push(await closeDay());
    const found = Map.groupBy(await openBreaks(), ({ kind }) => kind);
    assert.deepEqual(
      [...found].map(([kind, rows]) => [kind, rows.length]).toSorted(),
      [...planted].toSorted(),
    );
    for (const day of closed) assert.equal((await proofOf(day)).is_proven, true, day);
  });

  it('money.md §12.16: a match that is not equal, a wrong copy and an entry without a break are found', async () => {
    const reference = await paid();
    book.book({ amount: -(await amountOf(reference)), references: [reference] });
    await closeDay();
    const runAll = async (run: Run) => {
      const found = [];
      for (const check of [...MATCH_CHECKS, ...BOOKING_CHECKS]) found.push(await check.run(run));
      return found;
    };
    const wrong = () =>
      world.database
        .transaction(async (run) => {
          const before = await runAll(run);
          assert.deepEqual(
            before.flatMap(({ violations }) => violations),
            [],
          );
          await run(sql`update bank_lines set amount = amount - 1 where match is not null`);
          await run(sql`update bank_days set ours = ours + 1`);
          await run(sql`delete from bank_bookings`);
          const after = await runAll(run);
          throw Object.assign(new Error('undone'), {
            found: after.map(({ violations }) => violations.length > 0),
          });
        })
        .catch((error: { found?: boolean[] }) => error.found);
    assert.deepEqual(await wrong(), [true, true, true]);
  });

  it('bank-files.md §6.1: every waiting line is compared with new bookings in one round, however many lines wait', async () => {
    await days.own();
    // One step compares fewer lines.
    const count = 510;
    for (let line = 0; line < count; line++) book.book({ amount: 5n, references: [`stranger-${line}`] });
    await closeDay();
    const breaks = await openBreaks();
    assert.equal(breaks.length, count);
    for (const { id } of breaks) await writeOff(id);
    const day = await closeDay();
    assert.deepEqual((await held()).slice(1), [count, count]);
    const { is_proven, ours_in_transit, theirs_in_transit } = await proofOf(day);
    assert.deepEqual([is_proven, ours_in_transit, theirs_in_transit], [true, 0n, 0n]);
  });

  it('bank-files.md §6.1: a line that another process holds is compared in the next round', async () => {
    const reference = await paid();
    book.book({ amount: -(await amountOf(reference)), references: [reference] });
    await closeDay();
    await world.database.query(sql`
      update bank_lines set match = null, matched_on = null where connector_id = ${days.connectorId}`);
    await world.database.query(sql`
      update bank_ours set match = null, matched_on = null, is_new = true where connector_id = ${days.connectorId}`);
    await world.database.transaction(async (run) => {
      await run(sql`select from bank_lines where connector_id = ${days.connectorId} for update`);
      assert.equal(await matchLines(world.app.runtime), true);
      assert.deepEqual((await held()).slice(1), [1, 0]);
    });
    assert.equal(await matchLines(world.app.runtime), true);
    assert.deepEqual((await held()).slice(1), [1, 1]);
  });

  it('bank-files.md §6.5: an entry that an operator books for a line more than 30 days later is matched with it', async () => {
    await days.own();
    const reference = await paid();
    book.book({ amount: 7n - (await amountOf(reference)), references: [reference] });
    book.book({ amount: 500n, references: ['stranger'] });
    await closeDay();
    assert.deepEqual((await openBreaks()).map(({ kind }) => kind).toSorted(), [
      'AMOUNT_DIFFERS',
      'THEIRS_UNMATCHED',
    ]);
    world.clock.advance(40 * DAY_MS);
    await closeDay();
    for (const { id, kind } of await openBreaks()) if (kind !== 'OURS_UNMATCHED') await writeOff(id);
    await reach();
    assert.deepEqual(await openBreaks(), []);
    const day = await closeDay();
    const { is_proven, ours_in_transit, theirs_in_transit } = await proofOf(day);
    assert.deepEqual([is_proven, ours_in_transit, theirs_in_transit], [true, 0n, 0n]);
  });

  it('bank-files.md §7.1: our lines are copied that were booked just before their connector was removed', async () => {
    await paid();
    await world.database.query(sql`update connectors set removed_at = now() where id = ${days.connectorId}`);
    await readJournal(world, at.live.id);
    await reconcile(world.app.runtime);
    const [row] = await world.database.query<{ lines: bigint }>(sql`
      select count(*) as lines from bank_ours where connector_id = ${days.connectorId}`);
    assert.equal(row?.lines, 1n);
  });

  it('bank-files.md §5.3: texts of lines about people are sealed', async () => {
    book.book({ amount: 500n, references: ['AdaLovelace-4711'] });
    await closeDay();
    const rows = await world.database.query<{ text: string }>(sql`select l::text as text from bank_lines l`);
    assert.ok(rows.length > 0);
    for (const { text } of rows) assert.doesNotMatch(text, /Lovelace/i);
  });
});

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
