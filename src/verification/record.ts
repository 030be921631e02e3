import { moveOwners, ownerRowsOf, storeOwnerStatuses } from '#customers/owners/store.ts';
import { setCustomerStatus } from '#customers/set-customer-status.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import { holdDocuments, releaseDocuments } from '#documents/store.ts';
import type { IdentityStatus, TerminalStatus } from '#rails/identity.ts';
import { emitVerification } from '#verification/events.ts';
import {
  insertVerification,
  storeOutcome,
  type VerificationOutcome,
  type VerificationRow,
} from '#verification/store.ts';

/**
 * Records what came of a submission or decision, on a customer whose row this transaction holds: the record
 * with its event, the documents it holds, the owners, and last the customer with its event (customers.md §8.2). A
 * record that is open is moved; without one, a new one is made. The same outcome again only bumps the record.
 */
export async function recordOutcome(
  tx: Tx,
  customer: CustomerRow,
  open: VerificationRow | undefined,
  outcome: VerificationOutcome,
  customerStatus?: IdentityStatus,
): Promise<VerificationRow> {
  const row = open
    ? await storeOutcome(tx, open.id, outcome)
    : await insertVerification(tx, customer.id, outcome);
  if (row.status !== open?.status) emitVerification(tx, row);
  if (isOpen(row)) await holdDocuments(tx, customer.id, row.id);
  else await releaseDocuments(tx, row.id);
  if (customerStatus !== undefined) await changeCustomer(tx, customer, customerStatus);
  return row;
}

export function isOpen({ status }: Pick<VerificationRow, 'status'>): boolean {
  return status === 'IN_PROGRESS' || status === 'PENDING_MANUAL_REVIEW';
}

export function isTerminal(status: IdentityStatus): status is TerminalStatus {
  return status === 'APPROVED' || status === 'REJECTED';
}

/** Owners first, so that the customer's event shows them as they now are. */
export async function changeCustomer(tx: Tx, customer: CustomerRow, status: IdentityStatus): Promise<void> {
  if (customer.customer_type === 'BUSINESS') await changeOwners(tx, customer, status);
  if (status !== customer.status) await setCustomerStatus(tx, customer.id, status);
}

async function changeOwners(tx: Tx, { id, status: from }: CustomerRow, to: IdentityStatus): Promise<void> {
  if (to === 'PENDING') await moveOwners(tx, id, 'UNVERIFIED', 'PENDING');
  // What sends the business back to its papers takes its owners out of review, too.
  if (to === 'UNVERIFIED' && from !== 'UNVERIFIED') await moveOwners(tx, id, 'PENDING', 'UNVERIFIED');
  if (!isTerminal(to)) return;
  const owners = await ownerRowsOf(tx, [id]);
  const statuses = owners.map((owner) => ({
    id: owner.id,
    status: tx.ports.identity.ownerResolved(owner.personal_info.lastName, to),
  }));
  await storeOwnerStatuses(tx, statuses);
}
