import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOperator, renewAddress } from '#capabilities/operators/manage.ts';
import { setApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { askConsole, signInDeveloper } from '#tests/given/console.ts';
import {
  answer,
  cookieOf,
  givenInvited,
  givenJoined,
  givenOperator,
  joinAs,
  onInstallation,
  VERIFIED,
} from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';

const BASE = wireNames('Svc').basePath;
const MINUTE_MS = 60_000;
const SESSION = '/console/api/operator/session';
const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };

describe('joining as an operator', () => {
  const world = testWorld();

  it('operator.md §1.2, §1.5a: the first operator needs nobody; later ones join, sign in, and can do nothing', async () => {
    const first = await givenJoined(world, ['admin']);
    assert.deepEqual([first.joined.status, first.joined.digits], ['ACTIVE', undefined]);
    assert.deepEqual((await first.ask('GET', SESSION)).body.operator.roles, ['admin']);
    const second = await givenJoined(world, ['admin', 'finance']);
    assert.equal(second.joined.status, 'JOINED');
    assert.match(String(second.joined.digits), /^\d{6}$/);
    assert.equal((await second.signIn()).status, 204);
    const { body } = await second.ask('GET', SESSION);
    assert.deepEqual(body.operator.roles, []);
    assert.equal(body.operator.digits, second.joined.digits);
  });

  it('operator.md §5.1: the session says whether approvals are off', async () => {
    const operator = await givenOperator(world);
    const approvals = async () => (await operator.ask('GET', SESSION)).body.approvals;
    await onInstallation(world, (tx) => setApprovalSettings(tx, { approvals: 'off' }));
    assert.equal(await approvals(), 'off');
    await onInstallation(world, (tx) => setApprovalSettings(tx, { approvals: 'required' }));
    assert.equal(await approvals(), 'required');
  });

  it('operator.md §1.2: an address works once, within 24 hours, and a second invitation voids it', async () => {
    const preview = (secret: string) =>
      askConsole(world, 'POST', '/console/api/operator/join/preview', { body: { secret } });
    const who = await givenInvited(world, ['viewer']);
    for (let i = 0; i < 3; i++) assert.equal((await preview(who.secret)).status, 200);
    const again = await givenInvited(world, ['viewer'], { email: who.email.toUpperCase() });
    assert.equal(again.id, who.id);
    assert.equal((await preview(who.secret)).status, 401);
    assert.equal((await joinAs(world, again)).status, 200);
    assert.equal((await preview(again.secret)).status, 401);
    const late = await givenInvited(world, ['viewer']);
    world.clock.advance(24 * 60 * MINUTE_MS - 1);
    assert.equal((await preview(late.secret)).status, 200);
    world.clock.advance(1);
    const dead = await preview(late.secret);
    assert.deepEqual([dead.status, dead.body.code], [401, 'UNAUTHORIZED']);
  });

  it('operator.md §1.2: of two who open one address at once, one joins', async () => {
    const who = await givenInvited(world, ['viewer']);
    const replies = await Promise.all([joinAs(world, who), joinAs(world, who), joinAs(world, who)]).catch(
      () => [],
    );
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 401, 401]);
  });

  it('operator.md §1.3, §3.4: a passkey is made here, for this host, by a user who was verified', async () => {
    const who = await givenInvited(world, ['viewer']);
    for (const changes of [
      { flags: 0x01 },
      { clientData: { origin: 'https://evil.example' } },
      { clientData: { origin: 'http://localhost:9999' } },
      { rpId: 'evil.example' },
      { clientData: { challenge: Buffer.alloc(32).toString('base64url') } },
      { clientData: { type: 'webauthn.get' } },
    ]) {
      const { status, body } = await joinAs(world, who, changes);
      assert.deepEqual([status, body.code], [400, 'INVALID_INPUT'], JSON.stringify(changes));
    }
    assert.equal((await joinAs(world, who)).status, 200);
  });

  it('operator.md §1.3: a challenge for one person serves nobody else, and neither does one for another purpose', async () => {
    world.clock.advance(15 * MINUTE_MS);
    const [one, other] = [await givenInvited(world, ['viewer']), await givenInvited(world, ['viewer'])];
    const start = await askConsole(world, 'POST', '/console/api/operator/sign-in/challenge');
    const preview = await askConsole(world, 'POST', '/console/api/operator/join/preview', {
      body: { secret: one.secret },
    });
    for (const { nonce, challenge } of [start.body, preview.body]) {
      const passkey = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
      const attestation = passkey.register(challenge, { flags: VERIFIED });
      const { status } = await askConsole(world, 'POST', '/console/api/operator/join', {
        body: { secret: other.secret, nonce, attestation },
      });
      assert.equal(status, 401);
    }
  });
});

