import { randomUUID } from 'node:crypto';
import type { Case } from '#cli/connector/reading-cases.ts';
import {
  amountFor,
  anyRail,
  awaitEvents,
  cancelOrder,
  creditBody,
  creditTest,
  expectAnswer,
  expectRefusal,
  expectThat,
  findEnd,
  getOrder,
  type Json,
  orderBody,
  orderEvents,
  placeOrder,
  playOrder,
  putOrder,
  railOf,
  reportedStates,
  Skip,
  type Trial,
} from '#cli/connector/trial.ts';
import type { OrderKind, RailCapability } from '#foundation/connector-protocol/capabilities.ts';
import type { OrderReport, OrderState } from '#foundation/connector-protocol/orders.ts';

/** The cases about orders (connectors.md §10.3). They need test mode. */
export const ORDER_CASES: readonly Case[] = [
  {
    name: 'CK-5',
    tries: 'an order of each rail and kind, with an unknown member: 201, then GET the same',
    run: takesEachKind,
  },
  {
    name: 'CK-6',
    tries: 'the same order 20 times, 10 at once: one 201, one order, one event per state',
    run: takesOnce,
  },
  {
    name: 'CK-7',
    tries: 'members in another order: 200; another amount, name or rail: 409',
    run: comparesBodies,
  },
  {
    name: 'CK-8',
    tries: 'bad amounts, currencies, rails and accounts, no JSON, 1 MiB: 400',
    run: refusesBadOrders,
  },
  { name: 'CK-9', tries: 'cancel before sending: CANCELLED, twice; after it: refused', run: cancels },
  { name: 'CK-10', tries: 'cancel of an unknown reference, then its PUT: CANCELLED', run: cancelsEarly },
  { name: 'CK-11', tries: 'cancel and PUT at once, 20 times: one end each', run: cancelsAtOnce },
  {
    name: 'CK-12',
    tries: 'each state played: answer and event agree; forbidden moves are refused',
    run: playsStates,
  },
  { name: 'CK-13', tries: 'refunds of a collection and of a credit', run: refunds },
];

async function takesEachKind(trial: Trial): Promise<void> {
  for (const rail of trial.capabilities.rails) {
    for (const kind of rail.kinds) {
      const of = kind === 'REFUND' ? await receiveMoney(trial, rail) : '';
      const body: Json = { ...orderBody(rail, kind, of), aLaterMember: { of: 'another version' } };
      const { reference, order } = await placeOrder(trial, body);
      const request = `GET /orders/${reference}`;
      const read = await getOrder(trial, reference);
      for (const seen of [order, read]) {
        const isSame =
          seen.reference === reference && seen.amount === body.amount && seen.currency === body.currency;
        expectThat(isSame, request, `the order ${reference} of ${body.amount} ${body.currency}`, seen);
        expectThat(seen.state === 'RECEIVED', request, 'the state RECEIVED until it is played', seen);
      }
    }
  }
}

const TIMES = 20;
const AT_ONCE = 10;

async function takesOnce(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  const reference = randomUUID();
  const body = orderBody(rail, kind);
  const statuses: number[] = [];
  for (let sent = 0; sent < TIMES; sent += AT_ONCE) {
    const together = Array.from({ length: AT_ONCE }, () => putOrder(trial, reference, body));
    for (const exchange of await Promise.all(together)) {
      expectAnswer(exchange, 200, 201);
      if (exchange.answer.kind === 'answer') statuses.push(exchange.answer.status);
    }
  }
  const request = `PUT /orders/${reference} ${TIMES} times`;
  expectThat(statuses.filter((status) => status === 201).length === 1, request, '201 once', statuses);
  await playOrder(trial, reference, 'SENT');
  const states = await reportedStates(trial, start, reference, 2);
  expectThat(String(states) === 'RECEIVED,SENT', request, 'events RECEIVED and SENT, once each', states);
}

