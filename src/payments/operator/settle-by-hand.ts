import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { refuse } from '#lib/refusals.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { isSettling } from '#payments/machine/uma.ts';
import { shownStatus } from '#payments/present-transaction.ts';
import { internalDestination, isCollecting, isPaying, type TransactionRow } from '#payments/row.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { lockTransaction } from '#payments/store.ts';
import type { PayoutFailure } from '#rails/payments.ts';

/** What the operator knows of a payment that its rail does not tell us. */
export interface Word {
  /** Bare UUID. */
  readonly transactionId: string;
  readonly says: 'settle' | 'fail' | 'return';
  /** For the audit log. */
  readonly reason: string;
  /** Why a payout failed; default: it just did. */
  readonly failure?: PayoutFailure | undefined;
  readonly transactionHash?: string | undefined;
}

/** The operator speaks for the rail: the same notice, the same postings and events, and an audit row. */
export async function settleByHand(tx: Tx, word: Word): Promise<TransactionRow> {
  const row = await lockTransaction(tx, word.transactionId);
  const notice = NOTICES[word.says](row, word);
  const { rows, ignored } = notice
    ? await applyNotices(tx, [{ reference: row.id, notices: [notice] }])
    : { rows: [], ignored: [] };
  const [after] = rows;
  if (!notice || !after || ignored.length > 0) {
    const status = shownStatus(row, tx.now);
    refuse('CONFLICT', `The transaction is ${status}: there is nothing to ${word.says}.`, { status });
  }
  audit(tx, {
    action: `payment ${word.says}`,
    resource: publicId('Transaction', row.id),
    details: { reason: word.reason, notice: notice.kind, from: row.status, to: after.status },
  });
  return after;
}

type Choose = (row: TransactionRow, word: Word) => Notice | undefined;

/** What is waited for decides what the word is about: collection, payout, arrival or refund. */
const NOTICES: Readonly<Record<Word['says'], Choose>> = {
  settle(row, { transactionHash }) {
    if (row.refund_status === 'PENDING') return { kind: 'refunded' };
    if (isCollecting(row)) return { kind: 'collected' };
    if (isPaying(row)) return { kind: 'delivered', transactionHash };
    if (!isSettling(row)) return undefined;
    if (row.pending_reason !== null) return { kind: 'released', transactionHash };
    if (internalDestination(row) !== null) return { kind: 'arrived', transactionHash };
    if (row.funding_hash !== null) return { kind: 'delivered', transactionHash };
    // It has two transitions to go; the hash tells which of them is done.
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
