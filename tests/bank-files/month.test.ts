// lane: whole — plays days of orders, credits and statements at two banks

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BreakRow, listBreaks } from '#capabilities/connectors/break-store.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { BOOKING_CHECKS, MATCH_CHECKS } from '#capabilities/reconciliation/ledger-checks.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { type BankEntry, bankStatement } from '#tests/bank-files/bank-writes.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { BANK_IBAN, type FileBank, givenFileBank } from '#tests/given/bank-files.ts';
import { type BankBook, type BookedLine, openBankBook } from '#tests/given/bank-statements.ts';
import { ANY_ORDER, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { readJournal } from '#tests/given/journal.ts';
import { execute } from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { seedOf } from '#tests/harness/seed.ts';

const ORDERS = Number(process.env.MONTH_ORDERS ?? 60);
const CREDITS = Number(process.env.MONTH_CREDITS ?? 24);
const SEED = seedOf('MONTH_SEED');
const DAYS = Number(process.env.MONTH_DAYS ?? 3);
/** Days without orders at the end, so that everything is due. */
const QUIET_DAYS = 7;
/** After this many days the bank books what it had forgotten, too late for an automatic match. */
const FORGOTTEN_DAYS = 31;

const DAY_MS = 86_400_000;
/** Smaller payments go to the bank that takes files. */
const FILES_MOST = 900n;
const AT_ONCE = 16;
/** When the day begins, and when the last cut-off of the bank's files has passed; in UTC. */
const MORNING_MS = 6 * 3_600_000;
const AFTERNOON_MS = 16 * 3_600_000;
const TURNS_MAX = 200;
const REFERENCE = 'SVC-7K2MQ4XA';

/** A line that the bank books on a later day. */
interface Delayed<Line> {
  readonly day: number;
  readonly line: Line;
}

describe('a month of orders and credits over three settlement accounts of two banks', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const random = new SeededRandom(SEED);
  const planted = new Map<string, number>();
  const plant = (...kinds: string[]) => {
    for (const kind of kinds) planted.set(kind, (planted.get(kind) ?? 0) + 1);
  };
  let files: FileBank;
  let usd = '';
  let euros: `InternalAccount:${string}`;
  let receiver = '';
  let day = 0;
  const byHttp = {
    ...{ books: [] as BankBook[], known: new Set<string>() },
    ...{ delayed: [] as Delayed<() => void>[], forgotten: [] as (() => void)[] },
  };
  const byFiles = { orders: 0, balance: 0n, entries: [] as BankEntry[], delayed: [] as Delayed<BankEntry>[] };
  const made = { orders: 0, credits: 0, statements: 0 };

  async function givenBanks(): Promise<void> {
    await givenRates(world);
    const accounts = ['main', 'second'].map((id) => ({
      ...{ id, currency: 'EUR', label: id, zone: 'Europe/Berlin' },
    }));
    const pace = { inFlightMax: 1_000, ordersPerSecond: 1_000 };
    at.bank.capabilities = { ...EUR_ACCOUNTS, ...pace, statements: true, settlementAccounts: accounts };
    files = await givenFileBank(world, at);
    const route = { reason: 'test', ...ANY_ORDER };
    await at.change((tx) => setRoute(tx, { ...route, name: files.name, number: 1, most: FILES_MOST }));
    await at.change((tx) => setRoute(tx, { ...route, name: at.name, number: 2 }));
    const due = new Date(world.clock.now());
    await world.database.query(
      sql`update connectors set capabilities_due_at = ${due} where name = ${at.name}`,
    );
    await at.rounds();
    for (const [name, settlementAccount] of [
      [at.name, 'main'],
      [at.name, 'second'],
      [files.name, 'main'],
    ] as const)
      await at.change((tx) =>
        setOwner(tx, { name, settlementAccount, platformId: at.live.id, reason: 'test' }),
      );
    byHttp.books = [openBankBook(at.bank, 'main'), openBankBook(at.bank, 'second')];
    const held = await platformAccounts(at.live);
    [usd, euros] = [inCurrency(held, 'USD').id, inCurrency(held, 'EUR').id];
    receiver = (await givenExternalAccount(at.live, 'EUR_ACCOUNT', { iban: 'DE89370400440532013000' })).id;
    await (await at.live.work()).write(async (tx) => {
      await tx.sql`update external_accounts set status = 'ACTIVE' where platform_id = ${tx.platformId}`;
      await tx.sql`update internal_accounts set reference = ${REFERENCE} where id = ${uuidOf(euros)}`;
    });
  }

  /** Makes this many at once, so that they share commits. */
  async function each(count: number, make: () => Promise<void>): Promise<void> {
    for (let done = 0; done < count; done += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, make));
  }

  async function pay(): Promise<void> {
    const quote = await quoted(at.live, { from: usd, to: receiver, send: random.between(600, 1_600) });
    assert.equal((await execute(at.live, quote.id)).status, 200);
    made.orders++;
  }

  /** The first bank carries out what it was asked for, and books it, more or less. */
  function playHttp(): void {
    const [main] = byHttp.books as [BankBook];
    for (const [reference, order] of at.bank.orders) {
      if (byHttp.known.has(reference)) continue;
      byHttp.known.add(reference);
      at.bank.play(reference, 'SETTLED');
      bookAt(main, { amount: -BigInt(order.body.amount as string), references: [reference] });
    }
  }

  /** Books a line as it is, late, too late, twice, with another amount, with its return, or never. */
  function bookAt(book: BankBook, line: BookedLine): void {
    const fault = random.between(0, 39);
    if (fault === 0) {
      plant('OURS_UNMATCHED');
      return;
    }
    if (fault <= 2) return void byHttp.delayed.push({ day: day + fault, line: () => book.book(line) });
    if (fault <= 4) {
      plant('AMOUNT_DIFFERS', 'OURS_UNMATCHED');
      book.book({ ...line, amount: line.amount + (fault === 3 ? 7n : -7n) });
      return;
    }
    if (fault === 7) {
      plant('OURS_UNMATCHED', 'LATE');
      byHttp.forgotten.push(() => book.book(line));
      return;
    }
    book.book(line);
    if (fault === 5) {
      plant('DUPLICATE');
      book.book(line);
    }
    if (fault === 6) {
      plant('RETURNED');
      byHttp.delayed.push({
        day: day + 1,
        line: () => book.book({ ...line, amount: -line.amount, kind: 'RETURN' }),
      });
    }
  }

  /** The second bank takes its files away, and books what they say. */
  async function playFiles(): Promise<void> {
    for (const { text } of await files.collect())
      for (const [, endToEndId = '', amount = ''] of text.matchAll(
        /<EndToEndId>([0-9a-f]{32})<.*?<InstdAmt Ccy="EUR">([0-9.]+)</g,
      ))
        bookInFile(endToEndId, amount.replace('.', ''));
  }

  function bookInFile(endToEndId: string, amount: string): void {
    const entry = (more: Partial<BankEntry> = {}): BankEntry => ({
      ...{ amount, side: 'DBIT', reference: newUuid().slice(-12), details: [{ endToEndId }] },
      ...more,
    });
    // The first one is returned, so that the shortest month has a return, too.
    const fault = byFiles.orders++ === 0 ? 3 : random.between(0, 29);
    if (fault <= 1) return void byFiles.delayed.push({ day: day + 1 + fault, line: entry() });
    byFiles.entries.push(entry());
    if (fault === 2) {
      plant('DUPLICATE');
      byFiles.entries.push(entry());
    }
    // The books follow a return that the file names as one.
    if (fault === 3)
      byFiles.delayed.push({
        day: day + 1,
        line: entry({ side: 'CRDT', reversal: true, details: [{ endToEndId, returned: 'AC04' }] }),
      });
  }

  /** Money that comes in for an account, at any of the three. */
  function creditOne(): void {
    made.credits++;
    const amount = BigInt(random.between(100, 5_000));
    const place = random.between(0, 2);
    if (place === 2) {
      const details = [{ name: 'Grace Hopper', iban: 'DE89370400440532013000', remittance: REFERENCE }];
      // It names no known account, so it waits for an operator.
      plant('THEIRS_UNMATCHED');
      byFiles.entries.push({ amount: `${amount}`, side: 'CRDT', reference: `R-${made.credits}`, details });
      return;
    }
    const creditId = `credit-${made.credits}`;
    at.bank.list({
      ...{ id: newUuid(), type: 'CREDIT', at: new Date(world.clock.now()).toISOString() },
      ...{ settlementAccount: ['main', 'second'][place], amount: `${amount}`, currency: 'EUR' },
      ...{ rail: 'SEPA_INSTANT', creditId, accountId: euros },
    });
    bookAt(byHttp.books[place] as BankBook, { amount, references: [creditId] });
  }

  /** Lines that the books do not have: charges, and money of the operator's own. */
  function strangeLines(): void {
    for (const book of byHttp.books) {
      if (random.next() > 0.6) continue;
      const isCharge = random.next() < 0.5;
      const amount = BigInt(random.between(1, 900));
      const references = [`stranger-${day}-${newUuid()}`];
      book.book({ amount: isCharge ? -amount : amount, references, kind: isCharge ? 'CHARGE' : 'OTHER' });
      plant('THEIRS_UNMATCHED');
    }
    if (random.next() > 0.6) return;
    byFiles.entries.push({
      amount: '35',
      side: 'DBIT',
      reference: `fee-${day}-${newUuid().slice(-12)}`,
      family: 'CHRG',
    });
    plant('THEIRS_UNMATCHED');
  }

  /** Both banks close their day, and the service compares it with the books. */
  async function closeDay(): Promise<void> {
    // A process of tests that says nothing for twenty minutes is ended.
    console.log(`day ${day}: ${made.orders} orders, ${made.credits} credits`);
    for (const { line } of due(byHttp.delayed)) line();
    byFiles.entries.push(...due(byFiles.delayed).map(({ line }) => line));
    const name = Temporal.Instant.fromEpochMilliseconds(world.clock.now())
      .toZonedDateTimeISO('Europe/Berlin')
      .toPlainDate()
      .toString();
    for (const book of byHttp.books) book.close(name);
    const entries = byFiles.entries.splice(0);
    const opening = byFiles.balance;
    byFiles.balance = entries.reduce(
      (sum, { amount, side }) => sum + (side === 'CRDT' ? BigInt(amount) : -BigInt(amount)),
      opening,
    );
    const about = { id: `S-${name}`, iban: BANK_IBAN, day: name };
    const balances = { opening: `${opening}`, closing: `${byFiles.balance}` };
    await files.deliver(`${name}.xml`, bankStatement({ ...about, ...balances, entries }));
    made.statements += 3;
    await work();
    // The due work took some time of the day, and more on a full day.
    world.clock.advance(DAY_MS);
    goTo(MORNING_MS);
    day++;
  }

  /** Moves the clock to this time of the day. */
  function goTo(timeMs: number): void {
    world.clock.advance(timeMs - (world.clock.now() % DAY_MS));
  }

  function due<Line>(list: Delayed<Line>[]): Delayed<Line>[] {
    const now = list.filter((one) => one.day <= day);
    list.splice(0, list.length, ...list.filter((one) => one.day > day));
    return now;
  }

  /** Everything that is due is done: orders, files, events, statements, matches and proofs. */
  async function work(): Promise<void> {
    for (let turns = 0; ; turns++) {
      await world.app.worker.settle(at.live.id);
      await files.later(61);
      await readJournal(world, at.live.id);
      await at.rounds(3);
      assert.deepEqual([files.alarms, files.failures, at.failures], [[], [], []]);
      const waiting = await listWaiting();
      if (waiting.length === 0) return;
      assert.ok(turns < TURNS_MAX, `it does not come to an end: ${waiting.join(', ')}`);
    }
  }

  /** Returns what is not done yet. A connector takes only some orders at a time, so a full day needs many turns. */
  async function listWaiting(): Promise<string[]> {
    const [found = {}] = await world.database.query<Record<string, boolean>>(sql`
      select exists (select from connector_orders where status in ('WAITING', 'ROUTED') or call = 'PUT') as orders,
             exists (select from bank_file_batches where status in ('SEALED', 'WRITING')
                                                      or status = 'OPEN' and seal_at <= ${new Date(world.clock.now())}) as batches,
             exists (select from bank_file_orders where state = 'RECEIVED' and batch_id is null) as unbatched,
             exists (select from connector_events where applied_at is null) as events,
             exists (select from bank_lines where is_new) or exists (select from bank_ours where is_new) as lines,
             exists (select from bank_proofs where is_stale) as proofs`);
    return Object.keys(found).filter((name) => found[name]);
  }

  const openBreaks = () => listBreaks(world.database.query, 10_000);

  /** What an operator of finance does about a break of each kind. */
  async function resolve(
    finance: SeatedOperator,
    { id: breakId, kind, about, amount }: BreakRow,
  ): Promise<void> {
    if (about.startsWith('credit ')) {
      const money = { break: publicId('Break', breakId) };
      const { status, body } = await finance.call('assignBreak', { accountId: uuidOf(euros) }, money);
      assert.equal(status, 200, JSON.stringify(body));
      return;
    }
    if (kind === 'LATE') {
      const { body: found } = await finance.call('listBreakSuggestions', { breakId });
      const lines = [found.suggestions[0].item];
      const { status, body } = await finance.call('matchBreak', { breakId }, { lines });
      assert.equal(status, 200, JSON.stringify(body));
      return;
    }
    const isStrange = kind === 'THEIRS_UNMATCHED';
    const [operation, as] =
      isStrange && (amount ?? 0n) < 0n
        ? ['bookBankLine', 'CHARGE']
        : ['bookBankDifference', isStrange ? 'OWN' : 'WRITE_OFF'];
    const { status, body } = await finance.call(operation, { breakId }, { as });
    // The two breaks of another amount are about one difference: after the first, nothing is left of the second.
    assert.ok(
      status === 200 || (status === 409 && kind === 'OURS_UNMATCHED'),
      JSON.stringify({ kind, body }),
    );
  }

  it('bank-files.md §6.3, §6.5, §7.3: each planted difference is a break of its kind, nothing else is, and with the breaks resolved every day is proven', async () => {
    await givenBanks();
    goTo(DAY_MS + MORNING_MS);
    for (let left = DAYS; left > 0; left--) {
      // Rates of some days before are too old for a quote.
      await givenRates(world);
      await each(Math.ceil((ORDERS - made.orders) / left), pay);
      await work();
      goTo(AFTERNOON_MS);
      await work();
      playHttp();
      await playFiles();
      for (let more = Math.ceil((CREDITS - made.credits) / left); more > 0; more--) creditOne();
      strangeLines();
      await work();
      await closeDay();
    }
    for (let quiet = 0; quiet < QUIET_DAYS; quiet++) await closeDay();
    world.clock.advance(FORGOTTEN_DAYS * DAY_MS);
    for (const book of byHttp.forgotten) book();
    await closeDay();
    const found = Map.groupBy(await openBreaks(), ({ kind }) => kind);
    const counted = [...found].map(([kind, rows]) => [kind, rows.length]).toSorted();
    assert.deepEqual(counted, [...planted].toSorted());
    await resolveAll();
    const days = await world.database.query<{ unproven: bigint; proven: bigint; transit: bigint }>(sql`
      select count(*) filter (where not is_proven or is_stale) as unproven, count(*) filter (where is_proven) as proven,
             count(*) filter (where day = (select max(day) from bank_proofs) and ours <> closing) as transit
        from bank_proofs`);
    assert.deepEqual(days, [{ unproven: 0n, proven: BigInt(made.statements), transit: 0n }]);
    for (const check of [...MATCH_CHECKS, ...BOOKING_CHECKS])
      assert.deepEqual((await check.run(world.database.query)).violations, []);
    const breaks = [...planted.values()].reduce((sum, count) => sum + count, 0);
    console.log(JSON.stringify({ ...made, breaks, kinds: Object.fromEntries(planted) }));
  });

  async function resolveAll(): Promise<void> {
    await setApprovals(world, { approvals: 'off' });
    const { platform } = await at.live.work();
    const finance = await seatedOperator(world, platform, ['finance']);
    const all = await openBreaks();
    const first = all.filter(({ kind }) => kind !== 'OURS_UNMATCHED');
    for (const one of first) await resolve(finance, one);
    console.log(`${first.length} breaks are resolved`);
    await work();
    for (const one of await openBreaks()) await resolve(finance, one);
    await work();
    await closeDay();
    assert.deepEqual(await openBreaks(), []);
  }
});
