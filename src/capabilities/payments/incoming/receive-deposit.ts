import { accountNeeded } from '#capabilities/accounts/announcements.ts';
import {
  type AccountRow,
  findAccountIdByReference,
  findAccounts,
  findOwnedAccounts,
} from '#capabilities/accounts/store.ts';
import {
  findCustomer,
  findLiveCustomer,
  lockCustomersAgainstDeletion,
} from '#capabilities/customers/store.ts';
import { announceCoins } from '#capabilities/payments/announcements.ts';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import {
  type Arrival,
  claimReceipt,
  type EarlierReceipt,
  findQuoteByReference,
  keepUnmatched,
  linkReceipt,
} from '#capabilities/payments/incoming/store.ts';
import { railThrough, suspend as suspendedLines } from '#capabilities/payments/machine/postings.ts';
import { coinRailProblems } from '#capabilities/payments/parties/rules.ts';
import { isOpenQuote, isPastExpiry, type TransactionRow } from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { post } from '#foundation/ledger/post.ts';
import { invalidFields, notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

/**
 * Records money that arrived at our bank or on our chain address (money.md §7.1). It funds the real-time quote whose
 * reference it carries, or is credited to an internal account. If it matches neither, it is booked to SUSPENSE, and the
 * refusal is returned to the reporter. A repeated report changes nothing.
 */
export async function receiveDeposit(tx: Tx, arrival: Arrival): Promise<TransactionRow | Refusal> {
  const { transaction } = await receiveArrival(tx, arrival);
  return transaction ?? unmatched(arrival);
}

export interface ReceivedArrival {
  /** False if it was reported before, so that nothing changed. */
  readonly isNew: boolean;
  /** Undefined if it is in SUSPENSE. */
  readonly transaction: TransactionRow | undefined;
  /** The entry that booked it there. */
  readonly suspendedBy?: Id<'JournalEntry'> | undefined;
}

/**
 * The same, with details for the caller. It refuses another amount under a known reference, and coins that cannot have
 * come from outside (stablecoins.md §8.2); those leave no record.
 */
export async function receiveArrival(tx: Tx, arrival: Arrival): Promise<ReceivedArrival> {
  const earlier = await claimReceipt(tx, arrival);
  if (earlier) {
    requireSameAmount(earlier, arrival);
    const { transaction_id: id } = earlier;
    return { isNew: false, transaction: id === null ? undefined : await findTransaction(tx, id) };
  }
  await requireFromOutside(tx, arrival);
  const transaction = await match(tx, arrival);
  if (!transaction) return { isNew: true, transaction, suspendedBy: await suspend(tx, arrival) };
  await linkReceipt(tx, arrival, transaction.id);
  return { isNew: true, transaction };
}

/**
 * Credits an account with money that a person assigned to it: a deposit like any other, under the receipt of the report.
 * The caller has taken the money out of SUSPENSE.
 */
export async function receiveAssigned(
  tx: Tx,
  arrival: Arrival & { readonly accountId: AccountId },
): Promise<TransactionRow> {
  const account = await namedAccount(tx, arrival);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  const { status, currency } = account;
  if (currency !== arrival.currency || !isOpen(account)) {
    refuse(
      'CONFLICT',
      `The account cannot be credited in ${arrival.currency}: it is ${status}, in ${currency}.`,
    );
  }
  const transaction = await credit(tx, arrival, account, 'statedReference');
  if (!transaction) refuse('CONFLICT', 'The amount is more than the account can hold.');
  const earlier = await claimReceipt(tx, arrival);
  if (earlier) requireSameAmount(earlier, arrival);
  await linkReceipt(tx, arrival, transaction.id);
  return transaction;
}

function requireSameAmount({ amount, currency }: EarlierReceipt, arrival: Arrival): void {
  if (amount === arrival.amount && currency === arrival.currency) return;
  const { providerReference } = arrival;
  refuse('CONFLICT', 'A different amount was already reported under this reference.', { providerReference });
}

async function requireFromOutside(tx: Tx, arrival: Arrival): Promise<void> {
  const problems = coinRailProblems(arrival.currency, arrival.rail, tx.platform.ownCurrencies);
  if (problems.length > 0) throw invalidFields(problems);
  await announceCoins(tx, arrival);
}

/** Undefined if it matches no quote and no account. */
async function match(tx: Tx, arrival: Arrival): Promise<TransactionRow | undefined> {
  const quote =
    arrival.reference === undefined
      ? undefined
      : await findQuoteByReference(tx, arrival.reference, arrival.currency);
  if (quote && isOpenQuote(quote) && !isPastExpiry(quote, tx.now)) {
    const { amount, transactionHash, rail, settlementAccount } = arrival;
    // By hand and in the sandbox, funds come over the rail that the quote names.
    const through = settlementAccount === undefined ? {} : { rail, settlementAccount };
    const notices = [{ kind: 'funded' as const, amount, transactionHash, ...through }];
    const { rows, ignored } = await applyNotices(tx, [{ reference: quote.id, notices }]);
    if (ignored.length === 0) return rows[0];
    // Other funds arrived first, or the quote has just expired: the money is treated as late.
  }
  const account = quote ? await accountOfOwner(tx, quote) : await namedAccount(tx, arrival);
  if (!account || account.currency !== arrival.currency || !isOpen(account)) return undefined;
  // If the reference led to no quote or account, it is not ours: payers may write any text into it.
  const isIssued = quote !== undefined || arrival.accountId === undefined;
  return credit(tx, arrival, account, isIssued ? 'reference' : 'statedReference');
}

/** A frozen account is credited as well, because the money belongs to its owner. */
function isOpen({ status }: AccountRow): boolean {
  return status === 'ACTIVE' || status === 'FROZEN';
}

/** money.md §4.1: money that arrives too late for its quote is credited to the quote's owner. */
async function accountOfOwner(tx: Tx, quote: TransactionRow): Promise<AccountRow | undefined> {
  const owned = { customerId: quote.customer_id, currency: quote.sending_currency };
  // No account is opened for a customer that was deleted, or is being deleted: the money is booked to SUSPENSE.
  if (owned.customerId !== null) await lockCustomersAgainstDeletion(tx, [owned.customerId]);
  if (owned.customerId !== null && !(await findLiveCustomer(tx, owned.customerId))) return undefined;
  let ids = await findOwnedAccounts(tx, owned.customerId, owned.currency);
  if (ids.length === 0) {
    await announce(tx, accountNeeded, owned);
    ids = await findOwnedAccounts(tx, owned.customerId, owned.currency);
  }
  const accounts = await findAccounts(tx, ids);
  return accounts.find(isOpen);
}

async function namedAccount(tx: ReadTx, arrival: Arrival): Promise<AccountRow | undefined> {
  const { accountId, reference } = arrival;
  const id =
    accountId ?? (reference === undefined ? undefined : await findAccountIdByReference(tx, reference));
  const [account] = id === undefined ? [] : await findAccounts(tx, [id]);
  return account;
}

/** Undefined if the account cannot hold the amount. */
async function credit(
  tx: Tx,
  arrival: Arrival,
  account: AccountRow,
  referenceAs: 'reference' | 'statedReference',
): Promise<TransactionRow | undefined> {
  const customer = account.customer_id === null ? undefined : await findCustomer(tx, account.customer_id);
  const recorded = await recordDeposit(tx, {
    account: { id: account.id, currency: account.currency, customerId: account.customer_id },
    platformCustomerId: customer?.platform_customer_id,
    amount: arrival.amount,
    rail: arrival.rail,
    settlementAccount: arrival.settlementAccount,
    network: arrival.network,
    transactionHash: arrival.transactionHash,
    statedReference: arrival.statedReference,
    ...(arrival.reference !== undefined && { [referenceAs]: arrival.reference }),
    originator: arrival.originator,
  });
  return recorded instanceof Refusal ? undefined : recorded;
}

/** money.md §11.L20: the money belongs to no known account. */
async function suspend(tx: Tx, arrival: Arrival): Promise<Id<'JournalEntry'>> {
  const { amount, currency, providerReference } = arrival;
  const id = tx.newId('JournalEntry');
  const rail = railThrough(arrival.rail, arrival);
  post(tx, { id, kind: 'receipt.suspended', lines: suspendedLines(rail, currency, amount) });
  await keepUnmatched(tx, arrival, id);
  audit(tx, { action: 'payment receipt unmatched', details: { providerReference, currency } });
  return id;
}

function unmatched({ providerReference }: Arrival): Refusal {
  const reason = 'No quote or account has this reference; the money is held until the operator assigns it.';
  return new Refusal('REFERENCE_NOT_FOUND', reason, { providerReference });
}
