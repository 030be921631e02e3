import Type from 'typebox';
import { findBreak } from '#capabilities/connectors/break-store.ts';
import { listOwners } from '#capabilities/connectors/credit-store.ts';
import {
  BREAK_LIST,
  CONNECTOR_LIST,
  EVENT_LIST,
  ORDER_LIST,
  presentAll,
} from '#capabilities/connectors/operator/connector-records.ts';
import { presentRoute, presentShownBreak } from '#capabilities/connectors/operator/present.ts';
import {
  ABOUT_CONNECTOR,
  BREAK_PARAMS,
  CONNECTOR_FIELDS,
  RouteRecord,
  ShownBreak,
  WAITING_FIELDS,
} from '#capabilities/connectors/operator/schemas.ts';
import { findConnector, listConnectors, listRoutes } from '#capabilities/connectors/registry-store.ts';
import { Capabilities } from '#foundation/connector-protocol/capabilities.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { recordOperations } from '#foundation/records/operations.ts';
import { PENDING_PROPOSALS } from '#foundation/records/show-operations.ts';

const READ = {
  area: 'Connectors',
  access: 'operator',
  operator: { roles: EVERY_ROLE, on: 'installation' },
} as const;

const RouteList = component('ConnectorRouteList', 'All routes in their order.', {
  data: Type.Array(RouteRecord, { description: 'The routes, the lowest number first.' }),
});

const ConnectorRecord = component('ConnectorRecord', 'A connector, what it can do, and its routes.', {
  ...CONNECTOR_FIELDS,
  ...WAITING_FIELDS,
  capabilities: Type.Union([Capabilities, Type.Null()], {
    description: 'The capabilities that the connector gave. Null: it has given none yet.',
  }),
  ...PENDING_PROPOSALS,
  routes: Type.Array(RouteRecord, { description: 'Its routes.' }),
  owners: Type.Array(
    component(
      'SettlementAccountOwned',
      'A settlement account, and the platform whose books hold its unclaimed money.',
      {
        settlementAccount: Type.String({ description: 'The settlement account.' }),
        platform: idSchema('Platform', { description: 'Its owner.' }),
      },
    ),
    { description: 'The owners of its settlement accounts. One without an owner takes no money in.' },
  ),
});

/** All routes, each with the name of its connector. */
export async function readRoutes(tx: ReadTx) {
  const run = tx.query.bind(tx);
  const names = new Map((await listConnectors(run)).map(({ id, name }) => [id, name]));
  return (await listRoutes(run)).map((row) => presentRoute(row, names.get(row.connector_id) ?? ''));
}

/** A connector with everything that operators see of it. */
export async function readConnector(tx: ReadTx, name: string) {
  const row = await findConnector(tx.query.bind(tx), name);
  if (!row) throw new Refusal('NOT_FOUND', `There is no connector ${name}.`);
  const [shown] = await presentAll(tx, [row]);
  const routes = (await readRoutes(tx)).filter(({ connector }) => connector === name);
  const owners = (await listOwners(tx.query.bind(tx), row.id)).map((owner) => ({
    settlementAccount: owner.settlement_account,
    platform: publicId('Platform', owner.platform_id),
  }));
  return { ...(shown as NonNullable<typeof shown>), capabilities: row.capabilities, routes, owners };
}

/** Reads of connectors by operators (connectors.md §9.1). */
export const connectorReads = [
  ...recordOperations([CONNECTOR_LIST, ORDER_LIST, EVENT_LIST, BREAK_LIST], []),
  operation('showConnector', {
    ...READ,
    operator: { ...READ.operator, ...ABOUT_CONNECTOR },
    route: 'GET /connectors/:name',
    summary: 'A connector with what it can do and its routes',
    params: { name: { text: 'The name of the connector.' } },
    reply: ConnectorRecord,
    codes: ['NOT_FOUND'],
    read: (tx, { params: { name } }) => readConnector(tx, name) as never,
  }),
  operation('listConnectorRoutes', {
    ...READ,
    route: 'GET /connector-routes',
    summary: 'The routes to connectors',
    description: 'All of them. The lowest number wins among those that fit.',
    reply: RouteList,
    codes: [],
    read: async (tx) => ({ data: await readRoutes(tx) }) as never,
  }),
  operation('showBreak', {
    ...READ,
    route: 'GET /breaks/:breakId',
    summary: 'A contradiction between the books and a connector or a bank',
    params: BREAK_PARAMS,
    reply: ShownBreak,
    codes: ['NOT_FOUND'],
    async read(tx, { params: { breakId } }) {
      const row = await findBreak(tx.query.bind(tx), breakId);
      if (!row) throw new Refusal('NOT_FOUND', 'There is no such break.');
      return presentShownBreak(row) as never;
    },
  }),
];
