import { customerStatusChanged } from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { emitStatus } from '#capabilities/customers/events.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

/**
 * Changes a customer's status after the creation and emits the event (customers.md §8); there is no other way. Returns
 * undefined if the customer is deleted or already has the status. The event shows the owners, so change their status
 * first.
 */
export async function setCustomerStatus(
  tx: Tx,
  customerId: CustomerId,
  status: IdentityStatus,
): Promise<CustomerRow | undefined> {
  const customer = await updateCustomerStatus(tx, customerId, status);
  if (!customer) return undefined;
  emitStatus(tx, customer, await presentCustomer(tx, customer));
  await announce(tx, customerStatusChanged, { customer });
  return customer;
}
