import { startCancel } from '#capabilities/connectors/cancel-order.ts';
import { findOrdersOf, placeOrder } from '#capabilities/connectors/order-store.ts';
import { recordAnswer } from '#capabilities/connectors/record-answer.ts';
import { hasRoutes } from '#capabilities/connectors/registry-store.ts';
import { type ConnectorClient, outcomeOf } from '#edge/providers/connectors/client.ts';
import { CANCEL_MAX_MS } from '#edge/providers/connectors/settings.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { CancelAnswer, Payout, RailAnswer, RailsPort } from '#foundation/ports/payments.ts';

export interface ConnectorRailsParts {
  readonly client: ConnectorClient;
  /** Built after the ports. */
  runtime(): Runtime;
}

/** How often a payment looks whether its order is still open; until then no person has to report its outcome. */
const WATCH_MS = 900_000;
const TOKEN = 'connector';

/**
 * Payouts go through connectors as soon as the installation has a route; everything else, and what no connector can
 * take, goes to the rails behind (connectors.md §8). An order is only stored here: the worker of connectors sends it.
 */
export function connectorRails(parts: ConnectorRailsParts, behind: RailsPort): RailsPort {
  return {
    ...behind,
    async pay(payout) {
      if (payout.to.kind !== 'EXTERNAL') return behind.pay(payout);
      const { database } = parts.runtime();
      const isRouted =
        (await hasRoutes(database.query)) ||
        (await findOrdersOf(database.query, payout.reference)) !== undefined;
      return isRouted ? place(parts, payout) : behind.pay(payout);
    },
    async follow(reference, token) {
      if (token !== TOKEN) return behind.follow(reference, token);
      const found = await findOrdersOf(parts.runtime().database.query, reference);
      return found?.isOpen === true ? WATCHED : { notices: [] };
    },
    cancel: (reference) => cancel(parts, reference),
  };
}

const WATCHED: RailAnswer = { notices: [], again: { afterMs: WATCH_MS, token: TOKEN } };

async function place(parts: ConnectorRailsParts, payout: Payout): Promise<RailAnswer> {
  const { database, clock, wakeWorker } = parts.runtime();
  const { reference, platformId, amount, currency, originator } = payout;
  const order = {
    ...{ platformId, id: newUuid() as string, reference, transactionId: reference },
    ...{ customerId: originator.customerId, kind: 'PAYOUT' as const, amount, currency },
  };
  await placeOrder(database.query, order, new Date(clock.now()));
  wakeWorker();
  return WATCHED;
}

/** connectors.md §5.5, §5.6. */
async function cancel(parts: ConnectorRailsParts, reference: TransactionId): Promise<CancelAnswer> {
  const runtime = parts.runtime();
  const found = await findOrdersOf(runtime.database.query, reference);
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
