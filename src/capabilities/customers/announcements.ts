import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { announcement } from '#foundation/events/reactions.ts';
import { subject } from '#foundation/http/declare/plan.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';

/** Changes to a customer that other folders can react to in the same transaction. */

/** The customer was created; an internal account in each of `accounts` is opened in the same commit (customers.md §2.1.15). */
export const customerCreated = announcement<{ customer: CustomerRow; accounts: readonly string[] }>(
  'customerCreated',
);

/** The status changed after the creation; work that waited for the approval continues. */
export const customerStatusChanged = announcement<{ customer: CustomerRow }>('customerStatusChanged');

/** A reaction refuses with 400 while the customer still has money in a dropped currency (customers.md §2.3.20). */
export const customerCurrenciesChanged = announcement<{
  customer: CustomerRow;
  added: readonly string[];
  dropped: readonly string[];
}>('customerCurrenciesChanged');

/**
 * The customer is about to be deleted, and its row is not locked yet. Transactions are locked before customers
 * (decision 0010), so a reaction that changes transactions does so here.
 */
export const customerDeletionRequested = announcement<{ customerId: CustomerId }>(
  'customerDeletionRequested',
);

/**
 * Announced before anything is changed. A reaction refuses with 409 while money or a card prevents the deletion
 * (customers.md §2.4.26).
 */
export const customerDeleting = announcement<{ customer: Pick<CustomerRow, 'id' | 'deleted_at'> }>(
  'customerDeleting',
);

/** Reactions end the customer's sessions, links and so on. */
export const customerDeleted = announcement<{ customer: Pick<CustomerRow, 'id' | 'deleted_at'> }>(
  'customerDeleted',
);

/** The names by which other rows and texts may refer to a customer. */
export type CustomerNames = Pick<
  CustomerRow,
  'platform_customer_id' | 'uma_address' | 'email' | 'phone_number'
>;

export interface ErasedCustomer {
  readonly customer: Pick<CustomerRow, 'id'>;
  /**
   * The names by which other places refer to the customer. Absent if the key is already destroyed, as after a restore.
   */
  readonly names: CustomerNames | undefined;
  /** Replaces its UMA address; its id replaces the platform's reference. */
  readonly umaAddress: string;
  /** Other places that name the customer: found before the erasure and erased at its end (src/capabilities/erasure). */
  readonly traces: { found?: Traces };
}

/** The customer is about to be erased: every row still says where else the customer is named. */
export const customerErasing = announcement<ErasedCustomer>('customerErasing');

/** Every folder erases its personal data about the customer; data that the ledger needs stays. */
export const customerErased = announcement<ErasedCustomer>('customerErased');

export type ContactField = 'email' | 'phoneNumber';

/**
 * A contact is about to change, and the customer's row is not locked yet. A folder that locks a row of its own before
 * customers does so here (decision 0023).
 */
export const customerContactChanging = announcement<{ customer: CustomerRow; field: ContactField }>(
  'customerContactChanging',
);

/** A contact changed: verifications of the old one no longer count (customers.md §2.3.23). */
export const customerContactChanged = announcement<{
  /** The customer after the change. */
  customer: CustomerRow;
  field: ContactField;
  /** Whether the old contact was verified. */
  wasVerified: boolean;
}>('customerContactChanged');

/**
 * The subject for gates (decision 0017) when a contact changes: a folder whose credentials depend on the contact may
 * refuse the change, or require a signature first and then take part in it (customers.md §2.3).
 */
export const contactChange = subject<{
  customer: CustomerRow;
  field: ContactField;
  from: string | undefined;
  to: string | undefined;
  /** Whether the caller can be asked for a signature. If not, a change that needs one is refused. */
  canBeSigned: boolean;
}>('contactChange');
