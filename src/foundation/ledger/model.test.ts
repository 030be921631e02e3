// lane: whole — random sequences of entries beside a model

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { violates } from '#foundation/database/failures.ts';
import type { Reason } from '#foundation/database/reasons.ts';
import type { Work } from '#foundation/database/work.ts';
import { type CompleteEntry, type Entry, inPostingOrder, type Line } from '#foundation/ledger/entries.ts';
import {
  type Account,
  type AccountState,
  type GuardedAccount,
  isCarried,
  type LedgerKind,
  type SummedAccount,
} from '#foundation/ledger/kinds.ts';
import { findBalances, loadSum, openLedgerAccounts, rollUpLedger } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { assertSound, type GivenLedger, givenLedger, type StoredEntry } from '#tests/given/ledger.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { createPoster, postSet } from '#tests/harness/ledger-poster.ts';
import { seedOf } from '#tests/harness/seed.ts';

/** Random postings against a simple model. `LEDGER_SEED` repeats a run, `LEDGER_RUNS` lengthens one. */
describe('the ledger compared with a simple model', () => {
  const world = testWorld({ journalIsChecked: false });
  const runs = Number(process.env.LEDGER_RUNS ?? 40);

  it('money.md §12: random sets are committed or refused as the model predicts, and leave its balances', async (t) => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(
      fc.array(setOfMoves, { minLength: 20, maxLength: 60 }),
      async (sets) => {
        const { ledger, names, open } = await given();
        const model = new Model(open);
        const funds = fundsFor([...open, ...names.filter(isCarried)]).map(ledger.complete);
        assert.deepEqual(
          [model.postWhole(funds).reasons[0], await ledger.tryPost(...funds)],
          [['posted'], undefined],
        );
        for (const set of sets) {
          const entries = set.map((drawn) => ledger.complete(buildEntry(drawn, names, model)));
          const expected = model.postWhole(entries);
          const reason = await ledger.tryPost(...entries).catch(unsoundOnly);
          assertAmong(plain(reason), expected.reasons);
          assert.deepEqual((await ledger.stored(...entries)).map(plainStates), expected.states);
          const [outcome] = plain(reason);
          seen.set(outcome, 1 + (seen.get(outcome) ?? 0));
        }
        await agree(ledger.work, names, model);
      },
    );
    await check(t, property, { numRuns: runs });
    tell(t, seen);
  });

  it('money.md §12: entries in one shared commit have the outcomes that the model predicts, one after the other', async (t) => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(
      fc.array(fc.array(setOfMoves, { minLength: 1, maxLength: 12 }), { minLength: 5, maxLength: 15 }),
      async (commits) => {
        const { ledger, names, open } = await given();
        const model = new Model(open);
        for (const drawn of commits) {
          const entries = drawn.flat().flatMap((one) => withoutCarried(buildEntry(one, names, model)));
          const complete = entries.map(ledger.complete);
          const expected = complete.map((entry) => model.post(entry));
          // A new poster each time, so that no entry commits apart because of earlier refusals.
          const poster = createPoster(world.database);
          const reasons = await Promise.all(complete.map(poster));
          assert.deepEqual(
            reasons.map(plain),
            expected.map(({ reason }) => reason),
          );
          assert.deepEqual(
            (await ledger.stored(...complete)).map(plainStates),
            expected.map(({ states }) => states),
          );
          for (const { reason } of expected) seen.set(reason[0], 1 + (seen.get(reason[0]) ?? 0));
        }
        await agree(ledger.work, names, model);
      },
    );
    await check(t, property, { numRuns: Math.ceil(runs / 4) });
    tell(t, seen);
  });

  it('money.md §12.2: concurrent callers leave the balances that a replay of the journal gives', async (t) => {
    const property = fc.asyncProperty(
      fc.array(setOfMoves, { minLength: 40, maxLength: 80 }),
      async (sets) => {
        const { ledger, names, open } = await given();
        const ways = waysToPost(ledger);
        const fixed = new Model(open);
        const told = await Promise.all(
          sets.map(async (set, i) => {
            const entries = set.flatMap((drawn) => withoutCarried(buildEntry(drawn, names, fixed)));
            return entries.length > 0 ? (ways[i % ways.length] as Way)(entries.map(ledger.complete)) : [];
          }),
        );
        const checked = told.flat();
        const stored = await ledger.stored(...checked.map(({ entry }) => entry));
        const all = checked.map((one, i) => ({ ...one, stored: stored[i] }));
        for (const { reason, stored } of all) assert.equal(stored === undefined, reason !== undefined);
        const steps = Map.groupBy(checked, ({ entry }) => stepOf(entry));
        const isContested = (entry: CompleteEntry) =>
          entry.transactionId !== undefined && (steps.get(stepOf(entry)) ?? []).length > 1;
        const model = new Model(open);
        const inOrder = all.filter(isStored).toSorted((a, b) => Number(a.stored.seq - b.stored.seq));
        for (const { entry, stored } of inOrder) {
          assert.deepEqual({ reason: ['posted'], states: plainStates(stored) }, model.post(entry));
        }
        // An entry may be `replayed` only if the same step was posted.
        for (const { reason, mates } of all) {
          if (reason?.name === 'replayed') {
            assert(isTwice(mates) || mates.some((mate) => model.isTaken(mate)), 'replayed, but never posted');
          } else if (reason?.name === 'stale') {
            // With an account: money arrived between the refusal and the search for its reason. Without one: a deadlock.
            // Accounts are locked in one order, so only a step that another commit posts at the same time can cause it.
            assert(
              'account' in reason || mates.some(isContested),
              'a deadlock of commits that share no step',
            );
          } else if (reason) {
            assert(['insufficient', 'unknown_account'].includes(reason.name), reason.name);
          }
        }
        await rollUpLedger(world.database, ledger.platformId);
        await agree(ledger.work, names, model);
      },
    );
    // Races are not reproducible, so there is nothing to shrink.
    await check(t, property, { numRuns: Math.ceil(runs / 4), endOnFailure: true });
  });

  function tell(t: TestContext, seen: ReadonlyMap<string, number>): void {
    t.diagnostic([...seen].map(([outcome, count]) => `${count} ${outcome}`).join(', '));
    for (const outcome of ['posted', 'replayed', 'insufficient', 'unknown_account']) {
      assert((seen.get(outcome) ?? 0) > runs / 4, `too few came out as ${outcome}`);
    }
  }

  async function check<T>(
    t: TestContext,
    property: fc.IAsyncProperty<T>,
    how: fc.Parameters<T>,
  ): Promise<void> {
    const seed = seedOf('LEDGER_SEED');
    t.diagnostic(`LEDGER_SEED=${seed}`);
    await fc.assert(property, { seed, ...how });
  }

  async function given() {
    const ledger = await givenLedger(world);
    const names = accountNames();
    const open = names.filter((account) => account.startsWith('AVAIL:') || account.startsWith('RECEIVABLE:'));
    const accounts = open as GuardedAccount[];
    await ledger.work.write((tx) =>
      openLedgerAccounts(
        tx,
        CURRENCIES.flatMap((currency) => accounts.map((account) => ({ account, currency }))),
      ),
    );
    return { ledger, names, open };
  }

  /** The ways to post entries: as a set in another transaction or in its own, or each alone in a shared commit. */
  function waysToPost(ledger: GivenLedger): Way[] {
    const poster = createPoster(world.database);
    const whole = (post: (entries: CompleteEntry[]) => Promise<Reason | undefined>): Way => {
      return async (entries) => {
        const reason = await post(entries);
        return entries.map((entry) => ({ entry, reason, mates: entries }));
      };
    };
    return [
      whole((entries) => ledger.tryPost(...entries)),
      whole((entries) => postSet(world.database, entries)),
      (entries) =>
        Promise.all(entries.map(async (entry) => ({ entry, reason: await poster(entry), mates: [entry] }))),
    ];
  }

  async function agree(work: Work, names: readonly Account[], model: Model): Promise<void> {
    const guarded = names.filter((account) => !isCarried(account) && !isSummed(account)) as GuardedAccount[];
    const states = await work.read((tx) => findBalances(tx, guarded));
    for (const { account, currency, balance, no } of states) {
      assert.deepEqual({ balance, no }, model.stateOf(account, currency), `${account} in ${currency}`);
    }
    for (const account of names.filter(isSummed)) {
      const { debit, credit } = await work.read((tx) => loadSum(tx, account));
      assert.equal(debit - credit, model.netOf(account), account);
    }
    await assertSound(world);
  }
});

