import type { TransactionOneOf } from '@corridor/client';

/** Nothing leaves for a payment that was not executed, that expired or that was declined. */
const NOT_SENT: readonly string[] = [
  'CREATED',
  'PENDING',
  'PENDING_AUTHORIZATION',
  'EXPIRED',
  'REJECTED',
  'DECLINED',
];

export function hasLeft(row: TransactionOneOf): boolean {
  return row.type === 'INCOMING' ? hasArrived(row) : !NOT_SENT.includes(row.status);
}

/** A returned payment had arrived first, but the money is not there any more. */
export function hasArrived(row: TransactionOneOf): boolean {
  return row.type === 'CARD' || row.status === 'COMPLETED';
}
