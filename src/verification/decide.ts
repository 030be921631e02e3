import { type CustomerRow, lockLiveCustomer } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import type { Decision, IdentityProblem, IdentityStatus } from '#rails/identity.ts';
import { errorsOf } from '#verification/errors.ts';
import { changeCustomer, recordOutcome } from '#verification/record.ts';
import { findOpenVerification, findVerification, type VerificationRow } from '#verification/store.ts';

/**
 * The intake of what a provider says about a submission (customers.md §4.5). Providers repeat themselves and are
 * late: what no longer fits, for a record that is closed or a customer that has moved on, changes nothing.
 */
export async function applyDecision(
  tx: Tx,
  verificationId: string,
  decision: Decision,
): Promise<'APPLIED' | 'IGNORED'> {
  const found = await findVerification(tx, verificationId);
  const customer = found && (await lockLiveCustomer(tx, found.customer_id));
  if (!customer || !isFitting(customer, decision)) return 'IGNORED';
  const open = await findOpenVerification(tx, customer.id);
  // A hold is about the customer, whichever record names it; so is what ends a hold that nothing open stands behind.
  const isMeant = open ? open.id === verificationId : customer.status === 'HOLD';
  if (!isMeant && decision.kind !== 'HOLD') return 'IGNORED';
  await decide(tx, customer, open, decision);
  return 'APPLIED';
}

/** Which statuses of the customer a decision is about. */
const FROM: Readonly<Record<Decision['kind'], readonly IdentityStatus[]>> = {
  MANUAL_REVIEW: ['PENDING'],
  CORRECTABLE: ['PENDING'],
  APPROVE: ['PENDING', 'HOLD'],
  REJECT: ['PENDING', 'HOLD'],
  HOLD: ['UNVERIFIED', 'PENDING', 'HOLD'],
};

export function isFitting({ status }: CustomerRow, { kind }: Decision): boolean {
  return FROM[kind].includes(status);
}

/** On a customer whose row this transaction holds, with its open record if it has one. */
export async function decide(
  tx: Tx,
  customer: CustomerRow,
  open: VerificationRow | undefined,
  decision: Decision,
): Promise<void> {
  switch (decision.kind) {
    case 'MANUAL_REVIEW':
      await recordOutcome(tx, customer, open, { status: 'PENDING_MANUAL_REVIEW', errors: [] });
      return;
    case 'CORRECTABLE': {
      const errors = errorsOf(customer.id, correctable(decision.problems));
      await recordOutcome(tx, customer, open, { status: 'RESOLVE_ERRORS', errors }, 'UNVERIFIED');
      return;
    }
    case 'APPROVE':
      await recordOutcome(tx, customer, open, { status: 'APPROVED', errors: [] }, 'APPROVED');
      return;
    case 'REJECT': {
      const errors = errorsOf(customer.id, rejected(decision.problems));
      await recordOutcome(tx, customer, open, { status: 'REJECTED', errors }, 'REJECTED');
      return;
    }
    case 'HOLD':
      await changeCustomer(tx, customer, 'HOLD');
  }
}

const POOR_QUALITY: IdentityProblem = {
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The documents were not accepted. Check them and upload clear, valid ones.',
};

/** One general entry, then the finer ones that the provider names. */
function correctable(problems: readonly IdentityProblem[]): IdentityProblem[] {
  const isNamed = problems.some(({ type, ownerId }) => type === POOR_QUALITY.type && ownerId === undefined);
  return isNamed ? [...problems] : [POOR_QUALITY, ...problems];
}

const REJECTED: IdentityProblem = { type: 'APPLICANT_REJECTED', reason: 'The application was rejected.' };

/** There is always an entry that says what it is about the applicant. */
function rejected(problems: readonly IdentityProblem[]): IdentityProblem[] {
  const isSaid = problems.some(({ type }) => type.startsWith('APPLICANT_'));
  return isSaid ? [...problems] : [REJECTED, ...problems];
}
