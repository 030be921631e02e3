import {
  customerDeleted,
  customerDeleting,
  customerDeletionRequested,
  customerErased,
  customerErasing,
} from '#capabilities/customers/announcements.ts';
import { deleteContactCodes } from '#capabilities/customers/contacts/contact-verification.ts';
import {
  eraseProfile,
  lockDeletedAt,
  markUnreadableDeleted,
} from '#capabilities/customers/erasure/erase-store.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import type { CustomerReply } from '#capabilities/customers/schemas.ts';
import { openKeptCustomer } from '#capabilities/customers/sealed-customer.ts';
import {
  customerNotFound,
  lockCustomerForDeletion,
  lockStoredCustomer,
  markCustomerDeleted,
} from '#capabilities/customers/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
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

function domainOf(umaAddress: string): string {
  return umaAddress.slice(umaAddress.indexOf('@') + 1);
}

/** How long the operator keeps the data of deleted customers. */
export interface Retention {
  readonly years: number;
  /** Whether the operator erases before the end of the retention. */
  readonly isOverruled: boolean;
}

/** Customers of a sandbox are invented, so the law does not require anyone to keep their data (customers.md §2.4.26g). */
export function retentionFor(
  { environment }: Pick<Platform, 'environment'>,
  years: number,
  isOverruled: boolean,
): Retention {
  return { years: environment === 'PRODUCTION' ? years : 0, isOverruled };
}

/** Returns the moment from which a deleted customer may be erased (customers.md §2.4.26g). */
export function retentionEnd(deletedAt: Date, years: number): Date {
  const end = new Date(deletedAt);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return end;
}

const NO_RETENTION: Retention = { years: 0, isOverruled: false };

/**
 * Deletes a customer whose key was destroyed, so that its rows can be erased: a restored database may be older than the
 * deletion. No value of the customer is opened. Refuses while money, a payment or a live card prevents a deletion.
 */
export async function deleteUnreadable(tx: Tx, customerId: CustomerId): Promise<void> {
  await announce(tx, customerDeletionRequested, { customerId });
  const deletedAt = await lockDeletedAt(tx, customerId);
  if (deletedAt === undefined) throw customerNotFound();
  if (deletedAt !== null) return;
  await announce(tx, customerDeleting, { customer: { id: customerId, deleted_at: null } });
  await deleteContactCodes(tx, customerId);
  await markUnreadableDeleted(tx, customerId);
  await announce(tx, customerDeleted, { customer: { id: customerId, deleted_at: tx.now } });
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
  retention = NO_RETENTION,
): Promise<{ erased: boolean }> {
  const stored = await lockStoredCustomer(tx, customerId);
  if (!stored) throw customerNotFound();
  if (stored.deleted_at === null) refuse('CONFLICT', 'Only a deleted customer can be erased.');
  if (stored.erased_at !== null) return { erased: false };
  const kept = checkRetention(tx, stored.deleted_at, retention);
  const names = openKeptCustomer(tx.vault, stored);
  const umaAddress = `$erased-${customerId}@${names ? domainOf(names.uma_address) : 'erased.invalid'}`;
  const erased = { customer: { id: customerId }, names, umaAddress, traces: {} };
  await announce(tx, customerErasing, erased);
  await eraseProfile(tx, customerId, umaAddress);
  await announce(tx, customerErased, erased);
  const details = { ...(reason !== undefined && { reason }), ...kept };
  // The reason must outlive the customer's key.
  audit(tx, {
    action: 'eraseCustomer',
    resource: publicId('Customer', customerId),
    isClear: true,
    details,
  });
  return { erased: true };
}

/**
 * Refuses an erasure before the end of the retention, unless the operator overrules the retention. Returns the details
 * for the audit log: the years show an erasure for which the setting was changed.
 */
function checkRetention(tx: Tx, deletedAt: Date, { years, isOverruled }: Retention): object {
  const end = retentionEnd(deletedAt, years);
  const [from, deletedOn] = [end, deletedAt].map((time) => time.toISOString());
  const applied = { retentionYears: years, deletedAt: deletedOn };
  if (end <= tx.now) return applied;
  if (isOverruled) return { ...applied, despiteRetention: true, retentionEnd: from };
  refuse(
    'CONFLICT',
    `The customer was deleted at ${deletedOn}, and its data is kept for ${years} years (RETENTION_YEARS): it can be erased ` +
      `from ${from} on. If the law allows it earlier, set RETENTION_YEARS, or give --despite-retention, which is audited.`,
  );
}
