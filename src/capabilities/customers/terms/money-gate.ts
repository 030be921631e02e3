import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** The columns that the gate needs, so that a payment can pass a row that it has already read. */
export type GatedCustomer = Pick<CustomerRow, 'id' | 'status' | 'terms_consent'>;

/** Customers of a regulated institution accept its terms, not ours (customers.md §1.7). */
export function needsOurTerms({ settings }: Platform): boolean {
  return !settings.isRegulatedFinancialInstitution;
}

/** Returns why the customer may not move money, checked in the order of customers.md §1.7 and §1.8. */
export function checkMoneyGate(tx: ReadTx, customer: GatedCustomer): Refusal | undefined {
  const details = { customerId: publicId('Customer', customer.id) };
  if (needsOurTerms(tx.platform) && customer.terms_consent === null) {
    const reason =
      'The customer has not accepted the end-user terms. When they do, record it as endUserTermsConsent.';
    return new Refusal('END_USER_TERMS_NOT_ACCEPTED', reason, details);
  }
  if (customer.status === 'APPROVED') return undefined;
  return new Refusal('USER_NOT_READY', 'The customer is not approved.', details);
}
