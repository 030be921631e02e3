import type { CustomerRow } from '#customers/store.ts';
import { announcement } from '#events/reactions.ts';
import { subject } from '#http/plan.ts';

/** What folders below do when something happens to a customer, in the same transaction. */

/** Made, with its currencies; one internal account per currency is opened in the same commit (customers.md §2.1.15). */
export const customerCreated = announcement<{ customer: CustomerRow }>('customerCreated');

/** Entered another status after its creation; what waited for the approval goes on. */
export const customerStatusChanged = announcement<{ customer: CustomerRow }>('customerStatusChanged');

/** A reaction refuses with 400 while a dropped currency still holds money (customers.md §2.3.20). */
export const customerCurrenciesChanged = announcement<{
  customer: CustomerRow;
  added: readonly string[];
  dropped: readonly string[];
}>('customerCurrenciesChanged');

/**
 * Before the customer is locked. Transactions are locked before customers (decision 0010), so whoever has to change
 * some of them first does so here.
 */
export const customerDeletionAsked = announcement<{ customerId: string }>('customerDeletionAsked');

/**
 * Before anything is changed. A reaction refuses with 409 while money or a card stands in the way (customers.md
 * §2.4.26).
 */
export const customerDeleting = announcement<{ customer: CustomerRow }>('customerDeleting');

/** Sessions, links and the like of the customer end here. */
export const customerDeleted = announcement<{ customer: CustomerRow }>('customerDeleted');

export interface ErasedCustomer {
  /** As it was. */
  readonly customer: CustomerRow;
  /** What stands in the place of its address from now on; its id stands for the platform's reference. */
  readonly umaAddress: string;
}

/** Personal data of the customer, wherever it lies, goes; what the ledger needs stays. */
export const customerErased = announcement<ErasedCustomer>('customerErased');

export type ContactField = 'email' | 'phoneNumber';

/** A contact changed: what was proven through the old one no longer holds (customers.md §2.3.23). */
export const customerContactChanged = announcement<{ customer: CustomerRow; field: ContactField }>(
  'customerContactChanged',
);

/**
 * What a change of the customer is about where a contact changes, for gates: whoever ties credentials to it may refuse,
 * or ask for a signature first, and takes part in the change with the signed retry (customers.md §2.3).
 */
export const contactChange = subject<{
  customer: CustomerRow;
  field: ContactField;
  from: string | undefined;
  to: string | undefined;
}>('contactChange');
