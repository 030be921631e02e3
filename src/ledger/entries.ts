import assert from 'node:assert/strict';
import { type Account, type AccountState, type GuardedAccount, isCarried } from '#ledger/accounts.ts';
import { kindOf } from '#ledger/kinds.ts';

export type Side = 'DEBIT' | 'CREDIT';

export interface Line {
  readonly account: Account;
  readonly currency: string;
  readonly side: Side;
  /** Minor units, above zero. */
  readonly amount: bigint;
}

/** One journal entry, not yet posted. The order of its lines means nothing. */
export interface Entry {
  /** Bare UUID; a new one when absent. */
  readonly id?: string;
  /** `L1`, `L2`, … of money.md §11. */
  readonly kind: string;
  /** A step (transaction, kind and ordinal) is posted once, however often it is tried. */
  readonly transactionId?: string | undefined;
  readonly ordinal?: number;
  /** `seq` of the entry that this one takes back; that happens to an entry once at most. */
  readonly reversesSeq?: bigint | undefined;
  /** The same by the step of this transaction that is taken back. */
  readonly reverses?: string | undefined;
  readonly lines: readonly Line[];
  /**
   * What the transaction's row, which the same commit changes, holds of each carried account among the lines; zeros
   * for a new one.
   */
  readonly carried?: readonly AccountState[];
  /** Accounts without a line that nobody else may move before the commit. */
  readonly alsoHeld?: readonly { readonly account: GuardedAccount; readonly currency: string }[];
}

/** An entry with all that the database wants to know. */
export interface CompleteEntry extends Entry {
  readonly id: string;
  readonly platformId: string;
  /** Business time of the platform. */
  readonly createdAt: Date;
  /** Real time. */
  readonly recordedAt: Date;
}

/** Lines of one currency have to add up to within 64 bits, and so has a balance with one more line. */
const LINE_AMOUNT_MAX = 10n ** 17n;
const LINES_MAX = 50;

/** The same lines with their sides exchanged: what undoes them. */
export function mirrored(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, side: line.side === 'DEBIT' ? 'CREDIT' : 'DEBIT' }));
}

/** An entry that fails here is a bug of ours, found before the database has to find it. */
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

/** What the entry says about a carried account as it was before. */
export function carriedState(entry: Entry, account: Account, currency: string): AccountState | undefined {
  return entry.carried?.find((state) => state.account === account && state.currency === currency);
}

/** Lines of one currency are side by side. On one account what adds comes first. */
export function inOrderOfPosting(lines: readonly Line[]): Line[] {
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
