import { accountNeeded } from '#accounts/announcements.ts';
import { type AccountRow, findAccountIdByReference, findAccounts } from '#accounts/store.ts';
import { audit } from '#audit/audit.ts';
import { findCustomer, findLiveCustomer, holdCustomers } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { post } from '#ledger/post.ts';
import { Refusal, refuse } from '#lib/refusals.ts';
import { recordDeposit } from '#payments/incoming/record-deposit.ts';
import {
  type Arrival,
  claimReceipt,
  type EarlierReceipt,
  findFunded,
  nameReceipt,
} from '#payments/incoming/store.ts';
import { suspend as suspendedLines } from '#payments/machine/postings.ts';
import { isOpenQuote, isPastExpiry, type TransactionRow } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { findOwnedAccounts } from '#payments/settlement/store.ts';
import { findTransaction } from '#payments/store.ts';

/**
 * The one way in for money that arrived at our bank or on our chain address (money.md §7.1): it funds the real-time
 * quote whose reference it carries, or is credited to an internal account. What fits nothing waits in SUSPENSE; the
 * refusal then is for whoever reported it, and the entry stays. A report that comes again changes nothing.
 */
export async function takeDeposit(tx: Tx, arrival: Arrival): Promise<TransactionRow | Refusal> {
  const { placed } = await takeArrival(tx, arrival);
  return placed ?? unmatched(arrival);
}

export interface Taken {
  /** False: it was reported before, and nothing was done. */
  readonly isNew: boolean;
  /** Undefined: it waits in SUSPENSE. */
  readonly placed: TransactionRow | undefined;
}

/** The same for whoever must know what came of it. Another amount under a known reference is refused. */
export async function takeArrival(tx: Tx, arrival: Arrival): Promise<Taken> {
  const earlier = await claimReceipt(tx, arrival);
  if (earlier) {
    checkRepetition(earlier, arrival);
    const { transaction_id: id } = earlier;
    return { isNew: false, placed: id === null ? undefined : await findTransaction(tx, id) };
  }
  const placed = await place(tx, arrival);
  if (placed) await nameReceipt(tx, arrival, placed.id);
  else suspend(tx, arrival);
  return { isNew: true, placed };
}

function checkRepetition({ amount, currency }: EarlierReceipt, arrival: Arrival): void {
  if (amount === arrival.amount && currency === arrival.currency) return;
  const { providerReference } = arrival;
  refuse('CONFLICT', 'A different amount was already reported under this reference.', { providerReference });
}

/** Undefined: it fits nothing. */
async function place(tx: Tx, arrival: Arrival): Promise<TransactionRow | undefined> {
  const quote =
    arrival.reference === undefined ? undefined : await findFunded(tx, arrival.reference, arrival.currency);
  if (quote && isOpenQuote(quote) && !isPastExpiry(quote, tx.now)) {
    const { amount, transactionHash } = arrival;
    const notices = [{ kind: 'funded' as const, amount, transactionHash }];
    const { rows, ignored } = await applyNotices(tx, [{ reference: quote.id, notices }]);
    if (ignored.length === 0) return rows[0];
    // Another payment was quicker, or its time ran out: like any that comes too late.
  }
  const account = quote ? await ownAccount(tx, quote) : await namedAccount(tx, arrival);
  if (!account || account.currency !== arrival.currency || !isOpen(account)) return undefined;
  return credit(tx, arrival, account);
}

/** Money that has come is kept for its owner while the account is frozen. */
function isOpen({ status }: AccountRow): boolean {
  return status === 'ACTIVE' || status === 'FROZEN';
}

/** money.md §4.1: too late for its quote, it is an incoming payment of whoever asked for the quote. */
async function ownAccount(tx: Tx, quote: TransactionRow): Promise<AccountRow | undefined> {
  const owned = { customerId: quote.customer_id, currency: quote.sending_currency };
  // Nothing is opened for whoever was deleted since, or is at this moment: it waits for a person.
  if (owned.customerId !== null) await holdCustomers(tx, [owned.customerId]);
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

/** Undefined: it is more than the account can hold. */
async function credit(tx: Tx, arrival: Arrival, account: AccountRow): Promise<TransactionRow | undefined> {
  const customer = account.customer_id === null ? undefined : await findCustomer(tx, account.customer_id);
  const recorded = await recordDeposit(tx, {
    account: { id: account.id, currency: account.currency, customerId: account.customer_id },
    platformCustomerId: customer?.platform_customer_id,
    amount: arrival.amount,
    rail: arrival.rail,
    network: arrival.network,
    transactionHash: arrival.transactionHash,
    reference: arrival.reference,
    originator: arrival.originator,
  });
  return recorded instanceof Refusal ? undefined : recorded;
}

/** L20: nobody knows whose it is. */
function suspend(tx: Tx, { amount, currency, rail, providerReference }: Arrival): void {
  post(tx, { kind: 'L20', lines: suspendedLines(rail, currency, amount) });
  audit(tx, { action: 'payment receipt unmatched', details: { providerReference, currency } });
}

function unmatched({ providerReference }: Arrival): Refusal {
  const reason = 'No quote or account has this reference; the money is held until an operator assigns it.';
  return new Refusal('REFERENCE_NOT_FOUND', reason, { providerReference });
}
