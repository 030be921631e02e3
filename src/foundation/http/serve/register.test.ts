import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { clearable, component, movedAmount, queryId, stringEnum, tagged } from '#foundation/http/schema.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { smallServer } from '#tests/harness/small-server.ts';

const BASE = wireNames('Svc').basePath;

/** Minimal operations, so that each rule of the registrar shows by itself. */
describe('the operation registrar', () => {
  const world = testWorld();
  let app: FastifyInstance;
  let platform: TestPlatform;

  before(async () => {
    app = await smallServer(world, OPERATIONS);
    platform = await world.platform();
  });
  after(() => app.close());

  async function send(
    method: string,
    path: string,
    options: { body?: string | Buffer; headers?: Record<string, string> } = {},
  ) {
    const reply = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/') ? BASE + path : path,
      headers: {
        authorization: platform.authorization,
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { payload: options.body }),
    });
    const json = reply.headers['content-type']?.toString().startsWith('application/json')
      ? reply.json()
      : undefined;
    return { status: reply.statusCode, body: json, headers: reply.headers, raw: reply.body };
  }

  const fields = (body: { details: { errors: { field: string }[] } }) =>
    body.details.errors.map((error) => error.field);

  it('platform.md §1.1.1: an unknown path, another version or a trailing slash is 404 JSON without credentials', async () => {
    for (const path of ['/nothing', '/things/', '/%zz', '/things/a/b/c']) {
      const reply = await app.inject({ method: 'GET', url: BASE + path });
      assert.equal(reply.statusCode, 404, path);
      assert.equal(reply.json().code, 'NOT_FOUND');
      assert.ok(reply.headers['x-request-id'], path);
    }
    assert.equal(
      (await app.inject({ method: 'GET', url: '/svc/2024-01-01/things' })).json().code,
      'NOT_FOUND',
    );
  });

  it('platform.md §1.2.2: an id that is too long gets the 404 of its resource', async () => {
    for (const length of [600, 15_000]) {
      const reply = await send('PATCH', `/things/${'a'.repeat(length)}`, { body: '{}' });
      assert.deepEqual([reply.status, reply.body.code], [404, 'CUSTOMER_NOT_FOUND']);
    }
  });

  it('platform.md §1.1.7: requests before a broken one are answered, in order', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const ask = (rest: string) => `${rest}authorization: ${platform.authorization}\r\nhost: x\r\n`;
    const whole = ask(`GET ${BASE}/things HTTP/1.1\r\n`);
    const chunked = ask(`POST ${BASE}/things HTTP/1.1\r\ntransfer-encoding: chunked\r\n`);
    const expected: [string, string[]][] = [
      ['nonsense\r\n\r\n', ['400']],
      [`${whole}\r\n${whole}\r\nnonsense\r\n\r\n`, ['200', '200', '400']],
      [`${chunked}\r\nzz\r\n`, ['400']],
      [`${whole}\r\n${chunked}\r\nzz\r\n`, ['200', '400']],
    ];
    for (const [text, statuses] of expected) {
      const client = connect(port, '127.0.0.1').setEncoding('utf8');
      client.write(text);
      assert.deepEqual(statusesIn(await client.toArray()), statuses, text);
    }
    const refused = connect(port, '127.0.0.1').setEncoding('utf8');
    refused.write(`POST ${BASE}/things HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`);
    const [first] = await once(refused, 'data');
    refused.write('zz\r\n');
    assert.deepEqual(statusesIn([first, ...(await refused.toArray())]), ['401']);
  });

  it('platform.md §1.1.4: a known path with another method is 405 with Allow', async () => {
    const reply = await send('PATCH', '/things');
    assert.equal(reply.status, 405);
    assert.equal(reply.body.code, 'METHOD_NOT_ALLOWED');
    assert.equal(reply.headers.allow, 'GET, POST');
  });

  it('platform.md §1.1.4: a literal path supports only its own methods, not those of a pattern with an id in its place', async () => {
    for (const [path, allow] of [
      ['/customers/end-user-terms', 'GET'],
      ['/customers/internal-accounts', 'GET'],
      ['/customers/external-accounts', 'GET, POST'],
      ['/customers/external%2Daccounts', 'GET, POST'],
    ] as const) {
      for (const method of ['PATCH', 'DELETE'] as const) {
        // Without credentials: the address is checked before them (platform.md §1.1.5).
        const reply = await world.app.http.inject({ method, url: BASE + path });
        assert.equal(reply.statusCode, 405, `${method} ${path}`);
        assert.equal(reply.json().code, 'METHOD_NOT_ALLOWED');
        assert.equal(reply.headers.allow, allow);
      }
    }
  });

  it('platform.md §1.1.5: the address is checked before everything else, however broken the rest is', async () => {
    const headers = { 'content-type': ';;;' };
    assert.equal((await send('POST', '/nothing', { body: '{', headers })).status, 404);
    assert.equal((await send('POST', '/nothing', { body: 'x'.repeat(1_100_000) })).status, 404);
    assert.equal((await send('PATCH', '/things', { body: '{', headers })).status, 405);
    assert.equal((await send('QUERY', '/things')).status, 405);
  });

  it('platform.md §1.1.5: credentials are checked before the body, and the body before the resource', async () => {
    const broken = { body: '{', headers: { authorization: 'Basic bm8=' } };
    assert.equal((await send('POST', '/things', broken)).status, 401);
    assert.equal((await send('POST', '/things', { body: '{' })).body.code, 'INVALID_REQUEST_FORMAT');
    assert.equal(
      (await send('PATCH', '/things/nonsense', { body: '{"name":5}' })).body.code,
      'INVALID_INPUT',
    );
    assert.equal(
      (await send('PATCH', '/things/nonsense', { body: '{"name":"x"}' })).body.code,
      'CUSTOMER_NOT_FOUND',
    );
  });

  it('platform.md §1.1.6: the refusal of a body that is not valid JSON names the position', async () => {
    for (const [body, place] of [
      ['{"name": "a",}', 'line 1, column 14'],
      ['{\n  "name": tru\n}', 'line 2, column 11'],
      ['{"name": "a"', 'line 1, column 13'],
    ] as const) {
      const reply = await send('POST', '/things', { body });
      assert.equal(reply.body.reason, `The body is not valid JSON: see ${place}.`);
    }
    const deep = await send('POST', '/things', { body: '['.repeat(200_000) });
    assert.deepEqual(
      [deep.body.code, deep.body.reason],
      ['INVALID_REQUEST_FORMAT', 'The body is not valid JSON.'],
    );
  });

  it('platform.md §1.1.6: unparseable JSON, another type of body or content is 400 INVALID_REQUEST_FORMAT', async () => {
    for (const body of ['', '{', '[]', '"x"', 'null', '1', '{"a":1}}']) {
      assert.equal((await send('POST', '/things', { body })).body.code, 'INVALID_REQUEST_FORMAT', body);
    }
    const wrongType = await send('POST', '/things', {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    assert.equal(wrongType.body.code, 'INVALID_REQUEST_FORMAT');
    const notUtf8 = Buffer.from('{"kind":"A","size":1,"name":"\xff\xfe"}', 'latin1');
    assert.equal((await send('POST', '/things', { body: notUtf8 })).body.code, 'INVALID_REQUEST_FORMAT');
    const large = JSON.stringify({ kind: 'A', size: 1, name: 'x'.repeat(1_100_000) });
    assert.equal((await send('POST', '/things', { body: large })).body.code, 'INVALID_REQUEST_FORMAT');
  });

  it('platform.md §1.1.6: null is absent on POST and clears on PATCH where the field can be cleared', async () => {
    const created = await send('POST', '/things', {
      body: '{"kind":"A","size":1,"note":null,"unknown":null}',
    });
    assert.equal(created.status, 201);
    assert.equal('note' in created.body, false);
    const id = '019542f5-b3e7-7d02-8000-0000000000ff';
    assert.equal((await send('PATCH', `/things/${id}`, { body: '{"note":null}' })).body.note, 'cleared');
    assert.deepEqual(fields((await send('PATCH', `/things/${id}`, { body: '{"name":null}' })).body), [
      'name',
    ]);
  });

  it('platform.md §1.1.6: unknown fields and query parameters are ignored; arrays repeat or use commas', async () => {
    const repeated = await send('GET', '/things?tags=a&tags=b&whatever=1');
    assert.deepEqual(repeated.body.tags, ['a', 'b']);
    assert.deepEqual((await send('GET', '/things?tags=a,b')).body.tags, ['a', 'b']);
  });

  it('platform.md §1.1.7: every answer carries a request id, and refusals that cannot be retried say so', async () => {
    const reply = await send('GET', '/things?limit=0');
    assert.match(String(reply.headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal(reply.headers['x-should-retry'], 'false');
  });

  it('platform.md §1.2.2: ids in a path may be bare, full or percent-encoded; in a query a bad one is INVALID_INPUT', async () => {
    const uuid = '019542f5-b3e7-7d02-8000-0000000000ff';
    for (const form of [uuid, `Customer:${uuid}`, `Customer%3A${uuid}`]) {
      assert.equal((await send('PATCH', `/things/${form}`, { body: '{}' })).body.id, uuid, form);
    }
    assert.equal(
      (await send('PATCH', `/things/Card:${uuid}`, { body: '{}' })).body.code,
      'CUSTOMER_NOT_FOUND',
    );
    assert.equal((await send('GET', `/things?customerId=Customer:${uuid}`)).body.customerId, uuid);
    assert.deepEqual(fields((await send('GET', '/things?customerId=nonsense')).body), ['customerId']);
  });

  it('platform.md §1.2.4: an amount of zero or less has its own code; fractions, text and too much are INVALID_INPUT', async () => {
    for (const amount of [0, -5]) {
      const reply = await send('POST', '/things', { body: JSON.stringify({ kind: 'B', amount }) });
      assert.equal(reply.body.code, 'INVALID_AMOUNT');
      assert.deepEqual(fields(reply.body), ['amount']);
    }
    for (const amount of ['1.5', '"5"', '9007199254740993', '1e400', 'true']) {
      const reply = await send('POST', '/things', { body: `{"kind":"B","amount":${amount}}` });
      assert.equal(reply.body.code, 'INVALID_INPUT', amount);
    }
  });

  it('platform.md §10.0.2: every bad field is named at once, in document order, with its constraint', async () => {
    const body = JSON.stringify({
      email: 'no',
      name: '',
      kind: 'A',
      colour: 'mauve',
      nested: { list: [1, 'x', 3] },
    });
    const reply = await send('POST', '/things', { body });
    assert.deepEqual(fields(reply.body), ['size', 'name', 'email', 'colour', 'nested.list.1']);
    const [size, name, email, colour] = reply.body.details.errors;
    assert.deepEqual(size, { field: 'size', message: 'is required' });
    assert.deepEqual(name.constraint, { minLength: 1 });
    assert.deepEqual(email.constraint, { format: 'email' });
    assert.deepEqual(colour.constraint, { enum: ['red', 'blue'] });
  });

  it('platform.md §10.0.2: a tagged union reports the errors of its branch only, and for an unknown tag the accepted values', async () => {
    assert.deepEqual(fields((await send('POST', '/things', { body: '{"kind":"B"}' })).body), ['amount']);
    const unknown = await send('POST', '/things', { body: '{"kind":"Z"}' });
    assert.deepEqual(unknown.body.details.errors[0].constraint, { enum: ['A', 'B'] });
    assert.deepEqual(fields((await send('POST', '/things', { body: '{}' })).body), ['kind']);
  });

  it('platform.md §10.5: headers have 30 s to arrive, and the whole request an hour', () => {
    assert.equal(app.server.requestTimeout, 3_600_000);
    assert.equal(app.server.headersTimeout, 30_000);
  });

  it('platform.md §10.0.4: a bug is a 500 that reveals nothing', async () => {
    const reply = await send('POST', '/bugs', { body: '{}' });
    assert.equal(reply.status, 500);
    assert.equal(reply.body.code, 'INTERNAL_ERROR');
    assert.equal(reply.raw.includes('secret detail'), false);
  });

  it('text that the database cannot store is refused, at any depth', async () => {
    for (const bad of ['a\\u0000b', '\\ud800']) {
      const reply = await send('POST', '/things', {
        body: `{"kind":"A","size":1,"extra":[{"deep":"${bad}"}]}`,
      });
      assert.deepEqual(fields(reply.body), ['extra.0.deep']);
    }
    assert.equal((await send('GET', '/things?name=%00')).body.code, 'INVALID_INPUT');
    const nested = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    assert.equal((await send('POST', '/things', { body: nested })).body.code, 'INVALID_REQUEST_FORMAT');
  });

  it('platform.md §1.3.4: a token without the permission is 403', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    const reply = await send('POST', '/things', {
      body: '{}',
      headers: { authorization: viewer.authorization },
    });
    assert.equal(reply.body.code, 'FORBIDDEN');
  });

  it('platform.md §9: the request rate of a platform is limited, with Retry-After', async () => {
    const slow = await world.platform({ settings: { requestRate: { perSecond: 1, burst: 2 } } });
    const headers = { authorization: slow.authorization };
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await send('GET', '/things', { headers })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const limited = await send('GET', '/things', { headers });
    assert.equal(limited.headers['retry-after'], '1');
    assert.equal(limited.headers['x-should-retry'], undefined);
    world.clock.advance(1000);
    assert.equal((await send('GET', '/things', { headers })).status, 200);
  });
});

function statusesIn(answers: string[]): (string | undefined)[] {
  return [...answers.join('').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
}

const Thing = tagged('kind', [
  Type.Object({
    kind: Type.Literal('A'),
    size: Type.Integer(),
    name: Type.Optional(Type.String({ minLength: 1 })),
    email: Type.Optional(Type.String({ format: 'email' })),
    colour: Type.Optional(stringEnum(['red', 'blue'])),
    note: Type.Optional(Type.String()),
    nested: Type.Optional(Type.Object({ list: Type.Array(Type.Integer()) })),
  }),
  Type.Object({ kind: Type.Literal('B'), amount: movedAmount() }),
]);

const OPERATIONS: NamedOperation[] = [
  operation('createThing', {
    route: 'POST /things',
    area: 'Things',
    summary: 'Creates a thing',
    access: 'manage',
    body: Thing,
    status: 201,
    reply: component('Thing', {}),
    codes: [],
    write: async (_tx, { body }) => body as object,
  }),
  operation('listThings', {
    route: 'GET /things',
    area: 'Things',
    summary: 'Lists things',
    access: 'view',
    query: Type.Object({
      tags: Type.Optional(Type.Array(Type.String())),
      name: Type.Optional(Type.String()),
      customerId: Type.Optional(queryId('Customer')),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
    reply: component('Things', {}),
    codes: [],
    read: async (_tx, { query }) => query,
  }),
  operation('updateThing', {
    route: 'PATCH /things/:thingId',
    area: 'Things',
    summary: 'Changes a thing',
    access: 'manage',
    params: { thingId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' } },
    body: Type.Object({ name: Type.Optional(Type.String()), note: Type.Optional(clearable(Type.String())) }),
    reply: component('Thing', {}),
    codes: [],
    write: async (_tx, { params, body }) => ({
      id: params.thingId,
      note: body.note === null ? 'cleared' : body.note,
    }),
  }),
  operation('makeBug', {
    route: 'POST /bugs',
    area: 'Things',
    summary: 'Fails',
    access: 'manage',
    body: Type.Object({}),
    reply: component('Thing', {}),
    codes: [],
    write: async () => {
      throw new Error('secret detail');
    },
  }),
  operation('refuseAndKeep', {
    route: 'POST /refusals',
    area: 'Things',
    summary: 'Refuses',
    access: 'manage',
    body: Type.Object({}),
    reply: component('Thing', {}),
    codes: ['CONFLICT'],
    write: async () => new Refusal('CONFLICT', 'kept'),
  }),
];
