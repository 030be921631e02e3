import {
  chooseRoute,
  type Route,
  type RouteChoice,
  type Wanted,
} from '#capabilities/connectors/choose-route.ts';
import { type DescribedPayout, describePayout } from '#capabilities/connectors/order-body.ts';
import {
  endUnsent,
  listOrders,
  lockOrder,
  postponeRoute,
  routeOrder,
} from '#capabilities/connectors/order-store.ts';
import { listConnectors, listRoutes } from '#capabilities/connectors/registry-store.ts';
import type { OrderRow } from '#capabilities/connectors/row.ts';
import { loadPrivate, openPrivate, peopleOf } from '#capabilities/payments/details.ts';
import { isPaying, type TransactionRow } from '#capabilities/payments/row.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { buildPayout } from '#capabilities/payments/settlement/orders.ts';
import { findTransaction, lockTransaction } from '#capabilities/payments/store.ts';
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
    if (!isPaying(row) || order.is_cancelled) return endUnwanted(tx, order, now);
    const described = await describe(tx, row);
    const choice = described ? await choose(tx, described, order) : 'none';
    const wait = doublingDelayMs(WAIT_MS, WAIT_MAX_MS, order.silences + 1);
    if (choice === 'waits') return postponeRoute(tx.query.bind(tx), order, new Date(now.getTime() + wait));
    if (choice === 'none') return withoutRoute(tx, order, now);
    if (described) await commitRoute(tx, { order, row, described, route: choice.route, now });
  });
}

/** The platform cancelled the order, or the payment has ended: no connector gets it. */
async function endUnwanted(tx: Tx, { id, is_cancelled, transaction_id }: OrderRow, now: Date): Promise<void> {
  await endUnsent(tx, id, 'ENDED', now);
  if (!is_cancelled) return;
  await receiveReports(tx, [{ reference: transaction_id, notices: [{ kind: 'cancelled' }] }]);
}

export function realNow({ runtime }: Pick<ReadTx, 'runtime'>): Date {
  return new Date(runtime.clock.now());
}

async function describe(tx: ReadTx, row: TransactionRow): Promise<DescribedPayout | undefined> {
  if (row.kind === 'UMA') return undefined;
  await loadPrivate(tx, [row]);
  return describePayout(tx, buildPayout(openPrivate(tx.vault, row), row));
}

async function choose(tx: ReadTx, { wanted }: DescribedPayout, order: OrderRow): Promise<RouteChoice> {
  const run = tx.query.bind(tx);
  const [connectors, routes] = [await listConnectors(run), await listRoutes(run)];
  const byId = new Map(connectors.map((connector) => [connector.id, connector]));
  return chooseRoute({ ...wanted, excluded: await excluded(tx, order) }, routes, byId);
}

/** Connectors that have had the order: one reference is one order there, for ever. */
async function excluded(tx: ReadTx, order: OrderRow): Promise<Wanted['excluded']> {
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
  const notice = wasRefused
    ? ({ kind: 'payoutFailed', reason: 'QUOTE_EXECUTION_FAILED' } as const)
    : ({ kind: 'accepted' } as const);
  const row = await findTransaction(tx, order.transaction_id);
  if (notice.kind === 'accepted' && row?.status !== 'PENDING') return;
  await receiveReports(tx, [{ reference: order.transaction_id, notices: [notice] }]);
}

interface ChosenRoute {
  readonly order: OrderRow;
  readonly row: TransactionRow;
  readonly described: DescribedPayout;
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
  const described = row && (await describe(tx, row));
  if (!described || order.connector_id === null) return false;
  const run = tx.query.bind(tx);
  const [connectors, routes] = [await listConnectors(run), await listRoutes(run)];
  const used = new Set([...(await excluded(tx, order)), order.connector_id]);
  const byId = new Map(connectors.map((connector) => [connector.id, connector]));
  return typeof chooseRoute({ ...described.wanted, excluded: used }, routes, byId) === 'object';
}
