import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Case } from '#cli/connector/reading-cases.ts';
import {
  type AnyEvent,
  anyRail,
  awaitEvents,
  cancelOrder,
  creditBody,
  creditTest,
  describeAnswer,
  expectAnswer,
  expectRefusal,
  expectThat,
  Failure,
  findEnd,
  getOrder,
  type Json,
  orderBody,
  orderEvents,
  placeOrder,
  playOrder,
  putOrder,
  readEvents,
  Skip,
  type Trial,
} from '#cli/connector/trial.ts';
import { systemClock } from '#foundation/lib/clock.ts';

/** The cases about events, credits, accounts and running (connectors.md §10.3). */
export const BANK_CASES: readonly Case[] = [
  { name: 'CK-15', tries: 'events made while reading: none lost or doubled', run: readsWhileItHappens },
  { name: 'CK-16', tries: 'credits with account, with remittance and in other scripts', run: reportsCredits },
  { name: 'CK-17', tries: 'PUT /accounts twice, with another body, DELETE twice', run: opensAccounts },
  { name: 'CK-20', tries: 'all that was recorded is there after a restart', run: survivesRestart },
  { name: 'CK-21', tries: 'ten calls more at once than allowed: served, 429 or 503', run: bearsLoad },
  { name: 'CK-22', tries: 'both secrets count during a rotation', reads: true, run: takesBothSecrets },
];

const ORDERS = 30;
const SMALL_PAGE = 3;
const ROUNDS_MAX = 200;

async function readsWhileItHappens(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  let isDone = false;
  const placing = Promise.all(
    Array.from({ length: 3 }, async () => {
      const references: string[] = [];
      for (let i = 0; i < ORDERS / 3; i++) {
        references.push((await placeOrder(trial, orderBody(rail, kind))).reference);
      }
      return references;
    }),
  ).finally(() => {
    isDone = true;
  });
  const seen: AnyEvent[] = [];
  let at = start;
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const wasDone = isDone;
    const { events, end } = await readEvents(trial, at, SMALL_PAGE);
    seen.push(...events);
    at = end;
    if (wasDone) break;
  }
  const references = (await placing).flat();
  const request = `GET /events?limit=${SMALL_PAGE} while ${ORDERS} orders are placed`;
  await awaitEvents(trial, start, (events) => events.filter(({ type }) => type === 'ORDER').length >= ORDERS);
  const again = await readEvents(trial, start);
  seen.push(...(await readEvents(trial, at, SMALL_PAGE)).events);
  const missing = references.filter((reference) => orderEvents(seen, reference).length === 0);
  expectThat(missing.length === 0, request, 'an event of every order', { missing });
  const ids = seen.map(({ id }) => id);
  expectThat(new Set(ids).size === ids.length, request, 'every event once', ids);
  const list = again.events.map(({ id }) => id);
  expectThat(String(ids) === String(list), request, `the order of a later reading: ${list}`, ids);
}

async function reportsCredits(trial: Trial): Promise<void> {
  const { rail } = anyRail(trial);
  const start = await findEnd(trial);
  const credits = [
    creditBody(rail, { accountId: 'InternalAccount:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5902' }),
    creditBody(rail, { remittance: 'svc 7k2m-q4xa thank you' }),
    creditBody(rail, {
      remittance: 'Оплата счёта №42 – 付款 – دفع',
      originator: { name: 'Μαρία Παπαδοπούλου 李' },
    }),
  ];
  for (const credit of credits) await creditTest(trial, credit);
  // The test bank gets each credit twice, and counts it once.
  for (const credit of credits) await creditTest(trial, credit);
  const isOwn = (event: AnyEvent) =>
    event.type === 'CREDIT' &&
    credits.some(({ creditId }) => creditId === (event as unknown as Json).creditId);
  const events = await awaitEvents(trial, start, (some) => some.filter(isOwn).length >= credits.length);
  const own = events.filter(isOwn).map((event) => event as unknown as Json);
  for (const credit of credits) {
    const request = `the event of the credit ${credit.creditId}`;
    const reported = own.filter(({ creditId }) => creditId === credit.creditId);
    expectThat(reported.length === 1, request, 'one CREDIT event', reported);
    const differing = Object.entries(credit).filter(
      ([name, value]) => JSON.stringify(reported[0]?.[name]) !== JSON.stringify(value),
    );
    expectThat(differing.length === 0, request, JSON.stringify(credit), reported[0]);
  }
}

