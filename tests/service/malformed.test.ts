// lane: whole — thousands of broken requests

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { tableContents } from '#tests/harness/table-contents.ts';

const BASE = wireNames('Svc').basePath;
const REQUESTS = 10_000;

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string };
};

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
}

/**
 * Malformed requests of every kind: none may be answered with a 5xx, and none may change anything.
 */
describe('malformed requests', () => {
  const world = testWorld();

  it(`money.md §12.10: ${REQUESTS} malformed requests: not one 5xx, nothing stored`, async (t) => {
    const platform = await world.platform();
    const before = await contents();
    assert.match(before.platforms ?? '', /^1 [0-9a-f]{32}$/);
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
    t.diagnostic(`FUZZ_SEED=${seed}`);
    const requests = fc.sample(malformed(world.app.operations, platform.authorization), {
      numRuns: REQUESTS,
      seed,
    });
    const seen = new Map<number, number>();
    for (const request of requests) {
      const reply = await world.app.http.inject(request as { method: 'GET'; url: string });
      const told = () =>
        `${JSON.stringify(request).slice(0, 600)} → ${reply.statusCode} ${reply.body.slice(0, 300)}`;
      assert.ok(reply.statusCode >= 400 && reply.statusCode < 500, told());
      assert.ok(reply.json().code, told());
      assert.ok(reply.json().reason, told());
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1);
    }
    for (const status of [400, 401, 404, 405]) assert.ok(seen.get(status), `nothing was answered ${status}`);
    assert.deepEqual(await contents(), before);
  });

  it('platform.md §1.1.7: bytes that are not HTTP get a 4xx in JSON too, with a request id', async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.http.server.address() as { port: number };
    const broken = [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\ncontent-length: 0\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ];
    for (const text of broken) {
      const answer = await exchange(port, text);
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, text.slice(0, 60));
      assert.match(answer, /"code":"/, text.slice(0, 60));
      assert.match(answer, /\r\nx-request-id: [0-9a-f-]{36}\r\n/, text.slice(0, 60));
    }
  });

  /** All tables except the audit of failed authentications. */
  const contents = () => tableContents(world.database, ['audit_log']);
});

function malformed(operations: readonly NamedOperation[], authorization: string): fc.Arbitrary<Request> {
  const json = { authorization, 'content-type': 'application/json' };
  const withBody = operations.filter((operation) => operation.body && !operation.multipart);
  const withQuery = operations.filter((operation) => operation.query);
  const body = (
    operation: NamedOperation,
    payload: string,
    headers: Record<string, string> = json,
  ): Request => ({
    method: operation.method,
    url: urlOf(operation),
    headers,
    payload,
  });
  const anyWithBody = fc.constantFrom(...withBody);
  return fc.oneof(
    fc
      .tuple(anyWithBody, notJson)
      // An empty body is valid if the body is optional.
      .filter(([operation, text]) => !operation.bodyOptional || text.trim() !== '')
      .map(([operation, text]) => body(operation, text)),
    fc
      .tuple(anyWithBody, fc.nat())
      .map(([operation, pick]) => body(operation, JSON.stringify(wrongField(operation, pick)))),
    fc
      .tuple(anyWithBody, storableNot)
      .map(([operation, text]) => body(operation, JSON.stringify({ [text]: text }))),
    fc
      .tuple(anyWithBody, fc.integer({ min: 65, max: 5_000 }))
      .map(([operation, depth]) => body(operation, nested(depth))),
    anyWithBody.map((operation) =>
      body(operation, '{}', { authorization, 'content-type': 'application/xml' }),
    ),
    fc.tuple(fc.constantFrom(...withQuery), badQuery).map(([operation, query]) => ({
      method: operation.method,
      url: `${urlOf(operation)}?${query(operation)}`,
      headers: json,
      ...(operation.body && { payload: '[]' }),
    })),
    fc
      .tuple(fc.constantFrom(...operations), fc.constantFrom('PURGE', 'TRACE', 'OPTIONS'))
      .map(([operation, method]) => ({
        method,
        url: urlOf(operation),
        headers: json,
      })),
    oddPath.map((path) => ({ method: 'GET', url: `${BASE}/${path}`, headers: json })),
    fc.tuple(fc.constantFrom(...operations), badCredentials).map(([operation, value]) => ({
      method: operation.method,
      url: urlOf(operation),
      headers: { authorization: value, 'content-type': 'application/json' },
      ...(operation.method !== 'GET' && { payload: '{}' }),
    })),
    fc
      .tuple(
        fc.constantFrom(...withBody.filter((operation) => operation.method === 'POST')),
        fc.constantFrom('', 'é', 'x'.repeat(256)),
      )
      .map(([operation, key]) => body(operation, '[]', { ...json, 'idempotency-key': key })),
  );
}

