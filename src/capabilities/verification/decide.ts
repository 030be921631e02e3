import { type CustomerRow, lockLiveCustomer } from '#capabilities/customers/store.ts';
import {
  changeCustomerStatus,
  recordOutcome,
  toVerificationErrors,
} from '#capabilities/verification/record.ts';
import {
  findOpenVerification,
  findVerification,
  type VerificationRow,
} from '#capabilities/verification/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Decision, IdentityProblem, IdentityStatus } from '#foundation/ports/identity.ts';

/**
 * Applies a provider's decision on a submission (customers.md §4.5). A decision may arrive twice or late: it is
 * ignored if the record is closed or the customer's status has changed since.
 */
export async function applyDecision(
  tx: Tx,
  verificationId: string,
  decision: Decision,
): Promise<'APPLIED' | 'IGNORED'> {
  const found = await findVerification(tx, verificationId);
  const customer = found && (await lockLiveCustomer(tx, found.customer_id));
  if (!customer || !isApplicable(customer, decision)) return 'IGNORED';
  const open = await findOpenVerification(tx, customer.id);
  // A hold applies to the customer, whichever record it names. So does a decision that ends a hold if there is no open
  // record.
  const isCurrent = open ? open.id === verificationId : customer.status === 'HOLD';
  if (!isCurrent && decision.kind !== 'HOLD') return 'IGNORED';
  await decide(tx, customer, open, withGeneralProblem(decision));
  return 'APPLIED';
}

/** customers.md §4.5: the statuses of the customer in which a decision applies, and its new one, if any. */
export const DECISION_CHANGES = {
  MANUAL_REVIEW: { from: ['PENDING'], to: undefined },
  CORRECTABLE: { from: ['PENDING'], to: 'UNVERIFIED' },
  APPROVE: { from: ['PENDING', 'HOLD'], to: 'APPROVED' },
  REJECT: { from: ['PENDING', 'HOLD'], to: 'REJECTED' },
  HOLD: { from: ['UNVERIFIED', 'PENDING', 'HOLD'], to: 'HOLD' },
} as const satisfies Record<Decision['kind'], StatusChange>;

interface StatusChange {
  readonly from: readonly IdentityStatus[];
  readonly to: IdentityStatus | undefined;
}

export function isApplicable({ status }: CustomerRow, { kind }: Decision): boolean {
  const { from }: StatusChange = DECISION_CHANGES[kind];
  return from.includes(status);
}

/** The caller has locked the customer's row; `open` is its open record, if any. */
export async function decide(
  tx: Tx,
  customer: CustomerRow,
  open: VerificationRow | undefined,
  decision: Decision,
): Promise<void> {
  const { to } = DECISION_CHANGES[decision.kind];
  switch (decision.kind) {
    case 'MANUAL_REVIEW':
      await recordOutcome(tx, customer, open, { status: 'PENDING_MANUAL_REVIEW', errors: [] }, to);
      return;
    case 'CORRECTABLE': {
      const errors = toVerificationErrors(customer.id, decision.problems);
      await recordOutcome(tx, customer, open, { status: 'RESOLVE_ERRORS', errors }, to);
      return;
    }
    case 'APPROVE':
      await recordOutcome(tx, customer, open, { status: 'APPROVED', errors: [] }, to);
      return;
    case 'REJECT': {
      const errors = toVerificationErrors(customer.id, withRejection(decision.problems));
      await recordOutcome(tx, customer, open, { status: 'REJECTED', errors }, to);
      return;
    }
    case 'HOLD':
      await changeCustomerStatus(tx, customer, DECISION_CHANGES.HOLD.to);
  }
}

const POOR_QUALITY: IdentityProblem = {
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The documents were not accepted. Check them and upload clear, valid ones.',
};

/**
 * If a provider asks for corrections, a general entry comes before its specific ones. The operator's decisions get no
 * general entry, because the documents may be fine (customers.md §4.4.10).
 */
function withGeneralProblem(decision: Decision): Decision {
  if (decision.kind !== 'CORRECTABLE') return decision;
  const { problems } = decision;
  const isNamed = problems.some(({ type, ownerId }) => type === POOR_QUALITY.type && ownerId === undefined);
  return isNamed ? decision : { ...decision, problems: [POOR_QUALITY, ...problems] };
}

const REJECTED: IdentityProblem = { type: 'APPLICANT_REJECTED', reason: 'The application was rejected.' };

/** A rejection always has an entry about the applicant. */
function withRejection(problems: readonly IdentityProblem[]): IdentityProblem[] {
  const isFilled = problems.some(({ type }) => type.startsWith('APPLICANT_'));
  return isFilled ? [...problems] : [REJECTED, ...problems];
}
