import { Command } from 'commander';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { idArgument } from '#cli/arguments.ts';
import { addCustomerReading } from '#cli/operator/people/find-customers.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printLine, printObject } from '#cli/print.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface EraseOptions extends PlatformOptions {
  reason: string;
}

export function customerCommand(): Command {
  const example =
    '\nExample:\n  $ corridor customer erase Customer:0190a5d2-… --reason "their request of 3 March"';
  const customer = new Command('customer').addHelpText('after', example);
  addCustomerReading(customer);
  const command = customer.command('erase');
  confirmed(
    command,
    'All personal data of the customer is destroyed, documents included. This cannot be undone.',
  )
    .description('remove the personal data of a deleted customer for good; records that the books need stay')
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', example)
    .action((id: CustomerId, options: EraseOptions) =>
      asOperator((operator) => erase(operator, id, options)),
    );
  return customer;
}

async function erase(operator: Operator, customerId: CustomerId, options: EraseOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Customer', customerId);
  const { erased } = await work.write((tx) => eraseCustomer(tx, customerId, options.reason));
  const id = publicId('Customer', customerId);
  if (options.json) printObject({ id, erased: true, before: !erased }, { json: true });
  else printLine(erased ? `${id} is erased.` : `${id} was erased before.`);
}
