import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { findPendingCustomers, type PendingCustomer } from '#capabilities/customers/lifecycle/list-store.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import { decide, isApplicable } from '#capabilities/verification/decide.ts';
import { isErrorType } from '#capabilities/verification/record.ts';
import {
  findOpenVerification,
  findOpenVerifications,
  type VerificationRow,
} from '#capabilities/verification/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';
import type { Decision } from '#foundation/ports/identity.ts';

/** The operator's possible decisions on a customer under review. */
export type ReviewDecision = Extract<Decision, { kind: 'APPROVE' | 'REJECT' | 'CORRECTABLE' }>;

export interface Review {
  readonly customer: PendingCustomer;
  /** Absent for a customer that was created into review. */
  readonly verification: VerificationRow | undefined;
}

/** Lists the platform's customers that wait for a decision, the longest waiting first. */
export async function listReviews(tx: ReadTx): Promise<Review[]> {
  const customers = await findPendingCustomers(tx);
  const open = await findOpenVerifications(
    tx,
    customers.map(({ id }) => id),
  );
  const byCustomer = new Map(open.map((row) => [row.customer_id, row]));
  return customers.map((customer) => ({ customer, verification: byCustomer.get(customer.id) }));
}

/**
 * Applies the operator's decision, in both environments (customers.md §4.4.10). Unlike a provider's late decision, one
 * with nothing to decide is refused, because a person waits for the reply.
 */
export async function decideReview(
  tx: Tx,
  customerId: CustomerId,
  decision: ReviewDecision,
  reason?: string,
): Promise<CustomerRow> {
  requireProblems(decision);
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  if (!isApplicable(customer, decision)) {
    throw new Refusal('CONFLICT', `The customer is ${customer.status}; no review is waiting for a decision.`);
  }
  await decide(tx, customer, await findOpenVerification(tx, customer.id), decision);
  const problems = decision.kind === 'APPROVE' ? [] : decision.problems.map(({ type }) => type);
  audit(tx, {
    action: `review ${decision.kind}`,
    resource: publicId('Customer', customer.id),
    // Types only: the messages to the customer may be personal, and are deleted when the customer is erased.
    details: { ...(problems.length > 0 && { problems }), ...(reason !== undefined && { reason }) },
  });
  return customer;
}

/** A customer who must correct something needs to read what it is. */
function requireProblems(decision: ReviewDecision): void {
  if (decision.kind === 'APPROVE') return;
  if (decision.kind === 'CORRECTABLE' && decision.problems.length === 0) {
    throw invalidFields([
      { field: 'problems', message: 'must have at least one entry that tells the customer what to correct' },
    ]);
  }
  const unknown = decision.problems.filter(({ type }) => !isErrorType(type));
  if (unknown.length === 0) return;
  throw invalidFields(
    unknown.map(({ type }) => ({ field: 'type', message: `${type} is not an error type` })),
  );
}
