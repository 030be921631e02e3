import { audit } from '#audit/audit.ts';
import {
  customerDeleted,
  customerDeleting,
  customerDeletionAsked,
  customerErased,
} from '#customers/announcements.ts';
import { forgetReference } from '#customers/bulk/store.ts';
import { voidCodes } from '#customers/contact-store.ts';
import { presentCustomer } from '#customers/present.ts';
import type { CustomerReply } from '#customers/schemas.ts';
import {
  customerNotFound,
  eraseProfile,
  lockCustomer,
  lockCustomerWhole,
  markDeleted,
} from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { publicId } from '#lib/ids.ts';
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
  return presentCustomer(tx, customer);
}

/**
 * Removes a deleted customer's personal data on the operator's word. The row stays, with what the books need;
 * events and stored replies that mention the person are sealed and go with their own age.
 */
export async function eraseCustomer(tx: Tx, customerId: string): Promise<{ erased: boolean }> {
  const customer = await lockCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  if (customer.deleted_at === null) refuse('CONFLICT', 'Only a deleted customer can be erased.');
  if (customer.erased_at !== null) return { erased: false };
  const domain = customer.uma_address.slice(customer.uma_address.indexOf('@') + 1);
  const umaAddress = `$erased-${customerId}@${domain}`;
  await eraseProfile(tx, customerId, umaAddress);
  await forgetReference(tx, customer.platform_customer_id);
  await announce(tx, customerErased, { customer, umaAddress });
  audit(tx, { action: 'eraseCustomer', resource: publicId('Customer', customerId) });
  return { erased: true };
}
