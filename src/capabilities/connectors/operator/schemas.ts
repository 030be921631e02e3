import Type from 'typebox';
import { BREAK_KINDS } from '#capabilities/connectors/apply-report.ts';
import { ROUTE_KINDS } from '#capabilities/connectors/row.ts';
import type { RuledInput } from '#foundation/http/operator-rule.ts';
import { component } from '#foundation/http/schema.ts';
import { shown } from '#foundation/records/fields.ts';
import { PENDING_PROPOSALS } from '#foundation/records/show-operations.ts';

/** Replies about connectors for operators (connectors.md §9.1). They say nothing about people. */
export const CONNECTOR_FIELDS = {
  name: shown.own('Its name.'),
  url: shown.own('The URL below which it is called, without credentials.'),
  state: shown.code('Whether it takes orders.', ['UP', 'DOWN', 'PAUSED']),
  pausedBecause: shown.code('Why it is paused. Null: it is not.', ['OPERATOR', 'STORE', 'CURSOR', 'FILES']),
  pausedSince: shown.time('Since when it is paused.'),
  downSince: shown.time('Since when it does not answer. Null: it does.'),
  isTest: shown.flag('Whether it is a test installation. Null: it has not said yet.'),
  store: shown.own('The id of the store that counts.'),
  answeredAt: shown.time('When it last gave a signed answer, to within ten seconds.'),
  silences: shown.count('Calls in a row that were not answered.'),
  silentAt: shown.time('When a call was last not answered.'),
  silenceWhy: shown.own('Why that was no answer.'),
  cursor: shown.own('The place up to which its events were read.'),
  eventsReadAt: shown.time('When its events were last read.'),
  capabilitiesReadAt: shown.time('When it last said what it can do.'),
  capabilitiesTrouble: shown.own('Why its newer capabilities do not count. Null: they count.'),
  clientCertificateUntil: shown.time(
    'When the client certificate of this connector ends. Null: it has none.',
  ),
  createdAt: shown.time('When it was added.'),
};

/** The items that wait at a connector (connectors.md §9.3). */
export const WAITING_FIELDS = {
  openOrders: shown.count('Orders that have not ended.'),
  unknownOrders: shown.count('Orders that the connector has not confirmed yet.'),
  oldestUnknownSeconds: shown.count('For how long the oldest of them is unknown, in seconds.'),
  openBreaks: shown.count('Breaks that nobody has resolved.'),
};

export const ROUTE_FIELDS = {
  number: Type.Integer({ description: 'Its number: the lowest that fits wins.' }),
  connector: Type.String({ description: 'The connector.' }),
  rail: shown.own('Orders over this rail only. Null: any.'),
  currency: shown.own('Orders in this currency only. Null: any.'),
  kind: shown.code('Only for this kind. Null: any.', ROUTE_KINDS),
  country: shown.own('Accounts in this country only. Null: any.'),
  platform: shown.id('Platform', 'Orders of this platform only. Null: any.'),
  least: shown.own('From this amount on, in the smallest unit. Null: any.'),
  most: shown.own('Up to this amount, in the smallest unit. Null: any.'),
};

export const RouteRecord = component(
  'ConnectorRoute',
  'A route, which sends certain orders to its connector.',
  ROUTE_FIELDS,
);

export const BREAK_FIELDS = {
  id: shown.id('Break', 'The break.'),
  connector: shown.own('The connector.'),
  kind: shown.code('Its kind.', BREAK_KINDS),
  what: shown.own('What was found.'),
  about: shown.own(
    'The reference of an order, or a kind with an id: `credit 4711`. If an id that the connector chose could be a text, only its end is shown.',
  ),
  platform: shown.id('Platform', 'The platform that it concerns. Null: none is known.'),
  transaction: shown.id('Transaction', 'The payment that it concerns. Null: none is known.'),
  amount: shown.own('The amount, in the smallest unit. Null: none is known.'),
  currency: shown.own('Its currency.'),
  owner: shown.id('Operator', 'The operator who takes care of it. Null: nobody does yet.'),
  openedAt: shown.time('When it was found.'),
  resolvedAt: shown.time('When a person resolved it. Null: it is open.'),
};

export const BreakReply = component(
  'BreakRecord',
  'A contradiction between the books and a connector or a bank.',
  BREAK_FIELDS,
);

export const ShownBreak = component('ShownBreak', 'A contradiction, with the proposals about it.', {
  ...BREAK_FIELDS,
  ...PENDING_PROPOSALS,
});

/** Returns the name of a connector in a proposal, by which its record finds the proposal. */
export function connectorNamed(name: string): string {
  return `connector ${name}`;
}

export const ABOUT_CONNECTOR = {
  resource: ({ params }: RuledInput) => connectorNamed(params.name ?? ''),
};

export const BREAK_PARAMS = { breakId: { id: 'Break', missing: 'NOT_FOUND' } } as const;
