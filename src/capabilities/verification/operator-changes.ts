import Type from 'typebox';
import { findCustomer } from '#capabilities/customers/store.ts';
import { decideReview, type ReviewDecision } from '#capabilities/verification/review.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { masked } from '#foundation/records/mask.ts';

const DecidedCustomer = component('DecidedCustomer', 'A customer after an operator’s decision.', {
  id: idSchema('Customer'),
  status: Type.Union([Type.String(), Type.Null()], { description: 'Its verification status now.' }),
});

const WORDS = {
  area: 'Reviews',
  roles: ['compliance'],
  params: { customerId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' } },
  reply: DecidedCustomer,
  codes: ['CONFLICT'],
} as const;

const PROBLEM = component('ReviewProblem', 'A problem that the customer reads.', {
  type: masked('none', Type.String({ maxLength: 100, description: 'Its type, as verifications show it.' })),
  reason: masked(
    'text',
    Type.String({ minLength: 1, maxLength: 500, description: 'The message to the customer.' }),
  ),
});

async function decide(tx: Tx, customerId: CustomerId, decision: ReviewDecision, reason: string) {
  await decideReview(tx, customerId, decision, reason);
  const decided = await findCustomer(tx, customerId);
  return { id: publicId('Customer', customerId), status: decided?.status ?? null };
}

/** How operators decide reviews of customers (operator.md §6). The commands call the same function. */
export const reviewChanges = [
  operatorChange('approveReview', {
    ...WORDS,
    route: 'POST /reviews/:customerId/approve',
    summary: 'Approve a customer',
    description: 'Ends the review of a customer who waits for a decision: the customer is approved.',
    change: (tx, { params: { customerId }, body: { reason } }) =>
      decide(tx, customerId, { kind: 'APPROVE' }, reason),
  }),
  operatorChange('requestChanges', {
    ...WORDS,
    route: 'POST /reviews/:customerId/request-changes',
    summary: 'Ask for corrections',
    description: 'Asks a customer to correct something, and says what.',
    fields: { problems: Type.Array(PROBLEM, { minItems: 1, maxItems: 50, description: 'What to correct.' }) },
    change: (tx, { params: { customerId }, body: { reason, problems } }) =>
      decide(tx, customerId, { kind: 'CORRECTABLE', problems }, reason),
  }),
  operatorChange('rejectReview', {
    ...WORDS,
    route: 'POST /reviews/:customerId/reject',
    summary: 'Reject a customer',
    description: 'Rejects a customer for good: they cannot apply again, and no money of theirs can move.',
    two: 'always',
    asksFirst: true,
    fields: {
      problems: Type.Optional(
        Type.Array(PROBLEM, { maxItems: 50, description: 'Why, as the customer reads it.' }),
      ),
    },
    change: (tx, { params: { customerId }, body: { reason, problems = [] } }) =>
      decide(tx, customerId, { kind: 'REJECT', problems }, reason),
  }),
];
