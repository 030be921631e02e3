import {
  type CardFacts,
  type NetworkNotice,
  NO_FACTS,
  subjectOf,
} from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { listPending } from '#capabilities/cards/notices/notice-store.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * The card transaction that a simulated notice is about, after all notices that were accepted earlier
 * (cards.md §8.2).
 */
export async function loadParent(tx: ReadTx, cardId: CardId, sentId: string): Promise<CardTransactionRow> {
  const id = parseId('Transaction', sentId.replace(/^CardTransaction:/, ''));
  if (id === undefined) throw wrongParent('does not have the expected form');
  const row = await findCardTransaction(tx, id);
  if (row?.card_id !== cardId) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  return (await listPending(tx, cardId)).reduce((before, notice) => after(before, notice, tx.now), row);
}

/** The row after a notice. Assumes that its money can be pulled, which does not affect later notices. */
function after(row: CardTransactionRow, notice: NetworkNotice, now: Date): CardTransactionRow {
  if (notice.kind === 'authorization' || notice.kind === 'increment') return row;
  if (notice.kind === 'return_reversal' && notice.purchaseToken === row.token) {
    return { ...row, returned: row.returned - notice.amount };
  }
  if (subjectOf(notice) !== row.token) return row;
  const newRow: CardFacts['newRow'] = ({ amount, limits = null, ...traits }) => ({
    ...row,
    ...traits,
    limits,
    authorized_amount: amount,
    version: 0n,
  });
  const facts = { ...NO_FACTS, available: 2n ** 62n, mayDraw: true, newRow };
  return CARD_TRANSACTIONS_MACHINE.advance(row, notice, now, facts)?.row ?? row;
}

/** For a clearing or an advice. */
export function requireOpen(row: CardTransactionRow): void {
  if (isOpenRow(row)) return;
  throw wrongParent(`is ${row.status}, and must be AUTHORIZED or PARTIALLY_SETTLED`);
}

/** For a return: requires a purchase with a cleared amount that was not returned yet. */
export function requireReturnable(row: CardTransactionRow, amount: bigint): void {
  const isPurchase = row.kind === 'PURCHASE' && settledAmountOf(row) > 0n;
  if (!isPurchase) throw wrongParent('must be a purchase that was cleared at least in part');
  refuseIf(checkReturned(row, amount));
}

function checkReturned(row: CardTransactionRow, amount: bigint): Refusal | undefined {
  const left = settledAmountOf(row) - row.returned;
  if (amount <= left) return undefined;
  return new Refusal('INVALID_AMOUNT', 'The amount exceeds the rest of the purchase that can be returned.', {
    left: Number(left),
  });
}

export function requireReturn(row: CardTransactionRow): void {
  if (row.kind !== 'RETURN') throw wrongParent('must be a return');
  if (row.is_reversed) throw wrongParent('was reversed already');
}

function wrongParent(message: string): Refusal {
  return invalidFields([{ field: 'cardTransactionId', message }]);
}
