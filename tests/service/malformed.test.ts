// lane: whole — thousands of broken requests

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type MalformedRequest, malformed } from '#tests/fuzz/malformed.ts';
import { FROM_PAGE } from '#tests/given/console.ts';
import { givenInvited, givenOperator } from '#tests/given/operators.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { givenThings, type Things } from '#tests/given/things.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';
import { tableContents } from '#tests/harness/table-contents.ts';

const BASE = wireNames('Svc').basePath;
const CONSOLE = '/console/api';
const REQUESTS = 10_000;
const OPERATOR_REQUESTS = 2_000;

/**
 * Malformed requests of every kind: none may be answered with a 5xx, and none may change anything.
 */
describe('malformed requests', () => {
  const world = testWorld();

  it(`money.md §12.10: ${REQUESTS} malformed requests: not one 5xx, nothing stored`, async (t) => {
    const platform = await world.platform();
    const before = await contents();
    assert.match(before.platforms ?? '', /^1 [0-9a-f]{32}$/);
    const seed = seedOf('FUZZ_SEED');
    t.diagnostic(`FUZZ_SEED=${seed}`);
    const target = {
      ...{
        operations: world.app.operations,
        prefix: BASE,
        headers: { authorization: platform.authorization },
      },
      // Ids that do not exist.
      urlOf: ({ path }: NamedOperation) =>
        BASE + path.replace(/:\w+/g, '019542f5-b3e7-7d02-8000-0000000000ff'),
      wrong: badTokens.map((authorization) => ({ authorization })),
    };
    const seen = new Map<number, number>();
    for (const request of fc.sample(malformed(target), { numRuns: REQUESTS, seed })) {
      const status = await requireRefused(request);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    for (const status of [400, 401, 404, 405]) assert.ok(seen.get(status), `nothing was answered ${status}`);
    assert.deepEqual(await contents(), before);
  });

  it(`operator.md §3.2, §3.3: ${OPERATOR_REQUESTS} malformed requests about what exists: not one 5xx, nothing stored`, async (t) => {
    const operator = await givenOperator(world, EVERY_ROLE);
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC', 'USDB'] });
    const known: Things = {
      ...(await givenThings(platform, true)),
      ...{ Platform: platform.id, Operator: (await givenInvited(world, ['viewer'])).id },
    };
    const before = await contents();
    const seed = seedOf('FUZZ_SEED');
    t.diagnostic(`FUZZ_SEED=${seed}`);
    const target = {
      ...{ operations: world.app.operatorOperations, prefix: CONSOLE },
      // A proof of presence changes the cookie, so it is added to each request.
      ...{ headers: { ...FROM_PAGE, cookie: OWN }, wrong: wrongSessions(platform.authorization) },
      urlOf: (operation: NamedOperation) => CONSOLE + addressOf(operation, known),
    };
    const seen = new Map<number, number>();
    for (const [i, request] of fc.sample(malformed(target), { numRuns: OPERATOR_REQUESTS, seed }).entries()) {
      // A change for each second, and a proof of presence that is not too old.
      world.clock.advance(1_000);
      if (i % 200 === 0) assert.equal((await operator.stepUp()).status, 204);
      const { cookie } = request.headers;
      const headers = { ...request.headers, ...(cookie === OWN && { cookie: operator.cookie }) };
      const status = await requireRefused({ ...request, headers });
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    for (const status of [400, 401, 403, 404]) assert.ok(seen.get(status), `nothing was answered ${status}`);
    assert.equal(seen.get(429), undefined, 'no request was refused for the rate');
    assert.deepEqual(await contents(), before);
  });

  async function requireRefused(request: MalformedRequest): Promise<number> {
    const { statusCode, body } = await world.app.http.inject(request as { method: 'GET'; url: string });
    const told = `${JSON.stringify(request).slice(0, 600)} → ${statusCode} ${body.slice(0, 300)}`;
    assert.ok(statusCode >= 400 && statusCode < 500, told);
    const { code, reason } = JSON.parse(body);
    assert.ok(code && reason, told);
    return statusCode;
  }

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

  /** All tables except the audit of failed authentications, and the sessions and proofs of operators. */
  const contents = () =>
    tableContents(world.database, [
      ...['audit_log', 'operators', 'operator_sessions', 'operator_passkeys', 'operator_used_challenges'],
    ]);
});

/** The path with ids of resources that exist. */
function addressOf({ path, params = {} }: NamedOperation, known: Things): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const rule = params[name];
    return (rule && 'id' in rule && known[rule.id]) || '019542f5-b3e7-7d02-8000-0000000000ff';
  });
}

/** Stands for the cookie of the operator who is signed in. */
const OWN = 'own';

/** Requests without a session of an operator, and such as pages of other sites send. */
function wrongSessions(authorization: string): fc.Arbitrary<Readonly<Record<string, string>>> {
  const others: Readonly<Record<string, string>>[] = [
    FROM_PAGE,
    { ...FROM_PAGE, authorization },
    { ...FROM_PAGE, cookie: OWN, 'sec-fetch-site': 'cross-site' },
    { ...FROM_PAGE, cookie: OWN, 'sec-fetch-site': 'same-site' },
  ];
  return fc.oneof(
    fc.constantFrom(...others),
    fc
      .base64String({ maxLength: 60 })
      .map((secret) => ({ ...FROM_PAGE, cookie: `corridor-operator=${secret}` })),
  );
}

const badTokens = fc.oneof(
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
