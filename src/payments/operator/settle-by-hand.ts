import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { refuse } from '#lib/refusals.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { isSettling } from '#payments/machine/uma.ts';
import { shownStatus } from '#payments/present-transaction.ts';
import { internalDestination, isCollecting, isPaying, type TransactionRow } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { lockPayment, type TransactionSource } from '#payments/transactions/sources.ts';
import type { PayoutFailure } from '#ports/payments.ts';

/** What the operator reports about a payment in the place of its rail. */
export interface ManualReport {
  /** Bare UUID. */
  readonly transactionId: string;
  readonly action: 'settle' | 'fail' | 'return';
  /** For the audit log. */
  readonly reason: string;
  /** Why a payout failed; default: QUOTE_EXECUTION_FAILED. */
  readonly failure?: PayoutFailure | undefined;
  readonly transactionHash?: string | undefined;
}

/** Applies the notice that the rail would have sent, with the same postings and events, and an audit row. */
export async function settleByHand(
  tx: Tx,
  sources: readonly TransactionSource[],
  report: ManualReport,
): Promise<TransactionRow> {
  const reason = `Only payments can be reported by hand: there is nothing to ${report.action}.`;
  const row = await lockPayment(tx, report.transactionId, { sources, code: 'CONFLICT', reason });
  const notice = NOTICES[report.action](row, report);
  const { rows, ignored } = notice
    ? await applyNotices(tx, [{ reference: row.id, notices: [notice] }])
    : { rows: [], ignored: [] };
  const [after] = rows;
  if (!notice || !after || ignored.length > 0) {
    const status = shownStatus(row, tx.now);
    refuse('CONFLICT', `The transaction is ${status}: there is nothing to ${report.action}.`, { status });
  }
  audit(tx, {
    action: `payment ${report.action}`,
    resource: publicId('Transaction', row.id),
    details: { reason: report.reason, notice: notice.kind, from: row.status, to: after.status },
  });
  return after;
}

type ChooseNotice = (row: TransactionRow, report: ManualReport) => Notice | undefined;

/** The notice depends on what the payment waits for: a collection, a payout, an arrival or a refund. */
const NOTICES: Readonly<Record<ManualReport['action'], ChooseNotice>> = {
  settle(row, { transactionHash }) {
    if (row.refund_status === 'PENDING') return { kind: 'refunded' };
    if (isCollecting(row)) return { kind: 'collected' };
    if (isPaying(row)) return { kind: 'delivered', transactionHash };
    if (!isSettling(row)) return undefined;
    if (row.pending_reason !== null) return { kind: 'released', transactionHash };
    if (internalDestination(row) !== null) return { kind: 'arrived', transactionHash };
    if (row.funding_hash !== null) return { kind: 'delivered', transactionHash };
    // The money has to arrive and then be forwarded; the hash shows that it has arrived.
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
    const isPulled = row.source_type === 'EXTERNAL' && row.taken_at !== null;
    const isPaidOut = internalDestination(row) === null && row.refund_status === null;
    if (row.type === 'INCOMING' && isPulled) return { kind: 'collectionReversed' };
    return isPaidOut ? { kind: 'returned' } : isPulled ? { kind: 'collectionReversed' } : undefined;
  },
};
