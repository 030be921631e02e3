import { applyAnswer } from '#capabilities/connectors/answers.ts';
import { applyReport, type FoundBreak, type OrderStep } from '#capabilities/connectors/apply-report.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import type { ClaimedCall } from '#capabilities/connectors/call-store.ts';
import { findContradiction, takesBackOthers } from '#capabilities/connectors/contradiction.ts';
import { changeOrder, lockOrder, lockOrderAt, placeAgain } from '#capabilities/connectors/order-store.ts';
import { pause } from '#capabilities/connectors/registry-store.ts';
import { hasOtherRoute, needsOrder, realNow } from '#capabilities/connectors/route-order.ts';
import {
  accountName,
  type CallOutcome,
  type ConnectorRow,
  type OrderReport,
  type OrderRow,
  receiptName,
} from '#capabilities/connectors/row.ts';
import { receiveArrival } from '#capabilities/payments/incoming/receive-deposit.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

/**
 * Applies the answer to a call, in one commit with what it means for the payment. Returns the order after it. A request
 * that cancels the payment itself leaves the notices out.
 */
export async function recordAnswer(
  tx: Tx,
  connector: ConnectorRow,
  { order: { id, caller }, call }: ClaimedCall,
  outcome: CallOutcome,
  { withNotices = true } = {},
): Promise<OrderRow | undefined> {
  const order = await lockOrder(tx, id);
  if (!order) return undefined;
  const isOurs = order.caller === caller;
  if (!counts(order, outcome, isOurs)) {
    if (isOurs) await changeOrder(tx, id, {}, { endsCall: true });
    return order;
  }
  const isWaiting = outcome.kind === 'later' && call === 'PUT';
  const step = applyAnswer({
    ...{ order, call, outcome, now: realNow(tx) },
    hasOtherRoute: isWaiting && (await hasOtherRoute(tx, order)),
  });
  if (step.storeLost) {
    if (!(await isAwaited(tx, order))) return endForgotten(tx, order, isOurs);
    await pause(tx.query.bind(tx), connector.id, 'STORE', realNow(tx));
  }
  // The caller of a cancel hears of a cancellation in its reply. Anything else is news for the payment.
  const notices = withNotices ? step.notices : step.notices.filter(({ kind }) => kind !== 'cancelled');
  await commitStep(tx, { connector, order, step: { ...step, notices }, endsCall: isOurs });
  return lockOrder(tx, id);
}

/**
 * A connector's word about an order counts, whichever process heard it. Anything else counts for the worker that makes the
 * call, and only while the order is open.
 */
function counts({ status }: OrderRow, { kind }: CallOutcome, isOurs: boolean): boolean {
  if (kind === 'report') return true;
  return (status === 'ASKED' || status === 'TAKEN') && (isOurs || kind === 'conflict');
}

/** Whether the payment still depends on the order: it may have been settled by hand. */
async function isAwaited(tx: Tx, { transaction_id: id, kind }: OrderRow): Promise<boolean> {
  const row = await findTransaction(tx, id);
  return row !== undefined && needsOrder(row, kind);
}

/** The connector lost the order after a person had said how the payment ends: nobody waits for it. */
async function endForgotten(tx: Tx, { id }: OrderRow, endsCall: boolean): Promise<OrderRow | undefined> {
  await changeOrder(
    tx,
    id,
    { status: 'ENDED', call: null, call_at: null, ended_at: realNow(tx) },
    { endsCall },
  );
  return lockOrder(tx, id);
}

/** The outcome of an event about an order. */
export type EventOutcome = 'applied' | 'unknown order';

/** Applies what an event says about an order of this platform. */
export async function recordReport(
  tx: Tx,
  connector: ConnectorRow,
  report: OrderReport,
): Promise<EventOutcome> {
  const order = await lockOrderAt(tx, connector.id, report.reference);
  if (!order) return 'unknown order';
  const step = applyReport(order, report, realNow(tx));
  await commitStep(tx, { connector, order, step: keepingCancellation(order, step), endsCall: false });
  return 'applied';
}

