import type { Fixed, TransactionRow } from '#payments/row.ts';

/** What a transaction's row says of it: pure. */

/** The internal account that the money is for, by its own name or behind a UMA address; null: it goes outside. */
export function internalDestination(
  row: Pick<Fixed, 'destination_type' | 'destination_account'>,
): string | null {
  return row.destination_type === 'EXTERNAL' ? null : row.destination_account;
}

/** The customer that is paid outside, where it is not the owner: by its UMA address, or in the account that it holds. */
export function paidOutside(
  row: Pick<Fixed, 'destination_type' | 'destination_account' | 'details'>,
): string | null {
  const { receiver, holder } = row.details;
  return internalDestination(row) === null ? (receiver?.customerId ?? holder ?? null) : null;
}

/** Paid in in real time, in crypto: what is owed back goes to an account of the owner's, never to the sending wallet. */
export function isFundedByCrypto({ source_type, details }: Pick<Fixed, 'source_type' | 'details'>): boolean {
  return source_type === 'REALTIME' && details.fundingNetwork !== undefined;
}

/** What is owed back goes to an account of ours, even where there is none (any more) that could take it. */
export function isRefundedInside(row: Pick<Fixed, 'source_type' | 'details'>): boolean {
  return row.source_type === 'INTERNAL' || isFundedByCrypto(row);
}

/** Money is being collected from outside, and none of it has come. */
export function isCollecting(row: TransactionRow): boolean {
  const open = row.status === 'PROCESSING' || (row.status === 'PENDING' && row.executed_at !== null);
  return open && row.source_type === 'EXTERNAL' && row.taken_at === null;
}

/** The payer's money is with us and on its way to the receiver. */
export function isPaying(row: TransactionRow): boolean {
  const open = row.status === 'PROCESSING' || (row.status === 'PENDING' && row.kind === 'TRANSFER');
  return open && row.type === 'OUTGOING' && row.taken_at !== null && row.refund_status === null;
}

/** A quote that nobody has executed or funded. */
export function isOpenQuote(row: TransactionRow): boolean {
  return row.kind === 'QUOTE' && row.status === 'PENDING' && row.executed_at === null;
}

/** money.md §3.1: past its time a quote is expired, whether or not the timer has run. */
export function isPastExpiry(row: TransactionRow, now: Date): boolean {
  return isOpenQuote(row) && row.expires_at !== null && row.expires_at.getTime() <= now.getTime();
}
