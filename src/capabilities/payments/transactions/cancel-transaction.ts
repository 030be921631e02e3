import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { presentTransaction, shownStatus } from '#capabilities/payments/present-transaction.ts';
import { isCollecting, isPaying, type TransactionRow } from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findTransaction, lockTransaction } from '#capabilities/payments/store.ts';
import { refuseMissingPayment, type TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { type CallHandler, concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

const UNANSWERED =
  'The rail has not answered whether it is too late to cancel. The service goes on asking; the transaction shows the outcome.';
const OVER_BANKS_ONLY = 'Only payments over bank rails can be cancelled.';

/** POST …/cancel (money.md §6.9). The rail is asked first, because only the rail knows whether it is too late. */
export async function cancelTransaction(
  work: Work,
  sources: readonly TransactionSource[],
  { id, reason }: { readonly id: TransactionId; readonly reason: string | undefined },
) {
  const seen = await work.read(
    async (tx) =>
      (await findTransaction(tx, id)) ??
      refuseMissingPayment(tx, id, { sources, code: 'INVALID_INPUT', reason: OVER_BANKS_ONLY }),
  );
  // A transaction that cannot be cancelled is refused below, after the check of the idempotency key.
  const answer = canBeCancelled(seen) ? await askRail(work, id) : 'accepted';
  return work.write(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (!isOverBank(row)) refuse('INVALID_INPUT', OVER_BANKS_ONLY);
    if (answer === 'unknown') refuse('SERVICE_UNAVAILABLE', UNANSWERED);
    if (!canBeCancelled(row) || answer === 'refused') {
      const reason = 'The transaction has not been executed yet, or it is too late to cancel it.';
      refuse('TRANSACTION_NOT_CANCELLABLE', reason, { status: shownStatus(row, tx.now) });
    }
    return presentTransaction(tx, await cancel(tx, row, reason), tx.now);
  });
}

/** How long a request has to record the rail's answer, before the worker asks again in its place. */
const ASK_AGAIN_MS = 60_000;

/**
 * Schedules a job before asking the rail. If this process dies before it records an accepted cancellation, the worker
 * asks again and records it. These are separate commits, because the request's own commit carries its idempotency key.
 */
async function askRail({ runtime, platform, actor, ports }: Work, id: TransactionId) {
  const own = new Work(runtime, platform, actor);
  await own.write(async (tx) => {
    schedule(tx, { kind: JOB.cancel, key: id, payload: { id }, afterMs: ASK_AGAIN_MS });
  });
  const answer = await ports.rails.cancel(id);
  if (answer === 'refused') await own.write(async (tx) => cancelJob(tx, JOB.cancel, id));
  return answer;
}

/** Completes a cancellation whose request ended before it recorded the answer. */
const cancelHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: TransactionId };
    const row = await work.read((tx) => findTransaction(tx, id));
    const answer = row && canBeCancelled(row) ? await work.ports.rails.cancel(id) : 'refused';
    return async (tx) => {
      const present = await lockTransaction(tx, id);
      if (answer === 'unknown')
        schedule(tx, { kind: JOB.cancel, key: id, payload: { id }, afterMs: ASK_AGAIN_MS });
      if (answer === 'accepted' && canBeCancelled(present)) await cancel(tx, present, undefined);
    };
  },
};

async function cancel(tx: Tx, row: TransactionRow, reason: string | undefined): Promise<TransactionRow> {
  const { rows } = await applyNotices(tx, [{ reference: row.id, notices: [{ kind: 'cancelled' }] }]);
  const fact = { resource: publicId('Transaction', row.id), customerId: row.customer_id };
  audit(tx, { action: 'payment cancelled', ...fact, ...(reason !== undefined && { details: { reason } }) });
  return rows[0] ?? row;
}

export function canBeCancelled(row: TransactionRow): boolean {
  return isCollecting(row) || (isPaying(row) && isBankPayout(row));
}

function isOverBank(row: TransactionRow): boolean {
  return row.source.kind === 'EXTERNAL' || isBankPayout(row);
}

function isBankPayout({ type, destination, details }: TransactionRow): boolean {
  return type === 'OUTGOING' && destination.kind === 'EXTERNAL' && (details.paymentRail ?? null) !== null;
}

export const transactionJobs: JobDeclarations = {
  [JOB.cancel]: {
    ...cancelHandler,
    due: concerning('Transaction', (id) => `The service asks the rail again whether ${id} is cancelled.`),
  },
};
