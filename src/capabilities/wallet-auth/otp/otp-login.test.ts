// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compactVerify, importJWK } from 'jose';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  callSigned,
  givenWallet,
  logIn,
  newClientKey,
  sealCode,
  serviceKeyOf,
  signedHeaders,
  signStamp,
} from '#tests/harness/wallet-client.ts';

describe('logging in with a code', () => {
  const world = testWorld();
  const SECOND = 1_000;

  /** A wallet, and functions to request its code and to return it. */
  async function scene(person: object = PERSON) {
    const platform = await world.platform();
    const wallet = await givenWallet(platform, person);
    return { platform, ...wallet, ...toolsFor(platform, wallet.credentialId) };
  }

  function toolsFor(platform: TestPlatform, id: string) {
    const challenge = () => platform.call('challengeAuthCredential', { params: { id } });
    const asked = async () => {
      const { status, body, raw } = await challenge();
      assert.equal(status, 200, raw);
      assert.ok('otpEncryptionTargetBundle' in body);
      return body.otpEncryptionTargetBundle ?? '';
    };
    const verify = (encryptedOtpBundle: unknown, headers: Record<string, string> = {}, type = 'EMAIL_OTP') =>
      platform.send('verifyAuthCredential', { params: { id }, body: { type, encryptedOtpBundle }, headers });
    return { challenge, asked, verify };
  }

  const refusalOf = ({ status, body }: { status: number; body: { code: unknown; reason: unknown } }) =>
    [status, body.code, body.reason] as const;
  const NO_OTP = [401, 'UNAUTHORIZED', 'No pending OTP for this credential'];
  const WRONG = [401, 'UNAUTHORIZED', 'Invalid OTP code'];

  it('wallets.md §6.3.27, §6.4.32, §6.4.37: the client seals the code, signs the token with its key, and gets a session', async () => {
    const { platform, accountId, credentialId, asked, verify } = await scene();
    const key = newClientKey();
    const bundle = await asked();
    const sealed = await sealCode(bundle, key);
    const first = await verify(sealed);
    assert.equal(first.status, 202, first.raw);
    const { payloadToSign, requestId, expiresAt, type } = first.body as unknown as Record<string, string>;
    assert.equal(type, 'EMAIL_OTP');
    const second = await verify(sealed, await signedHeaders(key, first.body as never));
    assert.equal(second.status, 200, second.raw);
    const session = second.body as Record<string, unknown>;
    assert.match(String(session.id), /^Session:/);
    assert.deepEqual(
      [session.accountId, session.type, session.nickname, session.createdAt],
      [accountId, 'EMAIL_OTP', 'ada@example.com', session.updatedAt],
    );
    assert.equal('encryptedSessionSigningKey' in session || 'credentialId' in session, false);
    assert.equal(
      Date.parse(String(session.expiresAt)) - Date.parse(String(session.createdAt)),
      900 * SECOND,
      'wallets.md §1',
    );
    const { body: list } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(list.data, [session]);
    assert.match(requestId ?? '', /^Request:/);
    const claims = await verifyClaims(payloadToSign ?? '', serviceKeyOf(bundle));
    assert.deepEqual(
      { ...claims, id: undefined },
      {
        id: undefined,
        verification_type: 'OTP_TYPE_EMAIL',
        contact: 'ada@example.com',
        organization_id: `org_${accountId.slice('InternalAccount:'.length).replaceAll('-', '')}`,
        public_key: key.compressed,
        exp: String(Date.parse(expiresAt ?? '')),
      },
      'wallets.md §5.19',
    );
    assert.equal(credentialId.startsWith('AuthMethod:'), true);
  });

  it('wallets.md §6.4.32: a code works once; its request works once; only the key that it named signs', async () => {
    const { asked, verify } = await scene();
    const key = newClientKey();
    const sealed = await sealCode(await asked(), key);
    const first = await verify(sealed);
    assert.deepEqual(refusalOf(await verify(sealed)), NO_OTP, 'the code was used up by its first leg');
    const challenge = first.body as never as { payloadToSign: string; requestId: string };
    const other = await verify(sealed, await signedHeaders(newClientKey(), challenge));
    assert.deepEqual([other.status, other.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    const literal = { 'svc-wallet-signature': 'sandbox-valid-signature', 'request-id': challenge.requestId };
    const played = await verify(sealed, literal);
    assert.deepEqual([played.status, played.body.code], [401, 'WALLET_SIGNATURE_MALFORMED'], 'wallets.md §7');
    const headers = await signedHeaders(key, challenge);
    const both = await Promise.all([verify(sealed, headers), verify(sealed, headers)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], 'wallets.md §3.4 row 10');
    assert.deepEqual(refusalOf(await verify(sealed, headers)), [
      401,
      'UNAUTHORIZED',
      'Request-Id does not match a pending challenge',
    ]);
  });

  it('wallets.md §3.3: a stamp without its request, and a request without its stamp', async () => {
    const { asked, verify } = await scene();
    const key = newClientKey();
    const sealed = await sealCode(await asked(), key);
    const { requestId, payloadToSign } = (await verify(sealed)).body as never as Record<string, string>;
    const stamp = await signStamp(key, payloadToSign ?? '');
    const alone = await verify(sealed, { 'svc-wallet-signature': stamp });
    assert.deepEqual([alone.status, alone.body.code], [401, 'REQUEST_ID_MISSING']);
    const unsigned = await verify(sealed, { 'request-id': requestId ?? '' });
    assert.deepEqual([unsigned.status, unsigned.body.code], [401, 'WALLET_SIGNATURE_MISSING']);
  });

  it('wallets.md §6.4.32: malformed sealed codes are refused with their reasons, in order', async () => {
    const { platform, asked, verify, credentialId } = await scene();
    const key = newClientKey();
    const bundle = await asked();
    for (const bad of ['', 'x', '{}', '{"encappedPublic":"0g","ciphertext":"00"}', '[]']) {
      assert.deepEqual(
        [(await verify(bad)).status, (await verify(bad)).body.code],
        [400, 'INVALID_INPUT'],
        bad,
      );
    }
    const sealed = await sealCode(bundle, key);
    const parts = JSON.parse(sealed) as { encappedPublic: string; ciphertext: string };
    const spoilt = JSON.stringify({ ...parts, ciphertext: `00${parts.ciphertext.slice(2)}` });
    assert.deepEqual(refusalOf(await verify(spoilt)), [401, 'UNAUTHORIZED', 'Unable to decrypt OTP bundle']);
    const offCurve = { ...key, compressed: `02${'0'.repeat(63)}1` };
    assert.deepEqual(refusalOf(await verify(await sealCode(bundle, offCurve))), [
      401,
      'UNAUTHORIZED',
      'Invalid OTP public key',
    ]);
    assert.deepEqual(refusalOf(await verify(await sealCode(bundle, key, '123456'))), WRONG);
    const otherKind = await verify(sealed, {}, 'SMS_OTP');
    assert.deepEqual([otherKind.status, otherKind.body.code], [400, 'INVALID_INPUT'], 'wallets.md §6.4.31');
    // wallets.md §5.16: it is also valid if encoded twice, and with the uncompressed key.
    const twice = await verify(
      JSON.stringify(await sealCode(bundle, { ...key, compressed: key.uncompressed })),
    );
    assert.equal(twice.status, 202, twice.raw);
    const unknown = await platform.send('verifyAuthCredential', {
      params: { id: `${credentialId.slice(0, -12)}000000000000` },
      body: { type: 'EMAIL_OTP', encryptedOtpBundle: sealed },
    });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'AUTH_METHOD_NOT_FOUND']);
  });

  it('wallets.md §1, §2: a third wrong code, the expiry or another challenge ends a code', async () => {
    const { asked, verify } = await scene();
    const key = newClientKey();
    const voided = await asked();
    for (let i = 0; i < 3; i++)
      assert.deepEqual(refusalOf(await verify(await sealCode(voided, key, '111111'))), WRONG);
    assert.deepEqual(refusalOf(await verify(await sealCode(voided, key))), NO_OTP);
    const superseded = await asked();
    const latest = await asked();
    assert.deepEqual(refusalOf(await verify(await sealCode(superseded, key))), [
      401,
      'UNAUTHORIZED',
      'Unable to decrypt OTP bundle',
    ]);
    world.clock.advance(300 * SECOND - 1);
    assert.equal((await verify(await sealCode(latest, key))).status, 202, 'the last moment still counts');
    const late = await asked();
    world.clock.advance(300 * SECOND);
    assert.deepEqual(refusalOf(await verify(await sealCode(late, key))), NO_OTP);
  });

  it('wallets.md §3.4 row 5: a request ends after 300 seconds, exclusively', async () => {
    const { asked, verify } = await scene();
    const key = newClientKey();
    const attempt = async (waitMs: number) => {
      const sealed = await sealCode(await asked(), key);
      const headers = await signedHeaders(key, (await verify(sealed)).body as never);
      world.clock.advance(waitMs);
      return (await verify(sealed, headers)).status;
    };
    assert.deepEqual([await attempt(300 * SECOND - 1), await attempt(300 * SECOND)], [200, 401]);
  });

  it('wallets.md §6.3.30: ten challenges in any minute; the eleventh is 429 and sends nothing', async () => {
    const { platform, challenge } = await scene();
    for (let i = 0; i < 10; i++) {
      assert.equal((await challenge()).status, 200);
      world.clock.advance(SECOND);
    }
    const refused = await challenge();
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED']);
    assert.equal(refused.headers['retry-after'], '50');
    assert.equal((await inbox(platform)).length <= 10, true);
    world.clock.advance(49 * SECOND + 999);
    assert.equal((await challenge()).status, 429);
    world.clock.advance(1);
    assert.equal((await challenge()).status, 200);
  });

  it('wallets.md §6.4.31: ten failures in five minutes are 429 before any proof is checked; a success clears them', async () => {
    const { asked, verify, credentialId, platform } = await scene();
    const key = newClientKey();
    const fail = async () => verify(await sealCode(await asked(), key, '999999'));
    for (let i = 0; i < 9; i++) {
      assert.deepEqual(refusalOf(await fail()), WRONG);
      world.clock.advance(7 * SECOND);
    }
    await logIn(platform, credentialId);
    for (let i = 0; i < 10; i++) {
      assert.deepEqual(refusalOf(await fail()), WRONG);
      world.clock.advance(7 * SECOND);
    }
    const right = await sealCode(await asked(), key);
    assert.equal((await verify('{}')).status, 400, 'malformed input is refused first');
    const blocked = await verify(right);
    assert.deepEqual([blocked.status, blocked.body.code], [429, 'RATE_LIMITED']);
    assert.equal(blocked.headers['retry-after'], '230');
    world.clock.advance(230 * SECOND);
    assert.equal((await verify(right)).status, 202);
  });

  it('wallets.md §6.4.31: fifty failures in a day are 429, and no success clears them', async () => {
    const { asked, verify, credentialId, platform } = await scene();
    const key = newClientKey();
    for (let i = 0; i < 50; i++) {
      const wrong = await sealCode(await asked(), key, '999999');
      assert.equal((await verify(wrong)).status, 401);
      world.clock.advance(60 * SECOND);
      if (i === 25) await logIn(platform, credentialId);
    }
    const blocked = await verify(await sealCode(await asked(), key));
    assert.equal(blocked.status, 429);
    assert.ok(Number(blocked.headers['retry-after']) > 80_000);
  });

  it('wallets.md §1: at most three of many concurrent guesses are compared with a code', async () => {
    const { asked, verify } = await scene();
    const key = newClientKey();
    const bundle = await asked();
    const guesses = await Promise.all(
      Array.from({ length: 9 }, async (_, i) => verify(await sealCode(bundle, key, `10000${i}`))),
    );
    const reasons = guesses.map(({ body }) => body.reason).sort();
    assert.equal(reasons.filter((reason) => reason === 'Invalid OTP code').length, 3);
    assert.equal(reasons.filter((reason) => reason === NO_OTP[2]).length, 6);
  });

  it('wallets.md §7: nothing is sent; the message is in the inbox, by the platform’s settings', async () => {
    const { platform, asked } = await scene();
    const embeddedWalletConfig = {
      appName: 'Engines',
      otpLength: 8,
      alphanumeric: true,
      expirationSeconds: 120,
    };
    await platform.call('updatePlatformConfig', { body: { embeddedWalletConfig } });
    await asked();
    await world.app.worker.settle(platform.id);
    const [message] = await inbox(platform);
    assert.equal(message?.recipient, 'ada@example.com');
    assert.match(message?.text ?? '', /Engines code is 000000\. It expires 120 seconds/);
  });

  it('wallets.md §1: every number is a setting of the platform', async () => {
    const wallets = {
      ...{ sessionSeconds: 60, requestSeconds: 30, wrongCodes: 1, challengesPerMinute: 6, codesPerDay: 5 },
      ...{ failuresPerFiveMinutes: 2, failuresPerDay: 3 },
    };
    const platform = await world.platform({ settings: { wallets } });
    const { credentialId } = await givenWallet(platform);
    const { asked, verify, challenge } = toolsFor(platform, credentialId);
    const key = newClientKey();
    const { session } = await logIn(platform, credentialId);
    assert.equal(Date.parse(session.expiresAt) - Date.parse(session.createdAt), 60 * SECOND);
    const bundle = await asked();
    assert.deepEqual(refusalOf(await verify(await sealCode(bundle, key, '1'))), WRONG);
    assert.deepEqual(refusalOf(await verify(await sealCode(bundle, key))), NO_OTP, 'one wrong code voids');
    assert.equal((await verify(await sealCode(bundle, key))).status, 429, 'two failures block');
    world.clock.advance(300 * SECOND);
    const late = await sealCode(await asked(), key);
    const headers = await signedHeaders(key, (await verify(late)).body as never);
    world.clock.advance(30 * SECOND);
    assert.equal((await verify(late, headers)).status, 401);
    world.clock.advance(300 * SECOND);
    assert.equal((await verify(late)).status, 429, 'three failures in a day');
    assert.deepEqual([(await challenge()).status, (await challenge()).status], [200, 200]);
    assert.equal((await challenge()).status, 429, 'five codes in a day');
  });

  it('wallets.md §6.1.20, accounts.md §2.1.5: a wallet that is frozen or closed gets 409; its first credential is the customer’s e-mail', async () => {
    const { platform, accountId, challenge, verify } = await scene();
    const { body: credentials } = await platform.call('listAuthCredentials', { query: { accountId } });
    assert.deepEqual(
      credentials.data.map(({ type, nickname }) => [type, nickname]),
      [['EMAIL_OTP', 'ada@example.com']],
    );
    const work = await platform.work();
    const frozen = uuidOf(accountId);
    await work.write((tx) => freezeAccount(tx, { accountId: frozen }));
    const sealed = '{"encappedPublic":"00","ciphertext":"00"}';
    for (const { status, body } of [await challenge(), await verify(sealed)])
      assert.deepEqual([status, body.code], [409, 'CONFLICT']);
  });

  it('wallets.md §6.7.42: a session’s key signs only for its wallet; the same key in two sessions is allowed', async () => {
    const { platform, credentialId, accountId } = await scene();
    const { session, key } = await logIn(platform, credentialId);
    const other = await givenWallet(platform, {
      ...PERSON,
      email: 'grace@example.com',
      phoneNumber: '+14155550124',
    });
    const theirs = await logIn(platform, other.credentialId);
    const params = { id: session.id };
    const foreign = await callSigned(platform, theirs.key, 'revokeAuthSession', { params });
    assert.deepEqual([foreign.status, foreign.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    const mine = await callSigned(platform, key, 'revokeAuthSession', { params });
    assert.equal(mine.status, 204, mine.raw);
    const { body } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(body.data, []);
  });

  /** The claims of a token that this uncompressed key has signed. */
  async function verifyClaims(token: string, key: string): Promise<Record<string, unknown>> {
    const coordinate = (start: number) =>
      Buffer.from(key.slice(start, start + 64), 'hex').toString('base64url');
    const publicKey = await importJWK(
      { kty: 'EC', crv: 'P-256', x: coordinate(2), y: coordinate(66) },
      'ES256',
    );
    const { payload, protectedHeader } = await compactVerify(token, publicKey);
    assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'JWT' });
    return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
  }

  async function inbox(platform: TestPlatform) {
    return (await platform.call('listSandboxMessages', {})).body.data;
  }
});
