import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { changeOwnerStatus, findOwners, setOwnerStatuses } from '#capabilities/customers/owner-store.ts';
import { DocumentType } from '#capabilities/documents/schemas.ts';
import { attachDocuments, detachDocuments } from '#capabilities/documents/store.ts';
import { emitVerification } from '#capabilities/verification/events.ts';
import {
  ERROR_TYPES,
  type VerificationError,
  type VerificationErrorType,
} from '#capabilities/verification/schemas.ts';
import {
  insertVerification,
  updateOutcome,
  type VerificationOutcome,
  type VerificationRow,
} from '#capabilities/verification/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { IdentityProblem, IdentityStatus, TerminalStatus } from '#foundation/ports/identity.ts';

/**
 * Applies the outcome of a submission or decision to the record with its event, the documents, the owners, and last
 * the customer with its event (customers.md §8.2). Updates the open record, or creates a new one. The same outcome
 * again only changes `updatedAt`. The caller has locked the customer's row.
 */
export async function recordOutcome(
  tx: Tx,
  customer: CustomerRow,
  open: VerificationRow | undefined,
  outcome: VerificationOutcome,
  customerStatus?: IdentityStatus,
): Promise<VerificationRow> {
  const row = open
    ? await updateOutcome(tx, open, outcome)
    : await insertVerification(tx, customer.id, outcome);
  if (row.status !== open?.status) emitVerification(tx, row);
  if (isOpenRecord(row)) await attachDocuments(tx, customer.id, row.id);
  else await detachDocuments(tx, row.id);
  if (customerStatus !== undefined) await changeCustomerStatus(tx, customer, customerStatus);
  return row;
}

export function isOpenRecord({ status }: Pick<VerificationRow, 'status'>): boolean {
  return status === 'IN_PROGRESS' || status === 'PENDING_MANUAL_REVIEW';
}

export function isTerminal(status: IdentityStatus): status is TerminalStatus {
  return status === 'APPROVED' || status === 'REJECTED';
}

/** Changes the owners first, so that the customer's event shows their new status. */
export async function changeCustomerStatus(
  tx: Tx,
  customer: CustomerRow,
  status: IdentityStatus,
): Promise<void> {
  if (customer.customer_type === 'BUSINESS') await changeOwners(tx, customer, status);
  if (status !== customer.status) await setCustomerStatus(tx, customer.id, status);
}

async function changeOwners(tx: Tx, { id, status: from }: CustomerRow, to: IdentityStatus): Promise<void> {
  if (to === 'PENDING') await changeOwnerStatus(tx, id, 'UNVERIFIED', 'PENDING');
  // If the business must correct something, its owners leave review as well.
  if (to === 'UNVERIFIED' && from !== 'UNVERIFIED') await changeOwnerStatus(tx, id, 'PENDING', 'UNVERIFIED');
  if (!isTerminal(to)) return;
  const owners = await findOwners(tx, [id]);
  const statuses = owners.map((owner) => ({
    id: owner.id,
    status: tx.ports.identity.ownerResolved(owner.personal_info.lastName, to),
  }));
  await setOwnerStatuses(tx, statuses);
}

const WITH_FIELD: readonly VerificationErrorType[] = ['MISSING_FIELD', 'INVALID_FIELD'];
const WITH_DOCUMENTS = /^(MISSING_.*_DOCUMENT|INVALID_DOCUMENT|EXPIRED_DOCUMENT)$/;
const DOCUMENT_TYPES = (DocumentType as unknown as { enum: string[] }).enum;

/**
 * Converts a provider's problems to entries of the record, each with only the fields of its type (customers.md
 * §4.2.3).
 */
export function toVerificationErrors(
  customerId: CustomerId,
  problems: readonly IdentityProblem[],
): VerificationError[] {
  return problems.map(({ type: reported, reason, ownerId, field, acceptedDocumentTypes = [] }) => {
    // An unknown type is recorded as a failed check.
    const type = isErrorType(reported) ? reported : 'DOCUMENT_VERIFICATION_FAILED';
    const accepted = acceptedDocumentTypes.filter(isDocumentType);
    return {
      resourceId: ownerId ?? publicId('Customer', customerId),
      type,
      ...(field !== undefined && WITH_FIELD.includes(type) && { field }),
      ...(accepted.length > 0 && WITH_DOCUMENTS.test(type) && { acceptedDocumentTypes: accepted }),
      reason,
    };
  });
}

export function isErrorType(type: string): type is VerificationErrorType {
  return ERROR_TYPES.some((known) => known === type);
}

function isDocumentType(type: string): type is DocumentType {
  return DOCUMENT_TYPES.includes(type);
}
