import { Command } from 'commander';
import { CARD_LIST, CARD_SHOW } from '#capabilities/cards/card-records.ts';
import { CARD_STATUSES } from '#capabilities/cards/card-row.ts';
import { findCard } from '#capabilities/cards/card-store.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import { idArgument } from '#cli/arguments.ts';
import { cardExceptionsCommand } from '#cli/operator/money/card-exception-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface Filters {
  customer?: CustomerId;
  account?: AccountId;
  status?: (typeof CARD_STATUSES)[number];
}

/** `corridor card …`: cards and their purchases; never a card number. */
export function cardCommand(): Command {
  const card = new Command('card').addHelpText('after', '\nExample:\n  $ corridor card show Card:0190a5d2-…');
  addReading(card);
  addChange(card, 'close', {
    type: 'Card',
    argument: 'card',
    description: 'close a card for good; open purchases are still cleared, released or returned',
    effect: 'The card is closed for good. The customer needs a new one to pay with.',
    ...{ operation: 'closeCard', param: 'cardId', two: true },
    async present(tx, cardId: CardId) {
      const row = await findCard(tx, cardId);
      if (!row) throw notFound('NOT_FOUND', 'Card');
      return presentCard(row);
    },
    print: printResource,
  });
  card.addCommand(cardExceptionsCommand());
  return card;
}

function addReading(card: Command): void {
  const list = card
    .command('list')
    .description('list cards, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--account <account>', 'only those that this account pays for', idArgument('InternalAccount'))
    .addOption(choiceOption('--status <status>', 'only those in this status', CARD_STATUSES));
  addPagedList(list, {
    example: '--status FROZEN',
    none: 'There are no cards.',
    page: (tx, request, { customer, account, status }: Filters) =>
      CARD_LIST.page(tx, request, { customer, account, status }),
  });
  addShow(card, {
    type: 'Card',
    argument: 'card',
    description: 'print a card with its latest transactions',
    load: CARD_SHOW.load,
    print: printResource,
  });
}
