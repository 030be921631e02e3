import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request as fetchRaw } from 'undici';
import {
  type ConnectorKey,
  connectorHeaders,
  signAnswer,
  signRequest,
} from '#foundation/connector-protocol/signing.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

export const NAMES = connectorHeaders(wireNames('Svc'));

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Answers a call, usually by forwarding it. `cut`: the connection ends without an answer. */
export type Serve = (call: Call, forward: (call: Call) => Promise<Reply>) => Promise<Reply | 'cut'>;

/** A server before a connector, which decides what happens to each call and answer. */
export class ConnectorProxy {
  readonly #server: Server;
  readonly #agent = new Agent();

  private constructor(target: () => string, serve: Serve) {
    const forward = (call: Call) => this.#forward(target(), call);
    this.#server = createServer((request, response) => {
      answer(request, response, (call) => serve(call, forward)).catch(() => response.destroy());
    });
  }

  static async start(target: () => string, serve: Serve): Promise<ConnectorProxy> {
    const proxy = new ConnectorProxy(target, serve);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#agent.destroy();
  }

  async #forward(target: string, { method, path, headers, body }: Call): Promise<Reply> {
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
    const reply = await fetchRaw(`${target}${path}`, {
      dispatcher: this.#agent,
      method: method as 'GET',
      headers: kept,
      body: body.length === 0 ? null : body,
    });
    const {
      connection: _closed,
      'content-length': _size,
      'transfer-encoding': _coding,
      ...own
    } = reply.headers;
    return {
      status: reply.statusCode,
      headers: own as Record<string, string>,
      body: Buffer.from(await reply.body.arrayBuffer()),
    };
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serve: (call: Call) => Promise<Reply | 'cut'>,
): Promise<void> {
  const body = await buffer(request);
  const headers = request.headers as Record<string, string>;
  const reply = await serve({ method: request.method ?? '', path: request.url ?? '', headers, body });
  if (reply === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length });
  response.end(reply.body);
}

type Json = Record<string, unknown>;

export function parseBody({ body }: Call | Reply): Json {
  try {
    return JSON.parse(body.toString('utf8')) as Json;
  } catch {
    return {};
  }
}

/** The same call with another body or path, signed as if Corridor had sent it. */
export function resignCall(
  call: Call,
  key: ConnectorKey,
  changes: { path?: string; body?: Json } = {},
): Call {
  const { path = call.path } = changes;
  const body = changes.body === undefined ? call.body : Buffer.from(JSON.stringify(changes.body));
  const requestId = call.headers[NAMES.requestId] ?? '';
  const signed = signRequest(key, { method: call.method, path, body, requestId, at: new Date() }, NAMES);
  return { ...call, path, body, headers: { ...call.headers, ...signed } };
}

/** An answer to a call, signed as if the connector had sent it. */
export function signReply(
  call: Call,
  keys: readonly ConnectorKey[],
  { status, body, store }: { status: number; body: Json; store: string },
): Reply {
  const key = keys.find(({ id }) => id === call.headers[NAMES.keyId]) ?? keys[0];
  if (!key) throw new Error('there is no key');
  const bytes = Buffer.from(JSON.stringify(body));
  const requestId = call.headers[NAMES.requestId] ?? '';
  const signed = signAnswer(key, { requestId, status, store, body: bytes, at: new Date() }, NAMES);
  return { status, body: bytes, headers: { 'content-type': 'application/json', ...signed } };
}

export function storeOf({ headers }: Reply): string {
  return headers[NAMES.store] ?? '';
}
