import {
  type ConnectorRow,
  isConnectorName,
  type PauseCause,
  type RouteRow,
} from '#capabilities/connectors/row.ts';
import type { Capabilities } from '#foundation/connector-protocol/capabilities.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

export const CONNECTOR_COLUMNS = sql`
  c.id, c.name, c.url, c.store, c.capabilities, c.capabilities_trouble, c.paused_because, c.paused_at, c.silences,
  c.down_since, c.cursor, c.events_read_at, c.capabilities_read_at, c.answered_at, c.silent_at, c.silence_why,
  c.client_certificate_until, c.created_at`;

/** All connectors that were not removed, by name. */
export function listConnectors(run: Run, condition: Sql = sql`true`): Promise<ConnectorRow[]> {
  return run<ConnectorRow>(sql`
    select ${CONNECTOR_COLUMNS} from connectors c where c.removed_at is null and ${condition} order by c.name`);
}

export async function findConnector(run: Run, name: string): Promise<ConnectorRow | undefined> {
  const [row] = isConnectorName(name) ? await listConnectors(run, sql`c.name = ${name}`) : [];
  return row;
}

/** Finds one that was not removed. */
export async function findConnectorById(run: Run, id: string): Promise<ConnectorRow | undefined> {
  const [row] = await listConnectors(run, sql`c.id = ${id}`);
  return row;
}

/** Locks it until the transaction ends. */
export async function lockConnector(run: Run, name: string): Promise<ConnectorRow | undefined> {
  if (!isConnectorName(name)) return undefined;
  const [row] = await run<ConnectorRow>(sql`
    select ${CONNECTOR_COLUMNS} from connectors c where c.removed_at is null and c.name = ${name} for update`);
  return row;
}

export function listRoutes(run: Run): Promise<RouteRow[]> {
  return run<RouteRow>(sql`
    select r.number, r.connector_id, r.rail, r.currency, r.kind, r.country, r.platform_id, r.least, r.most
      from connector_routes r order by r.number`);
}

/** A route with the name of its connector. */
export interface NamedRoute extends RouteRow {
  readonly connector: string;
}

export async function findRoute(run: Run, number: number): Promise<NamedRoute | undefined> {
  const [row] = await run<NamedRoute>(sql`
    select r.number, r.connector_id, r.rail, r.currency, r.kind, r.country, r.platform_id, r.least, r.most,
           c.name as connector
      from connector_routes r join connectors c on c.id = r.connector_id where r.number = ${number}`);
  return row;
}

/** Whether the installation has any route: without one, no order is looked at. */
export async function hasRoutes(run: Run): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(sql`select exists (select from connector_routes) as found`);
  return row?.found === true;
}

/** Whether the installation has any connector: without one, none has brought money. */
export async function hasConnectors(run: Run): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(sql`
    select exists (select from connectors where removed_at is null) as found`);
  return row?.found === true;
}

export interface Secrets {
  readonly key_id: string;
  readonly secret: Buffer;
  readonly next_key_id: string | null;
  readonly next_secret: Buffer | null;
  readonly next_from: Date | null;
  readonly next_alone_from: Date | null;
  readonly client_certificate: Buffer | null;
}

export async function loadSecrets(run: Run, id: string): Promise<Secrets> {
  const [row] = await run<Secrets>(sql`
    select c.key_id, c.secret, c.next_key_id, c.next_secret, c.next_from, c.next_alone_from,
           c.client_certificate
      from connectors c where c.id = ${id}`);
  if (!row) throw new Error(`no connector ${id}`);
  return row;
}

export interface NewConnector {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Null for a connector by files, which answers within this service. */
  readonly keyId: string | null;
  readonly secret: Buffer | null;
}

/** False if the name was used before. */
export async function insertConnector(run: Run, connector: NewConnector, now: Date): Promise<boolean> {
  const { id, name, url, keyId, secret } = connector;
  const rows = await run(sql`
    insert into connectors (id, name, url, key_id, secret, capabilities_due_at, events_due_at, created_at)
    values (${id}, ${name}, ${url}, ${keyId}, ${secret}, ${now}, ${now}, ${now})
        on conflict (name) do nothing
    returning id`);
  return rows.length > 0;
}

