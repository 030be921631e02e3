import assert from 'node:assert/strict';
import {
  type Account,
  type AccountState,
  type GuardedAccount,
  isCarried,
  kindOf,
  type LedgerKind,
} from '#foundation/ledger/kinds.ts';

export type Side = 'DEBIT' | 'CREDIT';

export interface Line {
  readonly account: Account;
  readonly currency: string;
  readonly side: Side;
  /** Minor units, above zero. */
  readonly amount: bigint;
}

export function debit(account: Account, currency: string, amount: bigint): Line {
  return { account, currency, side: 'DEBIT', amount };
}

export function credit(account: Account, currency: string, amount: bigint): Line {
  return { account, currency, side: 'CREDIT', amount };
}

export function dropZeroLines(lines: Line[]): Line[] {
  return lines.filter(({ amount }) => amount > 0n);
}

/** One journal entry, not yet posted. The order of its lines has no meaning. */
export interface Entry {
  /** Bare UUID; a new one when absent. */
  readonly id?: Id<'JournalEntry'>;
  readonly kind: LedgerKind;
  /** A step (transaction, kind and ordinal) is posted once, however often it is tried. */
  readonly transactionId?: Id<'Transaction' | 'Stablecoin' | 'StablecoinOperation'> | undefined;
  readonly ordinal?: number;
  /** `seq` of the entry that this one reverses; an entry can be reversed once at most. */
  readonly reversesSeq?: bigint | undefined;
  /** The same, but named by the step of this transaction that is reversed. */
  readonly reverses?: string | undefined;
  readonly lines: readonly Line[];
  /**
   * The state of each carried account among the lines, from the transaction's row, which the same commit changes; zeros
   * for a new transaction.
   */
  readonly carried?: readonly AccountState[];
  /** Accounts without a line that must not change before the commit. */
  readonly alsoLocked?: readonly { readonly account: GuardedAccount; readonly currency: string }[];
}

/** An entry with everything that the database stores. */
export interface CompleteEntry extends Entry {
  readonly id: Id<'JournalEntry'>;
  readonly platformId: PlatformId;
  /** Business time of the platform. */
  readonly createdAt: Date;
  /** Real time. */
  readonly recordedAt: Date;
}

/** The sum of an entry's lines in one currency, and a balance plus one line, must fit into 64 bits. */
const LINE_AMOUNT_MAX = 10n ** 17n;
const LINES_MAX = 50;

/** The same lines with their sides swapped, which reverses them. */
export function reversed(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, side: line.side === 'DEBIT' ? 'CREDIT' : 'DEBIT' }));
}

/** An entry that fails here is a bug of ours; the database would refuse it, too. */
export function assertPostable(entry: Entry): void {
  const { kind, lines } = entry;
  assert(lines.length >= 2 && lines.length <= LINES_MAX, `${kind}: ${lines.length} lines`);
  const nets = new Map<string, bigint>();
  for (const { account, currency, side, amount } of lines) {
    assert(amount > 0n && amount <= LINE_AMOUNT_MAX, `${kind}: amount of ${account} out of range: ${amount}`);
    assert(
      !isCarried(account) || carriedState(entry, account, currency),
      `${kind}: ${account} is not carried`,
    );
    nets.set(currency, (nets.get(currency) ?? 0n) + (side === 'DEBIT' ? amount : -amount));
  }
  for (const [currency, net] of nets) assert.equal(net, 0n, `${kind}: unbalanced in ${currency}`);
}

export function carriedState(entry: Entry, account: Account, currency: string): AccountState | undefined {
  return entry.carried?.find((state) => state.account === account && state.currency === currency);
}

/**
 * Sorts lines by currency, then by account; additions to an account come first, so that it never goes below zero in
 * between.
 */
export function inPostingOrder(lines: readonly Line[]): Line[] {
  return lines.toSorted(
    (a, b) => compare(a.currency, b.currency) || compare(a.account, b.account) || rank(a) - rank(b),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank({ account, side }: Line): number {
  return side === kindOf(account).adds ? 0 : 1;
}