async function opensAccounts({ client, capabilities }: Trial): Promise<void> {
  const [kind] = capabilities.accounts ?? [];
  if (!kind) throw new Skip('the connector opens no accounts');
  const accountId = `InternalAccount:${randomUUID()}`;
  const parameters = { accountId };
  const body = {
    currency: kind.currency,
    accountTypes: kind.accountTypes,
    holderName: 'Ada Lovelace',
    reference: 'SVC-7K2MQ4XA',
    platform: 'Platform:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5901',
  };
  expectRefusal(await client.call('getAccount', { parameters }), 404);
  const first = expectAnswer(await client.call('putAccount', { parameters, body }), 201);
  const again = await client.call('putAccount', { parameters, body });
  const second = expectAnswer(again, 200);
  expectThat(first.accountId === accountId, again.request, `the account ${accountId}`, first);
  const isSame = first.state === 'PENDING' || JSON.stringify(first) === JSON.stringify(second);
  expectThat(isSame, again.request, JSON.stringify(first), second);
  expectRefusal(
    await client.call('putAccount', { parameters, body: { ...body, holderName: 'Somebody Else' } }),
    409,
  );
  for (const time of ['first', 'second']) {
    const exchange = await client.call('closeAccount', { parameters });
    const { state } = expectAnswer(exchange, 200);
    expectThat(state === 'CLOSED', `${exchange.request} (${time} time)`, 'the state CLOSED', state);
  }
}

async function survivesRestart(trial: Trial): Promise<void> {
  const { restart } = trial;
  if (restart === undefined) throw new Skip('give --restart <command>');
  const { rail, kind } = anyRail(trial);
  const start = await findEnd(trial);
  const received = await placeOrder(trial, orderBody(rail, kind));
  const sent = await placeOrder(trial, orderBody(rail, kind));
  await playOrder(trial, sent.reference, 'SENT');
  const early = randomUUID();
  expectAnswer(await cancelOrder(trial, early), 200);
  await creditTest(trial, creditBody(rail));
  await awaitEvents(trial, start, (events) => events.length >= 4);
  const references = [received.reference, sent.reference, early];
  const before = await recall(trial, references, start);
  // The last order is recorded, and nothing is read before the connector ends.
  const last = await placeOrder(trial, orderBody(rail, kind));
  await run(restart);
  await awaitConnector(trial);
  const after = await recall(trial, references, start);
  expectThat(after.orders === before.orders, `the orders after ${restart}`, before.orders, after.orders);
  const kept = after.events.slice(0, before.events.length);
  expectThat(
    String(kept) === String(before.events),
    `the events after ${restart}`,
    String(before.events),
    after.events,
  );
  expectThat(after.store === before.store, `the store after ${restart}`, before.store, after.store);
  const again = await putOrder(trial, last.reference, last.body);
  expectAnswer(again, 200);
}

async function recall(trial: Trial, references: readonly string[], start: string) {
  const orders = await Promise.all(references.map((reference) => getOrder(trial, reference)));
  const { events } = await readEvents(trial, start);
  const { answer } = await trial.client.call('getCapabilities');
  const store = answer.kind === 'silence' ? '' : answer.store;
  return { orders: JSON.stringify(orders), events: events.map(({ id }) => id), store };
}

async function run(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Failure(command, 'an end with status 0', `status ${code}`);
}

const RESTART_WAIT_MS = 60_000;

async function awaitConnector({ client }: Trial): Promise<void> {
  const until = systemClock.now() + RESTART_WAIT_MS;
  for (;;) {
    const { request, answer } = await client.call('getCapabilities');
    if (answer.kind === 'answer') return;
    if (systemClock.now() >= until)
      throw new Failure(request, 'an answer within a minute', describeAnswer(answer));
    await pause(100);
  }
}

const MORE = 10;

async function bearsLoad(trial: Trial): Promise<void> {
  const { rail, kind } = anyRail(trial);
  const body = orderBody(rail, kind);
  const references = Array.from({ length: trial.capabilities.inFlightMax + MORE }, () => randomUUID());
  const exchanges = await Promise.all(references.map((reference) => putOrder(trial, reference, body)));
  for (const [index, exchange] of exchanges.entries()) {
    const { answer, request } = exchange;
    if (answer.kind === 'refusal' && (answer.status === 429 || answer.status === 503)) continue;
    expectThat(answer.kind === 'answer', request, '201, 429 or 503', describeAnswer(answer));
    await getOrder(trial, references[index] ?? '');
  }
}

async function takesBothSecrets({ client }: Trial): Promise<void> {
  if (client.keys.length < 2) throw new Skip('the file of secrets has one secret');
  for (const key of client.keys) {
    const exchange = await client.call('getCapabilities', { key });
    const { answer, request } = exchange;
    expectThat(answer.kind === 'answer', `${request} with ${key.id}`, '200', describeAnswer(answer));
  }
}