export async function setUrl(run: Run, id: string, url: string, now: Date): Promise<void> {
  await run(sql`update connectors set url = ${url}, capabilities_due_at = ${now} where id = ${id}`);
}

/** Null: it is shown no certificate from now on. */
export async function keepClientCertificate(
  run: Run,
  id: string,
  kept: { readonly sealed: Buffer; readonly until: Date } | null,
): Promise<void> {
  await run(sql`
    update connectors
       set client_certificate = ${kept?.sealed ?? null}, client_certificate_until = ${kept?.until ?? null}
     where id = ${id}`);
}

export async function removeConnector(run: Run, id: string, now: Date): Promise<void> {
  await run(sql`delete from connector_routes where connector_id = ${id}`);
  await run(sql`update connectors set removed_at = ${now} where id = ${id}`);
}

/** The items that have to end before a connector can be removed. */
export interface Unfinished {
  readonly orders: bigint;
  readonly requests: bigint;
  readonly events: bigint;
  readonly breaks: bigint;
}

/** Counts what is open at this connector: somebody has to hear how it ends. */
export async function countUnfinished(run: Run, id: string): Promise<Unfinished> {
  const [row] = await run<Unfinished>(sql`
    select (select count(*) from connector_orders
             where connector_id = ${id} and status in ('ROUTED', 'ASKED', 'TAKEN', 'CONFLICT')) as orders,
           (select count(*) from connector_requests
             where connector_id = ${id} and status in ('ASKED', 'TAKEN')) as requests,
           (select count(*) from connector_events where connector_id = ${id} and applied_at is null) as events,
           (select count(*) from connector_breaks where connector_id = ${id} and resolved_at is null) as breaks`);
  return row as Unfinished;
}

/** Pauses it, unless it is paused already; the first cause stays. Returns whether it was not paused. */
export async function pause(run: Run, id: string, because: PauseCause, now: Date): Promise<boolean> {
  const rows = await run(sql`
    update connectors set paused_because = ${because}, paused_at = ${now}
     where id = ${id} and paused_because is null
    returning id`);
  return rows.length > 0;
}

export async function resume(run: Run, id: string): Promise<void> {
  await run(sql`update connectors set paused_because = null, paused_at = null where id = ${id}`);
}

/** The next store that answers counts. The capabilities are read first: no order is sent to a store without a name. */
export async function forgetStore(run: Run, id: string, now: Date): Promise<void> {
  await run(sql`update connectors set store = null, capabilities_due_at = ${now} where id = ${id}`);
}

/** The events are read from the beginning. What another worker is reading now, is not stored. */
export async function forgetCursor(run: Run, id: string, now: Date): Promise<void> {
  await run(sql`
    update connectors set cursor = null, events_due_at = ${now}, reader = null, reader_until = null where id = ${id}`);
}

export async function setNextSecret(
  run: Run,
  id: string,
  next: { keyId: string; secret: Buffer; from: Date; aloneFrom: Date },
): Promise<void> {
  await run(sql`
    update connectors
       set next_key_id = ${next.keyId}, next_secret = ${next.secret}, next_from = ${next.from},
           next_alone_from = ${next.aloneFrom}
     where id = ${id}`);
}

/** Makes the next secret the only one. */
export async function adoptNextSecret(run: Run, id: string): Promise<void> {
  await run(sql`
    update connectors
       set key_id = next_key_id, secret = next_secret, next_key_id = null, next_secret = null, next_from = null,
           next_alone_from = null
     where id = ${id} and next_key_id is not null`);
}

