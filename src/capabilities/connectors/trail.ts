import { type CreditRow, findCreditOf } from '#capabilities/connectors/credit-store.ts';
import { listOrders } from '#capabilities/connectors/order-store.ts';
import { listConnectors } from '#capabilities/connectors/registry-store.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import type { Item, Trail } from '#foundation/explanation/explanation.ts';
import { parseId } from '#foundation/lib/ids.ts';

/**
 * The orders of a payment at connectors and the credit that brought its money, for operators: platforms do not learn which
 * banks are behind the service.
 */
export const orderTrail: Trail = async (tx, { explained, audience, itemsMax }) => {
  const id = parseId('Transaction', explained.id, 'full');
  if (audience !== 'OPERATOR' || id === undefined) return [];
  const orders = await listOrders(tx, id);
  const credit = await findCreditOf(tx, id);
  if (orders.length === 0 && !credit) return [];
  const connectors = await listConnectors((piece) => tx.query(piece));
  const names = new Map(connectors.map((connector) => [connector.id, connector.name]));
  const nameOf = (connectorId: string | null) => names.get(connectorId ?? '') ?? 'a removed connector';
  const items = orders.flatMap((order) => itemsOf(order, nameOf(order.connector_id)));
  return [...(credit ? itemsOfCredit(credit, nameOf(credit.connector_id)) : []), ...items].slice(-itemsMax);
};

/** Money that came in. The audit log has rows about what a person booked for it. */
function itemsOfCredit(credit: CreditRow, connector: string): Item[] {
  const { credit_id: creditId, settlement_account: settlementAccount, received_at, reversed_at } = credit;
  const item = (recordedAt: Date, title: string): Item => ({
    kind: 'message',
    recordedAt,
    actor: { kind: 'PROVIDER' },
    title,
    forOperators: { connector, settlementAccount, credit: creditId },
  });
  return [
    item(received_at, `The connector ${connector} reported that the money came in.`),
    ...(reversed_at
      ? [item(reversed_at, `The connector ${connector} reported that the bank took it back.`)]
      : []),
  ];
}

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
