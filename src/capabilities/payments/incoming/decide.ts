import { openPrivate, sealPrivate } from '#capabilities/payments/details.ts';
import { findDecisionDeadline } from '#capabilities/payments/incoming/store.ts';
import { decideKeys, JOB } from '#capabilities/payments/machine/jobs.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { awaitsDecision } from '#capabilities/payments/machine/uma.ts';
import { isGiven } from '#capabilities/payments/parties/uma.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { lockTransactions, replacePrivate } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Decide, QuestionResult } from '#foundation/events/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** The name of the question whether a platform accepts an incoming UMA payment. */
export const UMA_APPROVAL = 'payments.umaApproval';

/**
 * Decides by the HTTP answer to the webhook. The answer changes nothing if a call has already decided. An answer after
 * the deadline counts as none.
 */
export const decideOffer: Decide = async (tx, { resourceId }, outcome) => {
  const id = parseId('Transaction', resourceId, 'full');
  const [row] = id === undefined ? [] : await lockTransactions(tx, [id]);
  if (!row || !awaitsDecision(row)) return;
  const decision = (await isPastDeadline(tx, row)) ? TIMED_OUT : decisionIn(outcome);
  if (decision === 'CALL') {
    const [, key] = decideKeys(row.id);
    schedule(tx, { key, ...decisionTimer(row.id, tx.now) });
  } else if (decision === 'APPROVED') {
    await approveByAnswer(tx, row, receiverInfoIn(outcome));
  } else {
    await decide(tx, row, decision);
  }
};

/** Applies a decision to a locked row that awaits one. */
async function decide(
  tx: Tx,
  row: TransactionRow,
  notice: PaymentNotice,
  reason?: string,
): Promise<TransactionRow> {
  const { rows } = await applyNotices(tx, [{ reference: row.id, notices: [notice] }]);
  audit(tx, {
    action: `incoming payment ${notice.kind}`,
    resource: publicId('Transaction', row.id),
    customerId: row.customer_id,
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
function decisionIn(outcome: QuestionResult): 'APPROVED' | 'CALL' | PaymentNotice {
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

export const TIMED_OUT: PaymentNotice = { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' };

const WEBHOOK_ERROR: PaymentNotice = { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' };

/** The answer's body may hold anything; only an object under the contract's name is used. */
function receiverInfoIn(outcome: QuestionResult): ReceiverInfo {
  const body = outcome.kind === 'answered' ? outcome.body : undefined;
  const info = isObject(body) ? body.receiverCustomerInfo : undefined;
  return isObject(info) ? info : {};
}

/**
 * POST …/approve (money.md §6.8). If it is refused for a missing mandatory field, it can be repeated until the
 * deadline.
 */
export async function approvePayment(
  tx: Tx,
  row: TransactionRow,
  info: ReceiverInfo,
): Promise<TransactionRow> {
  await requireUndecided(tx, row);
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
export async function rejectPayment(
  tx: Tx,
  row: TransactionRow,
  reason: string | undefined,
): Promise<TransactionRow> {
  await requireUndecided(tx, row);
  return decide(tx, row, { kind: 'rejected' }, reason);
}

/** After the deadline a call is too late, even if the timer has not run. */
async function requireUndecided(tx: ReadTx, row: TransactionRow): Promise<void> {
  if (!awaitsDecision(row) || (await isPastDeadline(tx, row))) {
    refuse('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'This transaction is not waiting for a decision.', {
      status: shownStatus(row, tx.now),
    });
  }
}

/** Data about the receiver that the platform provides for the sender's provider, by field name. */
type ReceiverInfo = Readonly<Record<string, unknown>>;

/** Names of mandatory fields that were requested and not given. */
function missingFields(row: TransactionRow, info: ReceiverInfo): string[] {
  const { requestedFields = [] } = row.details;
  return requestedFields
    .filter(({ name, mandatory }) => mandatory && !isGiven(info, name))
    .map(({ name }) => name);
}

/** Stores the requested data until it is sent to the sender's provider, and drops the rest. */
async function keepReceiverInfo(tx: Tx, row: TransactionRow, info: ReceiverInfo): Promise<void> {
  const { requestedFields = [] } = row.details;
  const given = requestedFields.filter(({ name }) => isGiven(info, name));
  if (given.length === 0) return;
  const receiverCustomerInfo = Object.fromEntries(given.map(({ name }) => [name, info[name]]));
  const sealed = sealPrivate(tx.vault, row, { ...openPrivate(tx.vault, row), receiverCustomerInfo });
  await replacePrivate(tx, row.id, sealed);
}

/** money.md §7.2: the time for the webhook's answer and, after a 202, for the call. */
const DECISION_TIME_MS = 5_000;

/** The job at the deadline of the decision. Its payload holds the deadline, because the job may run later. */
export function decisionTimer(id: TransactionId, from: Date) {
  const dueAt = new Date(from.getTime() + DECISION_TIME_MS);
  return { kind: JOB.decide, dueAt, payload: { id, until: dueAt.toISOString() } };
}

/** Whether the deadline has passed, even if the timer has not run. */
export async function isPastDeadline(tx: ReadTx, row: TransactionRow): Promise<boolean> {
  const { id, created_at: offeredAt } = row;
  const until = (await findDecisionDeadline(tx, id)) ?? new Date(offeredAt.getTime() + DECISION_TIME_MS);
  return until.getTime() <= tx.now.getTime();
}
