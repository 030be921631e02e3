import { Command } from 'commander';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { amountArgument, codeArgument, idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { bareId, type PublicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface BookOptions extends PlatformOptions, SecondOptions {
  amount: bigint;
  currency: string;
  sender: string;
  bankReference: string;
  rail: string;
  reason: string;
}

/** `corridor deposit …`: money that reached the operator's bank and that no adapter reports (money.md §7.1). */
export function depositCommand(): Command {
  const deposit = new Command('deposit').addHelpText('after', EXAMPLE);
  const command = performs(deposit.command('book'), ['bookDeposit'], { second: true });
  confirmed(command, 'The account is credited, and its owner can spend the money. This cannot be undone.')
    .description('credit an internal account, once for each bank reference')
    .argument('<account>', 'the internal account that the money is for', idArgument('InternalAccount'))
    .requiredOption('--amount <units>', 'how much, in the smallest unit', amountArgument)
    .requiredOption('--currency <code>', 'the account’s currency', codeArgument)
    .requiredOption('--sender <name>', 'the payer’s name on the bank statement')
    .requiredOption('--bank-reference <text>', 'the bank’s own reference for the receipt')
    .option(
      '--rail <rail>',
      'the rail that it came over, such as ACH or SEPA; SPARK for a coin',
      codeArgument,
      'BANK_TRANSFER',
    )
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLE)
    .action((accountId: AccountId, options: BookOptions) =>
      asOperator((operator) => book(operator, accountId, options)),
    );
  return deposit;
}

const EXAMPLE =
  '\nExample:\n  $ corridor deposit book InternalAccount:0190a5d2-… --amount 12500 --currency EUR \\\n' +
  '      --sender "Grace Hopper" --bank-reference 2026030300017 --reason "statement of 3 March"';

async function book(operator: Operator, accountId: AccountId, options: BookOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'InternalAccount', accountId);
  const { amount, currency, sender, bankReference, rail } = options;
  const shown = await performOperation(operator, work, {
    ...{ operation: 'bookDeposit', params: { accountId }, options },
    body: { amount: Number(amount), currency, sender, bankReference, rail },
    async present(tx, { id, isNew }: { id: PublicId<'Transaction'>; isNew: boolean }) {
      const row = await findTransaction(tx, bareId(id));
      if (!row) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
      return { isNew, transaction: presentTransaction(tx, row, tx.now) };
    },
  });
  if (!shown) return;
  if (!shown.isNew) reportProgress('A deposit with this reference was booked before; nothing was done.');
  printObject(shown.transaction, { json: options.json ?? false });
}
