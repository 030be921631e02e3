import {
  chooseOrigin,
  chooseRoute,
  type Route,
  type RouteChoice,
  type Wanted,
} from '#capabilities/connectors/choose-route.ts';
import { type DescribedOrder, describeOrder } from '#capabilities/connectors/order-body.ts';
import {
  endUnsent,
  listOrders,
  lockOrder,
  postponeRoute,
  routeOrder,
} from '#capabilities/connectors/order-store.ts';
import { listConnectors, listRoutes } from '#capabilities/connectors/registry-store.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import { peopleOf } from '#capabilities/payments/details.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { isCollecting, isPaying, type TransactionRow } from '#capabilities/payments/row.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { findTransaction, lockTransaction } from '#capabilities/payments/store.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { doublingDelayMs } from '#foundation/jobs/handlers.ts';

/** When an order looks for a route again, while all that fit are paused or down. The delay doubles, up to a minute. */
const WAIT_MS = 10_000;
const WAIT_MAX_MS = 60_000;

/** The context that an order's bytes are bound to. */
export function bodyContext(id: string): string {
  return `connector_orders.body:${id}`;
}

/**
 * Chooses a route for an order that has none, and commits connector, settlement account and bytes (connectors.md §4.1,
 * §8.2, §8.3). Nothing is sent here.
 */
export async function routeWaiting(work: Work, id: string): Promise<void> {
  await work.write(async (tx) => {
    const order = await lockOrder(tx, id);
    if (order?.status !== 'WAITING') return;
    const now = realNow(tx);
    // Locked, so that the payment is not settled by hand at this moment.
    const row = await lockTransaction(tx, order.transaction_id);
    if (!needsOrder(row, order.kind) || order.is_cancelled) return endUnwanted(tx, order, now);
    const described = await describeOrder(tx, row, order.kind);
    const choice = described ? await choose(tx, described, await listUsed(tx, order)) : 'none';
    const wait = doublingDelayMs(WAIT_MS, WAIT_MAX_MS, order.silences + 1);
    if (choice === 'waits') return postponeRoute(tx.query.bind(tx), order, new Date(now.getTime() + wait));
    if (choice === 'none') return withoutRoute(tx, order, now);
    if (described) await commitRoute(tx, { order, row, described, route: choice.route, now });
  });
}

/** The platform cancelled the order, or the payment has ended: no connector gets it. */
async function endUnwanted(
  tx: Tx,
  { id, kind, is_cancelled, transaction_id }: OrderRow,
  now: Date,
): Promise<void> {
  await endUnsent(tx, id, 'ENDED', now);
  if (!is_cancelled || kind === 'REFUND') return;
  await receiveReports(tx, [{ reference: transaction_id, notices: [{ kind: 'cancelled' }] }]);
}

export function realNow({ runtime }: Pick<ReadTx, 'runtime'>): Date {
  return new Date(runtime.clock.now());
}

/** Whether a payment still depends on an order of this kind. */
export function needsOrder(row: TransactionRow, kind: OrderKind): boolean {
  if (kind === 'PAYOUT') return isPaying(row);
  return kind === 'COLLECTION' ? isCollecting(row) : row.refund_status === 'PENDING';
}

async function choose(
  tx: ReadTx,
  { wanted, origin }: DescribedOrder,
  excluded: Wanted['excluded'],
): Promise<RouteChoice> {
  const run = tx.query.bind(tx);
  const byId = new Map((await listConnectors(run)).map((connector) => [connector.id, connector]));
  const all = { ...wanted, excluded };
  return origin ? chooseOrigin(all, origin, byId) : chooseRoute(all, await listRoutes(run), byId);
}

/** Connectors that have had the order: one reference is one order there, for ever. */
async function listUsed(tx: ReadTx, order: OrderRow): Promise<Wanted['excluded']> {
  const orders = await listOrders(tx, order.transaction_id);
  const had = orders.filter(({ id, reference }) => reference === order.reference && id !== order.id);
  return new Set(had.flatMap(({ connector_id: id }) => id ?? []));
}

/**
 * No connector can take it: the operator is the rail. After a connector has refused it and cancelled it for good, the
 * payment fails (connectors.md §5.4).
 */
async function withoutRoute(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  const orders = await listOrders(tx, order.transaction_id);
  const wasRefused = orders.some(
    ({ reference, status }) => reference === order.reference && status === 'LEFT',
  );
  await endUnsent(tx, order.id, wasRefused ? 'ENDED' : 'BY_HAND', now);
  const row = await findTransaction(tx, order.transaction_id);
  const notice = wasRefused ? REFUSED[order.kind] : order.kind === 'PAYOUT' ? ACCEPTED : undefined;
  if (!notice || (notice === ACCEPTED && row?.status !== 'PENDING')) return;
  await receiveReports(tx, [{ reference: order.transaction_id, notices: [notice] }]);
}

const ACCEPTED = { kind: 'accepted' } as const;

/** The end of an order that no connector takes. */
const REFUSED: Readonly<Record<OrderKind, PaymentNotice>> = {
  PAYOUT: { kind: 'payoutFailed', reason: 'QUOTE_EXECUTION_FAILED' },
  COLLECTION: { kind: 'collectionFailed' },
  REFUND: { kind: 'refundFailed' },
};

interface ChosenRoute {
  readonly order: OrderRow;
  readonly row: TransactionRow;
  readonly described: DescribedOrder;
  readonly route: Route;
  readonly now: Date;
}

async function commitRoute(tx: Tx, { order, row, described, route, now }: ChosenRoute): Promise<void> {
  const { connector, capability, settlementAccount } = route;
  const body = described.write(capability, settlementAccount);
  const sealed = tx.vault.sealFor(peopleOf(row), body, bodyContext(order.id));
  await routeOrder(
    tx,
    order.id,
    { connectorId: connector.id, settlementAccount, rail: capability.rail, body: sealed },
    now,
  );
}

/** Whether a connector other than its own could take the order now. */
export async function hasOtherRoute(tx: ReadTx, order: OrderRow): Promise<boolean> {
  const row = await findTransaction(tx, order.transaction_id);
  const described = row && (await describeOrder(tx, row, order.kind));
  if (!described || order.connector_id === null) return false;
  const used = new Set([...(await listUsed(tx, order)), order.connector_id]);
  return typeof (await choose(tx, described, used)) === 'object';
}
