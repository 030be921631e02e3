import type { Command } from 'commander';
import { CUSTOMER_LIST, CUSTOMER_SHOW } from '#capabilities/accounts/customer-records.ts';
import { CUSTOMER_STATUSES } from '#capabilities/customers/field-schemas.ts';
import type { CustomerQuery } from '#capabilities/customers/schemas.ts';
import { codeArgument } from '#cli/arguments.ts';
import { addListing, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

interface ListOptions extends ListingOptions {
  type?: CustomerQuery['customerType'];
  status?: IdentityStatus;
  email?: string;
  platformCustomerId?: string;
  uma?: string;
  name?: string;
  region?: string;
  currency?: string;
  deleted?: true;
}

/** `corridor customer list` and `show`. */
export function addCustomerReading(customer: Command): void {
  const list = customer
    .command('list')
    .description('list customers, the newest first, without personal data')
    .addOption(choiceOption('--type <type>', 'only this type', ['INDIVIDUAL', 'BUSINESS']))
    .addOption(
      choiceOption(
        '--status <status>',
        'only those with this status of their identity check',
        CUSTOMER_STATUSES,
      ),
    )
    .option('--email <address>', 'only those with this e-mail address')
    .option('--platform-customer-id <text>', 'only those with this reference of the platform, exactly')
    .option('--uma <address>', 'the customer with this UMA address')
    .option('--name <words>', 'only those with all these words in their names; case and accents do not count')
    .option('--region <country>', 'only those of this region', codeArgument)
    .option('--currency <code>', 'only those who hold this currency', codeArgument)
    .option('--deleted', 'include deleted ones');
  addListing(list)
    .addHelpText('after', '\nExample:\n  $ corridor customer list --platform-customer-id 9f84e0c2')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(customer, {
    type: 'Customer',
    argument: 'customer',
    description: 'print a customer with its accounts and latest verification',
    load: CUSTOMER_SHOW.load,
  });
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { type, status, email, platformCustomerId, uma, name, region, currency, deleted, after, before } =
    options;
  const filters = { type, status, email, platformCustomerId, uma, name, region, currency, deleted };
  await listPages(operator, options, {
    action: 'customer list',
    none: 'There are no customers.',
    page: (tx, request) =>
      CUSTOMER_LIST.page(tx, request, {
        ...filters,
        createdAfter: after?.(tx.now),
        createdBefore: before?.(tx.now),
      }),
  });
}