describe('the session of an operator', () => {
  const world = testWorld();

  it('operator.md §3.1: it ends after 15 minutes without use; what a page asks by itself is no use', async () => {
    const admin = await givenOperator(world);
    const used = await givenOperator(world, ['viewer']);
    const polling = { headers: { 'x-corridor-polling': '1' } };
    for (let i = 0; i < 3; i++) {
      world.clock.advance(7 * MINUTE_MS);
      assert.equal((await used.ask('GET', SESSION)).status, 200);
      const { status } = await admin.ask('GET', SESSION, polling);
      assert.equal(status, i < 2 ? 200 : 401);
    }
    world.clock.advance(15 * MINUTE_MS);
    assert.equal((await used.ask('GET', SESSION)).status, 401);
  });

  it('operator.md §3.1: it ends after 12 hours, however much it is used, and at sign-out', async () => {
    const operator = await givenOperator(world);
    for (let i = 0; i < 12 * 6 - 1; i++) {
      world.clock.advance(10 * MINUTE_MS);
      assert.equal((await operator.ask('GET', SESSION)).status, 200);
    }
    world.clock.advance(10 * MINUTE_MS);
    assert.equal((await operator.ask('GET', SESSION)).status, 401);
    await operator.signIn();
    const out = await operator.ask('POST', '/console/api/operator/sign-out');
    assert.equal(out.status, 204);
    assert.match(String(out.headers['set-cookie']), /^corridor-operator=; Max-Age=0;/);
    assert.equal((await operator.ask('GET', SESSION)).status, 401);
  });

  it('operator.md §3.1: a proof of presence changes the secret; the old one counts for 30 seconds, for other tabs', async () => {
    const operator = await givenOperator(world);
    const before = operator.cookie;
    assert.equal((await operator.stepUp()).status, 204);
    assert.notEqual(operator.cookie, before);
    const old = { cookie: before };
    world.clock.advance(30_000 - 1);
    assert.equal((await operator.ask('GET', SESSION, old)).status, 200);
    world.clock.advance(1);
    assert.equal((await operator.ask('GET', SESSION, old)).status, 401);
    assert.equal((await operator.ask('GET', SESSION)).status, 200);
  });

  it('operator.md §3.1: signing in makes a new secret, and ends the session that the browser had', async () => {
    const operator = await givenOperator(world);
    const before = operator.cookie;
    const planted = `corridor-operator=${'A'.repeat(43)}`;
    assert.equal((await operator.signIn({}, { cookie: planted })).status, 204);
    assert.ok(!operator.cookie.includes('AAAA'));
    assert.equal((await operator.ask('GET', SESSION, { cookie: before })).status, 200);
    const kept = operator.cookie;
    assert.equal((await operator.signIn({}, { cookie: kept })).status, 204);
    assert.equal((await operator.ask('GET', SESSION, { cookie: kept })).status, 401);
  });

  it('operator.md §1.1, §3.1: a session is dead at once when its operator is suspended, or has to register again', async () => {
    await givenOperator(world);
    const ends = [
      (id: Id<'Operator'>) =>
        onInstallation(world, (tx) => endOperator(tx, id, 'SUSPENDED', 'left the team')),
      (id: Id<'Operator'>) => onInstallation(world, (tx) => endOperator(tx, id, 'REMOVED', 'left the team')),
      (id: Id<'Operator'>) => onInstallation(world, (tx) => renewAddress(tx, id, 'lost phone', PARTS)),
    ];
    for (const end of ends) {
      const operator = await givenOperator(world, ['viewer']);
      assert.equal((await operator.ask('GET', SESSION)).status, 200);
      await end(operator.id);
      assert.equal((await operator.ask('GET', SESSION)).status, 401);
      assert.equal((await operator.signIn()).status, 401);
    }
  });

  it('operator.md §3.2: the cookie opens nothing of the public API, and a token nothing here', async () => {
    const operator = await givenOperator(world);
    const platform = await world.platform();
    const { status } = await askConsole(world, 'GET', `${BASE}/config`, { cookie: operator.cookie });
    assert.equal(status, 401);
    const { authorization } = platform;
    for (const url of [SESSION, '/console/api/platform/config']) {
      const reply = await askConsole(world, 'GET', url, { headers: { authorization } });
      assert.equal(reply.status, 401, url);
      assert.equal(reply.headers['www-authenticate'], undefined);
    }
    const developer = await signInDeveloper(world, platform);
    const renamed = developer.cookie.replace('corridor-developer', 'corridor-operator');
    assert.equal((await askConsole(world, 'GET', SESSION, { cookie: renamed })).status, 401);
    const swapped = operator.cookie.replace('corridor-operator', 'corridor-developer');
    assert.equal((await askConsole(world, 'GET', '/console/api/session', { cookie: swapped })).status, 401);
  });

  it('operator.md §3.3: a form or page of another site changes nothing and reads nothing', async () => {
    const operator = await givenOperator(world);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      { 'x-corridor-console': undefined },
    ]) {
      for (const path of [
        'sign-in',
        'sign-in/challenge',
        'join',
        'step-up',
        'step-up/challenge',
        'sign-out',
      ]) {
        const { status } = await operator.ask('POST', `/console/api/operator/${path}`, { body: {}, headers });
        assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
      }
    }
    const { status } = await operator.ask('GET', SESSION, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(status, 403);
    assert.equal((await operator.ask('GET', SESSION)).status, 200);
  });
});

