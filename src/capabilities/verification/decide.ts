import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
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
  verificationId: Id<'Verification'>,
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

/**
 * customers.md §4.5: the statuses of the customer in which a decision applies, the customer's new status, and that of the
 * record. Undefined: unchanged.
 */
export const DECISION_CHANGES = {
  MANUAL_REVIEW: { from: ['PENDING'], to: undefined, record: 'PENDING_MANUAL_REVIEW' },
  CORRECTABLE: { from: ['PENDING'], to: 'UNVERIFIED', record: 'RESOLVE_ERRORS' },
  APPROVE: { from: ['PENDING', 'HOLD'], to: 'APPROVED', record: 'APPROVED' },
  REJECT: { from: ['PENDING', 'HOLD'], to: 'REJECTED', record: 'REJECTED' },
  HOLD: { from: ['UNVERIFIED', 'PENDING', 'HOLD'], to: 'HOLD', record: undefined },
} as const satisfies Record<
  Decision['kind'],
  { from: readonly IdentityStatus[]; to: unknown; record: unknown }
>;

export function isApplicable({ status }: CustomerRow, { kind }: Decision): boolean {
  return DECISION_CHANGES[kind].from.some((from) => from === status);
}

/** The caller has locked the customer's row; `open` is its open record, if any. */
export async function decide(
  tx: Tx,
  customer: CustomerRow,
  open: VerificationRow | undefined,
  decision: Decision,
): Promise<void> {
  const { to, record } = DECISION_CHANGES[decision.kind];
  if (record === undefined) return changeCustomerStatus(tx, customer, to);
  const problems = 'problems' in decision ? decision.problems : [];
  const errors = toVerificationErrors(
    customer.id,
    record === 'REJECTED' ? withRejection(problems) : problems,
  );
  await recordOutcome(tx, customer, open, { status: record, errors }, to);
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
