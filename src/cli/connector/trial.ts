import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectorClient, Exchange } from '#cli/connector/connector-client.ts';
import type { Capabilities, OrderKind, RailCapability } from '#foundation/connector-protocol/capabilities.ts';
import {
  type ConnectorEvent,
  checkEventPage,
  type UnknownEvent,
} from '#foundation/connector-protocol/events.ts';
import type { OrderReport, OrderState } from '#foundation/connector-protocol/orders.ts';
import { systemClock } from '#foundation/lib/clock.ts';

/** A case failed. */
export class Failure extends Error {
  readonly request: string;
  readonly expected: string;
  readonly got: string;

  constructor(request: string, expected: string, got: string) {
    super(`${request}: expected ${expected}, got ${got}`);
    this.request = request;
    this.expected = expected;
    this.got = got;
  }
}

/** A case cannot be tried on this connector. */
export class Skip extends Error {}

export type AnyEvent = ConnectorEvent | UnknownEvent;
export type Json = Record<string, unknown>;

/** What a case has: the connector, and what it said that it can do. */
export interface Trial {
  readonly client: ConnectorClient;
  readonly capabilities: Capabilities;
  /** A shell command that stops and starts the connector. */
  readonly restart: string | undefined;
}

/** The body of an answer that must have one of these statuses. */
export function expectAnswer<Body>({ request, answer }: Exchange<Body>, ...statuses: (200 | 201)[]): Body {
  if (answer.kind === 'answer' && statuses.includes(answer.status)) return answer.body;
  throw new Failure(request, statuses.join(' or '), describeAnswer(answer));
}

export function expectRefusal({ request, answer }: Exchange, status: number): void {
  if (answer.kind === 'refusal' && answer.status === status) return;
  throw new Failure(request, String(status), describeAnswer(answer));
}

export function expectThat(condition: boolean, request: string, expected: string, got: unknown): void {
  if (!condition) throw new Failure(request, expected, typeof got === 'string' ? got : JSON.stringify(got));
}

export function describeAnswer(answer: Exchange['answer']): string {
  switch (answer.kind) {
    case 'silence':
      return `nothing that counts: ${answer.why}`;
    case 'refusal':
      return `${answer.status} ${answer.error.code}: ${answer.error.reason}`;
    case 'answer':
      return `${answer.status} ${JSON.stringify(answer.body)}`;
  }
}

/** The first rail that takes orders of this kind; undefined if none does. */
export function railOf({ capabilities }: Trial, kind: OrderKind): RailCapability | undefined {
  return capabilities.rails.find(({ kinds }) => kinds.includes(kind));
}

/** The kind of orders that a case uses if any would do. */
export function anyRail(trial: Trial): { rail: RailCapability; kind: 'PAYOUT' | 'COLLECTION' } {
  for (const kind of ['PAYOUT', 'COLLECTION'] as const) {
    const rail = railOf(trial, kind);
    if (rail) return { rail, kind };
  }
  throw new Skip('the connector takes neither payouts nor collections');
}

const AMOUNT = 1_000n;

export function amountFor({ min = '1', max }: RailCapability): bigint {
  const least = BigInt(min) > AMOUNT ? BigInt(min) : AMOUNT;
  return max !== undefined && BigInt(max) < least ? BigInt(max) : least;
}

/** A new order as Corridor would send it. A refund names what it is of. */
export function orderBody(rail: RailCapability, kind: OrderKind, of = ''): Json {
  const common = {
    kind,
    amount: String(amountFor(rail)),
    currency: rail.currency,
    rail: rail.rail,
    settlementAccount: rail.settlementAccounts[0],
    platform: 'Platform:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5901',
    requestedAt: new Date(systemClock.now()).toISOString(),
  };
  const originator = {
    type: 'PERSON',
    name: 'Ada Lovelace',
    country: 'GB',
    accountId: 'InternalAccount:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5902',
    ...needed(rail, 'originator.'),
  };
  const beneficiary = {
    name: 'Grace Hopper',
    accountType: `${rail.currency}_ACCOUNT`,
    fields: { accountNumber: '0123456789', iban: 'DE89370400440532013000' },
    ...needed(rail, 'beneficiary.'),
  };
  switch (kind) {
    case 'PAYOUT':
      return { ...common, originator, beneficiary, purpose: 'GIFT', remittance: 'Check of the connector' };
    case 'COLLECTION':
      return {
        ...common,
        debtor: beneficiary,
        creditor: originator,
        authorizedAt: new Date(systemClock.now()).toISOString(),
      };
    case 'REFUND':
      return { ...common, of, beneficiary };
  }
}

