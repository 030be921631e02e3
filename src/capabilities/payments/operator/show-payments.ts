import { jobsOf } from '#capabilities/payments/explanation/jobs.ts';
import { listBankReferences, listUnfinished } from '#capabilities/payments/operator/store.ts';
import { presentOwnerId, shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { findAmong, type TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { findChallenge } from '#capabilities/sca/challenges/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { listWaiting } from '#foundation/jobs/store.ts';
import { listTransactionLines } from '#foundation/ledger/store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** Unfinished payments, one line each. */
export async function summarizeUnfinished(tx: ReadTx, rowsMax: number) {
  const rows = await listUnfinished(tx, rowsMax);
  return rows.map((row) => ({
    transaction: publicId('Transaction', row.id),
    status: shownStatus(row, tx.now),
    refund: row.refund_status,
    customer: presentOwnerId(row),
    sends: presentAmount(row.sending_amount, row.sending_currency, tx.platform.ownCurrencies),
    createdAt: row.created_at,
    authorizeBy: row.authorize_by,
    approveBy: row.approve_by,
  }));
}

/** A transaction as its platform sees it, with its challenge, its ledger entries and its pending work. */
export async function showPayment(
  tx: ReadTx,
  sources: readonly TransactionSource[],
  transactionId: TransactionId,
) {
  const shown = await findAmong(tx, sources, transactionId);
  if (!shown) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  const row = await findTransaction(tx, transactionId);
  const authorization = row?.authorize_by && (await showAuthorization(tx, row));
  const ledger = await showPosted(tx, transactionId);
  const bankReferences = row ? await listBankReferences(tx, transactionId) : [];
  return {
    ...shown,
    ...(bankReferences.length > 0 && { bankReferences }),
    ...(authorization && { authorization }),
    ledger,
    ...(row && { scheduled: await listScheduled(tx, row) }),
  };
}

/** The pending jobs of a payment, and when they are due. One job handles all deadlines of the same second. */
async function listScheduled(tx: ReadTx, row: TransactionRow) {
  const waiting = await listWaiting(tx, jobsOf(row));
  return waiting.map(({ kind, due_at, attempts, last_error }) => ({
    ...{ kind, dueAt: due_at, attempts },
    ...(last_error !== null && { lastError: last_error }),
  }));
}

async function showPosted(tx: ReadTx, transactionId: TransactionId) {
  const lines = await listTransactionLines(tx, transactionId);
  return lines.map(({ kind, created_at, account, side, amount, currency }) => ({
    ...{ kind, at: created_at, account, side },
    amount: presentAmount(amount, currency, tx.platform.ownCurrencies),
  }));
}

/**
 * The challenge of a payment that waits for its customer, or that ended while waiting. Challenges are kept for a day.
 */
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
