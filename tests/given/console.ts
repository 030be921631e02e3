import assert from 'node:assert/strict';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** The headers that a browser sends with a request of the console's own page. */
export const FROM_PAGE = { 'sec-fetch-site': 'same-origin', 'x-corridor-console': '1' } as const;

export interface ConsoleReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of any shape.
  readonly body: any;
}

export interface Asked {
  readonly body?: unknown;
  readonly cookie?: string | undefined;
  /** Undefined: without the header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly address?: string;
}

/** Sends a request to the console as its page would, but for the given headers. */
export async function askConsole(
  { app }: Pick<World, 'app'>,
  method: string,
  url: string,
  { body, cookie, headers = {}, address }: Asked = {},
): Promise<ConsoleReply> {
  const isEncoded = typeof body === 'string' || Buffer.isBuffer(body);
  const all: Record<string, string | undefined> = {
    ...FROM_PAGE,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    cookie,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const reply = await app.http.inject({
    method: method as 'GET',
    url,
    headers: Object.fromEntries(sent),
    ...(address !== undefined && { remoteAddress: address }),
    ...(body !== undefined && { payload: isEncoded ? body : JSON.stringify(body) }),
  });
  const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: reply.statusCode,
    headers: reply.headers,
    raw: reply.body,
    body: isJson ? reply.json() : undefined,
  };
}

/** The secret of a new address of the platform's token. */
export async function givenAddress(platform: TestPlatform): Promise<string> {
  const { status, body, raw } = await platform.call('createConsoleSession');
  assert.equal(status, 201, raw);
  return new URL(body.url).hash.slice(1);
}

export interface SignedInDeveloper {
  readonly cookie: string;
  ask(method: string, url: string, asked?: Asked): Promise<ConsoleReply>;
  /** Calls an operation of the public API through the console. */
  call(operation: Pick<NamedOperation, 'method' | 'path'>, asked?: Asked): Promise<ConsoleReply>;
}

export async function signInDeveloper(world: World, platform: TestPlatform): Promise<SignedInDeveloper> {
  const secret = await givenAddress(platform);
  const { status, headers, raw } = await askConsole(world, 'POST', '/console/api/sign-in', {
    body: { secret },
  });
  assert.equal(status, 200, raw);
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  const ask = (method: string, url: string, asked: Asked = {}) =>
    askConsole(world, method, url, { cookie, ...asked });
  return {
    cookie,
    ask,
    call: ({ method, path }, asked) => ask(method, `/console/api/platform${path}`, asked),
  };
}
