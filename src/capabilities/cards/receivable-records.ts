import Type from 'typebox';
import { findCardTransactionIds } from '#capabilities/cards/transaction-store.ts';
import { pageReceivables } from '#capabilities/payments/operator/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Receivable } from '#foundation/ledger/open-items-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList } from '#foundation/records/record-list.ts';

/** Debts of customers, of platforms and of transactions of cards: no earlier folder knows all of them. */
export const RECEIVABLE_LIST = recordList({
  name: 'receivables',
  area: 'Payments',
  summary: 'Debts after returns and reversals',
  item: Type.Object({
    owner: shown.code('The customer, the platform or the transaction of a card that owes it.'),
    amount: shown.amount('How much is owed.'),
    since: shown.time('When it last changed.'),
  }),
  async page(tx, request) {
    const found = await pageReceivables(tx, request, (row) => row);
    return { ...found, data: await presentDebts(tx, found.data) };
  },
});

async function presentDebts(tx: ReadTx, rows: readonly Receivable[]) {
  const ofCards = await findCardTransactionIds(tx, rows.map(ownerIdOf));
  // No credit repays the debt of a card transaction: an operator resolves it (`corridor card exceptions`).
  const ownerOf = (id: Id<never>) =>
    ofCards.has(id)
      ? publicId('Transaction', id)
      : publicId(id === tx.platformId ? 'Platform' : 'Customer', id);
  return rows.map((row) => ({
    owner: ownerOf(ownerIdOf(row)),
    amount: presentAmount(row.balance, row.currency, tx.platform.ownCurrencies),
    since: row.updated_at,
  }));
}

function ownerIdOf({ account }: Pick<Receivable, 'account'>): Id<never> {
  return (account.split(':')[1] ?? '') as Id<never>;
}
