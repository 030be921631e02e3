import Type from 'typebox';
import { listQuotes } from '#capabilities/payments/operator/store.ts';
import { presentQuote, quoteStatus } from '#capabilities/payments/present-quote.ts';
import { presentOwnerId, presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { quoteIdOf, type TransactionRow } from '#capabilities/payments/row.ts';
import { findQuote } from '#capabilities/payments/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { COUNTERPARTIES_DISCLOSED_TO, recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Payments';

export const QUOTE_LIST = recordList({
  name: 'quotes',
  area: AREA,
  summary: 'Quotes',
  hasTimes: true,
  filters: {
    customer: filterBy.customer,
  },
  item: Type.Object({
    quote: shown.id('Quote', 'The quote.'),
    status: shown.code('Its status.'),
    customer: shown.code('The customer who pays, or the platform.'),
    sends: shown.amount('The amount sent.'),
    transaction: shown.id('Transaction', 'Its transaction.'),
    createdAt: shown.time('When it was created.'),
  }),
  page: (tx, request, { customer: customerId, createdAfter: after, createdBefore: before }) =>
    listQuotes(tx, request, { customerId, after, before }, (row) => presentListed(tx, row)),
});

function presentListed(tx: ReadTx, row: TransactionRow) {
  return {
    quote: publicId('Quote', quoteIdOf(row)),
    status: quoteStatus(row, tx.now),
    customer: presentOwnerId(row),
    sends: presentAmount(row.sending_amount, row.sending_currency, tx.platform.ownCurrencies),
    transaction: publicId('Transaction', row.id),
    createdAt: row.created_at,
  };
}

export const QUOTE_SHOW = recordShow({
  name: 'quotes',
  area: AREA,
  summary: 'A quote with its transaction',
  type: 'Quote',
  disclosedTo: COUNTERPARTIES_DISCLOSED_TO,
  async load(tx, quoteId: QuoteId) {
    const row = await findQuote(tx, quoteId);
    if (!row) throw notFound('QUOTE_NOT_FOUND', 'Quote');
    return { ...presentQuote(tx, row, tx.now), transaction: presentTransaction(tx, row, tx.now) };
  },
});
