import Type from 'typebox';
import { careChanges } from '#capabilities/connectors/operator/care-for-break.ts';
import {
  CERTIFICATE_FIELDS,
  readGivenCertificate,
} from '#capabilities/connectors/operator/client-certificate.ts';
import { presentConnector, presentShownBreak } from '#capabilities/connectors/operator/present.ts';
import {
  ABOUT_CONNECTOR,
  BREAK_PARAMS,
  BreakReply,
  connectorNamed,
} from '#capabilities/connectors/operator/schemas.ts';
import { removeRoute, setRoute } from '#capabilities/connectors/operator/set-route.ts';
import {
  addConnector,
  closeBreak,
  pauseConnector,
  removeOne,
  resumeConnector,
  rewindEvents,
  rotateSecret,
  setConnector,
} from '#capabilities/connectors/registry.ts';
import { type ConnectorRow, ROUTE_KINDS } from '#capabilities/connectors/row.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { masked } from '#foundation/records/mask.ts';

const WORDS = { area: 'Connectors', roles: ['treasury'], on: 'installation' } as const;
/** Money takes another way afterwards, or a secret becomes known. */
const TWO = { two: 'always', asksFirst: true } as const;
const SECRET = { key: 'optional', secretReply: true } as const;
const ONE = { ...ABOUT_CONNECTOR, params: { name: { text: 'The name of the connector.' } } } as const;

const name = masked(
  'none',
  Type.String({ minLength: 1, maxLength: 32, description: 'Its name: a–z, 0–9 and -.' }),
);
const url = masked(
  'none',
  Type.String({ minLength: 1, maxLength: 2_000, description: 'The URL below which it is called.' }),
);
const filter = (description: string) =>
  Type.Optional(masked('none', Type.String({ minLength: 1, maxLength: 40, description })));
const bound = (description: string) =>
  Type.Optional(masked('none', Type.String({ pattern: '^(0|[1-9][0-9]{0,15})$', description })));
const flag = (description: string) =>
  Type.Optional(masked('none', Type.Boolean({ description, default: false })));
const number = masked(
  'none',
  Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The number of the route.' }),
);

/** Returns the subject of a proposal. Another connector or route can be proposed meanwhile. */
const about =
  (word: string, field: string) =>
  ({ body }: { readonly body: unknown }) =>
    isObject(body) ? `${word} ${String(body[field])}` : undefined;

const ConnectorSecret = component('ConnectorSecret', 'A new secret of a connector, shown only here.', {
  keyId: Type.String({ description: 'The id of its key, `ConnectorKey:…`.' }),
  secret: Type.String({ description: 'The secret in base64.' }),
});

/** Without its state, which may change before a proposal is approved. */
const ChangedConnector = component('ChangedConnector', 'A connector after an operator’s change.', {
  name: Type.String({ description: 'Its name.' }),
  url: Type.String({ description: 'The URL below which it is called, without credentials.' }),
});

const nowOf = ({ runtime }: Tx) => new Date(runtime.clock.now());

function presentChanged(row: ConnectorRow) {
  const { name: called, url: at } = presentConnector(row);
  return { name: called, url: at };
}

const registry = [
  operatorChange('addConnector', {
    ...WORDS,
    ...TWO,
    route: 'POST /connectors',
    summary: 'Add a connector',
    description:
      'Adds a connector and makes its secret, which is shown only here. It gets no orders before a route names it.',
    subject: about('connector', 'name'),
    fields: { name, url },
    idempotency: SECRET,
    reply: ConnectorSecret,
    codes: ['CONFLICT', 'INVALID_INPUT'],
    change: (tx, { body }) => addConnector(tx, body),
  }),
  operatorChange('setConnector', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /connectors/:name/set',
    summary: 'Change the URL or the client certificate of a connector',
    description:
      'From now on calls the connector at another URL, or shows it another client certificate. Its secret and its orders stay.',
    fields: { url: Type.Optional(url), ...CERTIFICATE_FIELDS },
    reply: ChangedConnector,
    codes: ['NOT_FOUND', 'INVALID_INPUT', 'CONFLICT'],
    async change(tx, { params, body: { url: at, reason, ...given } }) {
      const clientCertificate = readGivenCertificate(given, { isAlone: at === undefined, now: nowOf(tx) });
      return presentChanged(await setConnector(tx, { ...params, reason, url: at, clientCertificate }));
    },
  }),
  operatorChange('removeConnector', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /connectors/:name/remove',
    summary: 'Remove a connector',
    description:
      'Removes a connector where nothing waits, with its routes. Its name cannot be used again, because the books contain it.',
    reply: component('RemovedConnector', 'A connector that was removed.', {
      name: Type.String({ description: 'Its name.' }),
    }),
    codes: ['NOT_FOUND', 'CONFLICT'],
    async change(tx, { params, body }) {
      await removeOne(tx, { ...params, ...body });
      return { name: params.name };
    },
  }),
  operatorChange('rotateConnectorSecret', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /connectors/:name/rotate-secret',
    summary: 'Rotate the secret of a connector',
    description:
      'Makes a new secret, which is shown only here. It signs after a day, and the old one no longer counts after two. With ' +
      '`immediately` both happen at once, and the connector refuses every call until it knows the new secret.',
    fields: { immediately: flag('Whether the old secret no longer counts from now on.') },
    idempotency: SECRET,
    reply: ConnectorSecret,
    codes: ['NOT_FOUND', 'CONFLICT'],
    change: (tx, { params, body }) => rotateSecret(tx, { ...params, ...body }),
  }),
];

