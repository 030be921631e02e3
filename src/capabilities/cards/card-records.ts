import Type from 'typebox';
import { CARD_STATUSES, type CardRow } from '#capabilities/cards/card-row.ts';
import { findCard, listCards } from '#capabilities/cards/card-store.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { listRowsOfCard } from '#capabilities/cards/transaction-store.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Cards';
const TRANSACTIONS_SHOWN = 20;

export const CARD_LIST = recordList({
  name: 'cards',
  area: AREA,
  summary: 'Cards',
  filters: {
    customer: filterBy.customer,
    account: filterBy.id('InternalAccount', 'Only those that this account pays for.'),
    status: filterBy.status(CARD_STATUSES),
  },
  personal: {
    platformCardId: Type.String({ description: 'The platform’s own reference for the card, exactly.' }),
  },
  item: Type.Object({
    card: shown.id('Card', 'The card.'),
    customer: shown.id('Customer', 'The customer who holds it.'),
    status: shown.code('Its status.', CARD_STATUSES),
    reason: shown.code('The reason of its status.'),
    last4: shown.code('The last four digits of its number.'),
    fundingSource: shown.id('InternalAccount', 'The account that pays for it.'),
    createdAt: shown.time('When it was created.'),
  }),
  page: (tx, request, { customer: customerId, account: accountId, status, platformCardId }) =>
    listCards(tx, request, { customerId, accountId, status, platformCardId, order: 'desc' }, presentListed),
});

function presentListed(row: CardRow) {
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

export const CARD_SHOW = recordShow({
  name: 'cards',
  area: AREA,
  summary: 'A card with its latest transactions',
  type: 'Card',
  async load(tx, cardId: CardId) {
    const row = await findCard(tx, cardId);
    if (!row) throw notFound('NOT_FOUND', 'Card');
    const transactions = await listRowsOfCard(tx, cardId, TRANSACTIONS_SHOWN);
    return { ...presentCard(row), latestTransactions: transactions.map(presentTransaction) };
  },
});

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
