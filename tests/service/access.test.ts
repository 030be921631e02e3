// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;
const PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const;

/** The writes of platform.md §1.3.4 that need TRANSACT; every other write needs MANAGE. */
const TRANSACT = [
  /^POST \/events\/[^/]+\/answer$/,
  /^POST \/quotes(\/|$)/,
  /^POST \/transfer-(in|out)$/,
  /^POST \/transactions\/:\w+\/(confirm|approve|reject|cancel)$/,
  /^POST \/stablecoins\/:\w+\/(mints|burns)$/,
  /^POST \/agents\/:\w+\/actions\/:\w+\/(approve|reject)$/,
  /^POST \/sandbox\/(send|uma\/receive|internal-accounts\/:\w+\/fund|cards\/.*)$/,
];
const ESTIMATE = /withdrawal-fee/;

/** Every operation, called by callers that may not call it. */
describe('which callers may call which operations', () => {
  const world = testWorld();

  async function callForStatus(operation: NamedOperation, authorization?: string) {
    const reply = await world.app.http.inject({
      method: operation.method,
      url: BASE + operation.path.replace(/:\w+/g, '019542f5-b3e7-7d02-8000-0000000000ff'),
      headers: { ...(authorization !== undefined && { authorization }), 'content-type': 'application/json' },
      // Never a valid body: a call that is refused for its caller must not even read it.
      ...(!/^(GET|HEAD)$/.test(operation.method) && { payload: '[]' }),
    });
    return { status: reply.statusCode, raw: reply.body, headers: reply.headers };
  }

  const openTo = (kind: 'token' | 'agent') =>
    world.app.operations.filter((operation) => callersOf(operation).includes(kind));
  const guarded = () => openTo('token');

  it('platform.md §1.3.4: reading needs VIEW, moving money TRANSACT, and every other write MANAGE', () => {
    for (const { method, path, access } of guarded()) {
      const route = `${method} ${path}`;
      // Signing in to the console gives no permission that the token does not have.
      if (route === 'POST /console-sessions') assert.equal(access, 'any');
      if (access === 'any') continue;
      const isView = method === 'GET' || ESTIMATE.test(path);
      const moves = TRANSACT.some((pattern) => pattern.test(route));
      assert.equal(access, isView ? 'view' : moves ? 'transact' : 'manage', route);
    }
  });

  it('platform.md §1.3.4: each operation accepts a token with its permission and refuses one with the two others', async () => {
    const only = new Map<string, TestPlatform>();
    const allBut = new Map<string, TestPlatform>();
    for (const permission of PERMISSIONS) {
      const others = PERMISSIONS.filter((other) => other !== permission);
      only.set(permission, await world.platform({ permissions: [permission] }));
      allBut.set(permission, await world.platform({ permissions: others }));
    }
    for (const operation of guarded().filter(({ access }) => access !== 'any')) {
      const needed = operation.access.toUpperCase();
      const without = await callForStatus(operation, allBut.get(needed)?.authorization);
      assert.equal(without.status, 403, operation.id);
      assert.equal(JSON.parse(without.raw).code, 'FORBIDDEN', operation.id);
      // Reading is harmless; a write is refused for its body, but not for its caller.
      const allowed = await callForStatus(operation, only.get(needed)?.authorization);
      assert.ok(![401, 403].includes(allowed.status), `${operation.id} ${allowed.status}`);
    }
  });

  it('platform.md §1.3.2: without valid credentials every operation gives one and the same 401', async () => {
    const platform = await world.platform();
    const [name = '', secret = ''] = credentialsOf(platform);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const wrong = [
      undefined,
      '',
      'Basic',
      'Bearer abc',
      platform.authorization.replace('Basic', 'Bearer'),
      basic(name),
      basic(`${name}:`),
      basic(`${name}:${secret}0`),
      basic(`${name}:${secret.slice(0, -1)}`),
      basic(`${name}: ${secret}`),
      basic(`${'0'.repeat(32)}:${secret}`),
      basic(`Token:${name}:${secret}`),
      basic('Token:019542f5-b3e7-7d02-8000-0000000000ff:x'),
      basic('Customer:019542f5-b3e7-7d02-8000-0000000000ff:x'),
    ];
    const bodies = new Set<string>();
    for (const operation of guarded()) {
      const reply = await callForStatus(operation);
      assert.equal(reply.status, 401, operation.id);
      assert.equal(reply.headers['www-authenticate'], 'Basic realm="api"');
      bodies.add(reply.raw);
    }
    const reading = world.app.operations.find(({ id }) => id === 'getPlatformConfig');
    assert.ok(reading);
    for (const authorization of wrong) {
      const reply = await callForStatus(reading, authorization);
      assert.equal(reply.status, 401, String(authorization));
      bodies.add(reply.raw);
    }
    assert.equal(bodies.size, 1);
  });

  it('platform.md §1.3.2, §10.3: a revoked token is refused everywhere, as is the token of a disabled platform', async () => {
    const [revoking, disabled] = [await world.platform(), await world.platform()];
    const { body } = await revoking.call('createToken', {
      body: { name: 'gone', permissions: [...PERMISSIONS] },
    });
    await revoking.call('deleteTokenById', { params: { tokenId: body.id } });
    await disablePlatform(world.app.runtime, disabled.id, { kind: 'operator', id: 'test' });
    const gone = Buffer.from(`${body.clientId}:${body.clientSecret}`).toString('base64');
    for (const operation of guarded()) {
      const revoked = await callForStatus(operation, `Basic ${gone}`);
      assert.deepEqual([revoked.status, JSON.parse(revoked.raw).code], [401, 'UNAUTHORIZED'], operation.id);
      const { status, raw } = await callForStatus(operation, disabled.authorization);
      assert.deepEqual([status, JSON.parse(raw).code], [404, 'PLATFORM_NOT_FOUND'], operation.id);
    }
  });

  it('agents.md §3.1, platform.md §1.3.3: an agent may call operations below /agents/me, and nothing else', () => {
    for (const { path, access } of world.app.operations) {
      assert.equal(access === 'agent', /^\/agents\/me(\/|$)/.test(path), path);
    }
  });

  it('agents.md §3.1: the token of an agent is refused by every other operation, with the answer that no token gets', async () => {
    const platform = await world.platform();
    const agent = await givenConnectedAgent(platform, await givenCustomer(platform, PERSON));
    const own = openTo('agent');
    assert.ok(own.length > 0);
    for (const operation of own) {
      const { status } = await callForStatus(operation, `Bearer ${agent.accessToken}`);
      assert.notEqual(status, 401, operation.id);
    }
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const [tokenId = ''] = credentialsOf(platform);
    const ways = [
      `Bearer ${agent.accessToken}`,
      `bearer ${agent.accessToken}`,
      basic(`${agent.accessToken}:`),
      basic(`:${agent.accessToken}`),
      basic(`${agent.id}:${agent.accessToken}`),
      basic(`${tokenId}:${agent.accessToken}`),
    ];
    for (const operation of guarded()) {
      const without = await callForStatus(operation);
      for (const authorization of ways) {
        const reply = await callForStatus(operation, authorization);
        assert.equal(reply.status, 401, `${operation.id} ${authorization}`);
        assert.equal(reply.raw, without.raw, operation.id);
      }
      if (operation.method !== 'GET') continue;
      assert.equal((await callForStatus(asHead(operation), ways[0])).status, 401, operation.id);
    }
  });

  it('agents.md §3.1: an agent’s token gives access to no unknown path, and changes nothing on paths that need no credentials', async () => {
    const platform = await world.platform();
    const agent = await givenConnectedAgent(platform, await givenCustomer(platform, PERSON));
    const authorization = `Bearer ${agent.accessToken}`;
    const at = async (url: string, headers: object = {}) => {
      const { statusCode, body } = await world.app.http.inject({
        method: 'GET',
        url,
        headers: { ...headers },
      });
      return [statusCode, body];
    };
    const paths = [
      `${BASE}/nothing`,
      `${BASE}/agents/me/nothing`,
      `${BASE}/agents/me/policy`,
      `${BASE}/agents/me/device-codes`,
      `${BASE}/agents/mes`,
      '/agents/me',
      '/i/none',
      '/cards/reveal?t=none',
      '/nothing',
    ];
    for (const url of paths) {
      const reply = await at(url, { authorization });
      assert.ok(Number(reply[0]) >= 400, url);
      assert.deepEqual(reply, await at(url), url);
    }
  });

  it('agents.md §2.1, §2.2, §1.3: a token that has ended is refused by every operation of agents, and by /mcp', async () => {
    const [platform, disabled] = [await world.platform(), await world.platform()];
    const ada = await givenCustomer(platform, PERSON);
    const [replaced, deleted] = [
      await givenConnectedAgent(platform, ada),
      await givenConnectedAgent(platform, ada),
    ];
    const emmy = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'emmy' });
    const orphan = await givenConnectedAgent(platform, emmy);
    const ofDisabled = await givenConnectedAgent(disabled, await givenCustomer(disabled, PERSON));
    const params = { agentId: replaced.id };
    await platform.call('updateAgent', { params, body: { isPaused: true } });
    await platform.send('regenerateAgentDeviceCode', { params });
    await platform.send('deleteAgent', { params: { agentId: deleted.id } });
    const gone = await platform.send('deleteCustomerById', { params: { customerId: emmy.id } });
    assert.equal(gone.status, 200, gone.raw);
    await disablePlatform(world.app.runtime, disabled.id, { kind: 'operator', id: 'test' });
    const without = await callForStatus(openTo('agent')[0] as NamedOperation);
    for (const { accessToken } of [replaced, deleted, orphan, ofDisabled]) {
      const authorization = `Bearer ${accessToken}`;
      for (const operation of openTo('agent')) {
        const { status, raw } = await callForStatus(operation, authorization);
        assert.deepEqual([status, raw], [401, without.raw], operation.id);
      }
      const mcp = await world.app.http.inject({ method: 'POST', url: '/mcp', headers: { authorization } });
      assert.equal(mcp.statusCode, 401);
    }
  });

  it('agents.md §3.1: operations of agents accept neither a platform’s credentials nor any other token', async () => {
    const platform = await world.platform();
    const agent = await givenConnectedAgent(platform, await givenCustomer(platform, PERSON));
    const wrong = [
      undefined,
      'Bearer',
      'Bearer abc',
      `Bearer sat_${'0'.repeat(40)}`,
      `Bearer ${agent.accessToken}0`,
      `Bearer ${agent.accessToken.slice(0, -1)}`,
      `Bearer ${agent.accessToken.toUpperCase()}`,
      `Basic ${Buffer.from(`${agent.accessToken}:`).toString('base64')}`,
      `Basic ${Buffer.from(`:${agent.accessToken}`).toString('base64')}`,
      platform.authorization,
      platform.authorization.replace('Basic', 'Bearer'),
      agent.accessToken,
    ];
    const bodies = new Set<string>();
    for (const operation of openTo('agent')) {
      for (const authorization of wrong) {
        const reply = await callForStatus(operation, authorization);
        assert.equal(reply.status, 401, `${operation.id} ${authorization}`);
        assert.equal(reply.headers['www-authenticate'], 'Bearer realm="agents"');
        bodies.add(reply.raw);
      }
      if (operation.method !== 'GET') continue;
      assert.equal(
        (await callForStatus(asHead(operation), platform.authorization)).status,
        401,
        operation.id,
      );
    }
    assert.equal(bodies.size, 1);
  });

  it('platform.md §1.3.4: requesting the headers alone needs the permission to read', async () => {
    const blind = await world.platform({ permissions: ['TRANSACT', 'MANAGE'] });
    for (const operation of guarded().filter(({ method }) => method === 'GET')) {
      assert.equal((await callForStatus(asHead(operation))).status, 401, operation.id);
      assert.equal((await callForStatus(asHead(operation), blind.authorization)).status, 403, operation.id);
    }
  });

  it('platform.md §1.1.3: simulators of the outside world are closed to production, except for the test webhook', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    for (const operation of guarded().filter(({ path }) => path.startsWith('/sandbox/'))) {
      const { status } = await callForStatus(operation, production.authorization);
      assert.equal(status === 403, operation.path !== '/sandbox/webhooks/test', operation.path);
    }
  });
});

function asHead(operation: NamedOperation): NamedOperation {
  return { ...operation, method: 'HEAD' } as unknown as NamedOperation;
}

function credentialsOf({ authorization }: TestPlatform): string[] {
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
}
