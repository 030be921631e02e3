import Type, { type Static, type TSchema } from 'typebox';
import { ACCOUNT_EVENT, NAME_CHECK_RESULT } from '#foundation/connector-protocol/bank-records.ts';
import { Rail } from '#foundation/connector-protocol/capabilities.ts';
import { checkOrder, ORDER_REPORT } from '#foundation/connector-protocol/orders.ts';
import {
  AccountFields,
  AccountType,
  Amount,
  Currency,
  checkValue,
  day,
  type Problem,
  SettlementAccountId,
  time,
  words,
} from '#foundation/connector-protocol/values.ts';
import { component } from '#foundation/http/schema.ts';

/** What a connector reports (connectors.md §6). */

export const CURSOR_MAX = 512;
export const EVENTS_MAX = 500;

const envelope = {
  id: words(128, 'The id of the event, unique in the store.'),
  at: time('When it happened.'),
};

const CREDIT_ID = words(128, 'The connector’s name of the credit, unique in the store.');

/** The members of a credit, which the test mode takes without `id` and `at`. */
const credit = {
  creditId: CREDIT_ID,
  settlementAccount: SettlementAccountId,
  amount: Amount,
  currency: Currency,
  rail: Rail,
  accountId: Type.Optional(words(100, 'The internal account whose coordinates were used.')),
  remittance: Type.Optional(words(500, 'The text that the payer wrote.', 'SVC-7K2MQ4XA')),
  originator: Type.Optional(
    component('Payer', 'The party that paid, as far as the bank names it.', {
      name: Type.Optional(words(200, 'The name of the payer.')),
      accountType: Type.Optional(AccountType),
      fields: Type.Optional(AccountFields),
    }),
  ),
  transactionHash: Type.Optional(words(200, 'The transaction on a network.')),
};

export const Credit = component('Credit', 'Money that a test bank receives.', credit);
export type Credit = Static<typeof Credit>;

export const EVENTS = {
  ORDER: component('OrderEvent', 'An order reached a state.', {
    ...envelope,
    type: Type.Literal('ORDER'),
    ...ORDER_REPORT,
  }),
  CREDIT: component('CreditEvent', 'Money came into a settlement account.', {
    ...envelope,
    type: Type.Literal('CREDIT'),
    ...credit,
  }),
  CREDIT_REVERSED: component('CreditReversedEvent', 'The bank took a credit back.', {
    ...envelope,
    type: Type.Literal('CREDIT_REVERSED'),
    creditId: CREDIT_ID,
    amount: Amount,
  }),
  ACCOUNT: component('AccountEvent', 'An account was opened or refused.', {
    ...envelope,
    type: Type.Literal('ACCOUNT'),
    ...ACCOUNT_EVENT,
  }),
  NAME_CHECK: component('NameCheckEvent', 'The result of a name check that was pending.', {
    ...envelope,
    type: Type.Literal('NAME_CHECK'),
    ...NAME_CHECK_RESULT,
  }),
  STATEMENT: component('StatementEvent', 'A statement can be fetched.', {
    ...envelope,
    type: Type.Literal('STATEMENT'),
    settlementAccount: SettlementAccountId,
    date: day('The day of the statement.'),
  }),
} as const;

export type EventType = keyof typeof EVENTS;
export type ConnectorEvent = { [T in EventType]: Static<(typeof EVENTS)[T]> }[EventType];

/** An event of a type that this version does not know. It is kept and counted (connectors.md §6.2). */
export interface UnknownEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
}

const Envelope = Type.Object({ ...envelope, type: words(64, 'The type of the event.') });

export const EventPage = component('EventPage', 'Events in the order in which they happened, oldest first.', {
  events: Type.Array(
    Type.Unsafe<ConnectorEvent | UnknownEvent>({ anyOf: [...Object.values(EVENTS), Envelope] }),
    { maxItems: EVENTS_MAX, description: 'A type that is not listed here is kept and has no effect.' },
  ),
  next: words(
    CURSOR_MAX,
    'The place after the last event: `after` of the next call. An empty page keeps the place.',
  ),
  more: Type.Boolean({ description: 'Whether there are later events already.' }),
});
export type EventPage = Static<typeof EventPage>;

const Page = Type.Object({
  ...EventPage.properties,
  events: Type.Array(Type.Object({}), { maxItems: EVENTS_MAX }),
});

/** The fault of a page, apart from its events: one that cannot be read does not hold up the others. */
export function checkPage(value: unknown): readonly Problem[] {
  return checkValue(Page, value);
}

/** The same, with the faults of its events. */
export function checkEventPage(value: unknown): readonly Problem[] {
  const problems = checkPage(value);
  if (problems.length > 0) return problems;
  return (value as EventPage).events.flatMap((event, index) =>
    checkEvent(event).map(({ field, message }) => ({ field: `events.${index}.${field}`, message })),
  );
}

/** The fault of an event. One of a type that is not known has only an envelope to be compared with. */
export function checkEvent(event: ConnectorEvent | UnknownEvent): readonly Problem[] {
  if (!hasEnvelope(event)) return checkValue(Envelope, event);
  if (!isKnownEvent(event)) return [];
  const problems = checkValue(EVENTS[event.type] as TSchema, event);
  return problems.length === 0 && event.type === 'ORDER' ? checkOrder(event) : problems;
}

/** Whether id, type and time of an event can be read. */
export function hasEnvelope(event: unknown): event is UnknownEvent {
  return checkValue(Envelope, event).length === 0;
}

export function isKnownEvent(event: ConnectorEvent | UnknownEvent): event is ConnectorEvent {
  return Object.hasOwn(EVENTS, event.type);
}
