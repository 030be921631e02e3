import { applyReport, type OrderStep } from '#capabilities/connectors/apply-report.ts';
import type { CallOutcome, OrderCall, OrderRow } from '#capabilities/connectors/row.ts';

/** What the answer to a call means (connectors.md §5). Nothing here fails what may have been sent. */

const FIRST_SILENCE_MS = 5_000;
const SILENCE_MAX_MS = 900_000;

/** connectors.md §5.1: how long an order that is not taken waits, before another route may take it. */
export const NOT_TAKEN_MAX_MS = 10 * 60_000;

export interface Answered {
  readonly order: OrderRow;
  readonly call: OrderCall;
  readonly outcome: CallOutcome;
  readonly now: Date;
  /** Another connector could take the order. */
  readonly hasOtherRoute: boolean;
}

/** `storeLost`: the connector does not know what it acknowledged (connectors.md §2.8). */
export type AnswerStep = OrderStep & { readonly storeLost?: true };

export function applyAnswer(answered: Answered): AnswerStep {
  return heedCancellation(answered, meaningOf(answered));
}

function meaningOf(answered: Answered): AnswerStep {
  const { order, call, outcome, now } = answered;
  switch (outcome.kind) {
    case 'report':
      if (isForgotten(order, outcome)) return forgotten(order, now);
      return afterReport(answered, applyReport(order, outcome.report, now));
    case 'conflict':
      return call === 'PUT' ? conflict(order) : silent(order, call, now);
    case 'unknown':
      return call === 'GET' ? unknown(order, outcome.store, now) : silent(order, call, now);
    case 'refused':
      return call === 'PUT' ? leave(now) : silent(order, call, now);
    case 'later':
      return later(answered, outcome.afterSeconds);
    case 'silence':
      return silent(order, call, now);
  }
}

/** An order that is to be cancelled is never sent: the worker asks for the cancellation in place of any other question. */
function heedCancellation({ order, outcome }: Answered, step: AnswerStep): AnswerStep {
  const { call } = step.changes;
  const asks = call === 'PUT' || call === 'GET';
  if (!order.is_cancelled || !asks || step.storeLost || outcome.kind === 'report') return step;
  return { ...step, changes: { ...step.changes, call: 'CANCEL' } };
}

/** Any answer to a cancellation answers the platform's wish; until then it is asked after every other answer. */
function afterReport({ order, call, now }: Answered, step: OrderStep): OrderStep {
  const status = step.changes.status ?? order.status;
  if (!order.is_cancelled || call === 'CANCEL' || status !== 'TAKEN') return step;
  return { ...step, changes: { ...step.changes, call: 'CANCEL', call_at: now } };
}

/** connectors.md §5.1: nothing fails, and nothing is sent again. */
function conflict({ amount, currency }: OrderRow): OrderStep {
  const what = 'The connector knows another order under this reference; nothing is sent again.';
  return {
    changes: { status: 'CONFLICT', call: null, call_at: null },
    notices: [],
    found: { kind: 'CONTRADICTION', what, amount, currency },
  };
}

/** Signed 404: what was never acknowledged did not arrive in the store that it was sent to, and is sent again. */
function unknown(order: OrderRow, store: string, now: Date): AnswerStep {
  if (canHave(order, store)) return forgotten(order, now);
  // The customer was erased: the same bytes cannot be sent again, and nothing arrived.
  if (order.body === null) return leave(now);
  return next({ call: 'PUT', call_at: now });
}

/** The connector had the order, or another one of its stores may have had it. */
function canHave({ acknowledged_at, asked_store }: OrderRow, store: string): boolean {
  return acknowledged_at !== null || (asked_store !== null && asked_store !== store);
}

/** Cancelling an unknown order leaves a mark without an amount: the connector does not know what it had. */
function isForgotten(order: OrderRow, { report, store }: Extract<CallOutcome, { kind: 'report' }>): boolean {
  const isMark = report.state === 'CANCELLED' && report.total === undefined;
  return isMark && canHave(order, store) && order.state !== report.state;
}

/** The order may have been carried out, so it is neither sent again nor taken for cancelled. */
function forgotten({ amount, currency }: OrderRow, now: Date): AnswerStep {
  const what = 'The connector no longer knows this order, which it may have carried out.';
  return {
    ...next({ call: 'GET', call_at: after(now, SILENCE_MAX_MS) }),
    found: { kind: 'LOST', what, amount, currency },
    storeLost: true,
  };
}

/** connectors.md §5.4: the order goes elsewhere only once it is cancelled here. */
function leave(now: Date): AnswerStep {
  return next({ leaves: true, call: 'CANCEL', call_at: now });
}

/** Signed 429 or 503: it was not taken, and the same bytes are sent again. */
function later({ order, call, now, hasOtherRoute }: Answered, afterSeconds: number): OrderStep {
  const wait = after(now, Math.min(Math.max(afterSeconds, 1), 600) * 1_000);
  if (call !== 'PUT') return next({ call, call_at: wait });
  const since = order.not_taken_since ?? now;
  const isTooLong = now.getTime() - since.getTime() >= NOT_TAKEN_MAX_MS;
  if (isTooLong && hasOtherRoute) return leave(now);
  return next({ call, call_at: wait, not_taken_since: since, asked_store: null });
}

/** connectors.md §5.2: the outcome is unknown, and is asked for without end. */
function silent(order: OrderRow, call: OrderCall, now: Date): OrderStep {
  const delay = Math.min(FIRST_SILENCE_MS * 2 ** Math.min(order.silences, 20), SILENCE_MAX_MS);
  return next({
    call: call === 'PUT' ? 'GET' : call,
    call_at: after(now, delay),
    silences: order.silences + 1,
  });
}

function next(changes: OrderStep['changes']): OrderStep {
  return { changes, notices: [] };
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
