import type { TransactionOneOf } from '@corridor/client';

const NOT_SENT: readonly string[] = ['CREATED', 'PENDING_AUTHORIZATION', 'EXPIRED', 'REJECTED', 'DECLINED'];

/** Nothing leaves for a quote that was not executed, that expired or that was declined. What failed later is refunded. */
export function hasLeft(row: TransactionOneOf): boolean {
  if (row.type === 'INCOMING') return hasArrived(row);
  if (row.type === 'OUTGOING' && row.status === 'PENDING') return row.quoteId === undefined;
  if (row.type === 'OUTGOING' && row.status === 'FAILED') return row.refund !== undefined;
  return !NOT_SENT.includes(row.status);
}

/** A returned payment had arrived first, but the money is not there any more. */
export function hasArrived(row: TransactionOneOf): boolean {
  return row.type === 'CARD' || row.status === 'COMPLETED';
}
