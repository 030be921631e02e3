import { audit } from '#audit/audit.ts';
import { customerErased } from '#customers/announcements.ts';
import { forgetReference } from '#customers/bulk/store.ts';
import { customerNotFound, eraseProfile, lockCustomer } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { publicId } from '#lib/ids.ts';
import { refuse } from '#lib/refusals.ts';

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
