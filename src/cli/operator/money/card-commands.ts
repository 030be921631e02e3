import { Command } from 'commander';
import { CARD_STATUSES, type CardRow } from '#capabilities/cards/card-row.ts';
import { findCard, listCards } from '#capabilities/cards/card-store.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { listRowsOfCard } from '#capabilities/cards/transaction-store.ts';
import { closeByOperator } from '#capabilities/cards/update-card.ts';
import { idArgument } from '#cli/arguments.ts';
import { cardExceptionsCommand } from '#cli/operator/money/card-exception-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface Filters {
  customer?: CustomerId;
  account?: AccountId;
  status?: string;
}

const TRANSACTIONS_SHOWN = 20;

/** `corridor card …`: cards and their purchases; never a card number. */
export function cardCommand(): Command {
  const card = new Command('card').addHelpText('after', '\nExample:\n  $ corridor card show Card:0190a5d2-…');
  addReading(card);
  addChange(card, 'close', {
    type: 'Card',
    argument: 'card',
    description: 'close a card for good; open purchases are still cleared, released or returned',
    effect: 'The card is closed for good. The customer needs a new one to pay with.',
    change: (tx, cardId: CardId, { reason }) => closeByOperator(tx, { cardId, reason }),
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
    page: (tx, request, { customer: customerId, account: accountId, status }: Filters) =>
      listCards(tx, request, { customerId, accountId, status, order: 'desc' }, presentSummary),
  });
  addShow(card, {
    type: 'Card',
    argument: 'card',
    description: 'print a card with its latest transactions',
    load: presentWhole,
    print: printResource,
  });
}

function presentSummary(row: CardRow) {
  return {
    card: publicId('Card', row.id),
    customer: publicId('Customer', row.customer_id),
    status: row.status,
    reason: row.status_reason,
    last4: row.last4,
    fundingSource: publicId('InternalAccount', row.funding_source),
    createdAt: row.created_at,
  };
}

async function presentWhole(tx: Tx, cardId: CardId) {
  const row = await findCard(tx, cardId);
  if (!row) throw notFound('NOT_FOUND', 'Card');
  const transactions = await listRowsOfCard(tx, cardId, TRANSACTIONS_SHOWN);
  return { ...presentCard(row), latestTransactions: transactions.map(presentTransaction) };
}

function presentTransaction(row: CardTransactionRow) {
  const amount = (cents: bigint) => presentAmount(cents, row.currency, NO_OWN_CURRENCIES);
  return {
    transaction: publicId('Transaction', row.id),
    status: row.status,
    direction: row.direction,
    authorized: amount(row.authorized_amount),
    settled: row.settled_amount === null ? null : amount(row.settled_amount),
    onHold: amount(row.hold),
    owes: amount(row.receivable),
    merchant: row.merchant.descriptor,
    createdAt: row.created_at,
  };
}
