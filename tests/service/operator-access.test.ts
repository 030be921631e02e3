// lane: whole — every operators' operation, over HTTP, by everybody who may not call it

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { endOperator } from '#capabilities/operators/manage.ts';
import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { type Asked, askConsole, signInDeveloper } from '#tests/given/console.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenJoined, givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;
const NOBODYS = '019542f5-b3e7-7d02-8000-0000000000ff';

/** Every operation of operators as its declaration says, so that a new one is among them. */
describe('who reaches the operations of operators', () => {
  const world = testWorld();
  let admin: TestOperator;
  let platform: TestPlatform;

  before(async () => {
    admin = await givenOperator(world);
    platform = await world.platform();
  });

  const declared = () => world.app.operatorOperations;
  const pathOf = ({ path }: NamedOperation) => path.replace(/:\w+/g, NOBODYS);

  /** Never a valid body: a call that is refused for its caller must not even read it. */
  function call(operation: NamedOperation, asked: Asked = {}) {
    const body = operation.method === 'GET' ? {} : { body: '[]' };
    return askConsole(world, operation.method, `/console/api${pathOf(operation)}`, { ...body, ...asked });
  }

  /** As an operator. An operator can make one change in each second. */
  function callAs({ cookie }: TestOperator, operation: NamedOperation, asked: Asked = {}) {
    world.clock.advance(1_000);
    return call(operation, { cookie, ...asked });
  }

  /** Cookies that were good once. */
  async function deadCookies(): Promise<string[]> {
    const [suspended, removed, signedOut] = [
      await givenOperator(world, EVERY_ROLE),
      await givenOperator(world, EVERY_ROLE),
      await givenOperator(world, EVERY_ROLE),
    ];
    const session = '/console/api/operator/session';
    for (const { ask } of [suspended, removed, signedOut])
      assert.equal((await ask('GET', session)).status, 200);
    await onInstallation(world, (tx) => endOperator(tx, suspended.id, 'SUSPENDED', 'for the test'));
    await onInstallation(world, (tx) => endOperator(tx, removed.id, 'REMOVED', 'for the test'));
    await signedOut.ask('POST', '/console/api/operator/sign-out');
    return [suspended.cookie, removed.cookie, signedOut.cookie];
  }

  it('operator.md §3.1, §3.2: without a live session every operation gives one and the same 401, whatever else is sent', async () => {
    const agent = await givenConnectedAgent(platform, await givenCustomer(platform, PERSON));
    const developer = await signInDeveloper(world, platform);
    const secret = admin.cookie.slice(admin.cookie.indexOf('=') + 1);
    const wrong: Asked[] = [
      {},
      { headers: { authorization: platform.authorization } },
      { headers: { authorization: `Bearer ${agent.accessToken}` } },
      // The secret of a live session anywhere but in its cookie.
      { headers: { authorization: `Bearer ${secret}` } },
      ...[
        `corridor-operator=${'A'.repeat(43)}`,
        `corridor-developer=${secret}`,
        developer.cookie,
        developer.cookie.replace('corridor-developer', 'corridor-operator'),
        ...(await deadCookies()),
      ].map((cookie) => ({ cookie })),
    ];
    const bodies = new Set<string>();
    for (const operation of declared()) {
      for (const asked of wrong) {
        const { status, raw, headers } = await call(operation, asked);
        assert.equal(status, 401, `${operation.id} ${JSON.stringify(asked)}`);
        assert.equal(headers['www-authenticate'], undefined, operation.id);
        bodies.add(raw);
      }
    }
    assert.equal(bodies.size, 1, [...bodies].join('\n'));
  });

  it('operator.md §3.2: the cookie of an operator opens no operation of platforms, neither at the public API nor below the console', async () => {
    for (const operation of world.app.operations) {
      if (callersOf(operation).includes('page')) continue;
      const mounts = callersOf(operation).includes('token') ? [BASE, '/console/api/platform'] : [BASE];
      for (const mount of mounts) {
        const { status } = await askConsole(world, operation.method, mount + pathOf(operation), {
          cookie: admin.cookie,
          ...(operation.method !== 'GET' && { body: '[]' }),
        });
        assert.equal(status, 401, `${operation.id} at ${mount}`);
      }
    }
  });

  it('operator.md §3.3: a form or a page of another site reaches no operation, with the cookie of an operator who may call it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-corridor-console': undefined };
    const foreign: (operation: NamedOperation) => Asked['headers'][] = ({ method }) => [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
      // Browsers send these headers with a read only from another site, so a read is not refused without them.
      ...(method === 'GET'
        ? []
        : [
            { 'x-corridor-console': undefined },
            { 'sec-fetch-site': 'none' },
            { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
            { ...form, 'sec-fetch-site': 'same-origin' },
            { ...form, 'sec-fetch-site': undefined },
          ]),
    ];
    const operator = await givenOperator(world, EVERY_ROLE);
    for (const operation of declared()) {
      for (const headers of foreign(operation)) {
        const { status, body } = await call(operation, { cookie: operator.cookie, headers: headers ?? {} });
        const told = `${operation.id} ${JSON.stringify(headers)}`;
        assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], told);
        assert.match(body.reason, /own pages/, told);
      }
    }
  });

  it('operator.md §2.2, §10.1: an operator with one role reaches the operations of this role, and is refused by all others before anything is read', async () => {
    for (const role of EVERY_ROLE) {
      const operator = await givenOperator(world, [role]);
      for (const operation of declared()) {
        const roles = operation.operator?.roles ?? [];
        const { status, body, raw } = await callAs(operator, operation);
        const told = `${role} ${operation.id} ${status} ${raw.slice(0, 200)}`;
        if (roles.includes(role)) {
          assert.ok(status === 200 || [400, 404].includes(status), told);
        } else {
          assert.deepEqual([status, body.code, body.details], [403, 'FORBIDDEN', { roles }], told);
        }
      }
    }
  });

  it('platform.md §1.2.2, operator.md §6.2: an id that does not exist, and one of another kind, are not found by any operation on a resource', async () => {
    const operator = await givenOperator(world, EVERY_ROLE);
    let asked = 0;
    for (const operation of declared()) {
      const [[name = '', rule] = []] = Object.entries(operation.params ?? {});
      if (operation.operator?.on !== 'resource' || !rule || !('id' in rule)) continue;
      const other = rule.id === 'Card' ? 'Agent' : 'Card';
      for (const id of [NOBODYS, `${rule.id}:${NOBODYS}`, `${other}:${platform.id}`, 'none', '%00']) {
        world.clock.advance(1_000);
        const path = operation.path.replace(`:${name}`, id).replace(/:\w+(?=\/|$)/g, NOBODYS);
        const body = operation.method === 'GET' ? {} : { body: '[]' };
        const url = `/console/api${path}`;
        const reply = await askConsole(world, operation.method, url, { cookie: operator.cookie, ...body });
        const told = `${operation.id} ${id} ${reply.raw.slice(0, 200)}`;
        assert.deepEqual([reply.status, reply.body.code], [404, rule.missing], told);
        asked++;
      }
      if (asked % 100 === 0) assert.equal((await operator.stepUp()).status, 204);
    }
    assert.ok(asked > 300, `${asked} were asked`);
  });

  it('operator.md §1.5a: a person who has joined and is not confirmed is refused by every operation', async () => {
    const joined = await givenJoined(world, EVERY_ROLE);
    assert.equal(joined.joined.status, 'JOINED');
    for (const operation of declared()) {
      const { status, body } = await callAs(joined, operation);
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], operation.id);
    }
  });

  it('operator.md §3.4: what needs a fresh proof of presence is refused with one that is five minutes old', async () => {
    const operator = await givenOperator(world, EVERY_ROLE);
    world.clock.advance(5 * 60_000);
    for (const operation of declared()) {
      const { status, body, raw } = await callAs(operator, operation);
      const isRefused = status === 403;
      assert.equal(isRefused, operation.operator?.stepUp ?? false, `${operation.id} ${raw.slice(0, 200)}`);
      if (isRefused) assert.equal(body.code, 'STEP_UP_REQUIRED', operation.id);
    }
  });

  it('operator.md §6: the document of these operations needs no session, and has all of them', async () => {
    const { status, headers, body } = await askConsole(world, 'GET', '/console/api/openapi.json');
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
    const described = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap(Object.values)
      .map(({ operationId }) => operationId);
    assert.deepEqual(
      described.toSorted(),
      declared()
        .map(({ id }) => id)
        .toSorted(),
    );
    assert.deepEqual(body.servers, [{ url: '/console/api' }]);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    assert.equal((await askConsole(world, 'GET', '/console/api/openapi.json', foreign)).status, 403);
  });
});
