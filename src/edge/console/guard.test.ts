import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { askConsole, FROM_PAGE, givenAddress, signInDeveloper } from '#tests/given/console.ts';
import { testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;

describe('requests of other sites to the console', () => {
  const world = testWorld();

  it('operator.md §3.3: a change needs the headers of the console’s own page, and is refused before anything is read', async () => {
    const platform = await world.platform();
    const session = await signInDeveloper(world, platform);
    const secret = await givenAddress(platform);
    const foreign: Record<string, string | undefined>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': undefined },
      { 'sec-fetch-site': undefined, origin: 'null' },
      { 'sec-fetch-site': undefined, origin: 'http://evil.example' },
      { 'sec-fetch-site': undefined, origin: 'https://localhost:80' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
      { 'x-corridor-console': undefined },
      { 'x-corridor-console': '0' },
    ];
    const changes: [method: string, url: string][] = [
      ['POST', '/console/api/sign-in'],
      ['POST', '/console/api/sign-in/preview'],
      ['POST', '/console/api/sign-out'],
      ['POST', '/console/api/nothing'],
      ['POST', '/console/api/platform/customers'],
      ['PATCH', '/console/api/platform/config'],
      ['DELETE', '/console/api/platform/webhook-keys/x'],
    ];
    const ask = (method: string, url: string, headers: Record<string, string | undefined>) =>
      session.ask(method, url, { body: { secret }, headers });
    for (const headers of foreign) {
      for (const [method, url] of changes) {
        const { status, body } = await ask(method, url, headers);
        const name = `${method} ${url} ${JSON.stringify(headers)}`;
        if (method === 'DELETE' && status === 404) continue;
        assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], name);
      }
    }
    assert.equal((await session.ask('GET', '/console/api/session')).status, 200, 'nobody was signed out');
    const rows = await world.database.query(sql`
      select from audit_log where platform_id = ${platform.id} and action = 'createCustomer'`);
    assert.equal(rows.length, 0);
    const own = { 'sec-fetch-site': undefined, origin: 'http://localhost:80' };
    assert.equal((await ask('POST', '/console/api/sign-in', own)).status, 200);
  });

  it('operator.md §3.3: a page of another site reads nothing either', async () => {
    const session = await signInDeveloper(world, await world.platform());
    for (const site of ['cross-site', 'same-site']) {
      for (const url of ['/console/api/session', '/console/api/platform/config']) {
        const { status, headers } = await session.ask('GET', url, { headers: { 'sec-fetch-site': site } });
        assert.equal(status, 403);
        assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
        assert.equal(headers['access-control-allow-origin'], undefined);
      }
    }
    const preflight = await session.ask('OPTIONS', '/console/api/platform/config', {
      headers: {
        origin: 'http://evil.example',
        'access-control-request-method': 'PATCH',
        'sec-fetch-site': 'cross-site',
      },
    });
    assert.ok(preflight.status >= 400);
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });

  it('operator.md §3.2: addresses below /console/api that do not exist are 404 in JSON', async () => {
    const session = await signInDeveloper(world, await world.platform());
    for (const url of [
      '/console/api',
      '/console/api/',
      '/console/api/nothing',
      '/console/api/platform/nothing',
    ]) {
      const { status, body } = await session.ask('GET', url);
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], url);
    }
  });
});

describe('a console over https only', () => {
  const world = testWorld({ consoleSettings: { takesPlainHttp: false }, trustedProxies: ['127.0.0.1'] });
  const https = { 'x-forwarded-proto': 'https' };

  it('operator.md §3.6: plain http is refused for the pages and the API; a trusted proxy says whether it was https', async () => {
    const secret = await givenAddress(await world.platform());
    const page = await askConsole(world, 'GET', '/console');
    assert.equal(page.status, 403);
    assert.match(page.raw, /answers over https only/);
    for (const [method, url] of [
      ['POST', '/console/api/sign-in'],
      ['GET', '/console/api/session'],
      ['GET', '/console/assets/main.js'],
    ] as const) {
      const body = method === 'POST' ? { secret } : undefined;
      const plain = await askConsole(world, method, url, { body });
      assert.equal(plain.status, 403, url);
      const untrusted = await askConsole(world, method, url, {
        body,
        headers: https,
        address: '203.0.113.9',
      });
      assert.equal(untrusted.status, 403, url);
    }
    const reply = await askConsole(world, 'POST', '/console/api/sign-in', {
      body: { secret },
      headers: https,
    });
    assert.equal(reply.status, 200, reply.raw);
    const cookie = String(reply.headers['set-cookie']);
    assert.match(cookie, /^__Host-corridor-developer=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const [own = ''] = cookie.split(';');
    const ask = (sent: string) =>
      askConsole(world, 'GET', '/console/api/session', { cookie: sent, headers: https });
    assert.equal((await ask(own)).status, 200);
    assert.equal((await ask(own.replace('__Host-', ''))).status, 401, 'a name that others can set');
  });
});

describe('a service whose console is off', () => {
  const world = testWorld({ consoleSettings: undefined });

  it('operator.md §3.6: it has neither pages nor an API, and makes no address', async () => {
    for (const url of ['/console', '/console/payments', '/console/assets/x.js', '/console/api/session']) {
      const { status, body } = await askConsole(world, 'GET', url);
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], url);
    }
    const platform = await world.platform();
    const { status } = await platform.call('createConsoleSession');
    assert.equal(status, 404);
  });
});

describe('a console with a host of its own', () => {
  const url = 'https://console.example.com';
  const world = testWorld({ consoleSettings: { url, takesPlainHttp: true } });
  const at = (host: string, path: string, headers = {}) =>
    askConsole(world, 'GET', path, { headers: { ...FROM_PAGE, ...headers, host } });

  it('operator.md §3.6: it answers on that host only, and nothing else is served there', async () => {
    const platform = await world.platform();
    const { body } = await platform.call('createConsoleSession');
    assert.ok(body.url.startsWith(`${url}/console/sign-in#`));
    assert.equal((await at('console.example.com', '/console/api/session')).status, 401);
    assert.equal((await at('api.example.com', '/console/api/session')).status, 404);
    for (const path of [
      '/console',
      '/%63onsole',
      '/c%6fnsole/payments',
      '/%63onsole/api/session',
      '/console#x',
    ])
      assert.equal((await at('api.example.com', path)).status, 404, path);
    const { authorization } = platform;
    for (const path of [`${BASE}/config`, '/docs', '/openapi.json', '/', '/health/live', '/consoles']) {
      assert.equal((await at('console.example.com', path, { authorization })).status, 404, path);
    }
    assert.equal((await at('api.example.com', `${BASE}/config`, { authorization })).status, 200);
    assert.equal((await at('api.example.com', '/openapi.json')).status, 200);
  });
});
