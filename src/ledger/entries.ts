import assert from 'node:assert/strict';
import { type Account, type AccountState, isCarried } from '#ledger/accounts.ts';

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
  readonly lines: readonly Line[];
  /**
   * What the transaction's row, locked by the caller, holds of each carried account among the lines; zeros for
   * a new one. The states of the verdict go back into that row in the same commit.
   */
  readonly carried?: readonly AccountState[];
}

/** An entry with all that the database wants to know. */
export interface CompleteEntry extends Entry {
  readonly id: string;
  readonly platformId: string;
  /** Business time of the platform. */
  readonly createdAt: Date;
}

export type Verdict =
  | {
      readonly verdict: 'posted';
      readonly entryId: string;
      readonly seq: bigint;
      /** Each account of the entry that may not go below zero, as the entry left it. */
      readonly states: readonly AccountState[];
    }
  | { readonly verdict: 'replayed' | 'unbalanced' }
  | { readonly verdict: 'unknown_account' | 'insufficient' | 'out_of_range'; readonly account: Account };

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

/** By currency, then account: everybody locks in this order. On one account what adds comes first. */
export function inLockingOrder(lines: readonly Line[]): Line[] {
  return lines.toSorted(
    (a, b) => compare(a.currency, b.currency) || compare(a.account, b.account) || rank(a) - rank(b),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank({ account, side }: Line): number {
  const adds = account.startsWith('RECEIVABLE:') ? 'DEBIT' : 'CREDIT';
  return side === adds ? 0 : 1;
}
