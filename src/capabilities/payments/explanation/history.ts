import { isSettling } from '#capabilities/payments/machine/uma.ts';
import { isPastExpiry, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Status } from '#capabilities/payments/statuses.ts';
import { CHALLENGE_LIFE_MS } from '#capabilities/sca/challenges/challenges.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';

/**
 * When each step of a payment happened. The row keeps the times of most steps, and the ledger those that move money, so
 * that no history has to be stored.
 */
export interface History {
  readonly created: Date;
  /** The customer was asked to authorize it. */
  readonly asked: Date | undefined;
  readonly executed: Date | undefined;
  readonly taken: Date | undefined;
  /** A receiver got the money, even if it was returned later. */
  readonly delivered: Date | undefined;
  readonly failed: Date | undefined;
  readonly expired: Date | undefined;
  readonly rejected: Date | undefined;
  readonly refundStarted: Date | undefined;
  readonly refundPaid: Date | undefined;
  readonly refundSuspended: Date | undefined;
  readonly collectionReversed: Date | undefined;
  readonly isCancelled: boolean;
}

export function historyOf(row: TransactionRow, entries: readonly PostedEntry[], now: Date): History {
  const at = (...kinds: LedgerKind[]) => entries.find(({ kind }) => kinds.includes(kind))?.created_at;
  const isCancelled = row.refund_reason === 'USER_CANCELLATION';
  const ended = (status: Status, when: Date | undefined) => (row.status === status ? when : undefined);
  const settled = isCancelled ? undefined : (row.settled_at ?? undefined);
  return {
    created: row.created_at,
    asked: at('payment.held') ?? askedAt(row),
    executed: row.executed_at ?? undefined,
    taken: row.taken_at ?? undefined,
    delivered: at('payment.delivered', 'uma.delivered') ?? settled,
    failed: ended('FAILED', failedAt(row, at)),
    expired:
      ended('EXPIRED', row.updated_at) ?? (isPastExpiry(row, now) ? toDate(row.expires_at) : undefined),
    rejected: ended('REJECTED', row.updated_at),
    refundStarted: row.refund_initiated_at ?? undefined,
    refundPaid: row.refund_settled_at ?? undefined,
    refundSuspended: at('refund.suspended'),
    collectionReversed: at('collection.reversed'),
    isCancelled,
  };
}

/** A cancelled payment fails with its refund; every other one before its refund begins. */
function failedAt(row: TransactionRow, at: (...kinds: LedgerKind[]) => Date | undefined): Date {
  if (row.refund_reason === 'USER_CANCELLATION') return at('refund.suspended') ?? row.updated_at;
  return row.refund_initiated_at ?? at('payment.released', 'collection.reversed') ?? row.updated_at;
}

/** A pull or a real-time quote holds nothing while it waits: its deadline tells when the wait began. */
function askedAt({ source, created_at, authorize_by: by }: TransactionRow): Date | undefined {
  if (by === null) return undefined;
  return source.kind === 'REALTIME' ? created_at : new Date(by.getTime() - CHALLENGE_LIFE_MS);
}

function toDate(value: Date | null): Date | undefined {
  return value ?? undefined;
}

/** Returns where the money of a payment is now. */
export type Place =
  | 'NOT_MOVED'
  | 'ON_HOLD'
  | 'BEING_COLLECTED'
  | 'ON_ITS_WAY'
  | 'HELD_FOR_REVIEW'
  | 'DELIVERED'
  | 'BEING_REFUNDED'
  | 'REFUNDED'
  | 'IN_SUSPENSE';

export function placeOf(row: TransactionRow): Place {
  if (row.refund_status === 'PENDING') return 'BEING_REFUNDED';
  if (row.refund_status === 'COMPLETED') return 'REFUNDED';
  if (row.refund_status === 'FAILED') return 'IN_SUSPENSE';
  if (row.status === 'COMPLETED') return 'DELIVERED';
  if (row.status === 'PENDING_AUTHORIZATION') return row.source.kind === 'INTERNAL' ? 'ON_HOLD' : 'NOT_MOVED';
  if (row.pending_reason !== null) return 'HELD_FOR_REVIEW';
  if (isSettling(row) || (isUnderWay(row) && row.taken_at !== null)) return 'ON_ITS_WAY';
  return isUnderWay(row) && row.executed_at !== null ? 'BEING_COLLECTED' : 'NOT_MOVED';
}

function isUnderWay({ status }: TransactionRow): boolean {
  return status === 'PENDING' || status === 'PROCESSING';
}
