import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { isFew } from '#foundation/database/row-sets.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { Changes } from '#foundation/database/tx.ts';
import {
  assertPostable,
  type CompleteEntry,
  carriedState,
  type Entry,
  inPostingOrder,
  type Line,
} from '#foundation/ledger/entries.ts';
import { type Account, isCarried, isGuarded, kindOf, stepName } from '#foundation/ledger/kinds.ts';
import {
  type AccountMovement,
  type EntryToPost,
  type LineAfterMovement,
  postEntries,
  writeEntries,
} from '#foundation/ledger/store.ts';

/** Posts an entry in the commit of this transaction or change, which is refused if the entry is. */
export function post(changes: Changes, entry: Entry): void {
  assertPostable(entry);
  const { platformId, now: createdAt, runtime } = changes;
  const recordedAt = new Date(runtime.clock.now());
  changes.collect(LEDGER, { ...entry, id: entry.id ?? changes.newId(), platformId, createdAt, recordedAt });
}

/**
 * The only writer of the journal and of the balances. It sums the lines of each account and computes the balances that
 * they need; the database updates the balances and refuses entries that are not covered (write.sql).
 */
export const LEDGER: Writer<CompleteEntry> = {
  name: 'ledger',
  stage: 'ledger',
  write(entries) {
    if (isFew(entries) && locksInOrder(entries)) return [postOneByOne(entries)];
    const carried: CarriedStates = new Map();
    const [first = [], ...later] = inRounds(entries);
    const running = new RunningBalances(carried);
    // All accounts of a set are locked in one order, including those of later rounds.
    for (const entry of later.flat()) running.lockAll(entry);
    return [
      postStatement(first, running),
      ...later.map((round) => postStatement(round, new RunningBalances(carried))),
    ];
  },
  constraints: { ledger_entries_step: 'replayed', ledger_entries_reversal: 'replayed' },
  contested: ({ platformId, lines }) =>
    lines
      .filter(({ account }) => isGuarded(account))
      .map(({ account, currency }) => lockName(platformId, account, currency)),
};

/** Whether the accounts of the entries are locked in the common order if each entry locks its own. */
function locksInOrder(entries: readonly CompleteEntry[]): boolean {
  let last = '';
  return entries.every((entry) =>
    lockedInTurn(entry).every((name) => {
      const isNext = name >= last;
      last = name;
      return isNext;
    }),
  );
}

function lockedInTurn(entry: CompleteEntry): string[] {
  const guarded = inPostingOrder(entry.lines).filter(({ account }) => isGuarded(account));
  return [...guarded, ...(entry.alsoLocked ?? [])].map(({ account, currency }) =>
    lockName(entry.platformId, account, currency),
  );
}

function postOneByOne(entries: readonly CompleteEntry[]): Sql {
  const carried: CarriedStates = new Map();
  return postEntries(
    entries.map((entry): EntryToPost => {
      const lines = inPostingOrder(entry.lines);
      const running = new RunningBalances(carried);
      for (const line of lines) running.add(entry, line);
      const effects = lines.map((line) => (isGuarded(line.account) ? effectOf(line) : null));
      return { entry, lines, effects, nos: running.nos, balances: running.balances };
    }),
  );
}

export function effectOf({ account, side, amount }: Line): bigint {
  return side === kindOf(account).adds ? amount : -amount;
}

/** An entry that reverses another one of the same set is posted in a later round, when it can find that entry. */
function inRounds(entries: readonly CompleteEntry[]): CompleteEntry[][] {
  const found: CompleteEntry[][] = [[]];
  for (const entry of entries) {
    const { platformId, transactionId, reverses } = entry;
    const round = found.at(-1) as CompleteEntry[];
    const isBehind =
      reverses !== undefined &&
      round.some(
        (other) =>
          other.platformId === platformId &&
          other.transactionId === transactionId &&
          stepName(other.kind, other.ordinal) === reverses,
      );
    if (isBehind) found.push([entry]);
    else round.push(entry);
  }
  return found;
}

/** The states of carried accounts by name, updated from entry to entry. */
type CarriedStates = Map<string, { readonly no: bigint; readonly balance: bigint }>;

/** Computes the running numbers and balances of a set's lines. */
class RunningBalances {
  readonly nos: (bigint | null)[] = [];
  readonly balances: (bigint | null)[] = [];
  readonly moved: LineAfterMovement[] = [];
  readonly #accounts = new Map<string, AccountMovement>();
  readonly #carried: CarriedStates;

  constructor(carried: CarriedStates) {
    this.#carried = carried;
  }

  add(entry: CompleteEntry, line: Line): void {
    if (isGuarded(line.account)) this.#move(entry, line);
    else if (isCarried(line.account)) this.#carry(entry, line);
    else this.#push(null, null);
  }

  /** Locks the accounts on which the entry has no line but which must not change (`alsoLocked`). */
  lockHeld(entry: CompleteEntry): void {
    for (const { account, currency } of entry.alsoLocked ?? []) this.#account(entry, account, currency);
  }

  /** Locks the accounts that the entry will move. */
  lockAll(entry: CompleteEntry): void {
    for (const { account, currency } of entry.lines)
      if (isGuarded(account)) this.#account(entry, account, currency);
    this.lockHeld(entry);
  }

  #move(entry: CompleteEntry, line: Line): void {
    const of = this.#account(entry, line.account, line.currency);
    of.total += effectOf(line);
    of.lines += 1n;
    if (of.total < of.low) of.low = of.total;
    if (of.total > of.high) of.high = of.total;
    of.now = entry.createdAt;
    this.#push(null, null);
    this.moved.push({ place: this.nos.length, of, no: of.lines, balance: of.total });
  }

  #carry(entry: CompleteEntry, line: Line): void {
    const name = lockName(entry.platformId, line.account, line.currency);
    const before = this.#carried.get(name) ??
      carriedState(entry, line.account, line.currency) ?? { no: 0n, balance: 0n };
    const state = { no: before.no + 1n, balance: before.balance + effectOf(line) };
    this.#carried.set(name, state);
    this.#push(state.no, state.balance);
  }

  #account(entry: CompleteEntry, account: Account, currency: string): AccountMovement {
    const name = lockName(entry.platformId, account, currency);
    const known = this.#accounts.get(name);
    if (known) return known;
    const { platformId, createdAt: now } = entry;
    const fresh = { platformId, account, currency, total: 0n, lines: 0n, low: 0n, high: 0n, now };
    this.#accounts.set(name, fresh);
    return fresh;
  }

  #push(no: bigint | null, balance: bigint | null): void {
    this.nos.push(no);
    this.balances.push(balance);
  }

  accounts(): AccountMovement[] {
    return inLockOrder(this.#accounts, ([name]) => name).map(([, moved]) => moved);
  }
}

function lockName(platformId: PlatformId, account: Account, currency: string): string {
  return `${platformId} ${account} ${currency}`;
}

function postStatement(entries: readonly CompleteEntry[], running: RunningBalances): Sql {
  const lines = entries.map((entry) => inPostingOrder(entry.lines));
  const lasts: number[] = [];
  entries.forEach((entry, i) => {
    for (const line of lines[i] as Line[]) running.add(entry, line);
    running.lockHeld(entry);
    lasts.push(running.nos.length);
  });
  const { nos, balances, moved } = running;
  return writeEntries({ entries, lines, lasts, nos, balances, moved, accounts: running.accounts() });
}
