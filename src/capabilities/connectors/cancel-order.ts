import { endUnsent, lockOrders, wishCancelled } from '#capabilities/connectors/order-store.ts';
import { findConnectorById } from '#capabilities/connectors/registry-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow, OrderRow } from '#capabilities/connectors/row.ts';
import { isCollecting } from '#capabilities/payments/row.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { CancelAnswer } from '#foundation/ports/payments.ts';

/** The next step for a platform that wants an order cancelled (connectors.md §5.5, §5.6). */
export type CancelStep =
  | { readonly answer: CancelAnswer }
  /** The connector is asked; the worker does the same if this process does not record the answer. */
  | { readonly order: OrderRow; readonly connector: ConnectorRow };

/** How long the request has to record the answer, before the worker asks in its place. */
const ASK_MS = 15_000;

export async function startCancel(tx: Tx, transactionId: TransactionId): Promise<CancelStep> {
  const orders = await lockOrders(tx, transactionId);
  const row = await findTransaction(tx, transactionId);
  const step = row && isCollecting(row) ? 'COLLECTION' : 'PAYOUT';
  const order = orders.findLast(({ kind, status }) => kind === step && status !== 'LEFT');
  if (!order || order.status === 'BY_HAND') return { answer: 'refused' };
  // Nothing was sent, and nothing will be.
  if (order.connector_id === null || order.status === 'ROUTED') {
    if (order.status !== 'ENDED') await endUnsent(tx, order.id, 'ENDED', realNow(tx));
    return { answer: 'accepted' };
  }
  if (order.status === 'CONFLICT') return { answer: 'refused' };
  if (order.status === 'ENDED') return { answer: order.state === 'CANCELLED' ? 'accepted' : 'refused' };
  const connector = await findConnectorById(tx.query.bind(tx), order.connector_id);
  if (!connector || !isCancellable(order, connector)) return { answer: 'refused' };
  if (!order.is_cancelled || order.call !== 'CANCEL')
    await wishCancelled(tx, order.id, new Date(realNow(tx).getTime() + ASK_MS));
  return { order, connector };
}

function isCancellable(
  { kind, settlement_account, rail, currency }: OrderRow,
  { capabilities }: ConnectorRow,
): boolean {
  return (capabilities?.rails ?? []).some(
    (can) =>
      can.cancellable &&
      can.kinds.includes(kind) &&
      can.rail === rail &&
      can.currency === currency &&
      can.settlementAccounts.includes(settlement_account ?? ''),
  );
}
