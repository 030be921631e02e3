import { Command, InvalidArgumentError } from 'commander';
import { findCustomer } from '#capabilities/customers/store.ts';
import {
  decideReview,
  listReviews,
  type Review,
  type ReviewDecision,
} from '#capabilities/verification/review.ts';
import { idArgument } from '#cli/arguments.ts';
import { addPacketCommands } from '#cli/operator/people/packet-commands.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
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

interface Options extends PlatformOptions {
  reason?: string;
  problem?: IdentityProblem[];
}

function addApprove(review: Command): void {
  addDecision(review, 'approve', { kind: 'APPROVE' })
    .description('approve a customer')
    .addOption(noteOption())
    .addHelpText('after', '\nExample:\n  $ corridor review approve Customer:0190a5d2-…');
}

function addReject(review: Command): void {
  const what = 'a problem, with the reason that the customer reads; may be repeated';
  confirmed(
    addDecision(review, 'reject', { kind: 'REJECT', problems: [] }),
    'The customer is rejected for good: they cannot apply again, and no money of theirs can move.',
  )
    .description('reject a customer for good')
    .option('--problem <type=reason>', what, addProblem)
    .addOption(reasonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor review reject Customer:0190a5d2-… --reason "case 4711" ' +
        '--problem "APPLICANT_FRAUD=The papers are forged."',
    );
}

function addRequestChanges(review: Command): void {
  const what = 'a problem, with the reason that the customer reads (required); may be repeated';
  addDecision(review, 'request-changes', { kind: 'CORRECTABLE', problems: [] })
    .description('ask a customer to correct something')
    .requiredOption('--problem <type=reason>', what, addProblem)
    .addOption(noteOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor review request-changes Customer:0190a5d2-… ' +
        '--problem "EXPIRED_DOCUMENT=The passport has expired."',
    );
}

function addDecision(review: Command, name: string, decision: ReviewDecision): Command {
  return review
    .command(name)
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .action((id: CustomerId, options: Options) => {
      const problems = options.problem ?? [];
      const decided = decision.kind === 'APPROVE' ? decision : { ...decision, problems };
      return asOperator((operator) => decideOn(operator, id, decided, options));
    });
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

async function decideOn(
  operator: Operator,
  customerId: CustomerId,
  decision: ReviewDecision,
  options: Options,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'Customer', customerId);
  const decided = await work.write(async (tx) => {
    await decideReview(tx, customerId, decision, options.reason);
    return findCustomer(tx, customerId);
  });
  const customer = publicId('Customer', customerId);
  printObject({ customer, status: decided?.status }, { json: options.json ?? false });
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
