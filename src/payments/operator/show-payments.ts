import { audit } from '#audit/audit.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { showAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';
import { notFound } from '#lib/refusals.ts';
import { listUnfinished } from '#payments/operator/store.ts';
import { shownStatus } from '#payments/present-transaction.ts';
import type { TransactionRow } from '#payments/row.ts';
import { findTransaction } from '#payments/store.ts';
import { findAmong, type TransactionSource } from '#payments/transactions/sources.ts';
import { findChallenge } from '#sca/challenge-store.ts';

/** What is still to come, a line each. */
export async function summarizeUnfinished(tx: ReadTx, rowsMax: number) {
  const rows = await listUnfinished(tx, rowsMax);
  return rows.map((row) => ({
    transaction: publicId('Transaction', row.id),
    status: shownStatus(row, tx.now),
    refund: row.refund_status,
    customer: row.customer_id && publicId('Customer', row.customer_id),
    sends: showAmount(row.sending_amount, row.sending_currency, tx.platform.ownCurrencies),
    createdAt: row.created_at,
    authorizeBy: row.authorize_by,
    approveBy: row.approve_by,
  }));
}

/** A transaction as its platform sees it, and what its customer was asked; it names people, so it is audited. */
export async function showPayment(tx: Tx, sources: readonly TransactionSource[], transactionId: string) {
  const shown = await findAmong(tx, sources, transactionId);
  if (!shown) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  audit(tx, { action: 'payment show', resource: shown.id });
  const row = await findTransaction(tx, transactionId);
  const authorization = row?.authorize_by && (await showAuthorization(tx, row));
  return { ...shown, ...(authorization && { authorization }) };
}

/** Of a payment that waits for its customer, or that ended while it did. A challenge is kept for a day after its end. */
async function showAuthorization(tx: ReadTx, { id, authorize_by }: TransactionRow) {
  const challenge = await findChallenge(tx, { purpose: 'PAYMENT', target: id });
  return {
    authorizeBy: authorize_by,
    ...(challenge && {
      challenge: publicId('ScaChallenge', challenge.id),
      purpose: challenge.label,
      factor: challenge.factor,
      wrongAnswers: challenge.wrongTries,
      resends: challenge.resends,
      voidedAt: challenge.voidedAt,
    }),
  };
}
