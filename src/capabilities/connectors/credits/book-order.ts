import { resolveBreak } from '#capabilities/connectors/break-store.ts';
import { takesBackOthers } from '#capabilities/connectors/contradiction.ts';
import { lockOrderBreak, type OrderBreak } from '#capabilities/connectors/order-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { accountName } from '#capabilities/connectors/row.ts';
import { settlingByHand } from '#capabilities/payments/announcements.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { lockTransaction } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

export const ORDER_OUTCOMES = ['settled', 'failed', 'returned'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

export interface BookedOrder {
  readonly breakId: string;
  /** The outcome of the order that the bank gives. */
  readonly outcome: OrderOutcome;
  readonly reason: string;
}

/**
 * Books what the bank says about an order that a break is about, at the settlement account of the order, and resolves the
 * break (connectors.md §9.6). No order of the payment is sent from then on, as after `payment settle` (connectors.md §5.7).
 */
export async function bookOrder(tx: Tx, { breakId, outcome, reason }: BookedOrder): Promise<TransactionRow> {
  const order = await lockOrderBreak(tx, breakId);
  if (!order) refuse('CONFLICT', 'The break is resolved already, or is about no order that was sent.');
  const { transaction_id: id } = order;
  const { status } = await lockTransaction(tx, id);
  const notice = noticeOf(order, outcome);
  const account = accountName({ name: order.connector }, order.settlement_account);
  if (await takesBackOthers(tx, { notice: notice.kind, transactionId: id, account })) {
    refuse('CONFLICT', 'The payment was booked at another settlement account: it can come back only there.');
  }
  await announce(tx, settlingByHand, { transactionId: id, isInsisted: true });
  const { rows, ignored } = await applyNotices(tx, [{ reference: id, notices: [notice] }]);
  const [row] = rows;
  if (!row || ignored.length > 0) {
    refuse('CONFLICT', `The payment is ${status}, so the order cannot be booked as ${outcome}.`, { status });
  }
  await resolveBreak(tx, breakId, reason, realNow(tx));
  audit(tx, {
    action: 'break book',
    resource: publicId('Break', breakId),
    customerId: row.customer_id,
    details: { reason, outcome, transaction: publicId('Transaction', id), from: status, to: row.status },
  });
  return row;
}

function noticeOf(
  { kind, connector, rail, settlement_account }: OrderBreak,
  outcome: OrderOutcome,
): RailNotice {
  const place = { rail, settlementAccount: accountName({ name: connector }, settlement_account) };
  const notice = NOTICES[kind][outcome](place);
  return notice ?? refuse('CONFLICT', 'A refund that came back waits in suspense already.');
}

interface Place {
  readonly rail: string;
  readonly settlementAccount: string;
}

const NOTICES: Readonly<
  Record<OrderKind, Readonly<Record<OrderOutcome, (place: Place) => RailNotice | undefined>>>
> = {
  PAYOUT: {
    settled: (place) => ({ kind: 'delivered', ...place }),
    failed: () => ({ kind: 'payoutFailed', reason: 'QUOTE_EXECUTION_FAILED' }),
    returned: (place) => ({ kind: 'returned', ...place }),
  },
  COLLECTION: {
    settled: (place) => ({ kind: 'collected', ...place }),
    failed: () => ({ kind: 'collectionFailed' }),
    returned: (place) => ({ kind: 'collectionReversed', ...place }),
  },
  REFUND: {
    settled: (place) => ({ kind: 'refunded', ...place }),
    failed: () => ({ kind: 'refundFailed' }),
    returned: () => undefined,
  },
};
