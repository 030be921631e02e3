import { listOrders } from '#capabilities/connectors/order-store.ts';
import { listConnectors } from '#capabilities/connectors/registry-store.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import type { Item, Trail } from '#foundation/explanation/explanation.ts';
import { parseId } from '#foundation/lib/ids.ts';

/** The orders of a payment at connectors, for operators: platforms do not learn which banks are behind the service. */
export const orderTrail: Trail = async (tx, { explained, audience, itemsMax }) => {
  const id = parseId('Transaction', explained.id, 'full');
  if (audience !== 'OPERATOR' || id === undefined) return [];
  const orders = await listOrders(tx, id);
  if (orders.length === 0) return [];
  const connectors = await listConnectors((piece) => tx.query(piece));
  const names = new Map(connectors.map((connector) => [connector.id, connector.name]));
  return orders
    .flatMap((order) => itemsOf(order, names.get(order.connector_id ?? '') ?? 'a removed connector'))
    .slice(-itemsMax);
};

function itemsOf(order: OrderRow, connector: string): Item[] {
  const forOperators = { connector, settlementAccount: order.settlement_account, reference: order.reference };
  const item = (recordedAt: Date | null, title: string, more = {}): Item[] =>
    recordedAt === null
      ? []
      : [
          {
            kind: 'order',
            recordedAt,
            actor: { kind: 'PROVIDER' },
            title,
            forOperators: { ...forOperators, ...more },
          },
        ];
  if (order.status === 'BY_HAND') {
    return item(order.ended_at, 'No connector can take the order: its outcome is reported by hand.');
  }
  return [
    ...item(order.asked_at, `The order was sent to the connector ${connector}.`),
    ...item(order.acknowledged_at, `The connector ${connector} acknowledged the order.`),
    ...item(
      order.ended_at,
      `The order ended at the connector ${connector}: ${order.state ?? order.status}.`,
      {
        bankReference: order.bank_reference,
      },
    ),
    ...(order.status === 'ASKED' && order.silences > 0
      ? item(
          order.call_at,
          `The outcome is unknown: the connector ${connector} did not answer ${order.silences} calls, and is asked again.`,
        )
      : []),
  ];
}
