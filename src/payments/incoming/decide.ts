import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import type { Decide, QuestionResult } from '#events/questions.ts';
import { schedule } from '#jobs/schedule.ts';
import { parseId, publicId } from '#lib/ids.ts';
import { keepReceiverInfo, missingFields, type ReceiverInfo } from '#payments/incoming/receiver-info.ts';
import { isTooLate, timeToDecide } from '#payments/incoming/time-to-decide.ts';
import { decideKeys } from '#payments/machine/jobs.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { awaitsDecision } from '#payments/machine/uma.ts';
import type { TransactionRow } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { lockTransactions } from '#payments/store.ts';

/** The name of the question whether a platform takes an incoming UMA payment. */
export const UMA_APPROVAL = 'payments.umaApproval';

/**
 * Reads the HTTP answer to the question. A call may have decided before; then the answer changes nothing. One that took
 * too long to get here, for whatever reason, is none.
 */
export const decideOffer: Decide = async (tx, { resourceId }, outcome) => {
  const id = parseId('Transaction', resourceId, 'full');
  const [row] = id === undefined ? [] : await lockTransactions(tx, [id]);
  if (!row || !awaitsDecision(row)) return;
  const meaning = (await isTooLate(tx, row)) ? TIMED_OUT : meaningOf(outcome);
  if (meaning === 'CALL') {
    const [, key] = decideKeys(row.id);
    schedule(tx, { key, ...timeToDecide(row.id, tx.now) });
  } else if (meaning === 'APPROVED') {
    await approveByAnswer(tx, row, infoOf(outcome));
  } else {
    await decide(tx, row, meaning);
  }
};

/** The decision itself, on a row that awaits one and is locked. */
export async function decide(
  tx: Tx,
  row: TransactionRow,
  notice: Notice,
  reason?: string,
): Promise<TransactionRow> {
  const { rows } = await applyNotices(tx, [{ reference: row.id, notices: [notice] }]);
  audit(tx, {
    action: `incoming payment ${notice.kind}`,
    resource: publicId('Transaction', row.id),
    ...(reason !== undefined && { details: { reason } }),
  });
  return rows[0] ?? row;
}

async function approveByAnswer(tx: Tx, row: TransactionRow, info: ReceiverInfo): Promise<void> {
  if (missingFields(row, info).length > 0) {
    await decide(tx, row, { kind: 'approvalFailed', reason: 'MISSING_MANDATORY_PAYEE_DATA' });
    return;
  }
  await keepReceiverInfo(tx, row, info);
  await decide(tx, row, { kind: 'approved' });
}

/** The table of money.md §7.2. */
function meaningOf(outcome: QuestionResult): 'APPROVED' | 'CALL' | Notice {
  if (outcome.kind === 'none') return TIMED_OUT;
  if (outcome.kind === 'error') return WEBHOOK_ERROR;
  switch (outcome.status) {
    case 200:
      return 'APPROVED';
    case 202:
    case 409:
      return 'CALL';
    case 403:
      return { kind: 'rejected' };
    case 422:
      return { kind: 'approvalFailed', reason: 'PAY_REQUEST_FAILED' };
    default:
      return WEBHOOK_ERROR;
  }
}

export const TIMED_OUT: Notice = { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' };
const WEBHOOK_ERROR: Notice = { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' };

/** Whatever else the body holds, only an object under the contract's name counts. */
function infoOf(outcome: QuestionResult): ReceiverInfo {
  const body = outcome.kind === 'answered' ? outcome.body : undefined;
  const info = isObject(body) ? body.receiverCustomerInfo : undefined;
  return isObject(info) ? info : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
