import { Command } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printLine, printObject } from '#cli/print.ts';
import { eraseCustomer } from '#customers/delete-customer.ts';
import { publicId } from '#lib/ids.ts';

export function customerCommand(): Command {
  const example = '\nExample:\n  $ corridor customer erase Customer:0190a5d2-…';
  const customer = new Command('customer')
    .description('customers of a platform')
    .addHelpText('after', example);
  customer
    .command('erase')
    .description('remove the personal data of a deleted customer, for good; what the books need stays')
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', example)
    .action((id: string, options: PlatformOptions) => asOperator((operator) => erase(operator, id, options)));
  return customer;
}

async function erase(operator: Operator, customerId: string, options: PlatformOptions): Promise<void> {
  const work = await workOf(operator, options);
  const { erased } = await work.write((tx) => eraseCustomer(tx, customerId));
  const id = publicId('Customer', customerId);
  if (options.json) printObject({ id, erased: true, before: !erased }, { json: true });
  else printLine(erased ? `${id} is erased.` : `${id} was erased before.`);
}
