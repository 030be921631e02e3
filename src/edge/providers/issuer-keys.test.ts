import assert from 'node:assert/strict';
import { createHmac, randomInt } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { issuerKeys, supportedIssuers } from '#edge/providers/issuer-keys.ts';
import { createProviderClient, type ProviderClient } from '#foundation/outbound/outbound.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { createIssuer, type TestIssuer } from '#tests/harness/issuer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLAIMS = { iss: 'https://accounts.google.com', sub: 'user-1' };

describe('the keys of issuers (wallets.md §6.5.38a)', () => {
  const clock = handClock();
  const issuers: TestIssuer[] = [];
  const failures: { issuer: string; reason: string }[] = [];
  const asked: Parameters<ProviderClient['call']>[0][] = [];
  const real = createProviderClient();
  const client: ProviderClient = {
    call(request) {
      asked.push(request);
      return real.call(request);
    },
  };
  let google: TestIssuer;
  let own: TestIssuer;

  before(async () => {
    google = await createIssuer();
    own = await createIssuer('https://login.example.com', 'ES256');
    issuers.push(google, own);
  });
  beforeEach(() => {
    failures.splice(0);
    asked.splice(0);
  });
  after(async () => {
    for (const { keys } of issuers) await keys.close();
  });

  /** A process that has no keys yet. */
  function given(): IssuersPort {
    const onUnavailable = (failure: { issuer: string; reason: string }) => void failures.push(failure);
    return issuerKeys(supportedIssuers([google, own]), { client, clock, onUnavailable });
  }
  const verify = (port: IssuersPort, token: string, issuer = google.issuer) =>
    port.verifySignature(token, issuer);

  it('wallets.md §6.5: Google, Apple and the operator’s issuers are supported, in the spelling of their `iss`', () => {
    const port = given();
    const known = [
      'https://accounts.google.com',
      'accounts.google.com',
      'https://appleid.apple.com',
      own.issuer,
    ];
    for (const issuer of known) assert.equal(port.supports(issuer), true, issuer);
    for (const issuer of ['https://login.example.com/', 'https://evil.example', '', '__proto__']) {
      assert.equal(port.supports(issuer), false, issuer);
    }
  });

  it('wallets.md §6.5: a token signed by its issuer is valid, with RS256 or ES256', async () => {
    const port = given();
    assert.equal(await verify(port, google.token(CLAIMS)), 'valid');
    assert.equal(await verify(port, own.token(CLAIMS), own.issuer), 'valid');
    assert.deepEqual(
      asked.map(({ timeoutMs, answerMaxBytes }) => [timeoutMs, answerMaxBytes]),
      [
        [3_000, 256 * 1024 + 1],
        [3_000, 256 * 1024 + 1],
      ],
    );
  });

  it('wallets.md §6.5: another issuer’s token, another algorithm, no signature and no token are invalid', async () => {
    const port = given();
    const good = google.token(CLAIMS);
    const [header = '', payload = ''] = good.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const jwks = JSON.stringify(google.jwksUrl);
    const hs = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');
    const mac = createHmac('sha256', jwks).update(`${hs}.${payload}`).digest('base64url');
    const bad = [
      own.token(CLAIMS),
      `${none}.${payload}.`,
      `${none}.${payload}.x`,
      `${hs}.${payload}.${mac}`,
      `${header}.${payload}.x`,
      `${header}.${payload}.`,
      'x',
      '',
      '..',
      'sandbox-valid-oidc-token',
      google.token(CLAIMS, { header: { crit: ['b64'], b64: false } }),
    ];
    for (const token of bad) assert.equal(await verify(port, token), 'invalid', token);
    assert.equal(await verify(port, good, 'https://evil.example'), 'invalid');
  });

  it('wallets.md §6.5: no changed character of a token is valid', async () => {
    const port = given();
    const good = google.token(CLAIMS);
    for (let i = 0; i < 300; i++) {
      const bytes = Buffer.from(good);
      const at = randomInt(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ randomInt(1, 128);
      assert.equal(await verify(port, bytes.toString('latin1')), 'invalid', bytes.toString('latin1'));
    }
  });

  it('wallets.md §6.5: the unused bits of a signature’s last character count too', async () => {
    const port = given();
    const good = google.token(CLAIMS);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const texts = [...alphabet].map((last) => good.slice(0, -1) + last).filter((text) => text !== good);
    for (const text of texts) assert.equal(await verify(port, text), 'invalid', text.slice(-8));
    assert.equal(await verify(port, good), 'valid');
  });

  it('wallets.md §6.5.38a: keys are read once for many tokens, also for concurrent ones', async () => {
    const port = given();
    const tokens = Array.from({ length: 10 }, () => google.token(CLAIMS));
    const results = await Promise.all(tokens.map((token) => verify(port, token)));
    assert.deepEqual(new Set(results), new Set(['valid']));
    assert.equal(asked.length, 1);
    clock.advance(HOUR);
    assert.equal(await verify(port, google.token(CLAIMS)), 'valid');
    assert.equal(asked.length, 2);
  });

  it('wallets.md §6.5.38a: an unknown key makes the process read the keys again, at most every 30 s', async () => {
    const port = given();
    assert.equal(await verify(port, google.token(CLAIMS)), 'valid');
    google.rotate();
    assert.equal(await verify(port, google.token(CLAIMS)), 'invalid');
    assert.equal(asked.length, 1, 'it was asked a moment ago');
    clock.advance(30_000);
    assert.equal(await verify(port, google.token(CLAIMS)), 'valid');
    assert.equal(await verify(port, own.token(CLAIMS)), 'invalid');
    assert.equal(asked.length, 2);
  });

  it('wallets.md §6.5.38a: while the issuer is unreachable its keys stay valid for a day, and no longer', async () => {
    const port = given();
    const token = google.token(CLAIMS);
    assert.equal(await verify(port, token), 'valid');
    google.keys.answer({ status: 503 });
    clock.advance(24 * HOUR - 1);
    assert.equal(await verify(port, token), 'valid');
    assert.equal(await verify(port, own.token(CLAIMS)), 'unavailable', 'it may have a new key');
    assert.equal(failures.length, 1, 'it is not asked for each token');
    clock.advance(1);
    assert.equal(await verify(port, token), 'unavailable');
    google.rotate();
    clock.advance(30_000);
    assert.equal(await verify(port, google.token(CLAIMS)), 'valid');
  });

  const answers: [string, Parameters<TestIssuer['keys']['answer']>[0]][] = [
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1/' } }],
    ['nothing', { status: 200 }],
    ['no keys', { status: 200, body: {} }],
    ['text', { status: 200, body: 'keys' }],
    ['too much', { status: 200, body: { keys: [], more: 'x'.repeat(300_000) } }],
  ];
  for (const [name, answer] of answers) {
    it(`wallets.md §6.5.38a: an issuer that answers with ${name} validates no token`, async () => {
      const issuer = await createIssuer('https://accounts.google.com', 'ES256');
      issuers.push(issuer);
      issuer.keys.answer(answer);
      const onUnavailable = (failure: { issuer: string; reason: string }) => void failures.push(failure);
      const port = issuerKeys(supportedIssuers([issuer]), { client, clock, onUnavailable });
      const token = issuer.token(CLAIMS);
      assert.equal(await verify(port, token), 'unavailable');
      assert.equal(failures.length, 1);
      assert.ok(!JSON.stringify(failures).includes(token));
    });
  }

  it('wallets.md §6.5.38a: an unreachable issuer validates no token', async () => {
    const issuer = await createIssuer('https://accounts.google.com', 'ES256');
    await issuer.keys.close();
    const port = issuerKeys(supportedIssuers([issuer]), { client, clock });
    assert.equal(await verify(port, issuer.token(CLAIMS)), 'unavailable');
  });
});
