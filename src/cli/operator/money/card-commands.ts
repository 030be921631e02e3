import { Command } from 'commander';
import { CARD_STATUSES, type CardRow } from '#capabilities/cards/card-row.ts';
import { findCard, listCards } from '#capabilities/cards/card-store.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { listRowsOfCard } from '#capabilities/cards/transaction-store.ts';
import { closeByOperator } from '#capabilities/cards/update-card.ts';
import { idArgument } from '#cli/arguments.ts';
import { cardExceptionsCommand } from '#cli/operator/money/card-exception-commands.ts';
import {
  findResourceWork,
  ownerOption,
  type PlatformOptions,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { addPages, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ListOptions extends PlatformsOptions {
  customer?: CustomerId;
  account?: AccountId;
  status?: string;
  limit: number;
  cursor?: string;
}

interface CloseOptions extends PlatformOptions {
  reason: string;
}

const TRANSACTIONS_SHOWN = 20;

/** `corridor card …`: cards and their purchases; never a card number. */
export function cardCommand(): Command {
  const card = new Command('card').addHelpText('after', '\nExample:\n  $ corridor card show Card:0190a5d2-…');
  addReading(card);
  const close = card.command('close');
  confirmed(close, 'The card is closed for good. The customer needs a new one to pay with.')
    .description('close a card for good; open purchases are still cleared, released or returned')
    .argument('<card>', 'its id', idArgument('Card'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor card close Card:0190a5d2-… --reason "case 4711"')
    .action((id: CardId, options: CloseOptions) =>
      asOperator((operator) => closeCard(operator, id, options)),
    );
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
  addPages(list)
    .addHelpText('after', '\nExample:\n  $ corridor card list --status FROZEN')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(card, {
    type: 'Card',
    argument: 'card',
    description: 'print a card with its latest transactions',
    load: presentWhole,
    print: printResource,
  });
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId, account: accountId, status } = options;
  const filters = { customerId, accountId, status, order: 'desc' } as const;
  await listPages(operator, options, {
    action: 'card list',
    none: 'There are no cards.',
    page: (tx, request) => listCards(tx, request, filters, presentSummary),
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

/** Audited, because it shows what the cardholder bought and where. */
async function presentWhole(tx: Tx, cardId: CardId) {
  const row = await findCard(tx, cardId);
  if (!row) throw notFound('NOT_FOUND', 'Card');
  audit(tx, { action: 'card show', resource: publicId('Card', cardId) });
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

async function closeCard(operator: Operator, cardId: CardId, options: CloseOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Card', cardId);
  const closed = await work.write((tx) => closeByOperator(tx, { cardId, reason: options.reason }));
  printResource(closed, { json: options.json ?? false });
}
