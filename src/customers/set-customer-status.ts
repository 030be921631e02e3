import { customerStatusChanged } from '#customers/announcements.ts';
import { emitStatus } from '#customers/events.ts';
import type { VerificationStatus } from '#customers/field-schemas.ts';
import { presentCustomer } from '#customers/present.ts';
import { type CustomerRow, changeStatus } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';

/**
 * The one way a status changes after creation. Entering a status is told once (customers.md §8); undefined when
 * the customer is gone or has the status already. Owners are shown as they stand, so resolve them first.
 */
export async function setCustomerStatus(
  tx: Tx,
  customerId: string,
  status: VerificationStatus,
): Promise<CustomerRow | undefined> {
  const customer = await changeStatus(tx, customerId, status);
  if (!customer) return undefined;
  emitStatus(tx, customer, await presentCustomer(tx, customer));
  await announce(tx, customerStatusChanged, { customer });
  return customer;
}