/** Replaces all routes of this number. */
export async function upsertRoute(run: Run, route: RouteRow): Promise<void> {
  await run(sql`
    insert into connector_routes (number, connector_id, rail, currency, kind, country, platform_id, least, most)
    values (${route.number}, ${route.connector_id}, ${route.rail}, ${route.currency}, ${route.kind}, ${route.country},
            ${route.platform_id}, ${route.least}, ${route.most})
        on conflict (number) do update
       set connector_id = excluded.connector_id, rail = excluded.rail, currency = excluded.currency, kind = excluded.kind,
           country = excluded.country, platform_id = excluded.platform_id, least = excluded.least, most = excluded.most`);
}

export async function deleteRoute(run: Run, number: number): Promise<boolean> {
  return (await run(sql`delete from connector_routes where number = ${number} returning number`)).length > 0;
}

/** Remembers what the connector can do; the last good capabilities stay if these are faulty. */
export async function keepCapabilities(
  run: Run,
  id: string,
  found: { capabilities: Capabilities } | { trouble: string },
  { now, nextAt }: { now: Date; nextAt: Date },
): Promise<void> {
  if ('trouble' in found) {
    await run(sql`
      update connectors set capabilities_trouble = ${found.trouble}, capabilities_due_at = ${nextAt} where id = ${id}`);
    return;
  }
  await run(sql`
    update connectors
       set capabilities = ${JSON.stringify(found.capabilities)}::jsonb, capabilities_trouble = null,
           capabilities_read_at = ${now}, capabilities_due_at = ${nextAt}
     where id = ${id}`);
}

/** Connectors whose capabilities are due; they are leased by moving the time. */
export async function claimCapabilities(run: Run, now: Date, until: Date): Promise<ConnectorRow[]> {
  return run<ConnectorRow>(sql`
    update connectors c set capabilities_due_at = ${until}
     where c.id in (
       select id from connectors
        where removed_at is null and capabilities_due_at <= ${now} for update skip locked)
    returning ${CONNECTOR_COLUMNS}`);
}

/** connectors.md §2.7: keeps the first store. Returns the one that counts. */
export async function claimStore(run: Run, id: string, store: string): Promise<string> {
  const [row] = await run<{ store: string }>(sql`
    update connectors set store = coalesce(store, ${store}) where id = ${id} returning store`);
  return row?.store ?? store;
}

/** connectors.md §7.7: after so many silences in a row the connector is down. */
export const SILENCES_MAX = 5;

export async function countSilence(
  run: Run,
  id: string,
  { now, isDown, why }: { now: Date; isDown: boolean; why: string },
): Promise<void> {
  await run(sql`
    update connectors
       set silences = silences + 1, silent_at = ${now}, silence_why = ${why.slice(0, WHY_MAX)},
           down_since = case when ${isDown}::boolean or silences + 1 >= ${SILENCES_MAX}
                             then coalesce(down_since, ${now}) else down_since end
     where id = ${id}`);
}

const WHY_MAX = 500;
/** How exact the time of the last answer is. */
const ANSWERED_WITHIN_MS = 10_000;

/** A signed answer: the connector is up. Most answers change nothing. */
export async function countAnswer(run: Run, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ANSWERED_WITHIN_MS);
  await run(sql`
    update connectors set silences = 0, down_since = null, answered_at = ${now}
     where id = ${id}
       and (silences > 0 or down_since is not null or answered_at is null or answered_at <= ${before})`);
}

/** The pace of one connector, locked until the transaction ends; undefined if another worker is claiming its calls, or it was removed. */
export interface Pace {
  store: string | null;
  capabilities: Capabilities | null;
  down_since: Date | null;
  second: Date | null;
  second_orders: number;
}

export async function lockPace(run: Run, id: string): Promise<Pace | undefined> {
  const [row] = await run<Pace>(sql`
    select c.store, c.capabilities, c.down_since, c.second, c.second_orders from connectors c
     where c.id = ${id} and c.removed_at is null for no key update skip locked`);
  return row;
}

export async function keepPace(run: Run, id: string, second: Date, orders: number): Promise<void> {
  await run(sql`update connectors set second = ${second}, second_orders = ${orders} where id = ${id}`);
}
