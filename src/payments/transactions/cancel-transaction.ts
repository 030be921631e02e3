import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import type { CallHandler, JobHandlers } from '#jobs/handlers.ts';
import { cancelJob, schedule } from '#jobs/schedule.ts';
import { publicId } from '#lib/ids.ts';
import { notFound, refuse } from '#lib/refusals.ts';
import { JOB } from '#payments/machine/jobs.ts';
import { presentTransaction, shownStatus } from '#payments/present-transaction.ts';
import { isCollecting, isPaying, type TransactionRow } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { findTransaction, lockTransaction } from '#payments/store.ts';

/** POST …/cancel (money.md §6.9): the rail is asked first, since only it knows whether it is too late. */
export async function cancelTransaction(work: Work, id: string, reason: string | undefined) {
  const seen = await work.read((tx) => findTransaction(tx, id));
  if (!seen) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  // What cannot be cancelled is refused below, after the idempotency key was looked at.
  const answer = canBeCancelled(seen) ? await askRail(work, id) : 'accepted';
  return work.write(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (!isOverBank(row)) refuse('INVALID_INPUT', 'Only payments over bank rails can be cancelled.');
    if (!canBeCancelled(row) || answer === 'refused') {
      const reason = 'The transaction has not been executed yet, or it is too late to cancel it.';
      refuse('TRANSACTION_NOT_CANCELLABLE', reason, { status: shownStatus(row, tx.now) });
    }
    return presentTransaction(tx, await cancel(tx, row, reason), tx.now);
  });
}

/** How long a call has to hear the rail's answer and write it down, before the worker asks once more. */
const ASK_AGAIN_MS = 60_000;

/**
 * The wish is on record before the rail hears of it: if this process does not live to write down that it was granted,
 * the worker does. Commits of their own: the request's is the one that its key stands for.
 */
async function askRail({ runtime, platform, actor, ports }: Work, id: string) {
  const own = new Work(runtime, platform, actor);
  await own.write(async (tx) => {
    schedule(tx, { kind: JOB.cancel, key: id, payload: { id }, afterMs: ASK_AGAIN_MS });
  });
  const answer = await ports.rails.cancel(id);
  if (answer === 'refused') await own.write(async (tx) => cancelJob(tx, JOB.cancel, id));
  return answer;
}

/** Asks for whoever could not any more. */
const cancelHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: string };
    const row = await work.read((tx) => findTransaction(tx, id));
    const answer = row && canBeCancelled(row) ? await work.ports.rails.cancel(id) : 'refused';
    return async (tx) => {
      const present = await lockTransaction(tx, id);
      if (answer === 'accepted' && canBeCancelled(present)) await cancel(tx, present, undefined);
    };
  },
};

async function cancel(tx: Tx, row: TransactionRow, reason: string | undefined): Promise<TransactionRow> {
  const { rows } = await applyNotices(tx, [{ reference: row.id, notices: [{ kind: 'cancelled' }] }]);
  const resource = publicId('Transaction', row.id);
  audit(tx, { action: 'payment cancelled', resource, ...(reason !== undefined && { details: { reason } }) });
  return rows[0] ?? row;
}

function canBeCancelled(row: TransactionRow): boolean {
  return isCollecting(row) || (isPaying(row) && isBankPayout(row));
}

function isOverBank(row: TransactionRow): boolean {
  return row.source_type === 'EXTERNAL' || isBankPayout(row);
}

function isBankPayout({ type, destination_type, details }: TransactionRow): boolean {
  return type === 'OUTGOING' && destination_type === 'EXTERNAL' && (details.paymentRail ?? null) !== null;
}

export const transactionJobs: JobHandlers = { [JOB.cancel]: cancelHandler };
