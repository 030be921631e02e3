import { inLockOrder, type Writer } from '#database/changes.ts';
import { arrayText, type Sql, sql } from '#database/sql.ts';
import { type Account, isCarried, isGuarded } from '#ledger/accounts.ts';
import { type CompleteEntry, carriedState, inOrderOfPosting, type Line } from '#ledger/entries.ts';
import { kindOf, stepOf } from '#ledger/kinds.ts';

/**
 * The one writer of the journal and of the balances. It sums the lines of each account and says what must hold; the
 * database moves the balances and refuses where it does not (write.sql).
 */
export const LEDGER: Writer<CompleteEntry> = {
  name: 'ledger',
  stage: 'ledger',
  write(entries) {
    const carried: CarriedStates = new Map();
    const [first = [], ...later] = waves(entries);
    const sums = new Sums(carried);
    // Everybody locks all accounts of a set in one order: those of what comes later too.
    for (const entry of later.flat()) sums.holdAll(entry);
    return [posting(first, sums), ...later.map((wave) => posting(wave, new Sums(carried)))];
  },
  constraints: { ledger_entries_step: 'replayed', ledger_entries_reversal: 'replayed' },
  contested: ({ platformId, lines }) =>
    lines
      .filter(({ account }) => isGuarded(account))
      .map(({ account, currency }) => nameOf(platformId, account, currency)),
};

/** What a line adds to its account. */
export function effectOf({ account, side, amount }: Line): bigint {
  return side === kindOf(account).adds ? amount : -amount;
}

/** An entry that takes back one of the same set has to find it posted. */
function waves(entries: readonly CompleteEntry[]): CompleteEntry[][] {
  const found: CompleteEntry[][] = [[]];
  for (const entry of entries) {
    const { platformId, transactionId, reverses } = entry;
    const wave = found.at(-1) as CompleteEntry[];
    const isBehind =
      reverses !== undefined &&
      wave.some(
        (other) =>
          other.platformId === platformId &&
          other.transactionId === transactionId &&
          stepOf(other.kind, other.ordinal) === reverses,
      );
    if (isBehind) found.push([entry]);
    else wave.push(entry);
  }
  return found;
}

/** What a set does to one account with a balance of its own. */
interface Moved {
  readonly platformId: string;
  readonly account: Account;
  readonly currency: string;
  total: bigint;
  lines: bigint;
  low: bigint;
  high: bigint;
  now: Date;
}

/** A line of such an account: where it stands, and the account's state right after it, counted from before the set. */
interface MovedLine {
  readonly place: number;
  readonly of: Moved;
  readonly no: bigint;
  readonly balance: bigint;
}

/** By name; what a transaction's row carries goes on from entry to entry. */
type CarriedStates = Map<string, { readonly no: bigint; readonly balance: bigint }>;

/** The running numbers and balances of a set's lines. */
class Sums {
  readonly nos: (bigint | null)[] = [];
  readonly balances: (bigint | null)[] = [];
  readonly moved: MovedLine[] = [];
  readonly #accounts = new Map<string, Moved>();
  readonly #carried: CarriedStates;

  constructor(carried: CarriedStates) {
    this.#carried = carried;
  }

  add(entry: CompleteEntry, line: Line): void {
    if (isGuarded(line.account)) this.#move(entry, line);
    else if (isCarried(line.account)) this.#carry(entry, line);
    else this.#push(null, null);
  }

  /** Locks what the entry wants held though it has no line of it. */
  hold(entry: CompleteEntry): void {
    for (const { account, currency } of entry.alsoHeld ?? []) this.#account(entry, account, currency);
  }

  /** Locks what the entry will move. */
  holdAll(entry: CompleteEntry): void {
    for (const { account, currency } of entry.lines)
      if (isGuarded(account)) this.#account(entry, account, currency);
    this.hold(entry);
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
    const name = nameOf(entry.platformId, line.account, line.currency);
    const before = this.#carried.get(name) ??
      carriedState(entry, line.account, line.currency) ?? { no: 0n, balance: 0n };
    const state = { no: before.no + 1n, balance: before.balance + effectOf(line) };
    this.#carried.set(name, state);
    this.#push(state.no, state.balance);
  }

  #account(entry: CompleteEntry, account: Account, currency: string): Moved {
    const name = nameOf(entry.platformId, account, currency);
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

  accounts(): Moved[] {
    return inLockOrder(this.#accounts, ([name]) => name).map(([, moved]) => moved);
  }
}

function nameOf(platformId: string, account: Account, currency: string): string {
  return `${platformId} ${account} ${currency}`;
}

function posting(entries: readonly CompleteEntry[], sums: Sums): Sql {
  const sorted = entries.map(({ lines }) => inOrderOfPosting(lines));
  const lasts: number[] = [];
  entries.forEach((entry, i) => {
    for (const line of sorted[i] as Line[]) sums.add(entry, line);
    sums.hold(entry);
    lasts.push(sums.nos.length);
  });
  const accounts = sums.accounts();
  const places = new Map(accounts.map((account, i) => [account, i + 1]));
  const { moved } = sums;
  const recorded = entries[0]?.recordedAt;
  return sql`select ledger_write(
    ${accounts.map((of) => of.platformId)}, ${accounts.map((of) => of.account)}, ${accounts.map((of) => of.currency)},
    ${accounts.map((of) => of.total)}, ${accounts.map((of) => of.lines)}, ${accounts.map((of) => of.low)},
    ${accounts.map((of) => of.high)}, ${accounts.map((of) => of.now)},
    ${entries.map((entry) => entry.platformId)}, ${entries.map((entry) => entry.id)},
    ${entries.map((entry) => entry.kind)}, ${entries.map((entry) => entry.ordinal ?? 0)},
    ${entries.map((entry) => entry.transactionId)}, ${entries.map((entry) => entry.reversesSeq)},
    ${entries.map((entry) => entry.reverses)}, ${entries.map((entry) => entry.createdAt)},
    ${sorted.map((lines) => arrayText(lines.map(({ account }) => account)))},
    ${sorted.map((lines) => arrayText(lines.map(({ currency }) => currency)))},
    ${sorted.map((lines) => arrayText(lines.map(signed)))},
    ${lasts.map((last, i) => last - (sorted[i] as Line[]).length + 1)}, ${lasts},
    ${sums.nos}, ${sums.balances},
    ${moved.map(({ place }) => place)}, ${moved.map(({ of }) => places.get(of))},
    ${moved.map(({ of, no }) => of.lines - no)}, ${moved.map(({ of, balance }) => of.total - balance)},
    ${recorded})`;
}

/** As the journal has it: debit above zero, credit below. */
function signed({ side, amount }: Line): bigint {
  return side === 'DEBIT' ? amount : -amount;
}