interface PostingOutcome {
  readonly entry: CompleteEntry;
  readonly reason: Reason | undefined;
  /** All entries that are committed or refused together with it. */
  readonly mates: readonly CompleteEntry[];
}

type Way = (entries: CompleteEntry[]) => Promise<PostingOutcome[]>;

function isStored<T extends { stored: StoredEntry | undefined }>(one: T): one is T & { stored: StoredEntry } {
  return one.stored !== undefined;
}

/** Only the commit of a transaction's row knows its carried balances, and the model has no such rows. */
function withoutCarried(entry: Entry): Entry[] {
  return entry.carried?.length ? [] : [entry];
}

function isTwice(entries: readonly Entry[]): boolean {
  const steps = entries.filter(({ transactionId }) => transactionId !== undefined).map(stepOf);
  return new Set(steps).size < steps.length;
}

function isSummed(account: Account): account is SummedAccount {
  return /^(FEES|FX|RAIL|SUSPENSE):/.test(account);
}

const CURRENCIES = ['USD', 'EUR'];
const TRANSACTIONS = 6;

/** Three owners with money, one debtor, one account that is not open, and accounts of transactions and shared ones. */
function accountNames(): Account[] {
  const avail = Array.from({ length: 3 }, (): Account => `AVAIL:${newUuid()}`);
  const inflight = Array.from({ length: TRANSACTIONS }, (): Account => `INFLIGHT:${newUuid()}`);
  const shared = CURRENCIES.flatMap((currency): Account[] => [
    `RAIL:SANDBOX:${currency}`,
    `FEES:${currency}`,
    `FX:${currency}`,
  ]);
  // Rails are drawn most often, so that there is money to move.
  const rails = shared.filter((account) => account.startsWith('RAIL:'));
  const often = Array.from({ length: 5 }, () => rails).flat();
  return [...avail, `RECEIVABLE:${newUuid()}:USD`, `HOLD:${newUuid()}`, ...inflight, ...shared, ...often];
}

