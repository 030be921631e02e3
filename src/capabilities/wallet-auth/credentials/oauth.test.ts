// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { goodClaims, unsignedToken } from '#tests/harness/issuer.ts';
import {
  callSigned,
  deriveClientKey,
  givenWallet,
  logIn,
  newClientKey,
  openSessionKey,
} from '#tests/harness/wallet-client.ts';

describe('accounts at issuers of id tokens', () => {
  const world = testWorld();
  const now = () => new Date(world.clock.now());
  const issueToken = (more: object = {}, clientPublicKey?: string) =>
    unsignedToken({ ...goodClaims(now(), clientPublicKey), ...more });

  /** A wallet with an OAUTH credential. */
  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    const { key } = await logIn(platform, wallet.credentialId);
    const body = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: issueToken() };
    const added = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    return {
      platform,
      ...wallet,
      key,
      oauthId: String(added.body.id),
      added: added.body as Record<string, unknown>,
    };
  }

  const add = (platform: TestPlatform, accountId: string, oidcToken: string) =>
    platform.send('createAuthCredential', { body: { type: 'OAUTH', accountId, oidcToken } });
  const verify = (platform: TestPlatform, id: string, oidcToken: string, clientPublicKey: string) =>
    platform.send('verifyAuthCredential', {
      params: { id },
      body: { type: 'OAUTH', oidcToken, clientPublicKey },
    });

  it('wallets.md §3.8, §6.1.25: a fresh token makes a credential that is named by its e-mail address, signed by the wallet', async () => {
    const { platform, accountId, added } = await scene();
    assert.deepEqual([added.type, added.nickname], ['OAUTH', 'ada@example.com']);
    const nameless = issueToken({ sub: 'user-2', email: undefined });
    const first = await add(platform, accountId, nameless);
    assert.equal(first.status, 202, first.raw);
    const { payloadToSign } = first.body as unknown as { payloadToSign: string };
    const { parameters, type } = JSON.parse(payloadToSign) as {
      parameters: Record<string, unknown>;
      type: string;
    };
    assert.equal(type, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS');
    assert.deepEqual(parameters.oauthProviders, [{ oidcToken: nameless, providerName: 'Google' }]);
    const unreadable = await add(
      platform,
      accountId,
      issueToken({ sub: 'user-3', email: 'ada\0@example.com' }),
    );
    assert.equal(unreadable.status, 202, 'an address that cannot be stored counts as none');
    const same = await add(platform, accountId, issueToken({ aud: ['client-1'] }));
    assert.deepEqual([same.status, same.body.code], [400, 'INVALID_INPUT'], 'the identity already exists');
  });

  for (const form of ['compressed', 'uncompressed'] as const) {
    it(`wallets.md §6.4.33a, §6.5.38: a token whose nonce names the ${form} key gives a session in one request`, async () => {
      const { platform, oauthId } = await scene();
      const client = newClientKey();
      const reply = await verify(platform, oauthId, issueToken({}, client[form]), client[form]);
      assert.equal(reply.status, 200, reply.raw);
      const session = reply.body as Record<string, unknown>;
      const made = deriveClientKey(openSessionKey(String(session.encryptedSessionSigningKey), client));
      const ended = await callSigned(platform, made, 'revokeAuthSession', {
        params: { id: String(session.id) },
      });
      assert.equal(ended.status, 204, ended.raw);
    });
  }

  /** wallets.md §6.5, row by row: the fault, and the answer of each of the two operations. */
  const ROWS: [string, (key: string) => string, number | undefined, number, RegExp][] = [
    ['1: two segments', () => 'a.b', 400, 400, /three segments/],
    [
      '1: no signature',
      (key) => `${issueToken({}, key).split('.').slice(0, 2).join('.')}.`,
      400,
      400,
      /three segments/,
    ],
    ['1: not JSON', () => 'YQ.YQ.YQ', 400, 400, /three segments/],
    ['1: the literal', () => 'sandbox-valid-oidc-token', 400, 400, /three segments/],
    ['2: aud', (key) => issueToken({ aud: ['a', 'b'] }, key), 400, 400, /aud/],
    ['2: sub', (key) => issueToken({ sub: '' }, key), 400, 400, /sub/],
    ['2: sub with NUL', (key) => issueToken({ sub: 'user\0' }, key), 400, 400, /sub/],
    ['2: half a character', (key) => issueToken({ aud: 'client\ud83d' }, key), 400, 400, /aud/],
    ['2: iat', (key) => issueToken({ iat: 'now' }, key), 400, 400, /iat/],
    ['2: iss', (key) => issueToken({ iss: 1 }, key), 400, 400, /iss/],
    ['3: issuer', (key) => issueToken({ iss: 'https://evil.example' }, key), 400, 401, /iss/],
    ['4: old', (key) => issueToken({ iat: Math.floor(world.clock.now() / 1000) - 66 }, key), 401, 401, /iat/],
    [
      '4: future',
      (key) => issueToken({ iat: Math.floor(world.clock.now() / 1000) + 6 }, key),
      401,
      401,
      /iat/,
    ],
    ['5: exp', (key) => issueToken({ exp: Math.floor(world.clock.now() / 1000) }, key), 401, 401, /exp/],
    ['7: iss', (key) => issueToken({ iss: 'accounts.google.com' }, key), undefined, 401, /iss/],
    ['7: aud', (key) => issueToken({ aud: 'client-2' }, key), undefined, 401, /aud/],
    ['7: sub', (key) => issueToken({ sub: 'user-9' }, key), undefined, 401, /sub/],
    ['8: nonce', (key) => issueToken({ nonce: key }, key), undefined, 401, /nonce/],
    ['8: case', (key) => issueToken({}, key.toUpperCase()), undefined, 401, /nonce/],
  ];
  it('wallets.md §6.5: each row of the table, at a registration and at a login', async () => {
    const { platform, accountId, oauthId } = await scene();
    const key = newClientKey().compressed;
    for (const [row, make, atRegistration, atLogin, reason] of ROWS) {
      if (atRegistration !== undefined) {
        const refused = await add(platform, accountId, make(key));
        const code = atRegistration === 400 ? 'INVALID_INPUT' : 'UNAUTHORIZED';
        assert.deepEqual([refused.status, refused.body.code], [atRegistration, code], row);
        assert.match(refused.body.reason, reason, row);
      }
      const refused = await verify(platform, oauthId, make(key), key);
      assert.deepEqual(
        [refused.status, refused.body.code],
        [atLogin, atLogin === 400 ? 'INVALID_INPUT' : 'UNAUTHORIZED'],
        row,
      );
      assert.match(refused.body.reason, reason, row);
      world.clock.advance(40_000);
    }
  });

  it('wallets.md §7: after the sandbox’s clock was moved, a token by either clock is accepted, and the refusal of an old one states the time', async () => {
    const { platform, accountId, oauthId } = await scene();
    await platform.call('advanceSandboxClock', { body: { seconds: 86_400 } });
    const later = new Date(world.clock.now() + 86_400_000);
    for (const clock of [now(), later]) {
      const { compressed } = newClientKey();
      const token = unsignedToken(goodClaims(clock, compressed));
      const reply = await verify(platform, oauthId, token, compressed);
      assert.equal(reply.status, 200, reply.raw);
      const another = unsignedToken({ ...goodClaims(clock), sub: `user-${clock.getTime()}` });
      assert.equal((await add(platform, accountId, another)).status, 202);
    }
    const between = unsignedToken(goodClaims(new Date(world.clock.now() + 3_600_000)));
    const refused = await add(platform, accountId, between);
    assert.deepEqual([refused.status, refused.body.code], [401, 'UNAUTHORIZED']);
    assert.ok(refused.body.reason.includes(later.toISOString()), refused.raw);
    assert.ok(refused.body.reason.includes(now().toISOString()), refused.raw);
  });

  it('wallets.md §6.4.33, §6.3.29: the key is checked first; a challenge returns the plain credential', async () => {
    const { platform, oauthId, added } = await scene();
    const bad = await verify(platform, oauthId, 'a.b', `02${'0'.repeat(63)}1`);
    assert.deepEqual([bad.status, bad.body.details.errors[0]?.field], [400, 'clientPublicKey']);
    const challenge = await platform.send('challengeAuthCredential', { params: { id: oauthId } });
    assert.deepEqual([challenge.status, challenge.body], [200, added]);
    const off = await platform.send('challengeAuthCredential', {
      params: { id: oauthId },
      body: { clientPublicKey: `02${'0'.repeat(63)}1` },
    });
    assert.equal(off.status, 400);
  });

  it('wallets.md §6.5.38: a retry with a stale token is 401, and a fresh one starts again', async () => {
    const { platform, accountId, key } = await scene();
    const oidcToken = issueToken({ sub: 'user-5' });
    const first = await add(platform, accountId, oidcToken);
    world.clock.advance(66_000);
    const { requestId } = first.body as unknown as { requestId: string };
    const late = await platform.send('createAuthCredential', {
      body: { type: 'OAUTH', accountId, oidcToken },
      headers: { 'svc-wallet-signature': 'sandbox-valid-signature', 'request-id': requestId },
    });
    assert.deepEqual([late.status, late.body.code], [401, 'UNAUTHORIZED']);
    const body = { type: 'OAUTH', accountId, oidcToken: issueToken({ sub: 'user-5' }) };
    assert.equal((await callSigned(platform, key, 'createAuthCredential', { body })).status, 201);
  });
});
