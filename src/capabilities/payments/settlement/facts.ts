import assert from 'node:assert/strict';
import { accountNeeded } from '#capabilities/accounts/announcements.ts';
import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { type LockedBalances, lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { findOwnedAccounts, findOwnerships } from '#capabilities/accounts/store.ts';
import { lockCustomersAgainstDeletion } from '#capabilities/customers/store.ts';
import { loadPrivate, openPrivate, type Private, sealPrivate } from '#capabilities/payments/details.ts';
import type { Facts, PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { isSettling } from '#capabilities/payments/machine/uma.ts';
import { corridorDailyLimit, volumeUse } from '#capabilities/payments/machine/volume.ts';
import {
  awaitsAuthorization,
  externalReceiver,
  internalDestination,
  isCollecting,
  isFundedByCrypto,
  isOpenQuote,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { buildCollection, buildPayout } from '#capabilities/payments/settlement/orders.ts';
import { addRatios, isWithinLimit, type Ratio } from '#foundation/counters/count.ts';
import { loadUsed } from '#foundation/counters/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import { type GuardedAccount, stepName } from '#foundation/ledger/kinds.ts';
import { findStepsTaken, openLedgerAccounts } from '#foundation/ledger/store.ts';

/** A transaction, locked by the caller, and the notice to apply to it. */
export interface RowNotice {
  readonly row: TransactionRow;
  readonly notice: PaymentNotice;
}

/** The machine's facts about some transactions, including the changes by earlier transitions of this commit. */
export interface LoadedFacts {
  factsFor(row: TransactionRow): Facts;
  /** Takes the entries of a transition that will be committed into account. */
  record(entries: readonly Entry[]): void;
}

/** Loads the machine's facts in a few statements for all transactions, and locks the rows that they depend on. */
export async function loadFacts(tx: Tx, notices: readonly RowNotice[]): Promise<LoadedFacts> {
  await loadPrivate(
    tx,
    notices.filter(needsPrivate).map(({ row }) => row),
  );
  const refundAccounts = await cryptoRefundAccounts(tx, notices);
  const ids = [...new Set(notices.flatMap(({ row }) => accountsOf(row)))];
  const accounts = new Map((await findOwnerships(tx, ids)).map((account) => [account.id, account]));
  const debtAccountOf = (accountId: AccountId): GuardedAccount => {
    const account = accounts.get(accountId);
    assert(account, `no account ${accountId}`);
    return receivableAccount(account.customer_id ?? tx.platformId, account.currency);
  };
  await openReceivables(tx, notices, debtAccountOf);
  const gone = await lockNoticeCustomers(tx, notices);
  const reversed = await reversedCollections(tx, notices);
  const balances = await lockMovedBalances(tx, notices, debtAccountOf);
  // Read after the locks: closing an account also locks its balances, so a status read now holds until the commit.
  const statuses = new Map((await findOwnerships(tx, ids)).map(({ id, status }) => [id, status]));
  const isGone = (customerId: CustomerId) => gone.has(customerId);
  const isClosed = (accountId: AccountId) => statuses.get(accountId) === 'CLOSED';
  const factsFor = (row: TransactionRow): Facts => ({
    debtOf: (accountId) => balances.debtIn(debtAccountOf(accountId)),
    clawbackFrom: (accountId) => ({
      account: accountId,
      available: balances.balanceOf(availAccountOf(accountId)),
      receivable: debtAccountOf(accountId),
    }),
    ownerReceivable: ownerReceivable(row),
    canReceive: (accountId: AccountId) => statuses.get(accountId) === 'ACTIVE',
    isClosed,
    isReceiverGone: among(internalDestination(row), isClosed) || among(externalReceiver(row), isGone),
    canHold: balances.canHold,
    cryptoRefundAccount: refundAccounts.get(row.id),
    isCollectionReversed: reversed.has(row.id),
    isOwnerGone: among(row.customer_id, isGone),
    ...predictFailures(tx, row),
    referencePrefix: tx.runtime.names.referencePrefix,
    dailyLimitUsdCents: corridorDailyLimit(tx, row),
    sealMirror: mirrorSealer(tx, row),
  });
  return { factsFor, record: balances.record };
}

function among<One extends Id>(id: One | null, has: (id: One) => boolean): boolean {
  return id !== null && has(id);
}

/**
 * The funds among these notices that exceed their corridor's daily volume, and are refunded (money.md §8.2). Counters
 * are locked last of all, so the used volume is only read here. If it changes before the commit, the commit is tried
 * again.
 */
export async function findOverVolume(tx: Tx, notices: readonly RowNotice[]): Promise<ReadonlySet<RowNotice>> {
  const over = new Set<RowNotice>();
  const used = new Map<string, Ratio>();
  for (const each of notices) {
    const { row, notice } = each;
    const counts =
      (notice.kind === 'funded' && isOpenQuote(row) && notice.amount === row.sending_amount) ||
      (notice.kind === 'authorized' && notice.nextBy === undefined && row.source.kind !== 'REALTIME');
    const use = counts ? volumeUse(row, tx.now, corridorDailyLimit(tx, row)) : undefined;
    if (!use) continue;
    const before = used.get(use.name) ?? (await loadUsed(tx, use));
    if (isWithinLimit(before, use)) used.set(use.name, addRatios(before, use.value));
    else over.add(each);
  }
  return over;
}

/** Notices that may credit an internal account, or debit one. */
const MOVES_BALANCES: ReadonlySet<PaymentNotice['kind']> = new Set([
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

/** Whether a credit may have to be reclaimed, or recorded as a debt if it was spent. */
function mayClawBack({ kind }: PaymentNotice): boolean {
  return kind === 'returned' || kind === 'collectionReversed';
}

/**
 * Locks the customers that are paid, get a mirror, or may need a refund account. This comes before any lock of the
 * ledger, in the same order as the deletion of a customer. Returns those that were deleted.
 */
async function lockNoticeCustomers(tx: Tx, notices: readonly RowNotice[]): Promise<Set<string>> {
  const ids = notices.flatMap(({ row, notice: { kind } }) => [
    kind === 'funded' || kind === 'authorized' ? externalReceiver(row) : null,
    MOVES_BALANCES.has(kind) ? (row.details.receiver?.customerId ?? null) : null,
    isFundedByCrypto(row) ? row.customer_id : null,
  ]);
  return new Set(
    await lockCustomersAgainstDeletion(
      tx,
      ids.filter((id) => id !== null),
    ),
  );
}

/** Outgoing payments whose collection was already reversed. Only the ledger records this. */
async function reversedCollections(tx: Tx, notices: readonly RowNotice[]): Promise<ReadonlySet<string>> {
  const asked = notices.filter(
    ({ row, notice: { kind } }) => kind === 'collectionReversed' && row.type === 'OUTGOING',
  );
  if (asked.length === 0) return new Set();
  const ids = asked.map(({ row: { id } }) => id);
  return new Set(await findStepsTaken(tx, ids, stepName('collection.reversed')));
}

/** Locks the balances that may be credited or debited. */
async function lockMovedBalances(
  tx: Tx,
  notices: readonly RowNotice[],
  debtAccountOf: (accountId: AccountId) => GuardedAccount,
): Promise<LockedBalances> {
  const rows = notices.filter(({ notice }) => MOVES_BALANCES.has(notice.kind)).map(({ row }) => row);
  const ids = [...new Set(rows.flatMap(accountsOf))];
  return lockAccountBalances(
    tx,
    ids.map((id) => ({ id, debtAccount: debtAccountOf(id) })),
  );
}

function accountsOf(row: TransactionRow): AccountId[] {
  const ids = [internalDestination(row), row.fee_account, row.refund_account];
  return ids.filter((id) => id !== null);
}

/**
 * The payer's receivable: the platform's if the money was its own, even if it paid in a customer's name (money.md
 * §2.4).
 */
function ownerReceivable({ customer_id, platform_id, sending_currency, details }: TransactionRow) {
  const payer = details.isPlatformMoney === true ? platform_id : (customer_id ?? platform_id);
  return receivableAccount(payer, sending_currency);
}

/** Checked just before the order is sent; for a payout, when its funds arrive. */
function predictFailures(
  tx: ReadTx,
  row: TransactionRow,
): Pick<Facts, 'knownPayoutFailure' | 'knownCollectionFailure'> {
  if (!hasOrders(row)) return { knownPayoutFailure: undefined, knownCollectionFailure: undefined };
  const facts = openPrivate(tx.vault, row);
  if (awaitsAuthorization(row)) return knownAtExecution(tx, row, facts);
  const { rails } = tx.ports;
  return {
    knownPayoutFailure: isAboutToPayOut(row) ? rails.knownPayoutFailure(buildPayout(facts, row)) : undefined,
    knownCollectionFailure: isCollecting(row)
      ? rails.knownCollectionFailure(buildCollection(facts, row))
      : undefined,
  };
}

function isAboutToPayOut(row: TransactionRow): boolean {
  const isAboutToBeFunded = isCollecting(row) || (row.source.kind === 'REALTIME' && row.taken_at === null);
  return (
    (isAboutToBeFunded && row.type === 'OUTGOING') || (isSettling(row) && internalDestination(row) === null)
  );
}

/** Whether the next step may send an order. */
function hasOrders(row: TransactionRow): boolean {
  return awaitsAuthorization(row) || isCollecting(row) || isAboutToPayOut(row);
}

/** Whether a notice needs the payment's private facts. Other payments continue while keys cannot be fetched. */
function needsPrivate({ row, notice: { kind } }: RowNotice): boolean {
  const hasMirror = row.details.receiver !== undefined && (kind === 'delivered' || kind === 'collected');
  return hasMirror || hasOrders(row);
}

/** Seals those private facts of a payment that its receiver may see. */
function mirrorSealer({ vault }: ReadTx, row: TransactionRow): Facts['sealMirror'] {
  return (id) => {
    const { customerId: customer_id, platformCustomerId: clear } = row.details.receiver ?? {
      customerId: null,
    };
    if (customer_id === null) return null;
    const platformCustomerId = openPrivate(vault, row).receiverPlatformCustomerId ?? clear;
    if (platformCustomerId === undefined) return null;
    return sealPrivate(vault, { id, customer_id, details: {} }, { platformCustomerId });
  };
}

/** Opens the receivables that a clawback may have to debit (money.md §11.b). */
async function openReceivables(
  tx: Tx,
  notices: readonly RowNotice[],
  debtAccountOf: (accountId: AccountId) => GuardedAccount,
): Promise<void> {
  const clawbacks = notices.filter(({ notice }) => mayClawBack(notice));
  const accounts = clawbacks.flatMap(({ row }) => {
    const { fee_account: fee, sending_currency: currency, receiving_currency } = row;
    const credited = row.type === 'INCOMING' ? internalDestination(row) : null;
    return [
      ...(fee === null ? [] : [{ account: debtAccountOf(fee), currency }]),
      credited === null
        ? { account: ownerReceivable(row), currency }
        : { account: debtAccountOf(credited), currency: receiving_currency },
    ];
  });
  if (accounts.length > 0) await openLedgerAccounts(tx, accounts);
}

/** Whether a transition starts a refund of crypto to an owner who has no account for it yet, but can get one. */
export function lacksRefundAccount(before: TransactionRow, after: TransactionRow, facts: Facts): boolean {
  const isDue = before.refund_status === null && after.refund_status === 'PENDING';
  return isDue && isFundedByCrypto(before) && after.refund_account === null && !facts.isOwnerGone;
}

/** Opens the account for a refund of crypto if the owner has none (money.md §4.5). */
export async function openRefundAccount(tx: Tx, row: TransactionRow): Promise<void> {
  await announce(tx, accountNeeded, { customerId: row.customer_id, currency: row.sending_currency });
}

async function cryptoRefundAccounts(
  tx: ReadTx,
  notices: readonly RowNotice[],
): Promise<Map<string, AccountId>> {
  const found = new Map<string, AccountId>();
  for (const { row } of notices) {
    if (!isFundedByCrypto(row)) continue;
    const [account] = await findOwnedAccounts(tx, row.customer_id, row.sending_currency);
    if (account !== undefined) found.set(row.id, account);
  }
  return found;
}

/** A pull is collected first; its payout is checked after the collection (money.md §9.2). */
function knownAtExecution(
  tx: ReadTx,
  row: TransactionRow,
  facts: Private,
): Pick<Facts, 'knownPayoutFailure' | 'knownCollectionFailure'> {
  const { rails } = tx.ports;
  const isPull = row.source.kind === 'EXTERNAL';
  return {
    knownPayoutFailure: isPull ? undefined : rails.knownPayoutFailure(buildPayout(facts, row)),
    knownCollectionFailure: isPull ? rails.knownCollectionFailure(buildCollection(facts, row)) : undefined,
  };
}

/**
 * The facts for executing a payment. No account is credited yet, so no debts are looked up. The parties have passed
 * their checks.
 */
export function executionFacts(
  tx: ReadTx,
  row: TransactionRow,
  facts: Private = openPrivate(tx.vault, row),
): Facts {
  const owner = row.customer_id ?? row.platform_id;
  return {
    debtOf: () => undefined,
    canHold: () => true,
    clawbackFrom: (accountId) => ({
      account: accountId,
      available: 0n,
      receivable: receivableAccount(accountId, row.sending_currency),
    }),
    ownerReceivable: receivableAccount(owner, row.sending_currency),
    canReceive: () => true,
    isClosed: () => false,
    isReceiverGone: false,
    cryptoRefundAccount: undefined,
    isCollectionReversed: false,
    isOwnerGone: false,
    ...knownAtExecution(tx, row, facts),
    referencePrefix: tx.runtime.names.referencePrefix,
    dailyLimitUsdCents: corridorDailyLimit(tx, row),
    sealMirror: mirrorSealer(tx, row),
  };
}
