import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { checkOidcToken, type OidcLogin, oidcNonce, parseOidcToken } from '#foundation/crypto/oidc.ts';
import { parsePublicKey } from '#foundation/crypto/p256.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';
import { goodClaims, unsignedToken } from '#tests/harness/issuer.ts';
import { VECTORS } from '#tests/harness/wallet-vectors.ts';

const now = new Date('2026-03-02T10:00:00.700Z');
const seconds = Math.floor(now.getTime() / 1_000);
const KEY = VECTORS.publicKeys.client;
const login: OidcLogin = {
  identity: { iss: 'https://accounts.google.com', aud: 'client-1', sub: 'user-1' },
  clientPublicKey: KEY,
};
const CLAIMS = goodClaims(now, KEY);

function issuers(answer: Awaited<ReturnType<IssuersPort['verifySignature']>> = 'valid'): IssuersPort {
  return {
    supports: (issuer) => issuer === 'https://accounts.google.com' || issuer === 'accounts.google.com',
    datingTimes: (platformTime) => [platformTime],
    verifySignature: async () => answer,
  };
}

/** `ok`, or status and reason. */
async function outcome(token: string, of: { login?: OidcLogin | undefined; issuers?: IssuersPort } = {}) {
  const result = await checkOidcToken(token, { issuers: of.issuers ?? issuers(), now, login: of.login });
  return 'claims' in result ? 'ok' : `${result.problem.status} ${result.problem.reason}`;
}

const buildToken = (changes: object) => unsignedToken({ ...CLAIMS, ...changes });

