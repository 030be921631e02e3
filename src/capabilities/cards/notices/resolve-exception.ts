import { lockCard } from '#capabilities/cards/card-store.ts';
import { centsToUnits } from '#capabilities/cards/machine/draft.ts';
import { type CardFacts, NO_FACTS } from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { applyCardTransition } from '#capabilities/cards/notices/apply.ts';
import { lockFacts } from '#capabilities/cards/notices/facts.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { showAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

export interface ExceptionResolution {
  /** Bare UUID of the card transaction. */
  readonly id: TransactionId;
  readonly how: 'collect' | 'write off';
  readonly reason: string;
}

/**
 * The operator ends an exception: its whole remaining debt is taken from the account, or given up
 * (cards.md §6.1.13, §7.1).
 */
export async function resolveException(
  tx: Tx,
  { id, how, reason }: ExceptionResolution,
): Promise<CardTransactionRow> {
  const found = await findCardTransaction(tx, id);
  const card = found && (await lockCard(tx, found.card_id));
  const row = card && (await findCardTransaction(tx, id));
  if (!card || !row) throw notFound('TRANSACTION_NOT_FOUND', 'Card transaction');
  if (row.status !== 'EXCEPTION') refuse('CONFLICT', `The card transaction is ${row.status}, not EXCEPTION.`);
  const { facts } = await lockFacts(tx, card, row.account_id, () => 0n);
  if (how === 'collect') refuseIf(checkCollectable(tx, row, facts));
  const notice = { kind: how === 'collect' ? 'collected' : 'writtenOff' } as const;
  const transition = CARD_TRANSACTIONS_MACHINE.require(row, notice, tx.now, NO_FACTS);
  applyCardTransition(tx, transition);
  audit(tx, {
    action: how === 'collect' ? 'card exception collect' : 'card exception write-off',
    resource: publicId('Transaction', id),
    customerId: row.customer_id,
    details: { reason, amount: `${row.receivable}`, currency: row.currency },
  });
  return transition.row;
}

/** Requires the whole amount, like any pull, and an account that may be debited (cards.md §7.2, wallets.md §6.8.45). */
function checkCollectable(
  { platform: { ownCurrencies } }: Tx,
  row: CardTransactionRow,
  { available, mayDraw }: CardFacts,
): Refusal | undefined {
  const owed = centsToUnits(row, row.receivable);
  if (owed === 0n) return undefined;
  if (!mayDraw) {
    return new Refusal(
      'CONFLICT',
      'The account cannot be debited: it is not active, or its wallet has no key for the card.',
    );
  }
  if (available >= owed) return undefined;
  const shown = (amount: bigint) => showAmount(amount, row.account_currency, ownCurrencies);
  return new Refusal('CONFLICT', `The account has ${shown(available)} available; ${shown(owed)} is owed.`);
}
