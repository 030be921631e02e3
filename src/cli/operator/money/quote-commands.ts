import { Command } from 'commander';
import { listQuotes } from '#capabilities/payments/operator/store.ts';
import { presentQuote, quoteStatus } from '#capabilities/payments/present-quote.ts';
import { presentOwnerId, presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { quoteIdOf, type TransactionRow } from '#capabilities/payments/row.ts';
import { findQuote } from '#capabilities/payments/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { addListing, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { printResource } from '#cli/print.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ListOptions extends ListingOptions {
  customer?: CustomerId;
}

/** `corridor quote …`: quotes and their transactions. */
export function quoteCommand(): Command {
  const quote = new Command('quote').addHelpText(
    'after',
    '\nExample:\n  $ corridor quote show Quote:0190a5d2-…',
  );
  const list = quote
    .command('list')
    .description('list quotes, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'));
  addListing(list)
    .addHelpText('after', '\nExample:\n  $ corridor quote list --customer Customer:0190a5d2-… --after 2h')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(quote, {
    type: 'Quote',
    argument: 'quote',
    description: 'print a quote and its transaction',
    load: presentWhole,
    print: printResource,
  });
  return quote;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId } = options;
  await listPages(operator, options, {
    action: 'quote list',
    none: 'There are no quotes.',
    page(tx, request) {
      const bounds = { after: options.after?.(tx.now), before: options.before?.(tx.now) };
      return listQuotes(tx, request, { customerId, ...bounds }, (row) => presentSummary(tx, row));
    },
  });
}

function presentSummary(tx: ReadTx, row: TransactionRow) {
  const { ownCurrencies } = tx.platform;
  return {
    quote: publicId('Quote', quoteIdOf(row)),
    status: quoteStatus(row, tx.now),
    customer: presentOwnerId(row),
    sends: presentAmount(row.sending_amount, row.sending_currency, ownCurrencies),
    transaction: publicId('Transaction', row.id),
    createdAt: row.created_at,
  };
}

async function presentWhole(tx: Tx, quoteId: QuoteId) {
  const row = await findQuote(tx, quoteId);
  if (!row) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return { ...presentQuote(tx, row, tx.now), transaction: presentTransaction(tx, row, tx.now) };
}
