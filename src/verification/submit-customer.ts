import { profileOf } from '#customers/profile.ts';
import { type CustomerRow, lockLiveCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { schedule } from '#jobs/schedule.ts';
import { type FieldError, invalidFields, notFound } from '#lib/refusals.ts';
import type { Applicant, IdentityStatus, InstantDecision } from '#rails/identity.ts';
import { errorsOf } from '#verification/errors.ts';
import { findPacketErrors } from '#verification/packet.ts';
import { presentVerification } from '#verification/present.ts';
import { isTerminal, recordOutcome } from '#verification/record.ts';
import type { Verification } from '#verification/schemas.ts';
import { findOpenVerification, type VerificationOutcome } from '#verification/store.ts';

/** The kind of job that hands a packet to the provider. */
export const SUBMIT_JOB = 'verification.submit';

/**
 * POST /verifications, and the hosted page once its packet is complete (customers.md §4.2). The customer's row
 * is held, so submissions and decisions on one customer follow one another.
 */
export async function submitCustomer(tx: Tx, customerId: string): Promise<Verification> {
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  checkOpenTo(customer);
  const { identity } = tx.ports;
  const applicant = applicantOf(tx, customer);
  const known = identity.beforeChecks(applicant, tx.platform.settings);
  const errors = known ? [] : await findPacketErrors(tx, customer);
  if (errors.length > 0) {
    // Always a record of its own: one that is open goes on as if nothing had been sent (customers.md §4.2.2).
    const incomplete = { status: 'RESOLVE_ERRORS', errors } as const;
    return presentVerification(await recordOutcome(tx, customer, undefined, incomplete));
  }
  const verdict = known ?? identity.decideInstantly(applicant);
  const open = await findOpenVerification(tx, customer.id);
  const { outcome, status } = resultOf(customer.id, verdict);
  const row = await recordOutcome(tx, customer, open, outcome, status);
  if (verdict === 'SUBMIT')
    schedule(tx, { kind: SUBMIT_JOB, afterMs: 0, payload: { verificationId: row.id } });
  return presentVerification(row);
}

/**
 * Decided is decided (customers.md §4.2.1); and where contacts have to be verified, that comes first (customers.md
 * §3.4).
 */
function checkOpenTo({ status, email_verification, phone_verification }: CustomerRow): void {
  if (isTerminal(status)) {
    // Public clients know by the words `is already APPROVED` that there is nothing left to do.
    throw invalidFields([{ field: 'customerId', message: `is already ${status}; that is final` }]);
  }
  const unverified: FieldError[] = [];
  const message = 'must be verified first';
  if (email_verification === 'PENDING') unverified.push({ field: 'contactVerification.email', message });
  if (phone_verification === 'PENDING') unverified.push({ field: 'contactVerification.phone', message });
  if (unverified.length > 0) throw invalidFields(unverified);
}

function applicantOf(tx: ReadTx, customer: CustomerRow): Applicant {
  const { customerType, person, business } = profileOf(tx.vault, customer);
  return { customerType, fullName: person.fullName, registrationNumber: business.registrationNumber };
}

/** The record's outcome, and the customer's status where it changes (customers.md §4.1, §4.4, §4.5). */
function resultOf(
  customerId: string,
  verdict: InstantDecision | 'SUBMIT',
): { outcome: VerificationOutcome; status: IdentityStatus | undefined } {
  if (verdict === 'SUBMIT') return { outcome: { status: 'IN_PROGRESS', errors: [] }, status: 'PENDING' };
  switch (verdict.kind) {
    case 'APPROVE':
      return { outcome: { status: 'APPROVED', errors: [] }, status: 'APPROVED' };
    case 'REJECT':
      return {
        outcome: { status: 'REJECTED', errors: errorsOf(customerId, verdict.problems) },
        status: 'REJECTED',
      };
    case 'REVIEW':
      return { outcome: { status: verdict.as, errors: [] }, status: 'PENDING' };
    case 'RESOLVE':
      return {
        outcome: { status: 'RESOLVE_ERRORS', errors: errorsOf(customerId, verdict.problems) },
        status: undefined,
      };
  }
}