/** The conditions of a route. */
const FILTERS = {
  rail: filter('Orders over this rail only.'),
  currency: filter('Orders in this currency only.'),
  kind: Type.Optional(masked('none', stringEnum(ROUTE_KINDS, { description: 'Orders of this kind only.' }))),
  country: filter('Accounts in this country only.'),
  platform: Type.Optional(
    masked('none', idSchema('Platform', { description: 'Orders of this platform only.' })),
  ),
  least: bound('From this amount on, in the smallest unit.'),
  most: bound('Up to this amount, in the smallest unit.'),
};

const RouteReply = component('ChangedRoute', 'A route that an operator set or removed.', {
  number: Type.Integer({ description: 'Its number.' }),
});

const routes = [
  operatorChange('setConnectorRoute', {
    ...WORDS,
    ...TWO,
    route: 'POST /connector-routes',
    summary: 'Set a route',
    description:
      'Sends what fits to a connector. The lowest number that fits wins; a route with the same number is replaced.',
    subject: about('route', 'number'),
    resource: ({ body }) => (isObject(body) ? connectorNamed(String(body.connector)) : undefined),
    fields: {
      ...{ connector: name, number },
      ...FILTERS,
    },
    reply: RouteReply,
    codes: ['NOT_FOUND', 'INVALID_INPUT'],
    async change(tx, { body: { connector, number: place, reason, platform, ...given } }) {
      const { rail = null, currency = null, kind = null, country = null, least, most } = given;
      await setRoute(tx, {
        ...{ name: connector, number: place, reason, rail, currency, kind, country },
        platform_id: (platform !== undefined && parseId('Platform', platform)) || null,
        least: least === undefined ? null : BigInt(least),
        most: most === undefined ? null : BigInt(most),
      });
      return { number: place };
    },
  }),
  operatorChange('removeConnectorRoute', {
    ...WORDS,
    ...TWO,
    route: 'POST /connector-routes/remove',
    summary: 'Remove a route',
    description: 'Its orders take the next route that fits, or wait for an operator.',
    subject: about('route', 'number'),
    settings: { connector: name, ...FILTERS },
    fields: { number },
    reply: RouteReply,
    codes: ['CONFLICT'],
    async change(tx, { body }) {
      await removeRoute(tx, body);
      return { number: body.number };
    },
  }),
];

const stopping = [
  operatorChange('pauseConnector', {
    ...WORDS,
    ...ONE,
    route: 'POST /connectors/:name/pause',
    summary: 'Pause a connector',
    description:
      'Sends it no new orders. Everything else goes on: it is asked about its orders, and its events are read.',
    reply: ChangedConnector,
    codes: ['NOT_FOUND', 'CONFLICT'],
    change: async (tx, { params, body }) => presentChanged(await pauseConnector(tx, { ...params, ...body })),
  }),
  operatorChange('resumeConnector', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /connectors/:name/resume',
    summary: 'Resume a connector',
    description:
      'Sends it orders again. If it answers from another store than before, `newStore` says that its records are complete; it ' +
      'is then asked about every open order.',
    fields: { newStore: flag('Whether its records are complete, although it answers from another store.') },
    reply: ChangedConnector,
    codes: ['NOT_FOUND', 'CONFLICT'],
    change: async (tx, { params, body }) => presentChanged(await resumeConnector(tx, { ...params, ...body })),
  }),
  operatorChange('rewindConnector', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /connectors/:name/rewind',
    summary: 'Read the events of a connector again',
    description: 'Reads its events from the beginning. Those that were applied change nothing.',
    reply: ChangedConnector,
    codes: ['NOT_FOUND'],
    change: async (tx, { params, body }) => presentChanged(await rewindEvents(tx, { ...params, ...body })),
  }),
];

const breaks = [
  operatorChange('resolveBreak', {
    ...WORDS,
    roles: ['finance'],
    route: 'POST /breaks/:breakId/resolve',
    summary: 'Resolve a break',
    description: 'Closes a contradiction between the books and a connector or a bank. It books nothing.',
    params: BREAK_PARAMS,
    reply: BreakReply,
    codes: ['CONFLICT'],
    change: async (tx, { params: { breakId }, body: { reason } }) =>
      presentShownBreak(await closeBreak(tx, { id: breakId, reason })),
  }),
];

/** Changes of operators to connectors (operator.md §6). The commands perform the same operations. */
export const connectorChanges = [...registry, ...routes, ...stopping, ...breaks, ...careChanges];
