import { accountNeeded } from '#accounts/announcements.ts';
import { availOf } from '#accounts/ledger-accounts.ts';
import { type Fraction, hasRoom, sumOf, usedOf } from '#counters/count.ts';
import { holdCustomers } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import type { GuardedAccount } from '#ledger/accounts.ts';
import type { Entry } from '#ledger/entries.ts';
import { stepOf } from '#ledger/kinds.ts';
import { findStepsTaken, openLedgerAccounts } from '#ledger/store.ts';
import { type HeldMoney, holdMoney } from '#payments/commit/locked-balances.ts';
import type { Facts, Notice } from '#payments/machine/notice.ts';
import { receivableOf } from '#payments/machine/postings.ts';
import { isSettling } from '#payments/machine/uma.ts';
import { dailyLimitOf, volumeUse } from '#payments/machine/volume.ts';
import {
  internalDestination,
  isCollecting,
  isFundedByCrypto,
  isOpenQuote,
  paidOutside,
  type TransactionRow,
} from '#payments/row.ts';
import { collectionOf, payoutOf } from '#payments/settlement/orders.ts';
import { findAccountFacts, findOwnedAccounts } from '#payments/settlement/store.ts';

/** A transaction, locked by the caller, and what is told of it. */
export interface Told {
  readonly row: TransactionRow;
  readonly notice: Notice;
}

/** What the machine may ask about transactions, as the transitions before have left it. */
export interface LoadedFacts {
  of(row: TransactionRow): Facts;
  /** The entries of a transition that will stand. */
  follow(postings: readonly Entry[]): void;
}

/** Looks up what the machine may ask about these transactions: a few statements for all of them. */
export async function loadFacts(tx: Tx, told: readonly Told[]): Promise<LoadedFacts> {
  const refundAccounts = await cryptoRefundAccounts(tx, told);
  const ids = [...new Set(told.flatMap(({ row }) => accountsOf(row)))];
  const accounts = new Map((await findAccountFacts(tx, ids)).map((account) => [account.id, account]));
  const debtAccountOf = (accountId: string): GuardedAccount => {
    const { customer_id: owner, currency } = accounts.get(accountId) ?? { customer_id: null, currency: '' };
    return receivableOf(owner ?? tx.platformId, currency);
  };
  await openReceivables(tx, told, debtAccountOf);
  const gone = await holdConcerned(tx, told);
  const reversed = await reversedCollections(tx, told);
  const money = await holdMoved(tx, told, debtAccountOf);
  // Whoever closes an account holds its balances, too: what it is now, once they are held, it stays.
  const statuses = new Map((await findAccountFacts(tx, ids)).map(({ id, status }) => [id, status]));
  const isClosed = (accountId: string) => statuses.get(accountId) === 'CLOSED';
  const of = (row: TransactionRow): Facts => ({
    debtOf: (accountId) => money.debtIn(debtAccountOf(accountId)),
    clawbackFrom: (accountId) => ({
      available: money.balanceOf(availOf(accountId)),
      receivable: debtAccountOf(accountId),
    }),
    ownerReceivable: ownerReceivable(row),
    canReceive: (accountId) => statuses.get(accountId) === 'ACTIVE',
    isClosed,
    isReceiverGone: isClosed(internalDestination(row) ?? '') || gone.has(paidOutside(row) ?? ''),
    canHold: money.canHold,
    cryptoRefundAccount: refundAccounts.get(row.id),
    isCollectionReversed: reversed.has(row.id),
    isOwnerGone: gone.has(row.customer_id ?? ''),
    ...verdictsOf(tx, row),
    referencePrefix: tx.runtime.names.referencePrefix,
    dailyLimitUsdCents: dailyLimitOf(tx, row),
  });
  return { of, follow: money.follow };
}

/**
 * Of funds that arrive those that cross the day's volume: they fail the payment and go back (money.md §8.2). What is
 * used is not held, since counters are locked last of all; where it changes, the commit is refused and made anew.
 */
export async function crossingVolume(tx: Tx, told: readonly Told[]): Promise<ReadonlySet<Told>> {
  const crossing = new Set<Told>();
  const used = new Map<string, Fraction>();
  for (const one of told) {
    const { row, notice } = one;
    const counts = notice.kind === 'funded' && isOpenQuote(row) && notice.amount === row.sending_amount;
    const use = counts ? volumeUse(row, tx.now, dailyLimitOf(tx, row)) : undefined;
    if (!use) continue;
    const before = used.get(use.name) ?? (await usedOf(tx, use));
    if (hasRoom(before, use)) used.set(use.name, sumOf(before, use.value));
    else crossing.add(one);
  }
  return crossing;
}

/** Notices that may credit an internal account, or take back from one. */
const MOVING: ReadonlySet<Notice['kind']> = new Set([
  'delivered',
  'returned',
  'collected',
  'collectionReversed',
  'refunded',
  'arrived',
  'held',
  'released',
  'complianceRejected',
]);

/** Whether what it tells of may be taken back from whoever was credited, and owed where it is gone. */
function takesBack({ kind }: Notice): boolean {
  return kind === 'returned' || kind === 'collectionReversed';
}

/**
 * Holds the customers that money is set going for, that get a mirror, or that an account may be opened for, before
 * anything of the ledger: whoever deletes one locks it before its accounts. Gives those that are gone.
 */
async function holdConcerned(tx: Tx, told: readonly Told[]): Promise<Set<string>> {
  const ids = told.flatMap(({ row, notice: { kind } }) => [
    kind === 'funded' ? paidOutside(row) : null,
    MOVING.has(kind) ? (row.details.receiver?.customerId ?? null) : null,
    isFundedByCrypto(row) ? row.customer_id : null,
  ]);
  const concerned = ids.filter((id) => id !== null);
  return new Set(await holdCustomers(tx, concerned));
}

