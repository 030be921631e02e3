import { accountClosingRequested, accountsClosing } from '#capabilities/accounts/announcements.ts';
import {
  customerDeleted,
  customerDeleting,
  customerDeletionRequested,
  customerErased,
} from '#capabilities/customers/announcements.ts';
import { loadPrivate, openPrivate, sealPrivate } from '#capabilities/payments/details.ts';
import { eraseFromReceipts } from '#capabilities/payments/incoming/store.ts';
import { endOverdue } from '#capabilities/payments/quotes/end-overdue.ts';
import {
  customerCondition,
  eraseFromPayments,
  findBusyAccounts,
  findPaidByOthers,
  hasUnfinished,
  isBeingPaid,
  type PaidByOther,
  toCustomer,
  withFeeTo,
} from '#capabilities/payments/reactions/store.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { replacePrivate } from '#capabilities/payments/store.ts';
import { paymentChallengesVoided } from '#capabilities/sca/announcements.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { findReceivables } from '#foundation/ledger/open-items-store.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/**
 * Reactions of payments to a customer's deletion or erasure, an account's closing, or a voided challenge. Overdue
 * quotes are marked `EXPIRED` first: until then a request that began in time may still execute one.
 */
export const paymentReactions: Subscription[] = [
  on(paymentChallengesVoided, async (tx, { transactionIds }) => {
    const reports = transactionIds.map((reference) => ({
      reference,
      notices: [{ kind: 'authorizationLapsed' } as const],
    }));
    await applyNotices(tx, reports);
  }),
  on(customerDeletionRequested, (tx, { customerId }) => endOverdue(tx, customerCondition(customerId))),
  // customers.md §2.4.26.
  on(customerDeleting, async (tx, { customer }) => {
    if (await hasUnfinished(tx, customer.id)) {
      refuse('CONFLICT', 'The customer has a transaction that has not finished.');
    }
    if (await isBeingPaid(tx, customer.id)) {
      refuse('CONFLICT', 'A payment to the customer is on its way.');
    }
  }),
  // The customer's accounts are locked at this point, so no clawback can add a debt.
  on(customerDeleted, async (tx, { customer }) => {
    const debts = await findReceivables(tx, customer.id);
    if (debts.length > 0) {
      refuse(
        'CONFLICT',
        `The customer still owes money in ${debts.map(({ currency }) => currency).join(', ')}.`,
      );
    }
  }),
  // Open quotes with a fee keep the platform's account from closing; expired ones must not.
  on(accountClosingRequested, (tx, { accountId }) => endOverdue(tx, withFeeTo(accountId))),
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findBusyAccounts(tx, accountIds)) keepOpen(id);
  }),
  on(customerErased, async (tx, erased) => {
    const { customer } = erased;
    await eraseFromPayments(tx, erased);
    await eraseFromReceipts(tx, customer.id);
    await endOverdue(tx, toCustomer(customer.id));
    const paid = await findPaidByOthers(tx, customer.id);
    if (paid.some((row) => row.is_open)) {
      refuse('CONFLICT', 'A payment to the customer has not finished.');
    }
    await loadPrivate(tx, paid);
    for (const row of paid) await replacePrivate(tx, row.id, sealWithoutReceiver(tx.vault, row));
  }),
];

/**
 * Seals a payment's private facts again for its owner alone. If the receiver's key is already destroyed, the facts
 * are lost.
 */
function sealWithoutReceiver(
  vault: PersonVault,
  { id, customer_id, private: sealed }: PaidByOther,
): Buffer | null {
  const facts = openPrivate(vault, { id, private: sealed });
  const { destination: _, destinationUma: __, receiverPlatformCustomerId: ___, ...others } = facts;
  return sealPrivate(vault, { id, customer_id, details: {} }, others);
}