interface DrawnMove {
  from: number;
  to: number;
  currency: number;
  amount: number;
}

interface DrawnEntry {
  kind: LedgerKind;
  ordinal: number;
  transaction: number | null;
  moves: DrawnMove[];
}

const drawnMove: fc.Arbitrary<DrawnMove> = fc.record({
  from: fc.nat(999),
  to: fc.nat(999),
  currency: fc.nat(1),
  amount: fc.integer({ min: 1, max: 50 }),
});

const setOfMoves: fc.Arbitrary<DrawnEntry[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<LedgerKind[]>(
      'deposit.received',
      'payment.executed',
      'payment.funded',
      'payment.converted',
      'payment.delivered',
    ),
    ordinal: fc.nat(2),
    transaction: fc.option(fc.nat(12), { freq: 3 }),
    moves: fc.array(drawnMove, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Each move is a debit and a credit of the same amount; shared accounts follow the currency of the move. */
function buildEntry(drawn: DrawnEntry, names: readonly Account[], model: Model): Entry {
  const lines = drawn.moves.flatMap(({ from, to, currency: drawnCurrency, amount }): Line[] => {
    const currency = CURRENCIES[drawnCurrency] ?? 'USD';
    const fits = names.filter((account) => !isSummed(account) || account.endsWith(`:${currency}`));
    const pick = (n: number) => fits[n % fits.length] as Account;
    return [
      { account: pick(from), currency, side: 'DEBIT', amount: BigInt(amount) },
      { account: pick(to), currency, side: 'CREDIT', amount: BigInt(amount) },
    ];
  });
  const carried = lines.flatMap(({ account, currency }): AccountState[] =>
    isCarried(account) ? [{ account, currency, ...model.stateOf(account, currency) }] : [],
  );
  return {
    kind: drawn.kind,
    ordinal: drawn.ordinal,
    ...(drawn.transaction !== null && { transactionId: model.transactionId(drawn.transaction) }),
    lines,
    carried,
  };
}

/** Initial balances, so that many of the drawn entries can be posted. */
function fundsFor(accounts: readonly Account[]): Entry[] {
  return accounts.flatMap((account) =>
    CURRENCIES.map((currency): Entry => {
      const rail: Account = `RAIL:SANDBOX:${currency}`;
      const [from, to] = account.startsWith('RECEIVABLE:') ? [account, rail] : [rail, account];
      return {
        kind: 'deposit.received',
        lines: [
          { account: from, currency, side: 'DEBIT', amount: 40n },
          { account: to, currency, side: 'CREDIT', amount: 40n },
        ],
        carried: isCarried(account) ? [{ account, currency, no: 0n, balance: 0n }] : [],
      };
    }),
  );
}

/** The name of the outcome, with its account. */
type Outcome = [string, ...string[]];

function plain(reason: Reason | typeof UNSOUND | undefined): Outcome {
  if (!reason) return ['posted'];
  return reason.account === undefined ? [reason.name] : [reason.name, `${reason.account} ${reason.currency}`];
}

function assertAmong(reason: Outcome, reasons: readonly Outcome[]): void {
  assert.ok(
    reasons.some((one) => isDeepStrictEqual(one, reason)),
    `${reason} is none of ${JSON.stringify(reasons)}`,
  );
}

const UNSOUND = { name: 'unsound', account: undefined } as const;

/** A carried account below zero is a bug in our code, which the table itself refuses. */
function unsoundOnly(error: unknown): typeof UNSOUND {
  assert(violates(error, 'ledger_entries_sound'), String(error));
  return UNSOUND;
}

/** The state of each account with a balance after the entry. */
function plainStates(entry: StoredEntry | undefined): string[] | undefined {
  if (!entry) return undefined;
  const last = new Map(entry.states.map((state) => [`${state.account} ${state.currency}`, state]));
  return [...last].map(([key, { no, balance }]) => `${key} ${no} ${balance}`).toSorted();
}

interface ModelBalance {
  no: bigint;
  balance: bigint;
}

/** The intended behaviour of the ledger, in a few maps. */
class Model {
  readonly #open: ReadonlySet<Account>;
  readonly #kept = new Map<string, ModelBalance>();
  readonly #nets = new Map<Account, bigint>();
  readonly #taken = new Set<string>();
  readonly #transactions = new Map<number, TransactionId>();

  constructor(open: readonly Account[]) {
    this.#open = new Set(open);
  }

  transactionId(drawn: number): TransactionId {
    const id = this.#transactions.get(drawn) ?? newUuid();
    this.#transactions.set(drawn, id);
    return id;
  }

  stateOf(account: Account, currency: string): ModelBalance {
    return this.#kept.get(`${account} ${currency}`) ?? { no: 0n, balance: 0n };
  }

  netOf(account: Account): bigint {
    return this.#nets.get(account) ?? 0n;
  }

  isTaken(entry: Entry): boolean {
    return this.#taken.has(stepOf(entry));
  }

  /** Posts one entry by itself. */
  post(entry: Entry): { reason: Outcome; states: string[] | undefined } {
    const { reasons, states } = this.postWhole([entry]);
    const [reason] = reasons as [Outcome];
    return { reason, states: states[0] };
  }

  /**
   * Posts all entries or none. If several are wrong, any of their reasons may be reported; of one entry, a replay is
   * reported first, whatever else is wrong with it.
   */
  postWhole(entries: readonly Entry[]): { reasons: Outcome[]; states: (string[] | undefined)[] } {
    const refused = (...reasons: Outcome[]) => ({ reasons, states: entries.map(() => undefined) });
    const kept = new Map(this.#kept);
    const faults: { key: string; name: string }[] = [];
    const states = entries.map(({ lines }) => this.#move(lines, kept, faults));
    if (faults.length > 0) {
      const others: Outcome[] = faults.toSorted(byKey).map(({ name, key }) => [name, key]);
      if (states.some(({ isUnsound }) => isUnsound)) others.push(['unsound']);
      const steps = entries.filter(({ transactionId }) => transactionId !== undefined).map(stepOf);
      const isReplay = entries.some((entry) => this.isTaken(entry)) || new Set(steps).size < steps.length;
      if (!isReplay) return refused(...others);
      return entries.length === 1 ? refused(['replayed']) : refused(['replayed'], ...others);
    }
    const taken = new Set(this.#taken);
    for (const [i, entry] of entries.entries()) {
      if (states[i]?.isUnsound) return refused(['unsound']);
      if (entry.transactionId === undefined) continue;
      if (taken.has(stepOf(entry))) return refused(['replayed']);
      taken.add(stepOf(entry));
    }
    for (const [key, state] of kept) this.#kept.set(key, state);
    for (const step of taken) this.#taken.add(step);
    for (const { account, side, amount } of entries.flatMap(({ lines }) => lines)) {
      this.#nets.set(account, this.netOf(account) + (side === 'DEBIT' ? amount : -amount));
    }
    return { reasons: [['posted']], states: states.map(({ states }) => states) };
  }

  #move(lines: readonly Line[], kept: Map<string, ModelBalance>, faults: { key: string; name: string }[]) {
    const after = new Map<string, ModelBalance>();
    let isUnsound = false;
    for (const { account, currency, side, amount } of inPostingOrder(lines)) {
      if (isSummed(account)) continue;
      const key = `${account} ${currency}`;
      const { no, balance } = kept.get(key) ?? { no: 0n, balance: 0n };
      const adds = (side === 'DEBIT') === account.startsWith('RECEIVABLE:');
      const next = { no: no + 1n, balance: adds ? balance + amount : balance - amount };
      kept.set(key, next);
      after.set(key, next);
      if (isCarried(account)) isUnsound ||= next.balance < 0n;
      else if (!this.#open.has(account)) faults.push({ key, name: 'unknown_account' });
      else if (next.balance < 0n) faults.push({ key, name: 'insufficient' });
    }
    const states = [...after].map(([key, { no, balance }]) => `${key} ${no} ${balance}`).toSorted();
    return { states, isUnsound };
  }
}

function byKey({ key: a }: { key: string }, { key: b }: { key: string }): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function stepOf({ transactionId, kind, ordinal }: Entry): string {
  const isTaking = ['payment.executed', 'payment.captured', 'payment.funded', 'payment.collected'].includes(
    kind,
  );
  return `${transactionId} ${isTaking ? 'TAKE' : `${kind} ${ordinal}`}`;
}
