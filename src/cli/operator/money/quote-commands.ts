import { Command } from 'commander';
import { QUOTE_LIST, QUOTE_SHOW } from '#capabilities/payments/operator/quote-records.ts';
import { idArgument } from '#cli/arguments.ts';
import { addListing, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { printResource } from '#cli/print.ts';

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
    load: QUOTE_SHOW.load,
    print: printResource,
  });
  return quote;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { customer } = options;
  await listPages(operator, options, {
    action: 'quote list',
    none: 'There are no quotes.',
    page(tx, request) {
      const bounds = { createdAfter: options.after?.(tx.now), createdBefore: options.before?.(tx.now) };
      return QUOTE_LIST.page(tx, request, { customer, ...bounds });
    },
  });
}
