import { applyTransition } from '#capabilities/accounts/apply-transition.ts';
import type { CardTransition } from '#capabilities/cards/machine/draft.ts';
import { presentCardTransaction } from '#capabilities/cards/present.ts';
import { sealPurchase } from '#capabilities/cards/sealed-purchase.ts';
import { CARD_TRANSACTIONS, type CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';

export function applyCardTransition(changes: Changes, transition: CardTransition): void {
  applyTransition<CardTransactionRow, CardTransition>(changes, transition, {
    write: (to, { from, row }) => {
      // The sealed values never change, so only a new row has them.
      const details = from === undefined ? sealPurchase(to.runtime.vault, row) : null;
      to.collect(CARD_TRANSACTIONS.writer, { from, row: { ...row, details } });
    },
    emit: (to, { type, row }) =>
      emit(to, { type, resourceId: publicId('Transaction', row.id), data: presentCardTransaction(row) }),
  });
}
