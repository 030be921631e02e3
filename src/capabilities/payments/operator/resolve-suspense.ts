import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { postEntry } from '#capabilities/accounts/post-entry.ts';
import { findOwnerships, lockAccounts } from '#capabilities/accounts/store.ts';
import { assignReceipt, listUnmatched } from '#capabilities/payments/incoming/store.ts';
import {
  leaveSuspense,
  type Receiver,
  railThrough,
  receivableAccount,
} from '#capabilities/payments/machine/postings.ts';
import { coinRailProblems } from '#capabilities/payments/parties/rules.ts';
import { audit } from '#foundation/audit/audit.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { findSuspended, type Suspended } from '#foundation/ledger/open-items-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, refuse } from '#foundation/lib/refusals.ts';
import type { Moved } from '#foundation/ports/payments.ts';

/** The target of suspended money. */
export type SuspenseTarget =
  /** Bare UUID of an internal account. */
  | { readonly accountId: AccountId }
  /** The operator pays it out by hand, over this rail. */
  | ({ readonly rail: string } & Moved);

export interface Resolution {
  /** The entry that booked the money to SUSPENSE; bare UUID. */
  readonly entryId: Id<'JournalEntry'>;
  readonly target: SuspenseTarget;
  readonly reason: string;
}

/** money.md §11.L21: the whole amount leaves SUSPENSE, once (money.md §11). */
export async function resolveSuspense(tx: Tx, { entryId, target, reason }: Resolution): Promise<Suspended> {
  const found = await findSuspended(tx, entryId);
  if (!found) throw notFound('REFERENCE_NOT_FOUND', 'JournalEntry');
  const problems =
    'rail' in target ? coinRailProblems(found.currency, target.rail, tx.platform.ownCurrencies) : [];
  if (problems.length > 0) throw invalidFields(problems);
  const receiver =
    'rail' in target
      ? { rail: railThrough(target.rail, target) }
      : await lockReceiver(tx, found, target.accountId);
  const lines = leaveSuspense(found.currency, found.amount, receiver);
  // The link to the suspended entry is unique, so the second of two concurrent resolutions is refused.
  postEntry(tx, { kind: 'suspense.resolved', reversesSeq: found.seq, lines });
  await tx.flush().catch((error: unknown) => {
    const isTaken = error instanceof CommitRefused && error.reason.name === 'replayed';
    if (isTaken) refuse('CONFLICT', 'Another resolution of this entry was just booked.');
    throw error;
  });
  const to = 'rail' in target ? target.rail : publicId('InternalAccount', target.accountId);
  const resource = publicId('JournalEntry', entryId);
  const [receipt] = await listUnmatched(tx, [entryId]);
  const customerId = 'rail' in target ? null : await findOwner(tx, target.accountId);
  // The sender is sealed again for the customer to whom the money is assigned.
  if (receipt && customerId !== null) await assignReceipt(tx, receipt, customerId);
  audit(tx, {
    action: 'suspense resolve',
    ...{ resource, customerId },
    details: {
      ...(customerId !== null && { customerId: publicId('Customer', customerId) }),
      ...{ reason, to, amount: found.amount.toString(), currency: found.currency },
      ...(receipt && { bankReference: receipt.bankReference }),
    },
  });
  return found;
}

/** Returns the customer who owns the account; null: the platform. */
async function findOwner(tx: Tx, accountId: AccountId): Promise<CustomerId | null> {
  const [account] = await findOwnerships(tx, [accountId]);
  return account?.customer_id ?? null;
}

/** Like any credit, it first repays the owner's debt (money.md §11.b). */
async function lockReceiver(
  tx: Tx,
  { currency, amount }: Suspended,
  accountId: AccountId,
): Promise<Receiver> {
  const [account] = await lockAccounts(tx, [accountId]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  if (account.currency !== currency || account.status === 'CLOSED') {
    const held = `${account.status}, in ${account.currency}`;
    refuse('CONFLICT', `The account cannot be credited in ${currency}: it is ${held}.`);
  }
  const debtAccount = receivableAccount(account.customer_id ?? tx.platformId, currency);
  const held = await lockAccountBalances(tx, [{ id: accountId, debtAccount }]);
  if (!held.canHold(accountId, amount)) refuse('CONFLICT', 'The amount is more than the account can hold.');
  return { internal: accountId, debt: held.debtIn(debtAccount) };
}
