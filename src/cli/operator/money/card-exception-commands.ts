import { Command } from 'commander';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction, listExceptions } from '#capabilities/cards/transaction-store.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addChange } from '#cli/operator/shell/show.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/**
 * `corridor card exceptions …`: purchases that were paid to the network but that no account could pay for
 * (cards.md §7.1).
 */
export function cardExceptionsCommand(): Command {
  const exceptions = new Command('exceptions')
    .description('purchases that were paid to the network but could not be taken from the customer’s account')
    .addHelpText('after', '\nExample:\n  $ corridor card exceptions list');
  addShortList(exceptions.command('list').description('list the unresolved ones, the oldest first'), {
    example: '--json',
    limitMax: 1_000,
    none: 'There are no exceptions.',
    order: 'oldest first',
    rows: async (tx, { limit }: { limit: number }) => (await listExceptions(tx, limit)).map(presentException),
    at: ({ createdAt }) => createdAt,
  });
  addResolution(exceptions, 'collect', {
    operation: 'collectException',
    description: 'take the whole debt from the customer’s account',
    effect: 'The whole debt is taken from the customer’s account. This cannot be undone.',
  });
  addResolution(exceptions, 'write-off', {
    operation: 'writeOffException',
    description: 'give up the debt',
    effect: 'The debt is given up, at your own cost. This cannot be undone.',
  });
  return exceptions;
}

function addResolution(
  exceptions: Command,
  name: string,
  words: { operation: string; description: string; effect: string },
): void {
  addChange(exceptions, name, {
    type: 'Transaction',
    argument: 'transaction',
    ...words,
    ...{ param: 'transactionId', two: true },
    async present(tx, id: TransactionId) {
      const row = await findCardTransaction(tx, id);
      if (!row) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
      return presentException(row);
    },
  });
}

function presentException(row: CardTransactionRow) {
  const amount = (cents: bigint) => presentAmount(cents, row.currency, NO_OWN_CURRENCIES);
  return {
    transaction: publicId('Transaction', row.id),
    card: publicId('Card', row.card_id),
    customer: publicId('Customer', row.customer_id),
    account: publicId('InternalAccount', row.account_id),
    status: row.status,
    settled: row.settled_amount === null ? null : amount(row.settled_amount),
    owes: amount(row.receivable),
    createdAt: row.created_at,
  };
}
