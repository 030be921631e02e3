import { startCancel } from '#capabilities/connectors/cancel-order.ts';
import { orderReference, orderReferences } from '#capabilities/connectors/order-reference.ts';
import { findOrdersAt, placeOrder } from '#capabilities/connectors/order-store.ts';
import { recordAnswer } from '#capabilities/connectors/record-answer.ts';
import { hasConnectors, hasRoutes } from '#capabilities/connectors/registry-store.ts';
import { type ConnectorClient, outcomeOf } from '#edge/providers/connectors/client.ts';
import { CANCEL_MAX_MS } from '#edge/providers/connectors/settings.ts';
import { ORDER_KINDS, type OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type {
  CancelAnswer,
  Collection,
  Payout,
  RailAnswer,
  RailsPort,
  RefundOrder,
} from '#foundation/ports/payments.ts';

export interface ConnectorRailsParts {
  readonly client: ConnectorClient;
  /** Built after the ports. */
  runtime(): Runtime;
}

/** How often a payment looks whether its order is still open; until then no person has to report its outcome. */
const WATCH_MS = 900_000;
const TOKENS: Readonly<Record<OrderKind, string>> = {
  PAYOUT: 'connector',
  COLLECTION: 'connector COLLECTION',
  REFUND: 'connector REFUND',
};

/**
 * Payouts and collections go through connectors as soon as the installation has a route, and refunds as soon as it has a
 * connector; everything else, and what no connector can take, goes to the rails behind (connectors.md §8). An order is
 * only stored here: the worker of connectors sends it.
 */
export function connectorRails(parts: ConnectorRailsParts, behind: RailsPort): RailsPort {
  return {
    ...behind,
    pay: (payout) =>
      payout.to.kind === 'EXTERNAL' ? placeRouted(parts, 'PAYOUT', payout, behind.pay) : behind.pay(payout),
    collect: (collection) => placeRouted(parts, 'COLLECTION', collection, behind.collect),
    async refund(refund) {
      const isOutside = refund.to === 'ORIGIN' && (await hasConnectors(parts.runtime().database.query));
      return isOutside ? place(parts, 'REFUND', refund) : behind.refund(refund);
    },
    async follow(reference, token) {
      const kind = ORDER_KINDS.find((one) => TOKENS[one] === token);
      if (!kind) return behind.follow(reference, token);
      const found = await findOrdersAt(parts.runtime().database.query, [orderReference(kind, reference)]);
      return found?.isOpen === true ? watched(kind) : { notices: [] };
    },
    cancel: (reference) => cancel(parts, reference),
  };
}

function watched(kind: OrderKind): RailAnswer {
  return { notices: [], again: { afterMs: WATCH_MS, token: TOKENS[kind] } };
}

type Placeable = Payout | Collection | RefundOrder;

/** A repeated call finds the order that it placed, whatever became of the routes. */
async function placeRouted<Given extends Placeable>(
  parts: ConnectorRailsParts,
  kind: OrderKind,
  given: Given,
  behind: (given: Given) => Promise<RailAnswer>,
): Promise<RailAnswer> {
  const { database } = parts.runtime();
  const isRouted =
    (await hasRoutes(database.query)) ||
    (await findOrdersAt(database.query, [orderReference(kind, given.reference)])) !== undefined;
  return isRouted ? place(parts, kind, given) : behind(given);
}

async function place(
  parts: ConnectorRailsParts,
  kind: OrderKind,
  { reference: transactionId, platformId, amount, currency, originator }: Placeable,
): Promise<RailAnswer> {
  const { database, clock, wakeWorker } = parts.runtime();
  const order = {
    ...{ platformId, id: newUuid() as string, reference: orderReference(kind, transactionId), transactionId },
    ...{ customerId: originator.customerId, kind, amount, currency },
  };
  await placeOrder(database.query, order, new Date(clock.now()));
  wakeWorker();
  return watched(kind);
}

/** connectors.md §5.5, §5.6. */
async function cancel(parts: ConnectorRailsParts, reference: TransactionId): Promise<CancelAnswer> {
  const runtime = parts.runtime();
  const found = await findOrdersAt(runtime.database.query, orderReferences(reference));
  const platform = found && (await findPlatform(runtime.database.query, found.platformId));
  if (!platform) return 'refused';
  const work = new Work(runtime, platform, { kind: 'worker', id: 'connectors' });
  const step = await work.write((tx) => startCancel(tx, reference));
  if ('answer' in step) return step.answer;
  const { order, connector } = step;
  const result = await parts.client.call(connector, 'cancelOrder', {
    parameters: { reference: order.reference },
    timeoutMs: CANCEL_MAX_MS,
  });
  const outcome = outcomeOf(result, order.reference);
  // The request that cancels the payment applies the notice; if it ends before, it is repeated and finds the order ended.
  const after = await work.write((tx) =>
    recordAnswer(tx, connector, { order, call: 'CANCEL' }, outcome, { withNotices: false }),
  );
  if (after?.state === 'CANCELLED') return 'accepted';
  // A connector that no longer knows the order says that it is cancelled, which does not count.
  return outcome.kind === 'report' && outcome.report.state !== 'CANCELLED' ? 'refused' : 'unknown';
}