async function comparesBodies(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const { reference, body } = await placeOrder(trial, orderBody(rail, kind));
  expectAnswer(await putOrder(trial, reference, reversed(body)), 200);
  const party = kind === 'PAYOUT' ? 'beneficiary' : 'debtor';
  const others: Json[] = [
    { ...body, amount: String(BigInt(String(body.amount)) + 1n) },
    { ...body, [party]: { ...(body[party] as Json), name: 'Somebody Else' } },
  ];
  const otherRail = trial.capabilities.rails.find((each) => each.rail !== rail.rail);
  if (otherRail) others.push({ ...body, rail: otherRail.rail });
  for (const other of others) expectRefusal(await putOrder(trial, reference, other), 409);
  const { amount } = await getOrder(trial, reference);
  expectThat(
    amount === body.amount,
    `GET /orders/${reference}`,
    `the amount ${body.amount} as before`,
    amount,
  );
}

/** The same value, the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const MEBIBYTE = 1024 * 1024;

async function refusesBadOrders(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const body = orderBody(rail, kind);
  const bad: unknown[] = [
    { ...body, amount: Number(amountFor(rail)) },
    ...['0', '01', '1.5', '-1', '9007199254740992'].map((amount) => ({ ...body, amount })),
    ...beyondLimits(rail).map((amount) => ({ ...body, amount })),
    { ...body, currency: 'XXX' },
    { ...body, rail: 'PIGEON' },
    { ...body, settlementAccount: 'no-such-account' },
    Buffer.from('{"kind":'),
    Buffer.from('[]'),
    { ...body, padding: 'x'.repeat(MEBIBYTE) },
  ];
  for (const each of bad) {
    const reference = randomUUID();
    expectRefusal(await putOrder(trial, reference, each), 400);
    expectRefusal(await trial.client.call('getOrder', { parameters: { reference } }), 404);
  }
}

function beyondLimits({ min, max }: RailCapability): string[] {
  const below = min !== undefined && BigInt(min) > 1n ? [String(BigInt(min) - 1n)] : [];
  return max === undefined ? below : [...below, String(BigInt(max) + 1n)];
}

async function cancels(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  const early = await placeOrder(trial, orderBody(rail, kind));
  await expectState(trial, await cancelOrder(trial, early.reference), 'CANCELLED');
  await expectState(trial, await cancelOrder(trial, early.reference), 'CANCELLED');
  await expectState(trial, await putOrder(trial, early.reference, early.body), 'CANCELLED');
  const states = await reportedStates(trial, start, early.reference, 2);
  const request = `POST /orders/${early.reference}/cancel twice`;
  expectThat(
    String(states) === 'RECEIVED,CANCELLED',
    request,
    'events RECEIVED and CANCELLED, once each',
    states,
  );
  const late = await placeOrder(trial, orderBody(rail, kind));
  await playOrder(trial, late.reference, 'SENT');
  await expectState(trial, await cancelOrder(trial, late.reference), 'SENT');
  const { state } = await getOrder(trial, late.reference);
  expectThat(state === 'SENT', `GET /orders/${late.reference}`, 'the state SENT', state);
}

type OrderExchange = Awaited<ReturnType<typeof putOrder>>;

async function expectState(_trial: Trial, exchange: OrderExchange, state: OrderState): Promise<OrderReport> {
  const order = expectAnswer(exchange, 200, 201);
  expectThat(order.state === state, exchange.request, `the state ${state}`, order);
  return order;
}

async function cancelsEarly(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  const reference = randomUUID();
  await expectState(trial, await cancelOrder(trial, reference), 'CANCELLED');
  await expectState(trial, await putOrder(trial, reference, orderBody(rail, kind)), 'CANCELLED');
  const marker = await placeOrder(trial, orderBody(rail, kind));
  const events = await awaitEvents(trial, start, (some) => orderEvents(some, marker.reference).length > 0);
  const own = orderEvents(events, reference);
  expectThat(own.length === 0, `PUT /orders/${reference}`, 'no event: nothing happened', own);
}

async function cancelsAtOnce(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  const references = Array.from({ length: TIMES }, () => randomUUID());
  for (const reference of references) {
    const [put, cancelled] = await Promise.all([
      putOrder(trial, reference, orderBody(rail, kind)),
      cancelOrder(trial, reference),
    ]);
    expectAnswer(put, 200, 201);
    await expectState(trial, cancelled, 'CANCELLED');
    const { state } = await getOrder(trial, reference);
    expectThat(state === 'CANCELLED', `GET /orders/${reference}`, 'the state CANCELLED', state);
  }
  const marker = await placeOrder(trial, orderBody(rail, kind));
  const events = await awaitEvents(trial, start, (some) => orderEvents(some, marker.reference).length > 0);
  for (const reference of references) {
    const states = orderEvents(events, reference).map(({ state }) => state);
    const isOneEnd = ['', 'RECEIVED,CANCELLED'].includes(String(states));
    expectThat(isOneEnd, `PUT and cancel ${reference} at once`, 'one end, or no event at all', states);
  }
}

const PATHS: readonly (readonly OrderState[])[] = [
  ['HELD', 'SENT', 'SETTLED', 'RETURNED'],
  ['SENT', 'FAILED'],
  ['FAILED'],
  ['CANCELLED'],
];

/** Moves that no order may make (connectors.md §4.7). */
const FORBIDDEN: Readonly<Partial<Record<OrderState, readonly OrderState[]>>> = {
  SETTLED: ['FAILED', 'CANCELLED', 'SENT'],
  FAILED: ['SENT', 'SETTLED'],
  CANCELLED: ['SENT', 'SETTLED'],
  RETURNED: ['SETTLED', 'FAILED'],
};

