import type { ReadTx } from '#foundation/database/tx.ts';
import {
  type AccountBalance,
  type BookEntry,
  findEntry,
  loadBalances,
  loadReadState,
  loadTrialBalance,
  type Moment,
} from '#foundation/journal/lines-store.ts';
import { ACCOUNT_KINDS, type AccountKindName } from '#foundation/ledger/kinds.ts';

/** An answer from the books, and how far they reach. */
export interface FromBooks {
  /** Business time up to which the answer holds. */
  readonly at: Date;
  /** The answer may still change: entries of this time may not be read yet (money.md §13.4). */
  readonly isProvisional: boolean;
}

/** Entries of one moment are posted and read within this time, unless a transaction stays open for longer. */
const SETTLED_AFTER_MS = 5 * 60 * 1000;

/** Whether the books up to a business time can still change. */
export async function isProvisional(tx: ReadTx, at: Date): Promise<boolean> {
  const { unreadSince } = await loadReadState(tx);
  const readUpTo = Math.min(unreadSince?.getTime() ?? Number.POSITIVE_INFINITY, tx.now.getTime());
  return at.getTime() > readUpTo - SETTLED_AFTER_MS;
}

export interface BalanceAnswer extends FromBooks {
  /** One balance for each currency of the account. */
  readonly balances: readonly AccountBalance[];
}

/** The balances of an account, or of a kind of accounts, at a business time or right after an entry. */
export async function readBalance(
  tx: ReadTx,
  account: string,
  when: Date | BookEntry,
): Promise<BalanceAnswer> {
  const at = when instanceof Date ? when : when.created_at;
  const moment: Moment = when instanceof Date ? { at } : { at: when.at, seq: when.seq };
  return {
    at,
    isProvisional: await isProvisional(tx, at),
    balances: await loadBalances(tx, account, moment),
  };
}

export interface TrialBalance extends FromBooks {
  readonly rows: readonly AccountBalance[];
}

/** The trial balance of one platform at a business time. */
export async function readTrialBalance(tx: ReadTx, at: Date): Promise<TrialBalance> {
  return { at, isProvisional: await isProvisional(tx, at), rows: await loadTrialBalance(tx, { at }) };
}

/** Adds up the trial balances of several platforms. */
export function addTrialBalances(all: readonly TrialBalance[]): AccountBalance[] {
  const sums = new Map<string, AccountBalance>();
  for (const row of all.flatMap(({ rows }) => rows)) {
    const key = `${row.account} ${row.currency}`;
    sums.set(key, { ...row, balance: row.balance + (sums.get(key)?.balance ?? 0n) });
  }
  return [...sums.values()];
}

/** The sum of a trial balance by currency: zero, unless an entry does not balance. */
export function sumByCurrency(rows: readonly AccountBalance[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, balance } of rows) sums.set(currency, (sums.get(currency) ?? 0n) + balance);
  return sums;
}

/** The order of a trial balance: by currency, then by kind of account as the rules list them. */
export function inBookOrder(rows: readonly AccountBalance[]): AccountBalance[] {
  const place = ({ account }: AccountBalance) => KINDS.indexOf(kindIn(account));
  return rows.toSorted(
    (a, b) => compare(a.currency, b.currency) || place(a) - place(b) || compare(a.account, b.account),
  );
}

const KINDS = Object.keys(ACCOUNT_KINDS) as AccountKindName[];

function kindIn(account: string): AccountKindName {
  return account.split(':')[0] as AccountKindName;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Finds an entry that a person names: by its id, or by its number in the journal. */
export function findNamedEntry(tx: ReadTx, name: string): Promise<BookEntry | undefined> {
  return findEntry(tx, /^\d+$/.test(name) ? { seq: BigInt(name) } : { id: name });
}
