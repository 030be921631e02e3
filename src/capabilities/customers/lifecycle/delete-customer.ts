import {
  customerDeleted,
  customerDeleting,
  customerDeletionRequested,
  customerErased,
  customerErasing,
} from '#capabilities/customers/announcements.ts';
import { deleteContactCodes } from '#capabilities/customers/contacts/contact-verification.ts';
import { eraseProfile } from '#capabilities/customers/erasure/erase-store.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import type { CustomerReply } from '#capabilities/customers/schemas.ts';
import {
  customerNotFound,
  lockCustomer,
  lockCustomerForDeletion,
  markCustomerDeleted,
} from '#capabilities/customers/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/** DELETE /customers/{id}: a soft delete (customers.md §2.4.26). Other folders refuse while something blocks it. */
export async function deleteCustomer(tx: Tx, customerId: CustomerId): Promise<CustomerReply> {
  await announce(tx, customerDeletionRequested, { customerId });
  // This lock keeps payments and accounts from being added between the other folders' checks and the commit.
  const stored = await lockCustomerForDeletion(tx, customerId);
  if (!stored) throw customerNotFound();
  if (stored.deleted_at !== null) refuse('CUSTOMER_DELETED', 'The customer has already been deleted.');
  await announce(tx, customerDeleting, { customer: stored });
  await deleteContactCodes(tx, customerId);
  const customer = await markCustomerDeleted(tx, customerId);
  await announce(tx, customerDeleted, { customer });
  return presentCustomer(tx, customer);
}

/**
 * Erases a deleted customer's personal data for the operator, in one commit (customers.md §2.4.26a). The row stays with
 * the data that the books need. Events and stored replies that name the customer lose their content (customers.md
 * §2.4.26b).
 */
export async function eraseCustomer(
  tx: Tx,
  customerId: CustomerId,
  reason?: string,
): Promise<{ erased: boolean }> {
  const customer = await lockCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  if (customer.deleted_at === null) refuse('CONFLICT', 'Only a deleted customer can be erased.');
  if (customer.erased_at !== null) return { erased: false };
  const domain = customer.uma_address.slice(customer.uma_address.indexOf('@') + 1);
  const umaAddress = `$erased-${customerId}@${domain}`;
  const erased = { customer, umaAddress, traces: {} };
  await announce(tx, customerErasing, erased);
  await eraseProfile(tx, customerId, umaAddress);
  await announce(tx, customerErased, erased);
  const details = reason === undefined ? undefined : { reason };
  audit(tx, { action: 'eraseCustomer', resource: publicId('Customer', customerId), details });
  return { erased: true };
}
