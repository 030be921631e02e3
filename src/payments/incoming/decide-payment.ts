import type { Tx } from '#database/tx.ts';
import { invalidFields, refuse } from '#lib/refusals.ts';
import { decide } from '#payments/incoming/decide.ts';
import { keepReceiverInfo, missingFields, type ReceiverInfo } from '#payments/incoming/receiver-info.ts';
import { isTooLate } from '#payments/incoming/time-to-decide.ts';
import { awaitsDecision } from '#payments/machine/uma.ts';
import { shownStatus } from '#payments/present-parts.ts';
import type { TransactionRow } from '#payments/row.ts';
import { lockTransaction } from '#payments/transactions/lock-transaction.ts';

/** POST …/approve (money.md §6.8). Without a mandatory field the time to decide goes on. */
export async function approvePayment(tx: Tx, id: string, info: ReceiverInfo): Promise<TransactionRow> {
  const row = await lockUndecided(tx, id);
  const missing = missingFields(row, info);
  if (missing.length > 0) {
    const errors = missing.map((name) => ({
      field: `receiverCustomerInfo.${name}`,
      message: 'is required by the sender’s provider',
    }));
    throw invalidFields(errors, 'MISSING_MANDATORY_USER_INFO');
  }
  await keepReceiverInfo(tx, row, info);
  return decide(tx, row, { kind: 'approved' });
}

/** POST …/reject. */
export async function rejectPayment(tx: Tx, id: string, reason: string | undefined): Promise<TransactionRow> {
  return decide(tx, await lockUndecided(tx, id), { kind: 'rejected' }, reason);
}

/** After its time a call is too late, whether or not the timer has run. */
async function lockUndecided(tx: Tx, id: string): Promise<TransactionRow> {
  const row = await lockTransaction(tx, id);
  if (!awaitsDecision(row) || (await isTooLate(tx, row))) {
    refuse('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'This transaction is not waiting for a decision.', {
      status: shownStatus(row, tx.now),
    });
  }
  return row;
}
