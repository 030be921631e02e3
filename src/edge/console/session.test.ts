import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { askConsole, givenAddress, signInDeveloper } from '#tests/given/console.ts';
import { testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a developer’s session in the console', () => {
  const world = testWorld();
  const preview = (secret: string) =>
    askConsole(world, 'POST', '/console/api/sign-in/preview', { body: { secret } });
  const signIn = (secret: string, cookie?: string) =>
    askConsole(world, 'POST', '/console/api/sign-in', { body: { secret }, cookie });

  it('operator.md §9.1: the address names the platform, and is used up by signing in, not by opening it', async () => {
    const platform = await world.platform({ permissions: ['VIEW', 'MANAGE'] });
    const secret = await givenAddress(platform);
    for (let i = 0; i < 3; i++) {
      const { status, body } = await preview(secret);
      assert.equal(status, 200);
      assert.equal(body.platform.name, 'Test platform');
      assert.equal(body.platform.environment, 'SANDBOX');
      assert.deepEqual(body.permissions, ['VIEW', 'MANAGE']);
    }
    assert.equal((await signIn(secret)).status, 200);
    for (const again of [await signIn(secret), await preview(secret)]) {
      assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHORIZED']);
      assert.equal(again.headers['www-authenticate'], undefined);
      assert.equal(again.headers['set-cookie'], undefined);
    }
  });

  it('operator.md §9.1: of concurrent sign-ins with one address, one succeeds', async () => {
    const secret = await givenAddress(await world.platform());
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        askConsole(world, 'POST', '/console/api/sign-in', { body: { secret }, address: `203.0.113.${i}` }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)]);
  });

  it('operator.md §9.1: an address works for ten minutes of real time', async () => {
    const platform = await world.platform();
    const [used, late] = [await givenAddress(platform), await givenAddress(platform)];
    await platform.call('advanceSandboxClock', { body: { seconds: 86_400 } });
    world.clock.advance(10 * MINUTE_MS - 1);
    assert.equal((await signIn(used)).status, 200);
    world.clock.advance(1);
    assert.equal((await preview(late)).status, 401);
    assert.equal((await signIn(late)).status, 401);
  });

  it('operator.md §9.1, §3.1: the session says whose it is, lasts twelve hours of real time, and ends at sign-out', async () => {
    const platform = await world.platform();
    const [first, second] = [await signInDeveloper(world, platform), await signInDeveloper(world, platform)];
    const { body } = await first.ask('GET', '/console/api/session');
    assert.equal(body.platform.id, `Platform:${platform.id}`);
    assert.deepEqual(body.permissions, ['VIEW', 'TRANSACT', 'MANAGE']);
    assert.equal(body.baseUrl, `http://localhost${BASE}`);
    assert.equal(Date.parse(body.expiresAt), world.clock.now() + 12 * HOUR_MS);
    assert.equal(body.clock.isMoved, false);
    await platform.call('advanceSandboxClock', { body: { seconds: 86_400 } });
    const moved = await first.ask('GET', '/console/api/session');
    assert.equal(moved.body.clock.isMoved, true);
    assert.equal(Date.parse(moved.body.clock.now), world.clock.now() + 24 * HOUR_MS);

    const out = await first.ask('POST', '/console/api/sign-out');
    assert.equal(out.status, 204);
    assert.match(String(out.headers['set-cookie']), /^corridor-developer=; Max-Age=0;/);
    assert.equal((await first.ask('GET', '/console/api/session')).status, 401);
    world.clock.advance(12 * HOUR_MS - 1);
    assert.equal((await second.ask('GET', '/console/api/session')).status, 200);
    world.clock.advance(1);
    const over = await second.ask('GET', '/console/api/session');
    assert.deepEqual([over.status, over.body.code], [401, 'UNAUTHORIZED']);
    assert.equal(over.headers['www-authenticate'], undefined, 'the browser would ask for a password');
  });

  it('operator.md §9.1: it ends when its token is revoked or its platform disabled, and so does an unused address', async () => {
    const [revoking, disabled] = [await world.platform(), await world.platform()];
    const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const;
    const { body: token } = await revoking.call('createToken', {
      body: { name: 'developer', permissions: [...permissions] },
    });
    const as = `Basic ${Buffer.from(`${token.clientId}:${token.clientSecret}`).toString('base64')}`;
    const session = await signInDeveloper(world, {
      ...revoking,
      call: (id, call) => revoking.call(id, { ...call, as } as never),
    });
    const address = await revoking.call('createConsoleSession', { as } as never);
    const ofDisabled = await signInDeveloper(world, disabled);
    assert.equal((await session.ask('GET', '/console/api/session')).body.tokenName, 'developer');
    await revoking.call('deleteTokenById', { params: { tokenId: token.id } });
    await disablePlatform(world.app.runtime, disabled.id, { kind: 'operator', id: 'test' });
    for (const ended of [session, ofDisabled]) {
      assert.equal((await ended.ask('GET', '/console/api/session')).status, 401);
      assert.equal((await ended.ask('GET', '/console/api/platform/config')).status, 401);
    }
    assert.equal((await signIn(new URL(address.body.url).hash.slice(1))).status, 401);
  });

  it('operator.md §3.1, §9.1: the database has hashes of both secrets, and no log has either', async () => {
    const platform = await world.platform();
    const secret = await givenAddress(platform);
    await preview(secret);
    const { headers } = await signIn(secret);
    const cookie = String(headers['set-cookie']);
    const own = /^corridor-developer=([\w-]{43});/.exec(cookie)?.[1] ?? '';
    assert.equal(own.length, 43);
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict$/);
    await askConsole(world, 'GET', '/console/api/platform/config', { cookie: `corridor-developer=${own}` });
    const listed = await platform.call('listRequestLogs', {});
    const rows = await world.database.query<{ text: string }>(sql`
      select s::text as text from console_sessions s where platform_id = ${platform.id}
      union all select a::text from audit_log a where platform_id = ${platform.id}`);
    const seen = [...world.logged, ...rows.map(({ text }) => text), listed.raw].join('\n');
    for (const hidden of [secret, own]) {
      for (const form of [hidden, Buffer.from(hidden).toString('hex')]) assert.ok(!seen.includes(form));
    }
  });

  it('operator.md §3.5: after fifty failed sign-ins, an address has to wait until fifteen minutes have passed', async () => {
    const secret = await givenAddress(await world.platform());
    const from = (address: string, sent: string) =>
      askConsole(world, 'POST', '/console/api/sign-in', { body: { secret: sent }, address });
    const wrong = 'x'.repeat(43);
    for (let i = 0; i < 50; i++) assert.equal((await from('198.51.100.7', wrong)).status, 401);
    const refused = await from('198.51.100.7', secret);
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED']);
    assert.equal(refused.headers['retry-after'], '900');
    world.clock.advance(15 * MINUTE_MS);
    const late = await givenAddress(await world.platform());
    assert.equal((await from('198.51.100.7', late)).status, 200);
  });

  it('operator.md §9.1: signing in and out are audited with the token; a wrong secret as a failed authentication', async () => {
    const platform = await world.platform();
    const session = await signInDeveloper(world, platform);
    await session.ask('POST', '/console/api/sign-out');
    const rows = await world.database.query<{ action: string; details: { via?: string } }>(sql`
      select action, details from audit_log where platform_id = ${platform.id} and actor_kind = 'token' order by at, id`);
    assert.deepEqual(
      rows.map(({ action, details }) => [action, details.via]),
      [
        ['createConsoleSession', undefined],
        ['console sign-in', 'console'],
        ['console sign-out', 'console'],
      ],
    );
    const hidden = '/console/api/platform/receiver/uma/$ada@example.com';
    assert.equal((await session.ask('GET', hidden)).status, 401);
    const named = await world.database.query(sql`select from audit_log where resource like '%ada@%'`);
    assert.equal(named.length, 0, 'the path of a refused call can be personal');
    await signIn('y'.repeat(43));
    const failed = await world.database.query(sql`
      select from audit_log where action = 'authentication failed' and resource = '/console/api/sign-in'`);
    assert.ok(failed.length > 0);
  });

  it('operator.md §9.1: malformed secrets and bodies are refused', async () => {
    for (const secret of ['', 'short', `${'a'.repeat(42)}!`, 'a'.repeat(44)])
      assert.equal((await signIn(secret)).status, 401, secret);
    for (const body of ['', '[]', '{', '{}', '{"secret":1}', `{"secret":"${'a'.repeat(201)}"}`])
      assert.equal((await askConsole(world, 'POST', '/console/api/sign-in', { body })).status, 400, body);
  });

  it('operator.md §9.1: old sessions and addresses are deleted after a day', async () => {
    const platform = await world.platform();
    await givenAddress(platform);
    await signInDeveloper(world, platform);
    const count = async () =>
      (await world.database.query(sql`select from console_sessions where platform_id = ${platform.id}`))
        .length;
    assert.equal(await count(), 2);
    world.clock.advance(25 * HOUR_MS);
    await world.app.worker.settle(platform.id);
    assert.equal(await count(), 0);
  });
});
