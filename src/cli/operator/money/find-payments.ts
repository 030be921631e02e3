import type { Command } from 'commander';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import { amountArgument, codeArgument, idArgument } from '#cli/arguments.ts';
import { addListing, given, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import type { Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { reportProgress } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { PageRequest } from '#foundation/http/paging.ts';
import type { PresentedAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

export interface FindOptions extends ListingOptions {
  all?: true;
  status?: TransactionQuery['status'];
  type?: TransactionQuery['type'];
  customer?: CustomerId;
  platformCustomerId?: string;
  account?: AccountId;
  card?: string;
  reference?: string;
  amount?: bigint;
  currency?: string;
}

const PERIOD_DAYS = 31;
const PERIOD = `searches the last ${PERIOD_DAYS} days, unless --after or another filter narrows the search`;

/** Adds the filters of `corridor payment list`: facts that a caller on the phone knows of a payment. */
export function addFilters(list: Command): Command {
  const command = list
    .option(
      '--all',
      'include finished payments and card transactions; implied by each of the following filters',
    )
    .addOption(choiceOption('--status <status>', 'only payments in this status', TRANSACTION_STATUSES))
    .addOption(choiceOption('--type <type>', 'only this type', ['INCOMING', 'OUTGOING', 'CARD']))
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--platform-customer-id <text>', 'the same, by the platform’s own reference for the customer')
    .option('--account <account>', 'only payments from or to this account or UMA address')
    .option('--card <card>', 'only payments with this card', idArgument('Card'))
    .option('--reference <text>', 'the reference on a bank statement, of the payment or its refund')
    .option(
      '--amount <units>',
      `the amount sent or received, in the smallest unit; ${PERIOD}`,
      amountArgument,
    )
    .option('--currency <code>', `the currency sent or received; ${PERIOD}`, codeArgument);
  return addListing(command);
}

export function isFiltered({
  limit: _limit,
  json: _json,
  platform: _platform,
  environment: _environment,
  ...filters
}: FindOptions): boolean {
  return Object.keys(filters).length > 0;
}

/** Whether a filter other than the amount narrows the search: amounts have no index. */
function isNarrow({ after, customer, platformCustomerId, account, card, reference }: FindOptions): boolean {
  return [after, customer, platformCustomerId, account, card, reference].some((one) => one !== undefined);
}

const DAY_MS = 86_400_000;

/** Prints all matching payments, the newest first. */
export async function findPayments(operator: Operator, options: FindOptions): Promise<void> {
  const { SERVICE } = await import('#app/compose.ts');
  const { status, type, customer, card, account, reference, platformCustomerId } = options;
  const amount = given({ units: options.amount, currency: options.currency });
  const isPeriod = Object.keys(amount).length > 0 && !isNarrow(options);
  const page = (tx: ReadTx, request: PageRequest) => {
    const after = isPeriod ? new Date(tx.now.getTime() - PERIOD_DAYS * DAY_MS) : options.after?.(tx.now);
    const query = given({
      ...{ status, type, reference, platformCustomerId, accountIdentifier: account },
      customerId: customer && publicId('Customer', customer),
      cardId: card && publicId('Card', card),
      startDate: after?.toISOString(),
      endDate: options.before?.(tx.now).toISOString(),
    });
    const list = {
      request,
      ...(Object.keys(amount).length > 0 && { amount }),
    };
    return listTransactions(tx, query as TransactionQuery, SERVICE.transactionSources, list);
  };
  if (isPeriod) reportProgress(`Searched the last ${PERIOD_DAYS} days; --after searches further back.`);
  await listPages(operator, options, {
    action: 'payment list',
    none: 'There are no such payments.',
    page,
    row: (item) => {
      const seen = item as typeof item & { sentAmount?: PresentedAmount; receivedAmount?: PresentedAmount };
      return {
        ...{ transaction: item.id, type: item.type, status: item.status },
        customer: 'customerId' in item ? String(item.customerId) : null,
        ...{ sent: seen.sentAmount, received: seen.receivedAmount },
        createdAt: item.createdAt,
      };
    },
  });
}