describe('OIDC tokens (wallets.md §6.5)', () => {
  it('wallets.md §6.5: a good token registers and logs in', async () => {
    assert.equal(await outcome(buildToken({})), 'ok');
    assert.equal(await outcome(buildToken({}), { login }), 'ok');
    const parsed = parseOidcToken(buildToken({ aud: ['client-1'], more: 1, email: '' }));
    assert.ok('claims' in parsed);
    assert.deepEqual([parsed.claims.aud, parsed.claims.email], ['client-1', undefined]);
    assert.equal(await outcome(buildToken({ aud: ['client-1'] }), { login }), 'ok');
  });

  it('wallets.md §6.5: the nonce is the hash of the key’s text, in the case that was sent', async () => {
    const key = parsePublicKey(KEY);
    assert.equal(oidcNonce(KEY), VECTORS.oidcNonce.compressed);
    assert.equal(oidcNonce(String(key?.uncompressed)), VECTORS.oidcNonce.uncompressed);
    const upper = { ...login, clientPublicKey: KEY.toUpperCase() };
    assert.match(await outcome(buildToken({}), { login: upper }), /^401 nonce/);
    assert.equal(await outcome(buildToken({ nonce: oidcNonce(KEY.toUpperCase()) }), { login: upper }), 'ok');
  });

  const [header, payload] = buildToken({}).split('.');
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const malformed: Record<string, string> = {
    'the literal of the sandbox': 'sandbox-valid-oidc-token',
    nothing: '',
    'two segments': `${header}.${payload}`,
    'an empty signature': `${header}.${payload}.`,
    'an empty header': `.${payload}.x`,
    'an empty payload': `${header}..x`,
    'four segments': `${header}.${payload}.x.y`,
    'a header that is no object': `${text([])}.${payload}.x`,
    'a payload that is no object': `${header}.${text('x')}.x`,
    'a payload that is null': `${header}.${text(null)}.x`,
    'a payload that is no JSON': `${header}.e30x.x`,
    'a payload with padding': `${header}.${text({ a: 1 })}=.x`,
    'a payload in another alphabet': `${header}.${payload?.slice(0, -1)}+.x`,
    'too long': buildToken({ more: 'x'.repeat(20_000) }),
  };
  for (const [name, token] of Object.entries(malformed)) {
    it(`wallets.md §6.5, row 1: ${name} is 400`, async () => {
      assert.match(await outcome(token), /^400 must be three segments/);
      assert.match(await outcome(token, { login }), /^400 must be three segments/);
    });
  }

  const claims: [string, object, RegExp][] = [
    ['no aud', { aud: undefined }, /^400 its aud/],
    ['an empty aud', { aud: '' }, /^400 its aud/],
    ['no aud in an array', { aud: [] }, /^400 its aud/],
    ['two aud', { aud: ['client-1', 'client-2'] }, /^400 its aud/],
    ['an aud that is a number', { aud: [1] }, /^400 its aud/],
    ['an empty aud in an array', { aud: [''] }, /^400 its aud/],
    ['no sub', { sub: undefined }, /^400 its sub/],
    ['an empty sub', { sub: '' }, /^400 its sub/],
    ['a sub that is a number', { sub: 7 }, /^400 its sub/],
    ['no iat', { iat: undefined }, /^400 its iat/],
    ['an iat in quotes', { iat: String(seconds) }, /^400 its iat/],
    ['no exp', { exp: null }, /^400 its iat and exp/],
    ['no iss', { iss: undefined }, /^400 its iss/],
    ['an iss that is a list', { iss: ['accounts.google.com'] }, /^400 its iss/],
  ];
  for (const [name, changes, problem] of claims) {
    it(`wallets.md §6.5, row 2: ${name} is 400`, async () => {
      assert.match(await outcome(buildToken(changes)), problem);
      assert.match(await outcome(buildToken(changes), { login }), problem);
    });
  }

  it('wallets.md §6.5, row 3: an unsupported issuer is 400 at registration and 401 at a login', async () => {
    for (const iss of [
      'https://evil.example',
      'https://accounts.google.com/',
      'HTTPS://accounts.google.com',
      '',
    ]) {
      assert.match(await outcome(buildToken({ iss })), /^400 iss/);
      assert.match(await outcome(buildToken({ iss }), { login }), /^401 iss/);
    }
    assert.equal(await outcome(buildToken({ iss: 'accounts.google.com' })), 'ok');
  });

  const ages: [number, RegExp][] = [
    [-65, /^ok/],
    [-66, /^401 iat/],
    [-60, /^ok/],
    [5, /^ok/],
    [6, /^401 iat/],
    [1e12, /^401 iat/],
    [-1e12, /^401 iat/],
  ];
  for (const [age, expected] of ages) {
    it(`wallets.md §6.5, row 4: an iat of ${age} s from now is ${expected.source.slice(1)}`, async () => {
      assert.match(await outcome(buildToken({ iat: seconds + age })), expected);
      assert.match(await outcome(buildToken({ iat: seconds + age }), { login }), expected);
    });
  }

  it('wallets.md §6.5, row 5: a token expires exactly at its exp', async () => {
    assert.equal(await outcome(buildToken({ exp: seconds + 1 })), 'ok');
    assert.equal(await outcome(buildToken({ exp: seconds + 0.701 })), 'ok');
    for (const exp of [seconds + 0.7, seconds, seconds - 1, 0, -1]) {
      assert.match(await outcome(buildToken({ exp })), /^401 exp/);
      assert.match(await outcome(buildToken({ exp }), { login }), /^401 exp/);
    }
  });

  it('wallets.md §6.5, rows 4 and 5: if the issuer has several clocks, both claims must be valid by one of them', async () => {
    const moved = new Date(now.getTime() + 86_400_000);
    const either = { ...issuers(), datingTimes: (platformTime: Date) => [platformTime, moved] };
    for (const clock of [now, moved]) {
      const claims = goodClaims(clock, KEY);
      assert.equal(await outcome(unsignedToken(claims), { issuers: either, login }), 'ok');
    }
    const early = goodClaims(now, KEY);
    assert.equal(
      await outcome(unsignedToken({ ...early, iat: early.iat - 66 }), { issuers: either }),
      `401 iat is more than 60 seconds ago; the time here is ${now.toISOString()} or ${moved.toISOString()}`,
    );
    const mixed = { ...early, exp: seconds, iat: Math.floor(moved.getTime() / 1_000) };
    assert.match(
      await outcome(unsignedToken(mixed), { issuers: either }),
      /^401 iat/,
      'one clock for both claims',
    );
  });

  it('wallets.md §6.5, row 6: a signature that is not the issuer’s is 401, and so are unavailable keys', async () => {
    assert.match(
      await outcome(buildToken({}), { issuers: issuers('invalid') }),
      /^401 the token is not signed by/,
    );
    assert.equal(
      await outcome(buildToken({}), { issuers: issuers('unavailable') }),
      '401 issuer keys unavailable',
    );
    const check = { issuers: issuers('unavailable'), now, login };
    const result = await checkOidcToken(buildToken({}), check);
    assert.ok('problem' in result && result.problem.mayRetry);
  });

  it('wallets.md §6.5, row 7: another iss, aud or sub than the credential’s is 401', async () => {
    const others = { iss: 'accounts.google.com', aud: 'client-2', sub: 'user-2' };
    for (const [name, value] of Object.entries(others)) {
      assert.match(await outcome(buildToken({ [name]: value }), { login }), new RegExp(`^401 ${name}`));
    }
  });

  it('wallets.md §6.5, row 8: another nonce, or none, is 401 at a login and accepted at registration', async () => {
    for (const nonce of [undefined, '', 'x', VECTORS.oidcNonce.uncompressed, 7]) {
      assert.match(await outcome(buildToken({ nonce }), { login }), /^401 nonce/);
      assert.equal(await outcome(buildToken({ nonce })), 'ok');
    }
  });

  it('wallets.md §6.5: the first failing row determines the refusal', async () => {
    const rows: [object, RegExp][] = [
      [{ sub: '' }, /^400 its sub/],
      [{ iss: 'https://evil.example' }, /^401 iss is not a supported/],
      [{ iat: seconds - 600 }, /^401 iat/],
      [{ exp: seconds }, /^401 exp/],
      [{}, /^401 the token is not signed by/],
    ];
    for (const [i, [, expected]] of rows.entries()) {
      const changes = Object.assign({ nonce: 'x', aud: 'client-2' }, ...rows.slice(i).map(([row]) => row));
      const got = await outcome(buildToken(changes), { login, issuers: issuers('invalid') });
      assert.match(got, expected);
    }
    assert.match(await outcome(buildToken({ aud: 'client-2', nonce: 'x' }), { login }), /^401 aud/);
  });

  it('wallets.md §6.5: no text that is sent as a token makes a check throw', async () => {
    const good = buildToken({});
    for (let i = 0; i < 2_000; i++) {
      const bytes = Buffer.from(good);
      bytes[randomInt(bytes.length)] = randomInt(256);
      assert.match(await outcome(bytes.toString('latin1'), { login }), /^(ok$|400 |401 )/);
    }
  });
});
