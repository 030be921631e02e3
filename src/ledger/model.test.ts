import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Work } from '#database/work.ts';
import {
  type Account,
  type AccountState,
  type GuardedAccount,
  isCarried,
  type SummedAccount,
} from '#ledger/accounts.ts';
import type { CompleteEntry, Entry, Line, Verdict } from '#ledger/entries.ts';
import { post } from '#ledger/post.ts';
import { createPoster } from '#ledger/poster.ts';
import { rollUpLedger } from '#ledger/roll-up.ts';
import { balancesOf, openLedgerAccounts, postEntries, sumOf } from '#ledger/store.ts';
import { verifyLedger, violationsIn } from '#ledger/verify.ts';
import { newUuid } from '#lib/ids.ts';
import { testWorld } from '#tests/harness.ts';

/** Random postings against a plain model. `LEDGER_SEED` repeats a run, `LEDGER_RUNS` lengthens one. */
describe('the ledger and a plain model of it', () => {
  const world = testWorld();
  const runs = Number(process.env.LEDGER_RUNS ?? 40);

  it('money.md §12: thousands of random sets get the verdicts and balances that the model says', async (t) => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(
      fc.array(setOfMoves, { minLength: 20, maxLength: 60 }),
      async (sets) => {
        const { work, names, open } = await given();
        const model = new Model(open);
        for (const set of sets) {
          const entries = set.map((drawn) => entryOf(drawn, names, model));
          const expected = entries.map((entry) => model.post(entry));
          for (const [verdict] of expected) seen.set(verdict, 1 + (seen.get(verdict) ?? 0));
          const verdicts = await work.write((tx) => post(tx, entries));
          assert.deepEqual(verdicts.map(plain), expected);
        }
        await agree(work, names, model);
      },
    );
    await check(t, property, { numRuns: runs });
    t.diagnostic([...seen].map(([verdict, count]) => `${count} ${verdict}`).join(', '));
    for (const verdict of ['posted', 'replayed', 'insufficient', 'unknown_account']) {
      assert((seen.get(verdict) ?? 0) > runs / 4, `too few entries came out as ${verdict}`);
    }
  });

  it('money.md §12.2: callers at the same time leave what the journal, replayed in its order, says', async (t) => {
    const property = fc.asyncProperty(
      fc.array(setOfMoves, { minLength: 40, maxLength: 80 }),
      async (sets) => {
        const { work, names, open, complete } = await given();
        const poster = createPoster(work.surroundings, { lanes: 3, batchMax: 7 });
        const fixed = new Model(open);
        const told = await Promise.all(
          sets.map(async (set, i) => {
            // What a transaction's own accounts carry is known only under its row's lock, which the model lacks.
            const entries = set.flatMap((drawn) => {
              const entry = entryOf(drawn, names, fixed);
              return entry.carried?.length ? [] : [complete(entry)];
            });
            if (entries.length === 0) return [];
            const verdicts = await waysToPost(work, poster)[i % 3]?.(entries);
            return entries.map((entry, k) => ({ entry, verdict: verdicts?.[k] as Verdict }));
          }),
        );
        const judged = told.flat();
        const posted = judged.filter(({ verdict }) => verdict.verdict === 'posted');
        const inOrder = posted.toSorted((a, b) => Number(seqOf(a.verdict) - seqOf(b.verdict)));
        const model = new Model(open);
        for (const { entry, verdict } of inOrder) assert.deepEqual(plain(verdict), model.post(entry));
        // Nothing may pass as replayed of which no twin was posted.
        for (const { entry, verdict } of judged) {
          if (verdict.verdict === 'replayed') assert(model.isTaken(entry), 'replayed without a first time');
        }
        await rollUpLedger(world.database, work.platform.id);
        await agree(work, names, model);
      },
    );
    // Races do not repeat themselves, so there is nothing to shrink.
    await check(t, property, { numRuns: Math.ceil(runs / 4), endOnFailure: true });
  });

  async function check<T>(
    t: TestContext,
    property: fc.IAsyncProperty<T>,
    how: fc.Parameters<T>,
  ): Promise<void> {
    const seed = Number(process.env.LEDGER_SEED ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`LEDGER_SEED=${seed}`);
    await fc.assert(property, { seed, ...how });
  }

  async function given() {
    const platform = await world.platform();
    const work = await platform.work();
    const names = accountNames();
    const open = names.filter((account) => account.startsWith('AVAIL:') || account.startsWith('RECEIVABLE:'));
    const accounts = open as GuardedAccount[];
    await work.write((tx) =>
      openLedgerAccounts(
        tx,
        CURRENCIES.flatMap((currency) => accounts.map((account) => ({ account, currency }))),
      ),
    );
    const complete = (entry: Entry): CompleteEntry => ({
      ...entry,
      id: newUuid(),
      platformId: platform.id,
      createdAt: new Date(world.clock.now()),
    });
    return { work, names, open, complete };
  }

  /** Each way in which entries may arrive: in somebody's transaction, alone in a shared commit, as a set. */
  function waysToPost(work: Work, poster: ReturnType<typeof createPoster>) {
    return [
      (entries: CompleteEntry[]): Promise<Verdict[]> => work.write((tx) => post(tx, entries)),
      (entries: CompleteEntry[]): Promise<Verdict[]> => Promise.all(entries.map(poster)),
      async (entries: CompleteEntry[]): Promise<Verdict[]> => {
        const verdicts: Verdict[] = [];
        for (const entry of entries) {
          verdicts.push(
            ...(await work.write((tx) => postEntries((piece) => tx.query(piece), [entry], new Date()))),
          );
        }
        return verdicts;
      },
    ];
  }

  async function agree(work: Work, names: readonly Account[], model: Model): Promise<void> {
    const guarded = names.filter((account) => !isCarried(account) && !isSummed(account)) as GuardedAccount[];
    const states = await work.read((tx) => balancesOf(tx, guarded));
    for (const { account, currency, balance, no } of states) {
      assert.deepEqual({ balance, no }, model.stateOf(account, currency), `${account} in ${currency}`);
    }
    for (const account of names.filter(isSummed)) {
      const { debit, credit } = await work.read((tx) => sumOf(tx, account));
      assert.equal(debit - credit, model.netOf(account), account);
    }
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query)), []);
  }
});

