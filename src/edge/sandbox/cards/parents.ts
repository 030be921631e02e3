import * as machine from '#capabilities/cards/machine/machine.ts';
import type { CardMessage } from '#capabilities/cards/messages/message.ts';
import { listPending } from '#capabilities/cards/messages/message-store.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * The card transaction that a simulated message is about, after all messages that were accepted earlier
 * (cards.md §8.2).
 */
export async function loadParent(tx: ReadTx, cardId: string, sentId: string): Promise<CardTransactionRow> {
  const id = parseId('Transaction', sentId.replace(/^CardTransaction:/, ''));
  if (id === undefined) throw wrongParent('does not have the expected form');
  const row = await findCardTransaction(tx, id);
  if (row?.card_id !== cardId) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  return (await listPending(tx, cardId)).reduce((before, message) => after(before, message, tx.now), row);
}

/** The row after a message. Assumes that its money can be pulled, which does not affect later messages. */
function after(row: CardTransactionRow, message: CardMessage, now: Date): CardTransactionRow {
  if (message.type === 'return_reversal') return afterReversal(row, message);
  if (message.type === 'return') return afterReturn(row, message);
  if (message.token !== row.token) return row;
  const facts = { now, available: 2n ** 62n, mayDraw: true, isClosed: false, debt: undefined };
  switch (message.type) {
    case 'clearing': {
      const changed =
        message.amount === 0n ? machine.expire(row, now) : machine.clear(row, message.amount, facts);
      return changed?.row ?? row;
    }
    case 'advice':
      return machine.advise(row, message.amount, facts)?.row ?? row;
    case 'reversal':
      return machine.reverse(row, message.amount ?? row.authorized_amount, facts)?.row ?? row;
    case 'expiry':
      return machine.expire(row, now)?.row ?? row;
    case 'pull_failure':
      return machine.failPull(row, now)?.row ?? row;
    default:
      return row;
  }
}

/** An amount above the rest of a purchase is not a return of it. */
function afterReturn(
  row: CardTransactionRow,
  { purchaseToken, amount }: Extract<CardMessage, { type: 'return' }>,
): CardTransactionRow {
  const isItsReturn = purchaseToken === row.token && amount <= settledAmountOf(row) - row.returned;
  return isItsReturn ? { ...row, returned: row.returned + amount } : row;
}

function afterReversal(
  row: CardTransactionRow,
  { returnToken, purchaseToken, amount }: Extract<CardMessage, { type: 'return_reversal' }>,
): CardTransactionRow {
  if (returnToken === row.token) return { ...row, is_reversed: true };
  return purchaseToken === row.token ? { ...row, returned: row.returned - amount } : row;
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