/** A path with well-formed ids that do not exist. */
function urlOf(operation: NamedOperation): string {
  return BASE + operation.path.replace(/:\w+/g, '019542f5-b3e7-7d02-8000-0000000000ff');
}

const notJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '12',
    'true',
    '{"a":}',
    "{'a':1}",
    '{"a":1}}',
    '\u{feff}[]',
    '{"a":01}',
    'undefined',
    'NaN',
  ),
  fc.string({ unit: 'binary' }).filter((text) => !text.trim().startsWith('{')),
  fc.string().map((text) => `{"${text.replaceAll('"', '')}`),
);

const storableNot = fc.constantFrom('a\0b', '\ud800', 'x\udfff', '\0');

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

const badQuery = fc
  .tuple(
    fc.nat(),
    fc.constantFrom(
      '%00',
      '%ED%A0%80',
      'non-sense',
      '-1',
      '1.5e9',
      '99999999999999999999',
      '2026-13-45',
      '%20',
      '[]',
    ),
  )
  .map(([pick, value]) => (operation: NamedOperation) => {
    const properties = (operation.query as Schema).properties ?? {};
    const strict = Object.keys(properties).filter((name) => isStrict(properties[name] as Schema));
    // A free-text filter takes anything but NUL.
    const name = strict[pick % strict.length];
    return name === undefined ? `${Object.keys(properties)[0]}=%00` : `${name}=${value}`;
  });

/** Whether nonsense is certainly wrong: numbers, booleans, lists of values, formats, ids. */
function isStrict(schema: Schema & { format?: string; pattern?: string }): boolean {
  return (
    schema.type === 'integer' ||
    schema.type === 'boolean' ||
    schema.enum !== undefined ||
    schema.format !== undefined ||
    schema.pattern !== undefined
  );
}

const oddPath = fc
  .string({
    unit: fc.constantFrom('a', '/', '%', '..', '%2F', '%00', '%zz', ':', 'é', '?', '-', '%E2%82%AC'),
  })
  .filter((path) => !path.startsWith('?'))
  .map((path) => `nowhere/${path}`);

const badCredentials = fc.oneof(
  fc.constantFrom(
    '',
    'Basic',
    'Basic !!!',
    'Bearer abc',
    'Basic Og==',
    'Basic VG9rZW46',
    `Basic ${'A'.repeat(5000)}`,
  ),
  fc.base64String().map((text) => `Basic ${text}`),
);

/** A value that throws when it is converted to a text or a number. */
const UNCONVERTIBLE = { toString: 1, valueOf: 1 };

const WRONG: Record<string, unknown[]> = {
  string: [12, true, {}, [], 1e308, UNCONVERTIBLE],
  integer: ['12', 1.5, {}, [], true, 2 ** 53, 1e308, -1e308, UNCONVERTIBLE],
  number: ['12', {}, [], true],
  boolean: ['true', 1, {}, [], UNCONVERTIBLE],
  object: ['x', 5, [], true],
  array: ['x', 5, {}, true],
};

/** A body with one known field of a type it cannot have. */
function wrongField(operation: NamedOperation, pick: number): unknown {
  const root = operation.body as Schema;
  const branches = root.oneOf ?? [root];
  const branch = branches[pick % branches.length] as Schema;
  const tag = root.discriminator?.propertyName;
  if (tag !== undefined && pick % 11 === 0) return { [tag]: UNCONVERTIBLE };
  const tagSchema = tag === undefined ? undefined : branch.properties?.[tag];
  const tagged = tag === undefined ? {} : { [tag]: tagSchema?.const ?? tagSchema?.enum?.[0] };
  const names = Object.keys(branch.properties ?? {}).filter(
    (name) => name !== tag && typeOf(branch.properties?.[name]) !== undefined,
  );
  const name = names[pick % Math.max(1, names.length)];
  if (name === undefined) return [];
  const wrong = WRONG[typeOf(branch.properties?.[name]) as string] ?? [];
  return { ...tagged, [name]: wrong[pick % wrong.length] };
}

function typeOf(schema: Schema | undefined): string | undefined {
  const one = schema?.anyOf?.find((part) => part.type !== 'null') ?? schema;
  return typeof one?.type === 'string' && one.type in WRONG ? one.type : undefined;
}

/** Sends bytes as they are and reads until the other side closes. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.includes('\r\n\r\n') && answer.includes('}')) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
