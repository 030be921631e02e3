import type { Command } from 'commander';
import {
  AMOUNT_PERIOD_DAYS,
  isByAmountAlone,
  paymentRecords,
} from '#capabilities/payments/operator/payment-records.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import { amountArgument, codeArgument, idArgument } from '#cli/arguments.ts';
import { addListing, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import type { Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { reportProgress } from '#cli/print.ts';

export interface FindOptions extends ListingOptions {
  all?: true;
  status?: TransactionQuery['status'];
  type?: TransactionQuery['type'];
  customer?: CustomerId;
  platformCustomerId?: string;
  account?: `InternalAccount:${string}`;
  card?: CardId;
  reference?: string;
  amount?: bigint;
  currency?: string;
}

const PERIOD = `searches the last ${AMOUNT_PERIOD_DAYS} days, unless --after or another filter narrows the search`;

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

/** Prints all matching payments, the newest first. */
export async function findPayments(operator: Operator, options: FindOptions): Promise<void> {
  const { SERVICE } = await import('#app/compose.ts');
  const { list } = paymentRecords(SERVICE.transactionSources);
  const { status, type, customer, card, account, reference, platformCustomerId, currency, amount } = options;
  const party = account?.startsWith('$') ? { uma: account } : { account };
  const units = amount === undefined ? undefined : Number(amount);
  const named = { status, type, customer, card, reference, platformCustomerId, currency, units, ...party };
  if (isByAmountAlone(named) && !options.after) {
    reportProgress(`Searched the last ${AMOUNT_PERIOD_DAYS} days; --after searches further back.`);
  }
  await listPages(operator, options, {
    action: 'payment list',
    none: 'There are no such payments.',
    page(tx, request) {
      const bounds = { createdAfter: options.after?.(tx.now), createdBefore: options.before?.(tx.now) };
      return list.page(tx, request, { ...named, ...bounds });
    },
    row: ({ transaction, type, status, customer, sent, received, createdAt }) => ({
      ...{ transaction, type, status, customer, sent, received, createdAt },
    }),
  });
}