/** The platform still wants the order cancelled: an event does not answer that call, unless the order has ended. */
function keepingCancellation(order: OrderRow, step: OrderStep): OrderStep {
  const isOpen = step.changes.status !== 'ENDED' && order.status !== 'ENDED';
  if (!isOpen || !order.is_cancelled || order.call !== 'CANCEL') return step;
  const { call: _call, call_at: _at, ...changes } = step.changes;
  return { ...step, changes };
}

interface Step {
  readonly connector: ConnectorRow;
  readonly order: OrderRow;
  readonly step: OrderStep;
  readonly endsCall: boolean;
}

async function commitStep(tx: Tx, { connector, order, step, endsCall }: Step): Promise<void> {
  const { id, reference, platform_id: platformId } = order;
  await changeOrder(tx, id, step.changes, { endsCall });
  const about = { connectorId: connector.id, platformId, about: reference, orderId: id };
  const open = (found: FoundBreak) =>
    openBreak(tx.query.bind(tx), { ...found, ...about, id: newUuid() }, realNow(tx));
  if (step.found) await open(step.found);
  if (step.isReceipt) await suspendRefund(tx, connector, order);
  if (step.changes.status === 'LEFT') await placeAgain(tx, order, newUuid(), realNow(tx));
  const notices: RailNotice[] = [];
  for (const notice of step.notices) {
    if (await isOthers(tx, notice, connector, order)) await open(returnedBeside(order));
    else notices.push(withAccount(notice, connector, order));
  }
  if (notices.length === 0) return;
  const { ignored, rows } = await applyNotices(tx, [{ reference: order.transaction_id, notices }]);
  const payment = rows.find(({ id: one }) => one === order.transaction_id);
  for (const { notice, status } of ignored) {
    audit(tx, {
      action: 'payment notice ignored',
      resource: publicId('Transaction', order.transaction_id),
      details: { notice, status },
    });
    const what = await findContradiction(tx, { notice, payment, connector, order });
    if (what !== undefined)
      await open({ kind: 'CONTRADICTION', what, amount: order.amount, currency: order.currency });
  }
}

async function isOthers(
  tx: Tx,
  { kind: notice }: RailNotice,
  connector: ConnectorRow,
  { transaction_id: transactionId, settlement_account: account }: OrderRow,
): Promise<boolean> {
  if (account === null) return false;
  return takesBackOthers(tx, { notice, transactionId, account: accountName(connector, account) });
}

function returnedBeside({ amount, currency }: OrderRow): FoundBreak {
  const what =
    'Money came back, but the payment was booked at another settlement account. Nothing is booked.';
  return { kind: 'RETURNED', what, amount, currency };
}

/** connectors.md §6.8: the money of a refund that came back waits in SUSPENSE. Its order says so once. */
async function suspendRefund(tx: Tx, connector: ConnectorRow, order: OrderRow): Promise<void> {
  const { reference, amount, currency, rail, settlement_account: account } = order;
  if (rail === null || account === null) throw new Error(`order ${order.id} was never routed`);
  const providerReference = receiptName(connector, reference);
  const settlementAccount = accountName(connector, account);
  await receiveArrival(tx, { providerReference, amount, currency, rail, settlementAccount });
}

/** Names the operator's account that the money left or reached, and the rail of the order (money.md §11.6). */
function withAccount(
  notice: RailNotice,
  connector: ConnectorRow,
  { settlement_account, rail }: OrderRow,
): RailNotice {
  if (settlement_account === null || rail === null || !MOVES.has(notice.kind)) return notice;
  return { ...notice, rail, settlementAccount: accountName(connector, settlement_account) } as RailNotice;
}

const MOVES: ReadonlySet<RailNotice['kind']> = new Set([
  'delivered',
  'returned',
  'collected',
  'collectionReversed',
  'refunded',
]);
