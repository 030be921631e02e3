import type { Origin } from '#capabilities/connectors/origin.ts';
import type { ConnectorRow, RouteKind, RouteRow } from '#capabilities/connectors/row.ts';
import type { Capabilities, OrderKind, RailCapability } from '#foundation/connector-protocol/capabilities.ts';

/** What an order asks of a route. */
export interface Wanted {
  readonly kind: OrderKind;
  readonly rail: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly country: string | undefined;
  readonly platformId: PlatformId;
  /** The facts on file that a rail may ask for (connectors.md §4.5). */
  readonly onFile: ReadonlySet<string>;
  /** Connectors at which the order's reference is used up. */
  readonly excluded: ReadonlySet<string>;
}

export interface Route {
  readonly connector: ConnectorRow;
  readonly capability: RailCapability;
  readonly settlementAccount: string;
}

/** `waits`: those that fit are paused or down, or have not said yet what they can do. `none`: no connector can take it. */
export type RouteChoice = { readonly route: Route } | 'waits' | 'none';

/** The lowest route wins whose connector can take the order and is neither paused nor down (connectors.md §8.2, §8.3). */
export function chooseRoute(
  wanted: Wanted,
  routes: readonly RouteRow[],
  connectors: ReadonlyMap<string, ConnectorRow>,
): RouteChoice {
  const own = routes.filter((route) => fitsRoute(wanted, route));
  const fitting = own
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ connector_id: id }) => {
      const connector = connectors.get(id);
      const capability = connector && findCapability(wanted, connector);
      const settlementAccount = capability?.settlementAccounts[0];
      return connector && capability && settlementAccount !== undefined
        ? [{ connector, capability, settlementAccount }]
        : [];
    });
  const open = fitting.find(({ connector }) => takesOrders(connector));
  if (open) return { route: open };
  // A connector that never said what it can do may be able to take it.
  const isUnknown = own.some(({ connector_id: id }) => connectors.get(id)?.capabilities === null);
  return fitting.length > 0 || isUnknown ? 'waits' : 'none';
}

/** connectors.md §8.4: a refund takes no other way than the one on which its money came. `none`: it is by hand. */
export function chooseOrigin(
  wanted: Wanted,
  { connectorId, settlementAccount }: Origin,
  connectors: ReadonlyMap<string, ConnectorRow>,
): RouteChoice {
  const connector = connectors.get(connectorId);
  if (!connector || wanted.excluded.has(connectorId)) return 'none';
  if (connector.capabilities === null) return 'waits';
  const capability = findCapability(wanted, connector);
  if (!capability?.settlementAccounts.includes(settlementAccount)) return 'none';
  return takesOrders(connector) ? { route: { connector, capability, settlementAccount } } : 'waits';
}

export function takesOrders({ paused_because, down_since }: ConnectorRow): boolean {
  return paused_because === null && down_since === null;
}

/** Requests that a connector may serve besides orders (connectors.md §8.2). */
export interface WantedService {
  readonly kind: Exclude<RouteKind, OrderKind>;
  readonly currency: string;
  readonly platformId: PlatformId;
  /** Whether these capabilities have it. */
  isIn(capabilities: Capabilities): boolean;
}

/** Connectors in the order of their routes that say they can do it, or have not said yet what they can do. */
export function listServing(
  wanted: WantedService,
  routes: readonly RouteRow[],
  connectors: ReadonlyMap<string, ConnectorRow>,
): ConnectorRow[] {
  return routes
    .filter((route) => servesRoute(wanted, route))
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ connector_id: id }) => connectors.get(id) ?? [])
    .filter(({ capabilities }) => capabilities === null || wanted.isIn(capabilities));
}

/** A route for orders of one rail, country or amount is only for orders. */
function servesRoute({ kind, currency, platformId }: WantedService, route: RouteRow): boolean {
  const isForOrders = [route.rail, route.country, route.least, route.most].some((filter) => filter !== null);
  return (
    !isForOrders &&
    fits(route.kind, kind) &&
    fits(route.currency, currency) &&
    fits(route.platform_id, platformId)
  );
}

function fitsRoute(wanted: Wanted, route: RouteRow): boolean {
  return (
    fits(route.rail, wanted.rail) &&
    fits(route.currency, wanted.currency) &&
    fits(route.kind, wanted.kind) &&
    fits(route.country, wanted.country) &&
    fits(route.platform_id, wanted.platformId) &&
    (route.least === null || wanted.amount >= route.least) &&
    (route.most === null || wanted.amount <= route.most) &&
    !wanted.excluded.has(route.connector_id)
  );
}

function fits<Value>(asked: Value | null, has: Value | undefined): boolean {
  return asked === null || asked === has;
}

function findCapability(wanted: Wanted, { capabilities }: ConnectorRow): RailCapability | undefined {
  return capabilities?.rails.find(
    ({ rail, currency, kinds, countries, min, max, needs = [] }) =>
      rail === wanted.rail &&
      currency === wanted.currency &&
      kinds.includes(wanted.kind) &&
      // A refund goes back to where its money came from.
      (wanted.kind === 'REFUND' ||
        countries === undefined ||
        (wanted.country !== undefined && countries.includes(wanted.country))) &&
      (min === undefined || wanted.amount >= BigInt(min)) &&
      (max === undefined || wanted.amount <= BigInt(max)) &&
      needs.every((fact) => wanted.onFile.has(fact)),
  );
}
