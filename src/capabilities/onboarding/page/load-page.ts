import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { BeneficialOwner } from '#capabilities/customers/owner-schemas.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { customerNotFound, findLiveCustomer } from '#capabilities/customers/store.ts';
import { needsOurTerms } from '#capabilities/customers/terms/money-gate.ts';
import { currentTerms, type TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { presentDocument } from '#capabilities/documents/present.ts';
import type { Document } from '#capabilities/documents/schemas.ts';
import { listCustomerDocuments } from '#capabilities/documents/store.ts';
import type { VerificationError } from '#capabilities/verification/schemas.ts';
import { listNewestVerifications } from '#capabilities/verification/store.ts';
import { findPacketErrors } from '#capabilities/verification/submit-customer.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';

/** The stored data that the page shows, without identification numbers. */
export interface PageData {
  readonly customerId: PublicId<'Customer'>;
  readonly isBusiness: boolean;
  /** If contacts must be verified, a business needs a contact person. */
  readonly needsContact: boolean;
  readonly hasIdentifier: boolean;
  readonly stored: Readonly<Record<string, unknown>>;
  readonly owners: readonly {
    readonly id: BeneficialOwner['id'];
    readonly stored: Readonly<Record<string, unknown>>;
  }[];
  readonly documents: readonly Document[];
  readonly missing: readonly VerificationError[];
  /** The findings of the last review of a complete packet. */
  readonly remarks: readonly VerificationError[];
  /** Absent if the platform's customers do not accept our terms. */
  readonly terms: PageTerms | undefined;
}

export interface PageTerms {
  readonly inForce: TermsVersion;
  /** When the customer accepted them. */
  readonly acceptedAt: Date | undefined;
}

export async function loadPage(
  tx: ReadTx,
  id: CustomerId,
  published: readonly TermsVersion[],
): Promise<PageData> {
  const row = await findLiveCustomer(tx, id);
  if (!row) throw customerNotFound();
  const customer = await presentCustomer(tx, row);
  const documents = await listCustomerDocuments(tx, id);
  const owners = customer.customerType === 'BUSINESS' ? (customer.beneficialOwners ?? []) : [];
  return {
    customerId: publicId('Customer', id),
    isBusiness: row.customer_type === 'BUSINESS',
    needsContact: row.customer_type === 'BUSINESS' && row.email_verification !== null,
    hasIdentifier: row.identifier !== null,
    stored: customer,
    owners: owners.map(withoutNumber),
    documents: documents.map((document) => presentDocument(tx.vault, document)),
    missing: await findPacketErrors(tx, row),
    remarks: await findRemarks(tx, row),
    terms: needsOurTerms(tx.platform) ? pageTerms(row, currentTerms(published)) : undefined,
  };
}

function pageTerms({ terms_consent: consent }: CustomerRow, inForce: TermsVersion): PageTerms {
  const isAccepted = consent?.termsVersion === inForce.version;
  return { inForce, acceptedAt: isAccepted ? new Date(consent.acceptedAt) : undefined };
}

function withoutNumber({ id, roles, ownershipPercentage, personalInfo }: BeneficialOwner) {
  const { identifier: _never, ...known } = personalInfo;
  return { id, stored: { roles, ownershipPercentage, personalInfo: known } };
}

const FOUND_BY_CHECKS = /^(MISSING|INCOMPLETE_DOCUMENT$|INVALID_FIELD$)/;

/** Finds the errors of the newest record that only the next review can resolve. */
async function findRemarks(tx: ReadTx, { id }: CustomerRow): Promise<VerificationError[]> {
  const [last] = await listNewestVerifications(tx, id, 1);
  if (last?.status !== 'RESOLVE_ERRORS') return [];
  return last.errors.filter(({ type }) => !FOUND_BY_CHECKS.test(type));
}
