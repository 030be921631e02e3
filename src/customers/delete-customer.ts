import { customerDeleted, customerDeleting, customerDeletionAsked } from '#customers/announcements.ts';
import { voidCodes } from '#customers/contact-store.ts';
import { showCustomer } from '#customers/load.ts';
import type { CustomerReply } from '#customers/schemas.ts';
import { customerNotFound, lockCustomerWhole, markDeleted } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { refuse } from '#lib/refusals.ts';

/** DELETE /customers/{id}: soft, once (customers.md §2.4.26). Folders below refuse while something is still open. */
export async function deleteCustomer(tx: Tx, customerId: string): Promise<CustomerReply> {
  await announce(tx, customerDeletionAsked, { customerId });
  // No payment or account may begin between what the folders below look at and the end.
  const stored = await lockCustomerWhole(tx, customerId);
  if (!stored) throw customerNotFound();
  if (stored.deleted_at !== null) refuse('CUSTOMER_DELETED', 'The customer has already been deleted.');
  await announce(tx, customerDeleting, { customer: stored });
  await voidCodes(tx, customerId);
  const customer = await markDeleted(tx, customerId);
  await announce(tx, customerDeleted, { customer });
  return showCustomer(tx, customer);
}
