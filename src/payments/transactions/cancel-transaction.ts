import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { notFound } from '#http/register.ts';
import { publicId } from '#lib/ids.ts';
import { Refusal } from '#lib/refusals.ts';
import { takeQuietly } from '#payments/notices.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import { isCollecting, isPaying, type TransactionRow } from '#payments/row.ts';
import { findTransaction } from '#payments/store.ts';
import { lockTransaction } from '#payments/transactions/lock-transaction.ts';

/** POST …/cancel (money.md §6.9): the rail is asked first, since only it knows whether it is too late. */
export async function cancelTransaction(work: Work, id: string, reason: string | undefined) {
  const seen = await work.read((tx) => findTransaction(tx, id));
  if (!seen) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  const { rails } = work.ports;
  // What cannot be cancelled is refused below, after the idempotency key was looked at.
  const answer = judge(seen) === undefined ? await rails.cancel(id) : 'accepted';
  return work.write(async (tx) => {
    const row = await lockTransaction(tx, id);
    const refusal = judge(row) ?? (answer === 'refused' ? tooLate(row) : undefined);
    if (refusal) throw refusal;
    return presentTransaction(tx.vault, await cancel(tx, row, reason), tx.now);
  });
}

async function cancel(tx: Tx, row: TransactionRow, reason: string | undefined): Promise<TransactionRow> {
  const { rows } = await takeQuietly(tx, [{ reference: row.id, notices: [{ kind: 'cancelled' }] }]);
  const resource = publicId('Transaction', row.id);
  audit(tx, { action: 'payment cancelled', resource, ...(reason !== undefined && { details: { reason } }) });
  return rows[0] ?? row;
}

/** Why it cannot be cancelled, if it cannot. */
function judge(row: TransactionRow): Refusal | undefined {
  if (row.source_type !== 'EXTERNAL' && !isBankPayout(row)) {
    return new Refusal('INVALID_INPUT', 'Only payments over a bank’s rails can be cancelled.');
  }
  const isOpen = isCollecting(row) || (isPaying(row) && isBankPayout(row));
  return isOpen ? undefined : tooLate(row);
}

function isBankPayout({ type, destination_type, details }: TransactionRow): boolean {
  return type === 'OUTGOING' && destination_type === 'EXTERNAL' && (details.paymentRail ?? null) !== null;
}

function tooLate({ status }: TransactionRow): Refusal {
  const reason = 'The transaction was not set going yet, or can no longer be called back.';
  return new Refusal('TRANSACTION_NOT_CANCELLABLE', reason, { status });
}
