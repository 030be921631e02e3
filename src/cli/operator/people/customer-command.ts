import { Command, Option } from 'commander';
import { WORDS } from '#app/personal-data.ts';
import { retentionFor } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { destroyKey } from '#capabilities/erasure/destroy-key.ts';
import { previewErasure } from '#capabilities/erasure/preview-erasure.ts';
import { idArgument } from '#cli/arguments.ts';
import { addExport } from '#cli/operator/people/export-command.ts';
import { addCustomerReading } from '#cli/operator/people/find-customers.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printLine, printObject, printRows } from '#cli/print.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface EraseOptions extends PlatformOptions, SecondOptions {
  reason: string;
  despiteRetention?: true;
  preview?: true;
}

export function customerCommand(): Command {
  const example =
    '\nExample:\n  $ corridor customer erase Customer:0190a5d2-… --reason "their request of 3 March"';
  const customer = new Command('customer').addHelpText('after', example);
  addCustomerReading(customer);
  addExport(customer);
  const command = performs(customer.command('erase'), ['eraseCustomer'], { second: true });
  confirmed(
    command,
    'All personal data of the customer is destroyed, documents included. This cannot be undone.',
    ({ preview }) => preview !== true,
  )
    .description('remove the personal data of a deleted customer for good; records that the books need stay')
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option(
      '--despite-retention',
      'erase before RETENTION_YEARS have passed since the deletion; the audit log records this option',
    )
    .addOption(
      new Option('--preview', 'change nothing, and list the data that would go or stay, and why').implies({
        reason: 'preview',
      }),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', example)
    .action((id: CustomerId, options: EraseOptions) =>
      asOperator((operator) => (options.preview ? preview : erase)(operator, id, options)),
    );
  return customer;
}

async function erase(operator: Operator, customerId: CustomerId, options: EraseOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Customer', customerId);
  const done = await performOperation(operator, work, {
    ...{ operation: 'eraseCustomer', params: { customerId }, options },
    body: { despiteRetention: options.despiteRetention },
    present: async (_tx, { wasErased }: { wasErased: boolean }) => ({ wasErased }),
  });
  if (!done) return;
  await destroyKey(work, customerId);
  const id = publicId('Customer', customerId);
  if (options.json) printObject({ id, erased: true, before: done.wasErased }, { json: true });
  else printLine(done.wasErased ? `${id} was erased before.` : `${id} is erased.`);
}

async function preview(operator: Operator, customerId: CustomerId, options: EraseOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Customer', customerId);
  const { years: retentionYears } = retentionFor(
    work.platform,
    operator.config.retentionYears,
    options.despiteRetention ?? false,
  );
  const found = await previewErasure(work, customerId, { words: WORDS, retentionYears });
  if (options.json) return printObject({ ...found }, { json: true });
  const { parts, ...customer } = found;
  printObject(customer, { json: false });
  printLine('');
  const rows = parts.map((part) => ({ ...part }));
  printRows(rows, { json: false, none: 'Nothing is kept.' });
}
