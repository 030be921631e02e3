import { Command, InvalidArgumentError } from 'commander';
import { findCardTransactionIds } from '#cards/transaction-store.ts';
import { amountArgument, codeArgument, readId } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { confirmed } from '#cli/confirm.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { listReceivables } from '#ledger/open-items-store.ts';
import { presentAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';
import { writeOff } from '#payments/operator/write-off.ts';

interface WriteOffOptions extends PlatformOptions {
  currency: string;
  amount?: bigint;
  reason: string;
}

/** `corridor receivable …`: what customers and platforms owe us after returns and reversals (money.md §11.b). */
export function receivableCommand(): Command {
  const receivable = new Command('receivable')
    .description('debts to us that later credits repay')
    .addHelpText('after', '\nExample:\n  $ corridor receivable list');
  receivable
    .command('list')
    .description('list who owes what')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor receivable list --json')
    .action((options: PlatformOptions) => asOperator((operator) => list(operator, options)));
  const command = receivable.command('write-off');
  confirmed(command, 'The debt is given up, at our cost. This cannot be undone.')
    .description('give up a debt, or a part of it')
    .argument('<owner>', 'the customer or the platform that owes', ownerArgument)
    .requiredOption('--currency <code>', 'in which currency', codeArgument)
    .option('--amount <units>', 'how much, in the smallest unit; default: all', amountArgument)
    .addOption(platformOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor receivable write-off Customer:0190a5d2-… --currency USD --reason "insolvent"',
    )
    .action((owner: string, options: WriteOffOptions) =>
      asOperator((operator) => writeOffReceivable(operator, owner, options)),
    );
  return receivable;
}

async function list(operator: Operator, options: PlatformOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const { rows, ofCards } = await work.read(async (tx) => {
    const rows = await listReceivables(tx);
    return { rows, ofCards: await findCardTransactionIds(tx, rows.map(ownerIdOf)) };
  });
  await operator.audit({ action: 'receivable list', platformId: work.platform.id });
  // What a card transaction owes no credit repays: it is resolved by `corridor card exceptions`.
  const ownerOf = (id: string) =>
    ofCards.has(id) ? publicId('Transaction', id) : publicOwnerId(id, work.platform.id);
  const shown = rows.map(({ account, currency, balance, updated_at }) => ({
    owner: ownerOf(ownerIdOf({ account })),
    amount: presentAmount(balance, currency, work.platform.ownCurrencies),
    since: updated_at,
  }));
  printRows(shown, { json: options.json ?? false, none: 'Nobody owes anything.' });
}

async function writeOffReceivable(
  operator: Operator,
  ownerId: string,
  options: WriteOffOptions,
): Promise<void> {
  const work = await workOf(operator, options);
  const { currency, amount, reason } = options;
  const left = await work.write((tx) => writeOff(tx, { ownerId, currency, amount, reason }));
  const owner = publicOwnerId(ownerId, work.platform.id);
  const shown = { owner, left: presentAmount(left, currency, work.platform.ownCurrencies) };
  printObject(shown, { json: options.json ?? false });
}

function ownerIdOf({ account }: { readonly account: string }): string {
  return account.split(':')[1] ?? '';
}

function publicOwnerId(id: string, platformId: string): string {
  return publicId(id === platformId ? 'Platform' : 'Customer', id);
}

function ownerArgument(text: string): string {
  const id = readId('Customer', text) ?? readId('Platform', text);
  if (id === undefined) {
    throw new InvalidArgumentError('It must be an id such as Customer:<uuid> or Platform:<uuid>.');
  }
  return id;
}