/** Those whose collection was taken back before: nothing in the row of an outgoing payment says so. */
async function reversedCollections(tx: Tx, told: readonly Told[]): Promise<ReadonlySet<string>> {
  const asked = told.filter(
    ({ row, notice: { kind } }) => kind === 'collectionReversed' && row.type === 'OUTGOING',
  );
  if (asked.length === 0) return new Set();
  const ids = asked.map(({ row: { id } }) => id);
  return new Set(await findStepsTaken(tx, ids, stepOf('L19')));
}

/** Holds what may be credited or debited. */
async function holdMoved(
  tx: Tx,
  told: readonly Told[],
  debtAccountOf: (accountId: string) => GuardedAccount,
): Promise<HeldMoney> {
  const rows = told.filter(({ notice }) => MOVING.has(notice.kind)).map(({ row }) => row);
  const ids = [...new Set(rows.flatMap(accountsOf))];
  return holdMoney(
    tx,
    ids.map((id) => ({ id, debtAccount: debtAccountOf(id) })),
  );
}

function accountsOf(row: TransactionRow): string[] {
  const own = [internalDestination(row), row.fee_account, row.refund_account];
  return own.filter((id) => id !== null);
}

/** Whose money it was: the platform's own, even where it paid in a customer's name (money.md §2.4). */
function ownerReceivable({ customer_id, platform_id, sending_currency, details }: TransactionRow) {
  const payer = details.isPlatformMoney === true ? platform_id : (customer_id ?? platform_id);
  return receivableOf(payer, sending_currency);
}

/** A payout is judged when it is about to begin: with the funds' arrival. */
function verdictsOf(
  tx: ReadTx,
  row: TransactionRow,
): Pick<Facts, 'knownPayoutFailure' | 'knownCollectionFailure'> {
  const isAboutToBeFunded = isCollecting(row) || (row.source_type === 'REALTIME' && row.taken_at === null);
  const begins =
    (isAboutToBeFunded && row.type === 'OUTGOING') || (isSettling(row) && internalDestination(row) === null);
  const { rails } = tx.ports;
  return {
    knownPayoutFailure: begins ? rails.knownPayoutFailure(payoutOf(tx.vault, row)) : undefined,
    knownCollectionFailure: isCollecting(row)
      ? rails.knownCollectionFailure(collectionOf(tx.vault, row))
      : undefined,
  };
}

/** What may have to be noted as owed to us needs a place first (money.md §11.b). */
async function openReceivables(
  tx: Tx,
  told: readonly Told[],
  debtAccountOf: (accountId: string) => GuardedAccount,
): Promise<void> {
  const taking = told.filter(({ notice }) => takesBack(notice));
  const wanted = taking.flatMap(({ row }) => [
    ...(row.fee_account === null
      ? []
      : [{ account: debtAccountOf(row.fee_account), currency: row.sending_currency }]),
    ...(row.type === 'INCOMING' && internalDestination(row) !== null
      ? [{ account: debtAccountOf(internalDestination(row) ?? ''), currency: row.receiving_currency }]
      : [{ account: ownerReceivable(row), currency: row.sending_currency }]),
  ]);
  if (wanted.length > 0) await openLedgerAccounts(tx, wanted);
}

/** Whether a transition would owe crypto back to an owner who has no account for it yet, and can have one. */
export function lacksRefundAccount(before: TransactionRow, after: TransactionRow, facts: Facts): boolean {
  const isDue = before.refund_status === null && after.refund_status === 'PENDING';
  return isDue && isFundedByCrypto(before) && after.refund_account === null && !facts.isOwnerGone;
}

/** Crypto that funded a payment goes back to the owner's own account, which is opened where it is missing. */
export async function openRefundAccount(tx: Tx, row: TransactionRow): Promise<void> {
  await announce(tx, accountNeeded, { customerId: row.customer_id, currency: row.sending_currency });
}

async function cryptoRefundAccounts(tx: ReadTx, told: readonly Told[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { row } of told) {
    if (!isFundedByCrypto(row)) continue;
    const [account] = await findOwnedAccounts(tx, row.customer_id, row.sending_currency);
    if (account !== undefined) found.set(row.id, account);
  }
  return found;
}

/**
 * What the machine may ask while a payment is set going. Nothing is credited to anybody yet, so there are no
 * debts to look up, and what can receive was judged before.
 */
export function executionFacts(tx: ReadTx, row: TransactionRow): Facts {
  const { rails } = tx.ports;
  const owner = row.customer_id ?? row.platform_id;
  const isPull = row.source_type === 'EXTERNAL';
  return {
    debtOf: () => undefined,
    canHold: () => true,
    clawbackFrom: (accountId) => ({
      available: 0n,
      receivable: receivableOf(accountId, row.sending_currency),
    }),
    ownerReceivable: receivableOf(owner, row.sending_currency),
    canReceive: () => true,
    isClosed: () => false,
    isReceiverGone: false,
    cryptoRefundAccount: undefined,
    isCollectionReversed: false,
    isOwnerGone: false,
    // A pull is resolved first: its payout is judged when it was collected (money.md §9.2).
    knownPayoutFailure: isPull ? undefined : rails.knownPayoutFailure(payoutOf(tx.vault, row)),
    knownCollectionFailure: isPull ? rails.knownCollectionFailure(collectionOf(tx.vault, row)) : undefined,
    referencePrefix: tx.runtime.names.referencePrefix,
    dailyLimitUsdCents: dailyLimitOf(tx, row),
  };
}
