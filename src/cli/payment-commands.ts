import { Command, Option } from 'commander';
import { idArgument, reasonArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printObject } from '#cli/print.ts';
import { type ManualReport, settleByHand } from '#payments/operator/settle-by-hand.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
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

/** `corridor payment …`: the operator reports what a rail does not report by itself. */
export function paymentCommand(): Command {
  const payment = new Command('payment')
    .description('payments whose rail does not speak for itself')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor payment settle Transaction:0190a5d2-… --reason "on the statement of 3 March"',
    );
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
  const shown = await work.write(async (tx) => {
    const row = await settleByHand(tx, { transactionId, action, reason, failure, transactionHash });
    return presentTransaction(tx, row, tx.now);
  });
  printObject(shown, { json: options.json ?? false });
}
