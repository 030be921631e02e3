import { changeOrder, endUnsent, lockOrders, wishCancelled } from '#capabilities/connectors/order-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import { settlingByHand } from '#capabilities/payments/announcements.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { refuse } from '#foundation/lib/refusals.ts';

const OPEN: readonly OrderRow['status'][] = ['ROUTED', 'ASKED', 'TAKEN', 'CONFLICT'];

/**
 * connectors.md §5.7: what a connector may carry out is not reported by hand, unless the operator insists. From then on no
 * order of the payment is sent: what was not sent ends, and so does what the connector has under another content. It is asked
 * to cancel the rest.
 */
export const connectorReactions: Subscription[] = [
  on(settlingByHand, async (tx, { transactionId, isInsisted }) => {
    const orders = await lockOrders(tx, transactionId);
    const open = orders.find(({ status }) => OPEN.includes(status));
    if (open && !isInsisted) {
      const reason =
        'An order for this payment is open at a connector, which reports how it ends. --despite-connector overrides this.';
      refuse('CONFLICT', reason, { reference: open.reference, state: open.state ?? 'UNKNOWN' });
    }
    for (const { id, status } of orders) {
      if (status === 'WAITING' || status === 'ROUTED') await endUnsent(tx, id, 'ENDED', realNow(tx));
      if (status === 'CONFLICT')
        await changeOrder(tx, id, { status: 'ENDED', call: null, call_at: null, ended_at: realNow(tx) });
      if (status === 'ASKED' || status === 'TAKEN') await wishCancelled(tx, id, realNow(tx));
    }
  }),
];
