import { Command, InvalidArgumentError } from 'commander';
import { RECEIVABLE_LIST } from '#capabilities/cards/receivable-records.ts';
import { amountArgument, codeArgument, readId } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface WriteOffOptions extends PlatformOptions, SecondOptions {
  currency: string;
  amount?: bigint;
  reason: string;
}

/** `corridor receivable …`: debts of customers and platforms after returns and reversals (money.md §11.b). */
export function receivableCommand(): Command {
  const receivable = new Command('receivable').addHelpText(
    'after',
    '\nExample:\n  $ corridor receivable list',
  );
  addPagedList(receivable.command('list').description('list debts with their debtors, the newest first'), {
    example: '--json',
    none: 'There are no debts.',
    page: (tx, request) => RECEIVABLE_LIST.page(tx, request, {}),
  });
  const command = performs(receivable.command('write-off'), OPERATIONS, { second: true });
  confirmed(command, 'The debt is given up, at your own cost. This cannot be undone.')
    .description('give up a debt, or a part of it')
    .argument('<owner>', 'the customer or platform that owes it', ownerArgument)
    .requiredOption('--currency <code>', 'the currency of the debt', codeArgument)
    .option('--amount <units>', 'how much, in the smallest unit; default: all', amountArgument)
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor receivable write-off Customer:0190a5d2-… --currency USD --reason "insolvent"',
    )
    .action((owner: Debtor, options: WriteOffOptions) =>
      asOperator((operator) => writeOffReceivable(operator, owner, options)),
    );
  return receivable;
}

const OPERATIONS = ['writeOffDebtOfCustomer', 'writeOffDebtOfPlatform'];

async function writeOffReceivable(
  operator: Operator,
  owner: Debtor,
  options: WriteOffOptions,
): Promise<void> {
  const work = await findResourceWork(operator, options, owner.type, owner.id);
  const { currency, amount } = options;
  const { ownCurrencies } = work.platform;
  const isCustomer = owner.type === 'Customer';
  const shown = await performOperation(operator, work, {
    operation: isCustomer ? 'writeOffDebtOfCustomer' : 'writeOffDebtOfPlatform',
    params: { [isCustomer ? 'customerId' : 'platformId']: owner.id },
    ...{ body: { currency, amount: amount && Number(amount) }, options },
    present: async (_tx, { left }: { left: number }) => ({
      owner: publicId(owner.type, owner.id),
      left: presentAmount(BigInt(left), currency, ownCurrencies),
    }),
  });
  if (shown) printObject(shown, { json: options.json ?? false });
}

interface Debtor {
  readonly type: 'Customer' | 'Platform';
  readonly id: Id<'Customer' | 'Platform'>;
}

function ownerArgument(text: string): Debtor {
  for (const type of ['Customer', 'Platform'] as const) {
    const id = readId(type, text);
    if (id !== undefined) return { type, id };
  }
  throw new InvalidArgumentError('It must be an id such as Customer:<uuid> or Platform:<uuid>.');
}
