import {
  knownFailure,
  type OrderReport,
  type OrderRow,
  payoutFailure,
} from '#capabilities/connectors/row.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { OrderState } from '#foundation/connector-protocol/orders.ts';
import { sayReported } from '#foundation/lib/currencies.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

export const BREAK_KINDS = [
  'CONTRADICTION',
  'AMOUNT_DIFFERS',
  'DUPLICATE',
  'RETURNED',
  /** An event that cannot be read. */
  'MALFORMED',
  /** The connector no longer knows an order that it had. */
  'LOST',
  /** Money came in that nobody claims. */
  'THEIRS_UNMATCHED',
  /** The bank has not booked what the books have. */
  'OURS_UNMATCHED',
  /** The bank booked it long after the books, or when its break was closed. */
  'LATE',
  /** A statement does not begin with the balance that the one before it closed with. */
  'GAP',
  /** The proof of a day fails. */
  'UNPROVEN',
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** What a person has to look at, in a sentence. */
export interface FoundBreak {
  readonly kind: BreakKind;
  readonly what: string;
  readonly amount?: bigint | undefined;
  readonly currency?: string | undefined;
}

/** The columns of an order that a call or a report changes. */
export type OrderChanges = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'state'
    | 'state_at'
    | 'reason'
    | 'expected_at'
    | 'bank_reference'
    | 'transaction_hash'
    | 'call'
    | 'call_at'
    | 'silences'
    | 'not_taken_since'
    | 'leaves'
    | 'asked_store'
    | 'acknowledged_at'
    | 'ended_at'
  >
>;

export interface OrderStep {
  readonly changes: OrderChanges;
  readonly notices: readonly RailNotice[];
  readonly found?: FoundBreak | undefined;
  /** A refund that was paid came back: it is a receipt that belongs to nobody (connectors.md §6.8). */
  readonly isReceipt?: true;
}

const ENDS: readonly OrderState[] = ['FAILED', 'CANCELLED', 'RETURNED'];

/**
 * Applies what a connector says about an order, in an answer or in an event (connectors.md §4.6–4.8, §6.5). A report may
 * be late, repeated or overtaken. One that contradicts an end changes nothing and is a break.
 */
export function applyReport(order: OrderRow, report: OrderReport, now: Date): OrderStep {
  const known: OrderChanges = order.acknowledged_at === null ? { acknowledged_at: now } : {};
  const { total = order } = report;
  const isOther = total.amount !== order.amount || total.currency !== order.currency;
  // No money moved in an order that was cancelled, whatever its amount.
  if (isOther && report.state !== 'CANCELLED') {
    const { amount, currency } = total;
    const what = `The connector reports ${report.state} of ${sayReported(total)}; the order is ${sayReported(order)}.`;
    return unchanged(order, known, now, { kind: 'AMOUNT_DIFFERS', what, amount, currency });
  }
  const facts = { ...known, ...factsOf(report) };
  if (order.status === 'LEFT' || order.status === 'CONFLICT') return reportAfterLeaving(order, report, facts);
  const { state: from } = order;
  if (from === report.state) return unchanged(order, facts, now);
  if (from !== null && contradicts(order, from, report)) {
    const what = `The connector reports ${report.state} after ${from}.`;
    return unchanged(order, known, now, {
      kind: 'CONTRADICTION',
      what,
      amount: order.amount,
      currency: order.currency,
    });
  }
  if (isLate(order, report)) return unchanged(order, facts, now);
  const changes = { ...facts, ...advance(order, report, now) };
  if (order.kind === 'REFUND' && report.state === 'RETURNED') return returnedRefund(order, changes);
  return { changes, notices: noticesOf(order, report) };
}

/** The refund failed if it was not paid yet, as far as anybody said. In both cases the money is with nobody. */
function returnedRefund({ state: from, amount, currency }: OrderRow, changes: OrderChanges): OrderStep {
  const found = { kind: 'RETURNED' as const, what: 'A refund came back.', amount, currency };
  if (from === 'SETTLED') return { changes, notices: [], found, isReceipt: true };
  return { changes, notices: [{ kind: 'refundFailed' }], found };
}

function unchanged(order: OrderRow, changes: OrderChanges, now: Date, found?: FoundBreak): OrderStep {
  const status = order.status === 'ASKED' ? 'TAKEN' : order.status;
  return { changes: { ...changes, status, ...nextQuestion(status, now) }, notices: [], found };
}

/** An event may be lost: an order that the connector has is asked about once a day (connectors.md §5.2). */
const DAY_MS = 24 * 60 * 60 * 1_000;

function nextQuestion(status: OrderRow['status'], now: Date): OrderChanges {
  if (status !== 'TAKEN') return NOTHING_MORE;
  return { ...NOTHING_MORE, call: 'GET', call_at: new Date(now.getTime() + DAY_MS) };
}

const NOTHING_MORE: OrderChanges = { call: null, call_at: null, silences: 0, not_taken_since: null };

function factsOf({ expectedSettlementAt, bankReference, transactionHash }: OrderReport): OrderChanges {
  return {
    ...(expectedSettlementAt && { expected_at: expectedSettlementAt }),
    ...(bankReference !== undefined && { bank_reference: bankReference }),
    ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
  };
}

/** connectors.md §5.4: once it was cancelled here, what the connector reports is no notice, and a break unless `CANCELLED`. */
function reportAfterLeaving(order: OrderRow, report: OrderReport, facts: OrderChanges): OrderStep {
  const changes = { ...facts, ...NOTHING_MORE };
  if (report.state === 'CANCELLED') return { changes, notices: [] };
  const { amount, currency } = order;
  const what = `The connector reports ${report.state} of an order that it does not have any more.`;
  return { changes, notices: [], found: { kind: 'CONTRADICTION', what, amount, currency } };
}

/**
 * connectors.md §4.7: after `SETTLED` only `RETURNED` may come; nothing comes after the other ends. A state that the order
 * had before its end may be reported late.
 */
function contradicts(
  { state_at: endedAt }: OrderRow,
  from: OrderState,
  { state: to, at }: OrderReport,
): boolean {
  if (from === 'SETTLED') return to === 'FAILED' || to === 'CANCELLED';
  if (!ENDS.includes(from)) return false;
  if (endedAt !== null && at > endedAt) return true;
  if (from === 'RETURNED') return to === 'FAILED' || to === 'CANCELLED';
  return to === 'SETTLED' || ENDS.includes(to);
}

function isLate({ state: from, state_at: at }: OrderRow, report: OrderReport): boolean {
  if (from === null) return false;
  if (from === 'SETTLED') return report.state !== 'RETURNED';
  if (ENDS.includes(from)) return true;
  const isEnd = report.state === 'SETTLED' || ENDS.includes(report.state);
  return !isEnd && at !== null && report.at < at;
}

function advance(order: OrderRow, { state, at, reason }: OrderReport, now: Date): OrderChanges {
  const isEnd = state === 'SETTLED' || ENDS.includes(state);
  const status = !isEnd ? 'TAKEN' : leavesNow(order, state) ? 'LEFT' : 'ENDED';
  return {
    status,
    state,
    state_at: at,
    reason: knownFailure(reason) ?? null,
    ...(isEnd && order.ended_at === null && { ended_at: now }),
    // An order that was to leave, and is sent instead, stays.
    ...(!isEnd && { leaves: false }),
    ...nextQuestion(status, now),
  };
}

/** connectors.md §5.4: it takes another route, unless the platform wants it cancelled. */
function leavesNow({ leaves, is_cancelled }: OrderRow, state: OrderState): boolean {
  return state === 'CANCELLED' && leaves && !is_cancelled;
}

/** connectors.md §4.6: each state as a notice of a payout, a collection or a refund. */
const NOTICES: Readonly<Record<OrderState, Readonly<Record<OrderKind, RailNotice['kind'] | undefined>>>> = {
  RECEIVED: { PAYOUT: 'accepted', COLLECTION: undefined, REFUND: undefined },
  SENT: { PAYOUT: 'accepted', COLLECTION: undefined, REFUND: undefined },
  HELD: { PAYOUT: 'held', COLLECTION: 'held', REFUND: undefined },
  SETTLED: { PAYOUT: 'delivered', COLLECTION: 'collected', REFUND: 'refunded' },
  FAILED: { PAYOUT: 'payoutFailed', COLLECTION: 'collectionFailed', REFUND: 'refundFailed' },
  CANCELLED: { PAYOUT: 'payoutFailed', COLLECTION: 'collectionFailed', REFUND: 'refundFailed' },
  RETURNED: { PAYOUT: 'returned', COLLECTION: 'collectionReversed', REFUND: undefined },
};

/** Without the connector's name, which the caller knows. */
function noticesOf(order: OrderRow, report: OrderReport): RailNotice[] {
  const { kind, state: from } = order;
  const { state, transactionHash } = report;
  if (leavesNow(order, state)) return [];
  const name = isCancelledForPlatform(order, state) ? 'cancelled' : NOTICES[state][kind];
  const released = from === 'HELD' && kind !== 'REFUND' ? [{ kind: 'released' as const }] : [];
  if (name === undefined) return released;
  if (name === 'payoutFailed') return [...released, { kind: name, reason: payoutFailure(report.reason) }];
  if (name === 'delivered') return [...released, { kind: name, transactionHash }];
  return [...released, { kind: name } as RailNotice];
}

function isCancelledForPlatform({ kind, is_cancelled }: OrderRow, state: OrderState): boolean {
  return state === 'CANCELLED' && is_cancelled && kind !== 'REFUND';
}