function isSummed(account: Account): account is SummedAccount {
  return /^(FEES|FX|RAIL|SUSPENSE):/.test(account);
}

const CURRENCIES = ['USD', 'EUR'];
const TRANSACTIONS = 6;

/** Three owners with money, one who owes, one account nobody opened, transactions' own and shared accounts. */
function accountNames(): Account[] {
  const avail = Array.from({ length: 3 }, (): Account => `AVAIL:${newUuid()}`);
  const inflight = Array.from({ length: TRANSACTIONS }, (): Account => `INFLIGHT:${newUuid()}`);
  const shared = CURRENCIES.flatMap((currency): Account[] => [
    `RAIL:SANDBOX:${currency}`,
    `FEES:${currency}`,
    `FX:${currency}`,
  ]);
  // Rails come up most often, so that there is money to move.
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
  kind: string;
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
    kind: fc.constantFrom('L1', 'L2', 'L4', 'L6', 'L7'),
    ordinal: fc.nat(2),
    transaction: fc.option(fc.nat(12), { freq: 3 }),
    moves: fc.array(drawnMove, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Each move is a debit and a credit of the same amount; shared accounts follow the currency of the move. */
function entryOf(drawn: DrawnEntry, names: readonly Account[], model: Model): Entry {
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

type PlainVerdict = [string, ...string[]];

function plain(verdict: Verdict): PlainVerdict {
  if (verdict.verdict === 'posted') {
    const states = verdict.states.map(
      ({ account, currency, no, balance }) => `${account} ${currency} ${no} ${balance}`,
    );
    return ['posted', ...states.toSorted()];
  }
  return 'account' in verdict ? [verdict.verdict, verdict.account] : [verdict.verdict];
}

function seqOf(verdict: Verdict): bigint {
  return verdict.verdict === 'posted' ? verdict.seq : 0n;
}

interface Kept {
  no: bigint;
  balance: bigint;
}

/** What the ledger is meant to do, in a few maps. */
class Model {
  readonly #open: ReadonlySet<Account>;
  readonly #kept = new Map<string, Kept>();
  readonly #nets = new Map<Account, bigint>();
  readonly #taken = new Set<string>();
  readonly #transactions = new Map<number, string>();

  constructor(open: readonly Account[]) {
    this.#open = new Set(open);
  }

  transactionId(drawn: number): string {
    const id = this.#transactions.get(drawn) ?? newUuid();
    this.#transactions.set(drawn, id);
    return id;
  }

  stateOf(account: Account, currency: string): Kept {
    return this.#kept.get(`${account} ${currency}`) ?? { no: 0n, balance: 0n };
  }

  netOf(account: Account): bigint {
    return this.#nets.get(account) ?? 0n;
  }

  isTaken(entry: Entry): boolean {
    return this.#taken.has(stepOf(entry));
  }

  post(entry: Entry): PlainVerdict {
    if (this.isTaken(entry)) return ['replayed'];
    const after = new Map<string, Kept>();
    for (const { account, currency, side, amount } of judgingOrder(entry.lines)) {
      if (isSummed(account)) continue;
      if (!isCarried(account) && !this.#open.has(account)) return ['unknown_account', account];
      const key = `${account} ${currency}`;
      const { no, balance } = after.get(key) ?? this.stateOf(account, currency);
      const adds = (side === 'DEBIT') === account.startsWith('RECEIVABLE:');
      const next = { no: no + 1n, balance: adds ? balance + amount : balance - amount };
      if (next.balance < 0n) return ['insufficient', account];
      after.set(key, next);
    }
    for (const [key, state] of after) this.#kept.set(key, state);
    for (const { account, side, amount } of entry.lines) {
      this.#nets.set(account, this.netOf(account) + (side === 'DEBIT' ? amount : -amount));
    }
    if (entry.transactionId !== undefined) this.#taken.add(stepOf(entry));
    const states = [...after].map(([key, { no, balance }]) => `${key} ${no} ${balance}`);
    return ['posted', ...states.toSorted()];
  }
}

function stepOf({ transactionId, kind, ordinal }: Entry): string {
  return `${transactionId} ${['L2', 'L3b', 'L4', 'L5'].includes(kind) ? 'TAKE' : `${kind} ${ordinal}`}`;
}

/** By currency and account, and on one account additions first: it decides which of several faults is told. */
function judgingOrder(lines: readonly Line[]): Line[] {
  const weight = ({ account, side }: Line) =>
    (side === 'DEBIT') === account.startsWith('RECEIVABLE:') ? 0 : 1;
  const key = (line: Line) => `${line.currency} ${line.account} ${weight(line)}`;
  return lines.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
