import { Command, InvalidArgumentError } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printObject, printRows } from '#cli/print.ts';
import { findCustomer } from '#customers/store.ts';
import { publicId } from '#lib/ids.ts';
import type { IdentityProblem } from '#ports/identity.ts';
import { decideReview, listReviews, type ReviewDecision } from '#verification/review.ts';

/** `corridor review …`: lists customers that wait for a decision, and decides (customers.md §4.4.10). */
export function reviewCommand(): Command {
  const review = new Command('review')
    .description('customers who wait for a decision')
    .addHelpText('after', '\nExample:\n  $ corridor review approve Customer:0190a5d2-…');
  review
    .command('list')
    .description('print who waits, longest first')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor review list')
    .action((options: Options) => asOperator((operator) => list(operator, options)));
  addDecision(review, 'approve', 'approve a customer', () => ({ kind: 'APPROVE' }));
  addDecision(review, 'reject', 'reject a customer, for good', (problems) => ({ kind: 'REJECT', problems }));
  addDecision(review, 'request-changes', 'have a customer put something right', (problems) => ({
    kind: 'CORRECTABLE',
    problems,
  }));
  return review;
}

interface Options extends PlatformOptions {
  problem?: IdentityProblem[];
}

type Decide = (problems: IdentityProblem[]) => ReviewDecision;

function addDecision(review: Command, name: string, description: string, decide: Decide): void {
  const command = review
    .command(name)
    .description(description)
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(platformOption());
  const takesProblems = decide([]).kind !== 'APPROVE';
  if (takesProblems) {
    const what = 'what is wrong, for the customer to read; may be repeated';
    command.option('--problem <type=reason>', what, addProblem);
  }
  const problem = takesProblems ? ' --problem "EXPIRED_DOCUMENT=The passport has expired."' : '';
  command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  $ corridor review ${name} Customer:0190a5d2-…${problem}`)
    .action((id: string, options: Options) =>
      asOperator((operator) => decideOn(operator, id, decide(options.problem ?? []), options)),
    );
}

async function list(operator: Operator, options: Options): Promise<void> {
  const work = await workOf(operator, options);
  const reviews = await work.read(listReviews);
  const rows = reviews.map(({ customer, verification }) => ({
    customer: publicId('Customer', customer.id),
    type: customer.customer_type,
    platformCustomerId: customer.platform_customer_id,
    status: customer.status,
    since: customer.updated_at,
    verification: verification && publicId('Verification', verification.id),
    verificationStatus: verification?.status,
  }));
  printRows(rows, { json: options.json ?? false, none: 'Nobody waits for a decision.' });
}

async function decideOn(
  operator: Operator,
  customerId: string,
  decision: ReviewDecision,
  options: Options,
): Promise<void> {
  const work = await workOf(operator, options);
  const decided = await work.write(async (tx) => {
    await decideReview(tx, customerId, decision);
    return findCustomer(tx, customerId);
  });
  const customer = publicId('Customer', customerId);
  printObject({ customer, status: decided?.status }, { json: options.json ?? false });
}

/** `TYPE=reason`; the type is checked with the decision. */
function addProblem(text: string, before: IdentityProblem[] = []): IdentityProblem[] {
  const [, type, reason] = /^([A-Z_]+)=(.{1,500})$/su.exec(text) ?? [];
  if (type !== undefined && reason !== undefined) return [...before, { type, reason }];
  throw new InvalidArgumentError(
    'It must be a type and a reason, such as EXPIRED_DOCUMENT=The passport has expired.',
  );
}
