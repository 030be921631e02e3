import type { Command } from 'commander';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { listCustomerAccounts } from '#capabilities/accounts/store.ts';
import { CUSTOMER_STATUSES } from '#capabilities/customers/field-schemas.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { listCustomers } from '#capabilities/customers/routes.ts';
import type { CustomerQuery, CustomerReply } from '#capabilities/customers/schemas.ts';
import { customerNotFound, findCustomer } from '#capabilities/customers/store.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { listNewestVerifications } from '#capabilities/verification/store.ts';
import { codeArgument } from '#cli/arguments.ts';
import { addListing, given, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

interface ListOptions extends ListingOptions {
  type?: CustomerQuery['customerType'];
  status?: IdentityStatus;
  email?: string;
  platformCustomerId?: string;
  uma?: string;
  region?: string;
  currency?: string;
  deleted?: true;
}

const ACCOUNTS_SHOWN = 100;

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
    load: presentWhole,
  });
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { platformCustomerId, region, currency, deleted, status, email } = options;
  await listPages(operator, options, {
    action: 'customer list',
    none: 'There are no customers.',
    async page(tx, request) {
      const query = given({
        ...{ platformCustomerId, region, currency, email, isIncludingDeleted: deleted },
        ...{ customerType: options.type, umaAddress: options.uma },
        createdAfter: options.after?.(tx.now).toISOString(),
        createdBefore: options.before?.(tx.now).toISOString(),
      });
      const found = await listCustomers(tx, query as CustomerQuery, { request, ...given({ status }) });
      return { ...found, data: found.data.map(presentListed) };
    },
  });
}

/** Without personal data, in JSON as well: a list of all customers does not need their addresses. */
function presentListed(item: CustomerReply) {
  return {
    ...{ customer: item.id, type: item.customerType, platformCustomerId: item.platformCustomerId },
    status:
      ('kycStatus' in item ? item.kycStatus : undefined) ?? ('kybStatus' in item ? item.kybStatus : null),
    ...{ region: item.region, currencies: item.currencies?.join(', '), createdAt: item.createdAt },
    deleted: item.isDeleted,
  };
}

async function presentWhole(tx: Tx, customerId: CustomerId) {
  const row = await findCustomer(tx, customerId);
  if (!row) throw customerNotFound();
  const page = { list: 'operator', filters: {}, limit: ACCOUNTS_SHOWN, cursor: undefined };
  const accounts = await listCustomerAccounts(tx, page, { customerId }, (account) => account);
  const [latest] = await listNewestVerifications(tx, customerId, 1);
  return {
    ...(await presentCustomer(tx, row)),
    accounts: accounts.data.map((account) => {
      const { id, status, type } = presentInternalAccount(tx, account);
      const money = (units: bigint) => presentAmount(units, account.currency, tx.platform.ownCurrencies);
      return { id, type, status, available: money(account.available), total: money(account.total) };
    }),
    latestVerification: latest ? presentVerification(latest) : null,
  };
}