const PERSONAL = {
  address: { line1: '1 Example Street', city: 'London', country: 'GB' },
  birthDate: '1985-12-10',
  nationalId: 'QQ123456C',
};

function needed({ needs = [] }: RailCapability, party: string): Json {
  const facts = Object.entries(PERSONAL).filter(([name]) => (needs as string[]).includes(party + name));
  return Object.fromEntries(facts);
}

/** Sends a new order that the connector has to take. */
export async function placeOrder(
  trial: Trial,
  body: Json,
): Promise<{ reference: string; body: Json; order: OrderReport }> {
  const reference = randomUUID();
  const order = expectAnswer(await putOrder(trial, reference, body), 201);
  return { reference, body, order };
}

export function putOrder({ client }: Trial, reference: string, body: unknown) {
  return client.call('putOrder', { parameters: { reference }, body });
}

export async function getOrder({ client }: Trial, reference: string): Promise<OrderReport> {
  return expectAnswer(await client.call('getOrder', { parameters: { reference } }), 200);
}

export function cancelOrder({ client }: Trial, reference: string) {
  return client.call('cancelOrder', { parameters: { reference } });
}

export async function playOrder(
  { client }: Trial,
  reference: string,
  state: OrderState,
  reason?: string,
): Promise<OrderReport> {
  const exchange = await client.call('playOrder', { body: { reference, state, ...(reason && { reason }) } });
  const order = expectAnswer(exchange, 200);
  expectThat(order.state === state, exchange.request, `the state ${state}`, order);
  return order;
}

/** Lets money come in at the test bank, for what is refunded or claimed. */
export function creditBody(rail: RailCapability, more: Json = {}): Json & { creditId: string } {
  return {
    creditId: `check-${randomUUID()}`,
    settlementAccount: rail.settlementAccounts[0],
    amount: String(amountFor(rail)),
    currency: rail.currency,
    rail: rail.rail,
    ...more,
  };
}

export async function creditTest({ client }: Trial, body: Json): Promise<void> {
  expectAnswer(await client.call('testCredit', { body }), 200);
}

export async function readPage({ client }: Trial, after: string | undefined, limit = 500) {
  const exchange = await client.call('listEvents', { query: { after, limit: String(limit) } });
  const page = expectAnswer(exchange, 200);
  const [problem] = checkEventPage(page);
  expectThat(problem === undefined, exchange.request, 'events that keep to their schemas', problem);
  expectThat(page.events.length <= limit, exchange.request, `at most ${limit} events`, page.events.length);
  return { request: exchange.request, ...page };
}

/** All events after a place, and the place after them. */
export async function readEvents(
  trial: Trial,
  after?: string,
  limit = 500,
): Promise<{ events: AnyEvent[]; end: string }> {
  const events: AnyEvent[] = [];
  let at = after;
  for (;;) {
    const page = await readPage(trial, at, limit);
    events.push(...page.events);
    expectThat(!page.more || page.events.length > 0, page.request, 'an event in a page with `more`', page);
    at = page.next;
    if (!page.more) return { events, end: at };
  }
}

/** The place after the last event: events of a case come after it. */
export async function findEnd(trial: Trial): Promise<string> {
  return (await readEvents(trial)).end;
}

const EVENTS_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Reads events after a place until these are there; a connector may report a moment after its answer. */
export async function awaitEvents(
  trial: Trial,
  after: string,
  isEnough: (events: readonly AnyEvent[]) => boolean,
): Promise<AnyEvent[]> {
  const until = systemClock.now() + EVENTS_WAIT_MS;
  for (;;) {
    const { events } = await readEvents(trial, after);
    if (isEnough(events) || systemClock.now() >= until) return events;
    await pause(LOOK_EVERY_MS);
  }
}

export function orderEvents(events: readonly AnyEvent[], reference: string): (OrderReport & AnyEvent)[] {
  return events.filter(
    (event): event is OrderReport & AnyEvent =>
      event.type === 'ORDER' && 'reference' in event && event.reference === reference,
  );
}

/** The states that events report of an order, in the order of the list. */
export async function reportedStates(
  trial: Trial,
  after: string,
  reference: string,
  count: number,
): Promise<string[]> {
  const events = await awaitEvents(trial, after, (some) => orderEvents(some, reference).length >= count);
  return orderEvents(events, reference).map(({ state }) => state);
}
