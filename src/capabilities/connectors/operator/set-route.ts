import { presentRoute } from '#capabilities/connectors/operator/present.ts';
import { onConnector } from '#capabilities/connectors/registry.ts';
import {
  deleteRoute,
  findRoute,
  type NamedRoute,
  upsertRoute,
} from '#capabilities/connectors/registry-store.ts';
import type { RouteRow } from '#capabilities/connectors/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedValues } from '#foundation/audit/changed-values.ts';
import { isRail } from '#foundation/connector-protocol/capabilities.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isCountry } from '#foundation/lib/countries.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

interface RouteChange extends Omit<RouteRow, 'connector_id'> {
  /** The name of the connector. */
  readonly name: string;
  readonly reason: string;
}

/** The lowest number that fits an order wins. A route with a number that is used replaces the other one. */
export async function setRoute(tx: Tx, { name, reason, ...route }: RouteChange): Promise<void> {
  await requireRoute(tx, route);
  const { number, connector, ...filters } = presentRoute({ ...route, connector_id: '' }, name);
  const details = { route: number, ...filters };
  const before = await findRoute(runOf(tx), number);
  const changed = () => changedValues(before && presentNamed(before), { number, connector, ...filters });
  await onConnector(tx, 'connector route', { name, reason, ...details, changed }, (run, { id }) =>
    upsertRoute(run, { ...route, connector_id: id }),
  );
}

export async function removeRoute(
  tx: Tx,
  { number, reason }: { number: number; reason: string },
): Promise<void> {
  const before = await findRoute(runOf(tx), number);
  if (!(await deleteRoute(runOf(tx), number))) refuse('CONFLICT', `There is no route ${number}.`);
  const changed = changedValues(before && presentNamed(before), undefined);
  audit(tx, { action: 'connector route remove', details: { route: number, reason }, changed });
}

function presentNamed({ connector, ...route }: NamedRoute) {
  return presentRoute(route, connector);
}

const runOf =
  (tx: Tx): Run =>
  (piece) =>
    tx.query(piece);

/** A filter that nothing can meet is a mistake: what it was meant for would go elsewhere. */
async function requireRoute(tx: Tx, route: Omit<RouteRow, 'connector_id'>): Promise<void> {
  const { rail, currency, country, platform_id: platformId, least, most } = route;
  const faults: readonly (readonly [isRight: boolean, field: string, message: string])[] = [
    [rail === null || isRail(rail), 'rail', 'is not a rail or a network'],
    [currency === null || isCurrencyCode(currency), 'currency', 'is not a currency'],
    [country === null || isCountry(country), 'country', 'is not a country'],
    [least === null || most === null || least <= most, 'least', 'must not be more than the upper bound'],
    [platformId === null || (await isPlatform(tx, platformId)), 'platform', 'does not exist'],
  ];
  const errors = faults.flatMap(([isRight, field, message]) => (isRight ? [] : [{ field, message }]));
  if (errors.length > 0) throw invalidFields(errors);
}

async function isPlatform(tx: Tx, id: PlatformId): Promise<boolean> {
  return (await findPlatform(runOf(tx), id)) !== undefined;
}
