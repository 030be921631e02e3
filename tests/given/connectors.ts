import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#foundation/lib/clock.ts';

/** An answer in place of the connector's own. `cut`: none at all. `unsigned`: as a proxy would answer. */
export type Fault =
  | 'cut'
  | { readonly signed: number; readonly body?: unknown }
  | { readonly unsigned: number };

interface BankOrder {
  readonly body: Record<string, unknown>;
  readonly text: string;
  state: string;
  at: string;
}

/** `after`: the request was carried out, and only the answer is replaced. */
export interface Replaced {
  readonly fault: Fault;
  readonly after?: boolean;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * A connector with a small bank behind it, in memory. It signs and verifies with code of its own. A test decides what the
 * bank does, and which answers are lost or replaced.
 */
export interface TestConnector {
  readonly url: string;
  /** Set once Corridor has made it; base64. */
  secret: string;
  store: string;
  /** What it was asked, in order. */
  readonly asked: Asked[];
  readonly orders: Map<string, BankOrder>;
  /** Statements by settlement account and day: `main 2026-03-02`. */
  readonly statements: Map<string, Record<string, unknown>>;
  capabilities: Record<string, unknown>;
  /** Consulted for every request. A promise makes the connector slow. */
  fault: ((asked: Asked) => Replaced | undefined | Promise<Replaced | undefined>) | undefined;
  /** The bank changes an order, and an event says so. */
  play(reference: string, state: string, more?: Record<string, unknown>): void;
  list(event: Record<string, unknown>): void;
  /** By account id and reference: what it was asked, and what it answers. */
  readonly accounts: Map<string, { readonly text: string; state: string; coordinates?: object }>;
  /** What it answers about an account that it is asked to open, and about a name. */
  opens: { state: string; coordinates?: object };
  names: { status: string; fullName?: string };
  /** As in a new store. */
  forgetEvents(): void;
  /** Requests of one kind about orders: `PUT`, `GET`, `POST`. */
  askedOrders(method: string): Asked[];
  /** It is gone, as after a crash of its machine. */
  close(): Promise<void>;
  /** At the same address, with what it had. */
  startAgain(): Promise<void>;
}

export const EUR_ACCOUNTS = {
  protocol: '1',
  test: true,
  pollSeconds: 5,
  inFlightMax: 10,
  ordersPerSecond: 50,
  settlementAccounts: [{ id: 'main', currency: 'EUR', label: 'Main', zone: 'Europe/Berlin' }],
  rails: ['SEPA', 'SEPA_INSTANT'].map((rail) => ({
    rail,
    currency: 'EUR',
    kinds: ['PAYOUT', 'COLLECTION', 'REFUND'],
    settlementAccounts: ['main'],
    cancellable: true,
    needs: [],
  })),
  statements: false,
};

const REFUSED = { code: 'REFUSED', reason: 'The test says so.' };

/** With `tls` it is served at `https://localhost`. */
export async function createConnector(clock: Clock, tls?: ServerOptions): Promise<TestConnector> {
  const events: Record<string, unknown>[] = [];
  const connector: TestConnector = {
    url: '',
    secret: '',
    store: 'store-1',
    asked: [],
    orders: new Map(),
    accounts: new Map(),
    opens: { state: 'PENDING' },
    names: { status: 'PENDING' },
    statements: new Map(),
    capabilities: EUR_ACCOUNTS,
    fault: undefined,
    play(reference, state, more = {}) {
      const order = connector.orders.get(reference);
      assert.ok(order, `the connector has no order ${reference}`);
      order.state = state;
      order.at = new Date(clock.now()).toISOString();
      events.push({ id: randomUUID(), type: 'ORDER', ...orderOf(reference, order), ...more });
    },
    list: (event) => void events.push(event),
    forgetEvents: () => void events.splice(0),
    askedOrders: (method) =>
      connector.asked.filter((asked) => asked.method === method && asked.path.startsWith('/orders/')),
    close: () => new Promise((resolve) => server.close(() => resolve()) && server.closeAllConnections()),
    startAgain: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };

  const answerTo = ({ method, path, body }: Asked): [number, unknown] => {
    const [, kind, reference = '', action] = path.split('?')[0]?.split('/') ?? [];
    if (kind === 'capabilities') return [200, connector.capabilities];
    if (kind === 'events') return eventsAfter(new URL(path, 'http://c').searchParams);
    if (kind === 'accounts') return accountAnswer(method, decodeURIComponent(reference), body);
    if (kind === 'name-checks') return [200, { reference: JSON.parse(body).reference, ...connector.names }];
    if (kind === 'statements') return statementOf(new URL(path, 'http://c').searchParams);
    if (kind !== 'orders') return [404, REFUSED];
    const known = connector.orders.get(reference);
    if (action === 'cancel') return [200, cancelled(reference, known)];
    if (method === 'GET') return known ? [200, orderOf(reference, known)] : [404, REFUSED];
    if (!known) {
      connector.orders.set(reference, take(body, 'RECEIVED'));
      return [201, orderOf(reference, connector.orders.get(reference) as BankOrder)];
    }
    // A tombstone has no body.
    if (known.text !== '' && known.text !== body) return [409, REFUSED];
    return [200, { ...orderOf(reference, known), ...amountOf(JSON.parse(body)) }];
  };
  const accountAnswer = (method: string, accountId: string, text: string): [number, unknown] => {
    const known = connector.accounts.get(accountId);
    if (method !== 'PUT' && !known) return [404, REFUSED];
    if (method === 'PUT' && known && known.text !== text) return [409, REFUSED];
    const account = known ?? { text, ...connector.opens };
    if (method === 'DELETE') Object.assign(account, { state: 'CLOSED' });
    connector.accounts.set(accountId, account);
    const { text: _text, ...shown } = account;
    return [known ? 200 : 201, { accountId, ...shown }];
  };
  const statementOf = (query: URLSearchParams): [number, unknown] => {
    const found = connector.statements.get(`${query.get('settlementAccount')} ${query.get('date')}`);
    return found ? [200, found] : [404, REFUSED];
  };
  const take = (text: string, state: string): BankOrder => ({
    body: text === '' ? {} : JSON.parse(text),
    text,
    state,
    at: new Date(clock.now()).toISOString(),
  });
  const orderOf = (reference: string, { body, state, at }: BankOrder) => ({
    ...{ reference, state, at },
    ...amountOf(body),
  });
  const amountOf = ({ amount, currency }: Record<string, unknown>) => ({ amount, currency });
  const cancelled = (reference: string, known: BankOrder | undefined) => {
    const order = known ?? take('', 'CANCELLED');
    if (order.state === 'RECEIVED') order.state = 'CANCELLED';
    connector.orders.set(reference, order);
    return orderOf(reference, order);
  };
  const eventsAfter = (query: URLSearchParams): [number, unknown] => {
    const from = Number(query.get('after') ?? '0');
    const page = events.slice(from, from + Number(query.get('limit')));
    return [
      200,
      { events: page, next: String(from + page.length), more: from + page.length < events.length },
    ];
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const asked = { method: request.method ?? '', path: request.url ?? '', body: body.toString() };
    assert.equal(readSignature(request), signatureOf(connector.secret, requestLines(request, body)));
    connector.asked.push(asked);
    const wished = connector.fault?.(asked);
    const chosen = wished instanceof Promise ? await wished : wished;
    const usual = chosen && chosen.after !== true ? undefined : answerTo(asked);
    if (chosen?.fault === 'cut') return void request.socket.destroy();
    if (chosen && 'unsigned' in chosen.fault) return void response.writeHead(chosen.fault.unsigned).end('{}');
    const [status, reply] =
      chosen && 'signed' in chosen.fault
        ? [chosen.fault.signed, chosen.fault.body ?? REFUSED]
        : (usual ?? [500, {}]);
    send(request, response, status, JSON.stringify(reply));
  };
  const send = (request: IncomingMessage, response: ServerResponse, status: number, text: string) => {
    const t = new Date(clock.now()).toISOString();
    const id = String(request.headers['x-svc-request-id']);
    const lines = ['answer', id, String(status), connector.store, t, sha256(text)].join('\n');
    const s = signatureOf(connector.secret, lines);
    response.writeHead(status, {
      'x-svc-store': connector.store,
      'x-svc-signature': JSON.stringify({ v: '2', t, s }),
      ...((status === 429 || status === 503) && { 'retry-after': '30' }),
    });
    response.end(text);
  };

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
  const server = tls ? createHttpsServer(tls, listener) : createServer(listener);
  let port = 0;
  await connector.startAgain();
  ({ port } = server.address() as AddressInfo);
  Object.assign(connector, { url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}` });
  return connector;
}

function requestLines({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string {
  const { t } = JSON.parse(String(headers['x-svc-signature'])) as { t: string };
  return ['request', method, url, String(headers['x-svc-request-id']), t, sha256(body)].join('\n');
}

function readSignature({ headers }: IncomingMessage): string {
  return (JSON.parse(String(headers['x-svc-signature'])) as { s: string }).s;
}

function signatureOf(secret: string, lines: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(lines).digest('base64');
}

function sha256(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex');
}
