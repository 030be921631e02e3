import { settlingByHand } from '#capabilities/payments/announcements.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { isSettling } from '#capabilities/payments/machine/uma.ts';
import { isBankReference } from '#capabilities/payments/operator/book-deposit.ts';
import { keepBankReference, listBankReferences } from '#capabilities/payments/operator/store.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import {
  internalDestination,
  isCollecting,
  isPaying,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { lockPayment, type TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';
import type { PayoutFailure } from '#foundation/ports/payments.ts';

/** The operator's report about a payment, in place of its rail's. */
export interface ManualReport {
  readonly transactionId: TransactionId;
  readonly action: 'settle' | 'fail' | 'return';
  /** For the audit log. */
  readonly reason: string;
  /** Why a payout failed; default: QUOTE_EXECUTION_FAILED. */
  readonly failure?: PayoutFailure | undefined;
  readonly transactionHash?: string | undefined;
  /** The bank's reference for the settled money. */
  readonly bankReference?: string | undefined;
  /** Even if a connector has the order and will report on it. */
  readonly despiteConnector?: boolean | undefined;
}

/** Applies the notice that the rail would have sent, with the same postings and events, and an audit row. */
export async function settleByHand(
  tx: Tx,
  sources: readonly TransactionSource[],
  report: ManualReport,
): Promise<TransactionRow> {
  const reason = `Only payments can be reported by hand; this transaction has nothing to ${report.action}.`;
  const row = await lockPayment(tx, report.transactionId, { sources, code: 'CONFLICT', reason });
  if (report.bankReference !== undefined) await requireSameReference(tx, row, report.bankReference);
  // Only a payout that is over can come back; one that a connector still has may be carried out after the refund.
  const isBack = report.action === 'return' && row.status === 'COMPLETED';
  const isInsisted = report.despiteConnector === true || isBack;
  await announce(tx, settlingByHand, { transactionId: row.id, isInsisted });
  const notice = NOTICES[report.action](row, report);
  const { rows, ignored } = notice
    ? await applyNotices(tx, [{ reference: row.id, notices: [notice] }])
    : { rows: [], ignored: [] };
  const [after] = rows;
  if (!notice || !after || ignored.length > 0) {
    const status = shownStatus(row, tx.now);
    refuse('CONFLICT', `The transaction is ${status}, so there is nothing to ${report.action}.`, { status });
  }
  const { bankReference } = report;
  if (bankReference !== undefined) await keepBankReference(tx, row.id, notice.kind, bankReference);
  audit(tx, {
    action: `payment ${report.action}`,
    resource: publicId('Transaction', row.id),
    customerId: row.customer_id,
    details: {
      ...{ reason: report.reason, notice: notice.kind, from: row.status, to: after.status },
      ...(bankReference !== undefined && { bankReference }),
      ...(report.despiteConnector === true && { despiteConnector: true }),
    },
  });
  return after;
}

/**
 * Once everything is settled, a report under another reference is a mistake. The refusal names the recorded reference.
 */
async function requireSameReference(tx: Tx, row: TransactionRow, bankReference: string): Promise<void> {
  if (!isBankReference(bankReference)) {
    const message = 'must be one line of up to 255 visible characters, with no space around it';
    throw invalidFields([{ field: 'bankReference', message }]);
  }
  const kept = await listBankReferences(tx, row.id);
  const [other] = kept.filter((one) => one.bankReference !== bankReference);
  if (!other || NOTICES.settle(row, { transactionId: row.id, action: 'settle', reason: '' })) return;
  refuse('CONFLICT', `The payment was already settled under the bank's reference ${other.bankReference}.`, {
    bankReference: other.bankReference,
  });
}

type ChooseNotice = (row: TransactionRow, report: ManualReport) => PaymentNotice | undefined;

/** The notice depends on the pending step of the payment: a collection, a payout, an arrival or a refund. */
const NOTICES: Readonly<Record<ManualReport['action'], ChooseNotice>> = {
  settle(row, { transactionHash }) {
    if (row.refund_status === 'PENDING') return { kind: 'refunded' };
    if (isCollecting(row)) return { kind: 'collected' };
    if (isPaying(row)) return { kind: 'delivered', transactionHash };
    if (!isSettling(row)) return undefined;
    if (row.pending_reason !== null) return { kind: 'released', transactionHash };
    if (internalDestination(row) !== null) return { kind: 'arrived', transactionHash };
    if (row.funding_hash !== null) return { kind: 'delivered', transactionHash };
    // The money has to arrive before it is forwarded. The hash shows that it has arrived.
    if (transactionHash === undefined)
      refuse('CONFLICT', 'Give the hash of the transaction that brought the money with --hash.');
    return { kind: 'arrived', transactionHash };
  },
  fail(row, { failure = 'QUOTE_EXECUTION_FAILED' }) {
    if (row.refund_status === 'PENDING') return { kind: 'refundFailed' };
    if (isCollecting(row)) return { kind: 'collectionFailed' };
    if (isPaying(row)) return { kind: 'payoutFailed', reason: failure };
    if (!isSettling(row)) return undefined;
    const isOutside = internalDestination(row) === null && row.funding_hash !== null;
    return isOutside ? { kind: 'payoutFailed', reason: failure } : { kind: 'complianceRejected' };
  },
  return(row) {
    if (row.status !== 'COMPLETED' && row.status !== 'PROCESSING') return undefined;
    const isPulled = row.source.kind === 'EXTERNAL' && row.taken_at !== null;
    const isPaidOut = internalDestination(row) === null && row.refund_status === null;
    if (row.type === 'INCOMING' && isPulled) return { kind: 'collectionReversed' };
    return isPaidOut ? { kind: 'returned' } : isPulled ? { kind: 'collectionReversed' } : undefined;
  },
};
