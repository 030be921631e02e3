import { Command, InvalidArgumentError } from 'commander';
import { listReviews, type Review } from '#capabilities/verification/review.ts';
import { addPacketCommands } from '#cli/operator/people/packet-commands.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addChange, type ChangeOptions } from '#cli/operator/shell/show.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { IdentityProblem } from '#foundation/ports/identity.ts';

/** `corridor review …`: lists customers that wait for a decision, and decides (customers.md §4.4.10). */
export function reviewCommand(): Command {
  const review = new Command('review').addHelpText(
    'after',
    '\nExample:\n  $ corridor review approve Customer:0190a5d2-…',
  );
  const list = review.command('list');
  addShortList(list.description('list customers who wait for a decision, the longest waiting first'), {
    example: '',
    none: 'No customer waits for a decision.',
    order: 'oldest first',
    rows: async (tx) => (await listReviews(tx)).map(presentWaiting),
    at: ({ since }) => since,
  });
  addPacketCommands(review);
  addApprove(review);
  addReject(review);
  addRequestChanges(review);
  return review;
}

interface Options extends ChangeOptions {
  problem?: IdentityProblem[];
}

const DECISION = {
  type: 'Customer',
  argument: 'customer',
  param: 'customerId',
  async present(_tx: Tx, _id: string, { id, status }: { id: string; status: string | null }) {
    return { customer: id, status };
  },
} as const;
const ABOUT = { body: ({ problem }: Options) => ({ problems: problem }) };
const PROBLEM = 'a problem, with the reason that the customer reads';

function addApprove(review: Command): void {
  addChange(review, 'approve', {
    ...{ ...DECISION, operation: 'approveReview', isNoted: true, example: '' },
    description: 'approve a customer',
  });
}

function addReject(review: Command): void {
  addChange(review, 'reject', {
    ...{ ...DECISION, ...ABOUT, operation: 'rejectReview', two: true },
    description: 'reject a customer for good',
    effect: 'The customer is rejected for good: they cannot apply again, and no money of theirs can move.',
    example: '--reason "case 4711" --problem "APPLICANT_FRAUD=The papers are forged."',
  }).option('--problem <type=reason>', `${PROBLEM}; may be repeated`, addProblem);
}

function addRequestChanges(review: Command): void {
  addChange(review, 'request-changes', {
    ...{ ...DECISION, ...ABOUT, operation: 'requestChanges', isNoted: true },
    description: 'ask a customer to correct something',
    example: '--problem "EXPIRED_DOCUMENT=The passport has expired."',
  }).requiredOption('--problem <type=reason>', `${PROBLEM} (required); may be repeated`, addProblem);
}

function presentWaiting({ customer, verification }: Review) {
  return {
    customer: publicId('Customer', customer.id),
    type: customer.customer_type,
    platformCustomerId: customer.platform_customer_id,
    status: customer.status,
    since: customer.updated_at,
    verification: verification && publicId('Verification', verification.id),
    verificationStatus: verification?.status,
  };
}

/** `TYPE=reason`; the type is checked with the decision. */
function addProblem(text: string, before: IdentityProblem[] = []): IdentityProblem[] {
  const [, type, reason] = /^([A-Z_]+)=(.{1,500})$/isu.exec(text) ?? [];
  if (type !== undefined && reason !== undefined) {
    return [...before, { type: type.toUpperCase(), reason }];
  }
  throw new InvalidArgumentError(
    'It must be a type and a reason, such as EXPIRED_DOCUMENT=The passport has expired.',
  );
}
