import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { findOwners } from '#capabilities/customers/owner-store.ts';
import { openPersonalInfo } from '#capabilities/customers/present-owner.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import { documentHolderOf } from '#capabilities/documents/present.ts';
import { listCustomerDocuments } from '#capabilities/documents/store.ts';
import { fingerprintOf } from '#capabilities/verification/fingerprint.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { recordOutcome, toVerificationErrors } from '#capabilities/verification/record.ts';
import { checkPacket, type Packet } from '#capabilities/verification/rules.ts';
import type { Verification, VerificationError } from '#capabilities/verification/schemas.ts';
import { findOpenVerification } from '#capabilities/verification/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, notFound } from '#foundation/lib/refusals.ts';
import type { Applicant, IdentityStatus } from '#foundation/ports/identity.ts';

export const SUBMIT_JOB = 'verification.submit';

/**
 * POST /verifications, and the hosted page once its packet is complete (customers.md §4.2). Locks the customer's row,
 * so that submissions and decisions on one customer are serialized.
 */
export async function submitCustomer(tx: Tx, customerId: CustomerId): Promise<Verification> {
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  requireSubmittable(customer);
  const { identity } = tx.ports;
  const applicant = openApplicant(tx, customer);
  const early = identity.beforeChecks(applicant, tx.platform.settings);
  const packet = await loadPacket(tx, customer);
  const submitted = fingerprintOf(packet);
  const errors = early ? [] : checkPacket(packet, tx.now);
  if (errors.length > 0) {
    // Always a new record: an open one is not affected (customers.md §4.2.2).
    const incomplete = { status: 'RESOLVE_ERRORS', errors, submitted } as const;
    return presentVerification(await recordOutcome(tx, customer, undefined, incomplete));
  }
  const instant = early ?? identity.decideInstantly(applicant);
  const decision = instant === 'SUBMIT' ? ({ kind: instant } as const) : instant;
  const open = await findOpenVerification(tx, customer.id);
  const { to, record } = SUBMISSION_CHANGES[decision.kind];
  const status = 'as' in decision ? decision.as : record;
  const problems = 'problems' in decision ? decision.problems : [];
  const outcome = { status, errors: toVerificationErrors(customer.id, problems), submitted };
  const row = await recordOutcome(tx, customer, open, outcome, to);
  if (decision.kind === 'SUBMIT')
    schedule(tx, { kind: SUBMIT_JOB, afterMs: 0, payload: { verificationId: row.id } });
  return presentVerification(row);
}

/** A decision is final (customers.md §4.2.1). */
const SUBMITTABLE: readonly IdentityStatus[] = ['UNVERIFIED', 'PENDING', 'HOLD'];

/** customers.md §4.1, §4.4, §4.5: the new status of the customer after a submission, if any, and that of the record. */
export const SUBMISSION_CHANGES = {
  SUBMIT: { from: SUBMITTABLE, to: 'PENDING', record: 'IN_PROGRESS' },
  APPROVE: { from: SUBMITTABLE, to: 'APPROVED', record: 'APPROVED' },
  REJECT: { from: SUBMITTABLE, to: 'REJECTED', record: 'REJECTED' },
  REVIEW: { from: SUBMITTABLE, to: 'PENDING', record: 'PENDING_MANUAL_REVIEW' },
  RESOLVE: { from: SUBMITTABLE, to: undefined, record: 'RESOLVE_ERRORS' },
} as const;

/** Contacts that need verification must be verified first (customers.md §3.4). */
function requireSubmittable({ status, email_verification, phone_verification }: CustomerRow): void {
  if (!SUBMITTABLE.includes(status)) {
    // Clients detect by the words `is already APPROVED` that there is nothing left to do.
    throw invalidFields([{ field: 'customerId', message: `is already ${status}; that is final` }]);
  }
  const unverified: FieldError[] = [];
  const message = 'must be verified first';
  if (email_verification === 'PENDING') unverified.push({ field: 'contactVerification.email', message });
  if (phone_verification === 'PENDING') unverified.push({ field: 'contactVerification.phone', message });
  if (unverified.length > 0) throw invalidFields(unverified);
}

function openApplicant(tx: ReadTx, customer: CustomerRow): Applicant {
  const { customerType, person, business } = openProfile(tx.vault, customer);
  return { customerType, fullName: person.fullName, registrationNumber: business.registrationNumber };
}

/** Lists the problems of a customer's packet; empty if it is complete (customers.md §4.3). */
export async function findPacketErrors(tx: ReadTx, customer: CustomerRow): Promise<VerificationError[]> {
  return checkPacket(await loadPacket(tx, customer), tx.now);
}

export async function loadPacket(tx: ReadTx, customer: CustomerRow): Promise<Packet> {
  const documents = await listCustomerDocuments(tx, customer.id);
  const owners = customer.customer_type === 'BUSINESS' ? await findOwners(tx, [customer.id]) : [];
  return {
    customerId: publicId('Customer', customer.id),
    region: customer.region,
    profile: openProfile(tx.vault, customer),
    documents: documents.map((row) => ({
      holder: documentHolderOf(row),
      type: row.document_type,
      side: row.side ?? undefined,
      version: `${row.id} ${row.updated_at.toISOString()}`,
    })),
    owners: owners.map((row) => ({
      id: publicId('BeneficialOwner', row.id),
      roles: row.roles,
      ownershipPercentage: row.ownership_percentage,
      person: openPersonalInfo(tx.vault, row),
    })),
  };
}
