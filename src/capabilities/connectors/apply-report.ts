import { type OrderReport, type OrderRow, payoutFailure } from '#capabilities/connectors/row.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { OrderState } from '#foundation/connector-protocol/orders.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

export type BreakKind = 'CONTRADICTION' | 'AMOUNT_DIFFERS' | 'DUPLICATE' | 'RETURNED';

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
    | 'acknowledged_at'
    | 'ended_at'
  >
>;

export interface OrderStep {
  readonly changes: OrderChanges;
  readonly notices: readonly RailNotice[];
  readonly found?: FoundBreak | undefined;
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
    const what = `The connector reports ${report.state} of ${amount} ${currency}; the order is ${order.amount} ${order.currency}.`;
    return unchanged(order, known, { kind: 'AMOUNT_DIFFERS', what, amount, currency });
  }
  const facts = { ...known, ...factsOf(report) };
  if (order.status === 'LEFT' || order.status === 'CONFLICT') return reportAfterLeaving(order, report, facts);
  const { state: from } = order;
  if (from === report.state) return unchanged(order, facts);
  if (from !== null && contradicts(from, report.state)) {
    const what = `The connector reports ${report.state} after ${from}.`;
    return unchanged(order, known, {
      kind: 'CONTRADICTION',
      what,
      amount: order.amount,
      currency: order.currency,
    });
  }
  if (isLate(order, report)) return unchanged(order, facts);
  return { changes: { ...facts, ...advance(order, report, now) }, notices: noticesOf(order, report) };
}

/** Nothing more is asked of an order that was answered; a wish to cancel it stays. */
function unchanged(order: OrderRow, changes: OrderChanges, found?: FoundBreak): OrderStep {
  const isTaken = order.status === 'ASKED';
  return {
    changes: { ...changes, ...(isTaken && { status: 'TAKEN' as const }), ...NOTHING_MORE },
    notices: [],
    found,
  };
}

const NOTHING_MORE = { call: null, call_at: null, silences: 0, not_taken_since: null } satisfies OrderChanges;

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

/** connectors.md §4.7: after `SETTLED` only `RETURNED` may come; nothing comes after the other ends. */
function contradicts(from: OrderState, to: OrderState): boolean {
  if (from === 'SETTLED') return to === 'FAILED' || to === 'CANCELLED';
  if (from === 'RETURNED') return to === 'FAILED' || to === 'CANCELLED';
  if (from === 'FAILED' || from === 'CANCELLED')
    return to === 'SETTLED' || to === 'RETURNED' || ENDS.includes(to);
  return false;
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
  const status = !isEnd ? 'TAKEN' : state === 'CANCELLED' && order.leaves ? 'LEFT' : 'ENDED';
  return {
    status,
    state,
    state_at: at,
    reason: reason ?? null,
    ...(isEnd && order.ended_at === null && { ended_at: now }),
    // An order that was to leave, and is sent instead, stays.
    ...(!isEnd && { leaves: false }),
    ...NOTHING_MORE,
  };
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
  if (state === 'CANCELLED' && order.leaves) return [];
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
