// lane: whole — calls every operation

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { givenPrincipal } from '#tests/given/actions.ts';
import { givenConnectedAgent, givenNewAgent } from '#tests/given/agents.ts';
import { askConsole, type ConsoleReply, signInDeveloper } from '#tests/given/console.ts';
import { PERSON } from '#tests/given/customers.ts';
import { testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;
const SOME_ID = '019542f5-b3e7-7d02-8000-0000000000ff';
const PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const;

/** A call that no operation carries out: its body is no object, its ids are unknown. */
const plain = ({ method, path }: NamedOperation) => ({
  path: { method, path: path.replace(/:\w+/g, SOME_ID) },
  asked: /^(GET|HEAD)$/.test(method) ? {} : { body: '[]' },
});

describe('the public API through the console', () => {
  const world = testWorld();
  const operations = () => world.app.operations;
  const openToTokens = () => operations().filter((operation) => callersOf(operation).includes('token'));

  /** The same call with the token itself. */
  async function direct(operation: NamedOperation, authorization: string): Promise<ConsoleReply> {
    const { path, asked } = plain(operation);
    return askConsole(world, path.method, BASE + path.path, { ...asked, headers: { authorization } });
  }

  const withoutIds = (raw: string) => raw.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');

  it('operator.md §9.2: every operation answers a session like its token, for each set of permissions', async () => {
    for (const permissions of [[...PERMISSIONS], ...PERMISSIONS.map((one) => [one])]) {
      const platform = await world.platform({ permissions });
      const session = await signInDeveloper(world, platform);
      for (const operation of openToTokens()) {
        if (operation.id === 'createConsoleSession') continue;
        const { path, asked } = plain(operation);
        const [own, token] = [
          await session.call(path, asked),
          await direct(operation, platform.authorization),
        ];
        const name = `${operation.id} with ${permissions}`;
        assert.equal(own.status, token.status, `${name}: ${own.raw} ${token.raw}`);
        if (own.status >= 400) assert.equal(withoutIds(own.raw), withoutIds(token.raw), name);
        assert.equal(own.headers['cache-control'], 'no-store', name);
      }
    }
  });

  it('operator.md §9.3: a page that shows another platform than the session reads and changes nothing', async () => {
    const [one, other] = [await world.platform(), await world.platform()];
    const session = await signInDeveloper(world, one);
    const shown = (id: string) => ({ headers: { 'x-corridor-platform': `Platform:${id}` } });
    for (const path of [
      { method: 'GET', path: '/config' },
      { method: 'POST', path: '/customers' },
    ] as const) {
      const { status, body } = await session.call(path, {
        ...shown(other.id),
        ...(path.method === 'POST' && { body: PERSON }),
      });
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED'], path.path);
    }
    assert.equal((await session.call({ method: 'GET', path: '/config' }, shown(one.id))).status, 200);
    assert.equal((await session.ask('GET', '/console/api/session', shown(other.id))).status, 200);
  });

  it('operator.md §9.2: operations of agents and of visitors are not there', async () => {
    const session = await signInDeveloper(world, await world.platform());
    const others = operations().filter((operation) => !callersOf(operation).includes('token'));
    assert.ok(others.length > 0);
    for (const operation of others) {
      const { path, asked } = plain(operation);
      const { status, body } = await session.call(path, asked);
      // A path may be another operation's with an id in its place.
      assert.ok(status >= 400 && body.code !== undefined, `${operation.id} ${status}`);
    }
  });

  it('operator.md §3.2, §9.2: without a session every operation is refused, whatever credentials come with the call', async () => {
    const platform = await world.platform();
    const session = await signInDeveloper(world, platform);
    await session.ask('POST', '/console/api/sign-out');
    for (const operation of openToTokens()) {
      const { path, asked } = plain(operation);
      const url = `/console/api/platform${path.path}`;
      const headers = { authorization: platform.authorization };
      for (const sent of [asked, { ...asked, headers }, { ...asked, cookie: session.cookie }]) {
        const reply = await askConsole(world, path.method, url, sent);
        assert.deepEqual([reply.status, reply.body.code], [401, 'UNAUTHORIZED'], operation.id);
        assert.equal(reply.headers['www-authenticate'], undefined);
      }
    }
  });

  it('operator.md §3.2: the public API takes no cookie, and the console’s own API no token', async () => {
    const platform = await world.platform();
    const { cookie } = await signInDeveloper(world, platform);
    const [name = '', secret = ''] = cookie.split('=');
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const operation of openToTokens()) {
      const { path, asked } = plain(operation);
      const reply = await askConsole(world, path.method, BASE + path.path, { ...asked, cookie });
      assert.equal(reply.status, 401, operation.id);
    }
    for (const authorization of [`Bearer ${secret}`, basic(`${name}:${secret}`), basic(`:${secret}`)]) {
      const reply = await askConsole(world, 'GET', `${BASE}/config`, { headers: { authorization } });
      assert.equal(reply.status, 401);
    }
    const { authorization } = platform;
    const reply = await askConsole(world, 'GET', '/console/api/session', { headers: { authorization } });
    assert.equal(reply.status, 401);
  });

  it('operator.md §9.1: a session of a production token can only read, and never shows a card’s number', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const session = await signInDeveloper(world, platform);
    assert.deepEqual((await session.ask('GET', '/console/api/session')).body.permissions, ['VIEW']);
    for (const operation of openToTokens()) {
      // Two calls cost two of the hundred that production allows in a second.
      world.clock.advance(20);
      const { path, asked } = plain(operation);
      const { status, body } = await session.call(path, asked);
      const token = await direct(operation, platform.authorization);
      if (operation.access === 'view') assert.equal(status, token.status, operation.id);
      else assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], operation.id);
    }
    const reveals = openToTokens().find(({ id }) => id === 'revealCard');
    assert.ok(reveals && reveals.access !== 'view');
    const moving = await signInDeveloper(
      world,
      await world.platform({ environment: 'PRODUCTION', permissions: ['TRANSACT', 'MANAGE'] }),
    );
    assert.deepEqual((await moving.ask('GET', '/console/api/session')).body.permissions, []);
    for (const operation of openToTokens()) {
      world.clock.advance(20);
      const { path, asked } = plain(operation);
      assert.equal((await moving.call(path, asked)).status, 403, operation.id);
    }
  });

  it('operator.md §9.2: a session reads nothing of another platform', async () => {
    const [own, other] = [await world.platform(), await world.platform()];
    const { body: customer } = await other.call('createCustomer', { body: PERSON });
    const session = await signInDeveloper(world, own);
    const read = await session.call({ method: 'GET', path: `/customers/${customer.id}` });
    assert.deepEqual([read.status, read.body.code], [404, 'CUSTOMER_NOT_FOUND']);
    const theirs = await signInDeveloper(world, other);
    const shown = await theirs.call({ method: 'GET', path: `/customers/${customer.id}` });
    assert.equal(shown.body.id, customer.id);
  });

  it('operator.md §9.1: a session cannot make another one', async () => {
    const session = await signInDeveloper(world, await world.platform());
    const reply = await session.call({ method: 'POST', path: '/console-sessions' });
    assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN']);
  });

  it('operator.md §9.2: an idempotency key is shared with the token, and the request log and the audit row name the console', async () => {
    const platform = await world.platform();
    const session = await signInDeveloper(world, platform);
    const body = { name: 'from a page', permissions: ['VIEW'] };
    const customer = {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'ada',
      region: 'US',
      fullName: 'Ada Lovelace',
    };
    const headers = { 'idempotency-key': 'one' };
    const first = await session.call({ method: 'POST', path: '/customers' }, { body: customer, headers });
    const again = await platform.send('createCustomer', { body: customer, key: 'one' });
    assert.equal(first.status, again.status, first.raw);
    assert.equal(first.raw, again.raw);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    await session.call({ method: 'POST', path: '/tokens' }, { body });
    const rows = await world.database.query<{
      action: string;
      resource: string;
      details: { via?: string };
    }>(sql`
      select action, resource, details from audit_log
       where platform_id = ${platform.id} and action in ('createCustomer', 'createToken') order by at, id`);
    assert.deepEqual(
      rows.map(({ action, details }) => [action, details.via]),
      [
        ['createCustomer', 'console'],
        ['createToken', 'console'],
      ],
    );
    assert.equal(rows[0]?.resource, first.body.id);
    const { body: log } = await platform.call('listRequestLogs', { query: { path: '/customers' } });
    assert.deepEqual(
      log.data.map(({ path, via }) => [path, via]),
      [
        ['/customers', undefined],
        ['/customers', 'CONSOLE'],
      ],
    );
    await session.call({ method: 'GET', path: '/tokens' });
    await platform.call('listTokens');
    const { body: calls } = await platform.call('listRequestLogs', {
      query: { path: '/tokens', isExcludingConsoleReads: true },
    });
    assert.deepEqual(
      calls.data.map(({ method, via }) => [method, via]),
      [
        ['GET', undefined],
        ['POST', 'CONSOLE'],
      ],
    );
  });

  it('operator.md §9.2: queries, files and the platform’s request rate work as over the public API', async () => {
    const platform = await world.platform({ settings: { requestRate: { perSecond: 1, burst: 4 } } });
    const session = await signInDeveloper(world, platform);
    const form = new FormData();
    form.append('file', new Blob(['no such column\n1\n'], { type: 'text/csv' }), 'people.csv');
    const encoded = new Response(form);
    const contentType = encoded.headers.get('content-type') ?? '';
    const sent = await session.call(
      { method: 'POST', path: '/customers/bulk/csv' },
      { body: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': contentType } },
    );
    assert.notEqual(sent.status, 404, sent.raw);
    assert.doesNotMatch(sent.raw, /INVALID_REQUEST_FORMAT/);
    const bad = await session.call({ method: 'GET', path: '/tokens?limit=nothing' });
    assert.equal(bad.body.details.errors[0].field, 'limit');
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await session.call({ method: 'GET', path: '/config' });
      if (status === 429) {
        assert.ok(headers['retry-after']);
        return;
      }
    }
    assert.fail('the rate was not limited');
  });

  it('operator.md §9.4: agents and visitors are played with their own credentials, behind a session', async () => {
    const { platform, ada } = await givenPrincipal(world);
    const agent = await givenConnectedAgent(platform, ada);
    const session = await signInDeveloper(world, platform);
    const me = '/console/api/others/agents/me';
    const asAgent = { headers: { authorization: `Bearer ${agent.accessToken}` } };
    const read = await session.ask('GET', me, asAgent);
    assert.deepEqual([read.status, read.body?.id], [200, agent.id], read.raw);
    const refused: [string, ConsoleReply][] = [
      ['without a session', await askConsole(world, 'GET', me, asAgent)],
      ['without a token', await session.ask('GET', me)],
      [
        'with a platform’s token',
        await session.ask('GET', me, { headers: { authorization: platform.authorization } }),
      ],
      [
        'of another platform',
        await session.ask('GET', me, {
          headers: { ...asAgent.headers, 'x-corridor-platform': `Platform:${SOME_ID}` },
        }),
      ],
    ];
    for (const [how, { status, raw }] of refused) assert.equal(status, 401, `${how}: ${raw}`);
    const foreign = await session.ask('GET', me, {
      headers: { ...asAgent.headers, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(foreign.status, 403, foreign.raw);
    const { deviceCode } = await givenNewAgent(platform, ada);
    const redeemed = await session.ask(
      'POST',
      `/console/api/others/agents/device-codes/${deviceCode.code}/redeem`,
    );
    assert.equal(redeemed.status, 200, redeemed.raw);
    const config = { headers: { authorization: platform.authorization } };
    assert.equal((await session.ask('GET', '/console/api/others/config', config)).status, 404);
  });
});