async function playsStates(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  for (const path of PATHS) {
    const start = await findEnd(trial);
    const { reference } = await placeOrder(trial, orderBody(rail, kind));
    const answers = new Map<string, OrderReport>();
    for (const state of path) {
      answers.set(
        state,
        await playOrder(trial, reference, state, state === 'FAILED' ? 'ACCOUNT_INVALID' : undefined),
      );
      const request = `GET /orders/${reference}`;
      const read = await getOrder(trial, reference);
      expectThat(read.state === state, request, `the state ${state}`, read.state);
      for (const forbidden of FORBIDDEN[state] ?? []) {
        const body = { reference, state: forbidden };
        expectRefusal(await trial.client.call('playOrder', { body }), 409);
        const after = await getOrder(trial, reference);
        expectThat(after.state === state, request, `still ${state}`, after.state);
      }
    }
    const events = await awaitEvents(
      trial,
      start,
      (some) => orderEvents(some, reference).length > path.length,
    );
    const own = orderEvents(events, reference);
    const states = own.map(({ state }) => state);
    const expected = ['RECEIVED', ...path];
    expectThat(String(states) === String(expected), `the events of ${reference}`, String(expected), states);
    for (const event of own.slice(1)) expectAgreement(event, answers.get(event.state));
  }
}

const SHARED = ['at', 'amount', 'currency', 'reason'] as const;

function expectAgreement(event: OrderReport, answer: OrderReport | undefined): void {
  const differing = SHARED.filter((member) => event[member] !== answer?.[member]);
  const request = `the event ${event.state} of ${event.reference}`;
  expectThat(differing.length === 0, request, `${JSON.stringify(answer)} as in the answer`, event);
}

async function refunds(trial: Trial): Promise<void> {
  const rail = railOf(trial, 'REFUND');
  if (!rail) throw new Skip('the connector takes no refunds');
  const sources = [await receiveMoney(trial, rail)];
  if (rail.kinds.includes('COLLECTION')) {
    const { reference } = await placeOrder(trial, orderBody(rail, 'COLLECTION'));
    await playOrder(trial, reference, 'SETTLED');
    sources.push(reference);
  }
  for (const of of sources) {
    const start = await findEnd(trial);
    const { reference } = await placeOrder(trial, orderBody(rail, 'REFUND' satisfies OrderKind, of));
    await playOrder(trial, reference, 'SETTLED');
    const states = await reportedStates(trial, start, reference, 2);
    const request = `the refund ${reference} of ${of}`;
    expectThat(String(states) === 'RECEIVED,SETTLED', request, 'events RECEIVED and SETTLED', states);
  }
}

/** A credit that can be refunded. */
async function receiveMoney(trial: Trial, rail: RailCapability): Promise<string> {
  const credit = creditBody(rail, { remittance: 'To be sent back' });
  await creditTest(trial, credit);
  return credit.creditId;
}
