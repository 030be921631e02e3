import { Command, Option } from 'commander';
import { countArgument, idArgument, reasonArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printObject, printRows } from '#cli/print.ts';
import { type ManualReport, settleByHand } from '#payments/operator/settle-by-hand.ts';
import { showPayment, summarizeUnfinished } from '#payments/operator/show-payments.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { TransactionSource } from '#payments/transactions/sources.ts';
import type { PayoutFailure } from '#ports/payments.ts';

interface PaymentOptions extends PlatformOptions {
  reason: string;
  hash?: string;
  failure?: PayoutFailure;
}

const FAILURES: readonly PayoutFailure[] = [
  'QUOTE_EXECUTION_FAILED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
];

interface ListOptions extends PlatformOptions {
  limit: number;
}

const LIMIT_MAX = 1_000;

/** `corridor payment …`: what has become of payments, and what the operator reports where a rail does not by itself. */
export function paymentCommand(): Command {
  const payment = new Command('payment')
    .description('payments that have not ended, and those whose rail does not speak for itself')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor payment settle Transaction:0190a5d2-… --reason "on the statement of 3 March"',
    );
  addReading(payment);
  addSubcommand(payment, 'settle', 'report that what a payment waits for has come about').option(
    '--hash <hash>',
    'the transaction’s hash on its chain, or between providers',
  );
  addSubcommand(payment, 'fail', 'report that it will not come about; what was taken is refunded').addOption(
    new Option('--failure <reason>', 'why a payout failed').choices(FAILURES),
  );
  addSubcommand(
    payment,
    'return',
    'report that a bank gave back what was paid, or reversed what was collected',
  );
  return payment;
}

function addReading(payment: Command): void {
  payment
    .command('list')
    .description('list payments that have begun and not ended, the oldest first')
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor payment list')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  payment
    .command('show')
    .description(
      'print a payment or card transaction, and what was asked of a customer who has to authorize it',
    )
    .argument('<transaction>', 'its id', idArgument('Transaction'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor payment show Transaction:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await workOf(operator, options);
  const rows = await work.read((tx) => summarizeUnfinished(tx, options.limit));
  await operator.audit({ action: 'payment list', platformId: work.platform.id });
  printRows(rows, { json: options.json ?? false, none: 'All payments have ended.' });
}

async function show(operator: Operator, transactionId: string, options: PlatformOptions): Promise<void> {
  const work = await workOf(operator, options);
  const sources = await loadSources();
  const shown = await work.write((tx) => showPayment(tx, sources, transactionId));
  printObject(shown, { json: options.json ?? false });
}

function addSubcommand(payment: Command, action: ManualReport['action'], description: string): Command {
  return payment
    .command(action)
    .description(description)
    .argument('<transaction>', 'its id', idArgument('Transaction'))
    .addOption(platformOption())
    .requiredOption('--reason <text>', 'why, for the audit log', reasonArgument)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  $ corridor payment ${action} Transaction:0190a5d2-… --reason "case 4711"`,
    )
    .action((id: string, options: PaymentOptions) =>
      asOperator((operator) => run(operator, id, action, options)),
    );
}

async function run(
  operator: Operator,
  transactionId: string,
  action: ManualReport['action'],
  options: PaymentOptions,
): Promise<void> {
  const work = await workOf(operator, options);
  const { reason, failure, hash: transactionHash } = options;
  const sources = await loadSources();
  const shown = await work.write(async (tx) => {
    const report = { transactionId, action, reason, failure, transactionHash };
    const row = await settleByHand(tx, sources, report);
    return presentTransaction(tx, row, tx.now);
  });
  printObject(shown, { json: options.json ?? false });
}

/** Loaded when it is needed: it brings the whole service along. */
async function loadSources(): Promise<readonly TransactionSource[]> {
  const { TRANSACTION_SOURCES } = await import('../parts.ts');
  return TRANSACTION_SOURCES;
}
