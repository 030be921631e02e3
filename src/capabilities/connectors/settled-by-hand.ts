import { listOrders } from '#capabilities/connectors/order-store.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import { settlingByHand } from '#capabilities/payments/announcements.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { refuse } from '#foundation/lib/refusals.ts';

const OPEN: readonly OrderRow['status'][] = ['ROUTED', 'ASKED', 'TAKEN', 'CONFLICT'];

/**
 * connectors.md §5.7: what a connector may carry out is not reported by hand, unless the operator insists. The payment is
 * locked, so no order is sent at this moment. An order that still waits for a route is dropped by the payment's end.
 */
export const connectorReactions: Subscription[] = [
  on(settlingByHand, async (tx, { transactionId, isInsisted }) => {
    if (isInsisted) return;
    const open = (await listOrders(tx, transactionId)).find(({ status }) => OPEN.includes(status));
    if (!open) return;
    const reason =
      'An order for this payment is open at a connector, which reports how it ends. --despite-connector overrides this.';
    refuse('CONFLICT', reason, { reference: open.reference, state: open.state ?? 'UNKNOWN' });
  }),
];