describe('proofs of operators', () => {
  const world = testWorld();
  const challenge = async () =>
    (await askConsole(world, 'POST', '/console/api/operator/sign-in/challenge')).body;
  const send = (body: unknown, address?: string) =>
    askConsole(world, 'POST', '/console/api/operator/sign-in', { body, ...(address && { address }) });

  it('operator.md §3.4: an answer counts once, within five minutes, with a counter above the last', async () => {
    const { passkey } = await givenOperator(world);
    const start = await challenge();
    const sent = answer(passkey, start);
    assert.equal((await send(sent)).status, 204);
    assert.equal((await send(sent)).status, 401, 'replayed');
    assert.equal((await send(answer(passkey, start))).status, 401, 'the challenge was used');
    assert.equal((await send(answer(passkey, await challenge(), { counter: 0 }))).status, 401, 'a clone');
    const late = await challenge();
    world.clock.advance(5 * MINUTE_MS);
    assert.equal((await send(answer(passkey, late))).status, 401, 'too late');
    const raced = answer(passkey, await challenge(), { counter: 90 });
    const replies = await Promise.all(Array.from({ length: 4 }, (_, i) => send(raced, `203.0.113.${i}`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401, 401, 401]);
  });

  it('operator.md §1.3, §3.5: every wrong answer is refused in the same words', async () => {
    const { passkey } = await givenOperator(world);
    const stranger = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
    const { passkey: other } = await givenOperator(world);
    const attempts = [
      answer(passkey, await challenge(), { flags: 0x01 }),
      answer(passkey, await challenge(), { clientData: { origin: 'https://evil.example' } }),
      answer(passkey, await challenge(), { rpId: 'evil.example' }),
      answer(stranger, await challenge()),
      answer(passkey, await challenge(), { credentialId: other.credentialId }),
      { ...answer(passkey, await challenge()), nonce: (await challenge()).nonce },
      { ...answer(passkey, await challenge()), nonce: 'AAAA' },
    ];
    const bodies = [];
    for (const [i, sent] of attempts.entries()) {
      const { status, raw, headers } = await send(sent, `198.51.100.${i}`);
      assert.equal(status, 401, `${i}`);
      assert.equal(headers['set-cookie'], undefined);
      bodies.push(raw);
    }
    assert.equal(new Set(bodies).size, 1);
  });

  it('operator.md §3.4: a proof belongs to its session, and one that signs something counts for that alone', async () => {
    const [one, other] = [await givenOperator(world), await givenOperator(world)];
    const path = '/console/api/operator/step-up';
    const start = await one.ask('POST', `${path}/challenge`, { body: {} });
    const foreign = await other.ask('POST', path, { body: answer(one.passkey, start.body) });
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'STEP_UP_REQUIRED']);
    const stolen = await one.ask('POST', path, { body: answer(other.passkey, start.body) });
    assert.equal(stolen.status, 403);
    const signs = 'ab'.repeat(32);
    const signing = await one.ask('POST', `${path}/challenge`, { body: { signs } });
    assert.equal((await one.ask('POST', path, { body: answer(one.passkey, signing.body) })).status, 403);
    world.clock.advance(6 * MINUTE_MS);
    const { body: stale } = await one.ask('GET', SESSION);
    assert.ok(Date.parse(stale.provedUntil) < world.clock.now());
    assert.equal((await one.stepUp()).status, 204);
    const { body: fresh } = await one.ask('GET', SESSION);
    assert.ok(Date.parse(fresh.provedUntil) > world.clock.now());
    assert.equal((await one.stepUp({ flags: 0x01 })).status, 403, 'without a verified user');
  });

  it('operator.md §3.5: after ten failures of one operator sign-in is 429, until the window is over', async () => {
    const { passkey } = await givenOperator(world);
    const wrong = async (i: number) =>
      send(answer(passkey, await challenge(), { clientData: { type: 'x' } }), `203.0.113.${i}`);
    for (let i = 0; i < 10; i++) assert.equal((await wrong(i)).status, 401);
    const right = async () => send(answer(passkey, await challenge()), '203.0.113.99');
    const limited = await right();
    assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED']);
    world.clock.advance(15 * MINUTE_MS);
    assert.equal((await right()).status, 204);
  });

  it('operator.md §3.5: after fifty failures of one address, nobody signs in from there', async () => {
    const { passkey } = await givenOperator(world);
    const stranger = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
    const address = '192.0.2.7';
    for (let i = 0; i < 50; i++) {
      const { status } = await send(answer(stranger, await challenge()), address);
      assert.equal(status, i < 10 ? 401 : 429);
      if (i === 48) assert.equal((await send(answer(passkey, await challenge()), address)).status, 204);
    }
    assert.equal((await send(answer(passkey, await challenge()), address)).status, 429);
    assert.equal((await send(answer(passkey, await challenge()), '192.0.2.8')).status, 204);
  });
});

describe('operators over https', () => {
  const world = testWorld({ consoleSettings: { takesPlainHttp: false }, trustedProxies: ['127.0.0.1'] });

  it('operator.md §3.1, §3.6: the cookie has the prefix, and plain http is refused', async () => {
    const { secret } = await givenInvited(world);
    const path = '/console/api/operator/join/preview';
    assert.equal((await askConsole(world, 'POST', path, { body: { secret } })).status, 403);
    const headers = { 'x-forwarded-proto': 'https' };
    const { body } = await askConsole(world, 'POST', path, { body: { secret }, headers });
    const passkey = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
    const attestation = passkey.register(body.challenge, { flags: VERIFIED });
    const joined = await askConsole(world, 'POST', '/console/api/operator/join', {
      body: { secret, nonce: body.nonce, attestation },
      headers,
    });
    assert.match(
      String(joined.headers['set-cookie']),
      /^__Host-corridor-operator=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = cookieOf(joined);
    assert.equal((await askConsole(world, 'GET', SESSION, { cookie, headers })).status, 200);
    const bare = cookie.replace('__Host-', '');
    assert.equal((await askConsole(world, 'GET', SESSION, { cookie: bare, headers })).status, 401);
  });
});
