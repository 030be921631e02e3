// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { type Changes, createPasskey, type TestPasskey } from '#tests/harness/passkeys.ts';
import {
  callSigned,
  deriveClientKey,
  givenWallet,
  logIn,
  newClientKey,
  openSessionKey,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

describe('passkeys of a wallet', () => {
  const world = testWorld();
  const newChallenge = () => randomBytes(32).toString('base64url');

  interface Registration {
    readonly nickname?: string;
    readonly challenge?: string;
    readonly attestation?: object;
  }

  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    const { key } = await logIn(platform, wallet.credentialId);
    return { platform, ...wallet, key };
  }

  function buildBody(accountId: string, passkey: TestPasskey, more: Registration = {}) {
    const { nickname = 'Phone', challenge = newChallenge(), attestation } = more;
    return {
      type: 'PASSKEY',
      accountId,
      nickname,
      challenge,
      attestation: attestation ?? passkey.register(challenge),
    };
  }

  /** A wallet with a passkey. */
  async function withPasskey(passkey = createPasskey()) {
    const base = await scene();
    const body = buildBody(base.accountId, passkey);
    const added = await callSigned(base.platform, base.key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    return {
      ...base,
      passkey,
      passkeyId: String(added.body.id),
      added: added.body as Record<string, unknown>,
    };
  }

  const challenged = async (platform: TestPlatform, id: string, clientPublicKey: string) => {
    const reply = await platform.send('challengeAuthCredential', {
      params: { id },
      body: { clientPublicKey },
    });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body as unknown as {
      challenge: string;
      requestId: string;
      expiresAt: string;
      credentialId: string;
    };
  };
  const verify = (platform: TestPlatform, id: string, assertion: object, requestId?: string) =>
    platform.send('verifyAuthCredential', {
      params: { id },
      body: { type: 'PASSKEY', assertion },
      ...(requestId !== undefined && { headers: { 'request-id': requestId } }),
    });

  it('wallets.md §3.8, §6.1.23: a passkey is registered with a signature of the wallet, and listed with its id', async () => {
    const { platform, accountId, key } = await scene();
    const passkey = createPasskey();
    const body = buildBody(accountId, passkey, { nickname: "  Ada's phone (new)  " });
    const first = await platform.send('createAuthCredential', { body });
    assert.equal(first.status, 202, first.raw);
    const { payloadToSign, type } = first.body as unknown as { payloadToSign: string; type: string };
    const { parameters, type: activity } = JSON.parse(payloadToSign) as Record<string, unknown>;
    assert.deepEqual([type, activity], ['PASSKEY', 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2']);
    const { attestationObject, clientDataJson, credentialId } = body.attestation as Record<string, string>;
    assert.deepEqual((parameters as { authenticators: unknown }).authenticators, [
      {
        attestation: { attestationObject, clientDataJson, credentialId },
        authenticatorName: "Ada's phone (new)",
        challenge: body.challenge,
        transports: [],
      },
    ]);
    const headers = await signedHeaders(key, first.body as never);
    const second = await platform.send('createAuthCredential', { body, headers });
    assert.equal(second.status, 201, second.raw);
    assert.deepEqual(
      [second.body.type, second.body.nickname, (second.body as Record<string, unknown>).credentialId],
      ['PASSKEY', "Ada's phone (new)", passkey.credentialId],
    );
    const { body: list } = await platform.call('listAuthCredentials', { query: { accountId } });
    assert.deepEqual(list.data.at(-1), second.body);
  });

  it('wallets.md §6.1.23: the same passkey, a used challenge, an invalid name and an invalid attestation are refused', async () => {
    const { platform, accountId, key, passkey, added } = await withPasskey();
    const send = (body: object) => platform.send('createAuthCredential', { body });
    const same = await send(buildBody(accountId, passkey));
    assert.deepEqual([same.status, same.body.code], [400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS']);
    const challenge = newChallenge();
    const second = createPasskey();
    const done = await callSigned(platform, key, 'createAuthCredential', {
      body: buildBody(accountId, second, { challenge }),
    });
    assert.equal(done.status, 201, done.raw);
    const used = await send(buildBody(accountId, createPasskey(), { challenge }));
    assert.deepEqual(
      [used.status, used.body.code, used.body.details.errors[0]?.field],
      [400, 'INVALID_INPUT', 'challenge'],
    );
    for (const nickname of ['', '   ', 'a/b', '🔑', 'x'.repeat(101)]) {
      const bad = await send(buildBody(accountId, createPasskey(), { nickname }));
      assert.deepEqual([bad.status, bad.body.details.errors[0]?.field], [400, 'nickname'], nickname);
    }
    const attestation = { credentialId: 'x y', clientDataJson: '!', attestationObject: '?' };
    const bad = await send(buildBody(accountId, createPasskey(), { nickname: '', attestation }));
    assert.deepEqual(
      bad.body.details.errors.map(({ field }) => field),
      ['nickname', 'attestation.credentialId', 'attestation.clientDataJson', 'attestation.attestationObject'],
    );
    // After the revocation the challenge stays used, and the id is free again.
    const revoked = await callSigned(platform, key, 'revokeAuthCredential', {
      params: { id: String(added.id) },
    });
    assert.equal(revoked.status, 204, revoked.raw);
    const again = await callSigned(platform, key, 'createAuthCredential', {
      body: buildBody(accountId, passkey),
    });
    assert.equal(again.status, 201, again.raw);
  });

  for (const form of ['compressed', 'uncompressed'] as const) {
    it(`wallets.md §6.3.28, §6.4.33a, §6.4.37: a login for a ${form} key`, async () => {
      const { platform, accountId, passkey, passkeyId } = await withPasskey();
      const client = newClientKey();
      const { challenge, requestId, credentialId } = await challenged(platform, passkeyId, client[form]);
      assert.match(challenge, /^[0-9a-f]{64}$/);
      assert.equal(credentialId, passkey.credentialId);
      const reply = await verify(platform, passkeyId, passkey.assert(challenge, { counter: 1 }), requestId);
      assert.equal(reply.status, 200, reply.raw);
      const session = reply.body as Record<string, unknown>;
      assert.deepEqual([session.type, session.nickname, session.accountId], ['PASSKEY', 'Phone', accountId]);
      assert.equal('credentialId' in session, false);
      const made = deriveClientKey(openSessionKey(String(session.encryptedSessionSigningKey), client));
      const signers = form === 'compressed' ? [made, client] : [made];
      for (const signer of signers) {
        const { status } = await callSigned(platform, signer, 'refreshAuthSession', {
          params: { id: String(session.id) },
          body: { clientPublicKey: newClientKey().compressed },
        });
        assert.equal(status, 201);
      }
      if (form === 'uncompressed') {
        const refused = await callSigned(platform, client, 'revokeAuthSession', {
          params: { id: String(session.id) },
        });
        assert.deepEqual(
          [refused.status, refused.body.code],
          [401, 'WALLET_SIGNATURE_INVALID'],
          'wallets.md §6.4.33',
        );
      }
    });
  }

  it('wallets.md §6.4.34, §6.4.36: each challenge works once, for its passkey, and the counter only increases', async () => {
    const { platform, passkey, passkeyId, accountId, key } = await withPasskey();
    const client = newClientKey().compressed;
    const first = await challenged(platform, passkeyId, client);
    const assertion = passkey.assert(first.challenge, { counter: 5 });
    const without = await verify(platform, passkeyId, assertion);
    assert.deepEqual([without.status, without.body.code], [401, 'REQUEST_ID_MISSING']);
    const both = await Promise.all([1, 2].map(() => verify(platform, passkeyId, assertion, first.requestId)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
    const second = await challenged(platform, passkeyId, client);
    const low = await verify(
      platform,
      passkeyId,
      passkey.assert(second.challenge, { counter: 5 }),
      second.requestId,
    );
    assert.deepEqual([low.status, low.body.reason], [401, 'The counter is not above that of the last login']);
    const other = createPasskey();
    const added = await callSigned(platform, key, 'createAuthCredential', {
      body: buildBody(accountId, other),
    });
    const foreign = await verify(
      platform,
      String(added.body.id),
      other.assert(second.challenge),
      second.requestId,
    );
    assert.deepEqual([foreign.status, foreign.body.code], [401, 'UNAUTHORIZED']);
    world.clock.advance(300_000);
    const late = await verify(
      platform,
      passkeyId,
      passkey.assert(second.challenge, { counter: 6 }),
      second.requestId,
    );
    assert.deepEqual([late.status, late.body.reason], [401, 'Request-Id does not match a pending challenge']);
    for (const bad of [{ credentialId: '!' }, { clientDataJson: 'e30' }, { signature: 'a b' }]) {
      const malformed = await verify(platform, passkeyId, { ...assertion, ...bad }, second.requestId);
      assert.deepEqual([malformed.status, malformed.body.code], [400, 'INVALID_INPUT']);
    }
  });

  const ROWS: Record<string, Changes> = {
    'credential id': { credentialId: randomBytes(16).toString('base64url') },
    'client data type': { clientData: { type: 'webauthn.create' } },
    'client data challenge': { clientData: { challenge: randomBytes(32).toString('base64url') } },
    origin: { clientData: { origin: 'https://evil.example' } },
    'RP ID hash': { rpId: 'evil.example' },
    'user presence': { flags: 0 },
    counter: { counter: 0 },
  };
  it('wallets.md §6.4.35: each failed check has its own reason, and leaves an audit row and no session', async () => {
    const { platform, passkey, passkeyId, accountId } = await withPasskey();
    const client = newClientKey().compressed;
    const begin = await challenged(platform, passkeyId, client);
    await verify(platform, passkeyId, passkey.assert(begin.challenge, { counter: 3 }), begin.requestId);
    for (const [row, changes] of Object.entries(ROWS)) {
      const { challenge, requestId } = await challenged(platform, passkeyId, client);
      const assertion = { ...passkey.assert(challenge, { counter: 9, ...changes }) };
      const sent = row === 'credential id' ? { ...assertion, credentialId: changes.credentialId } : assertion;
      const reply = await verify(platform, passkeyId, sent, requestId);
      assert.deepEqual([reply.status, reply.body.code], [401, 'UNAUTHORIZED'], row);
      assert.match(reply.body.reason.toLowerCase(), new RegExp(row.toLowerCase()), row);
    }
    const { challenge, requestId } = await challenged(platform, passkeyId, client);
    const forged = {
      ...createPasskey().assert(challenge, { counter: 9 }),
      credentialId: passkey.credentialId,
    };
    const reply = await verify(platform, passkeyId, forged, requestId);
    assert.deepEqual([reply.status, reply.body.reason], [401, 'The signature does not verify']);
    const bytes = Buffer.from(challenge, 'hex').toString('base64url');
    const decoded = passkey.assert(challenge, { counter: 9, clientData: { challenge: bytes } });
    const told = await verify(platform, passkeyId, decoded, requestId);
    assert.match(told.body.reason, /^The client data challenge is .* it must be base64url of its text$/);
    const { body } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.equal(body.data.length, 2, 'the first login, and the one by code');
  });

  it('wallets.md §6.3.28: a challenge needs a key on the curve; wallets.md §6.3.29 and §6.3.30 apply to passkeys as well', async () => {
    const { platform, passkeyId } = await withPasskey();
    for (const body of [{}, { clientPublicKey: 'x' }, { clientPublicKey: `02${'0'.repeat(63)}1` }]) {
      const { status, body: refused } = await platform.send('challengeAuthCredential', {
        params: { id: passkeyId },
        body,
      });
      assert.deepEqual(
        [status, refused.code, refused.details.errors[0]?.field],
        [400, 'INVALID_INPUT', 'clientPublicKey'],
      );
    }
    for (let i = 0; i < 10; i++) await challenged(platform, passkeyId, newClientKey().compressed);
    const { status } = await platform.send('challengeAuthCredential', {
      params: { id: passkeyId },
      body: { clientPublicKey: newClientKey().compressed },
    });
    assert.equal(status, 429);
  });

  it('wallets.md §7: the sandbox’s literal replaces a passkey’s signature, and needs its challenge', async () => {
    const { platform, passkeyId } = await withPasskey();
    const client = newClientKey();
    const { requestId } = await challenged(platform, passkeyId, client.compressed);
    const literal = {
      credentialId: 'x',
      clientDataJson: '',
      authenticatorData: '☃',
      signature: 'sandbox-valid-passkey-signature',
    };
    assert.equal((await verify(platform, passkeyId, literal)).status, 401);
    const reply = await verify(platform, passkeyId, literal, requestId);
    assert.equal(reply.status, 200, reply.raw);
    assert.equal((await verify(platform, passkeyId, literal, requestId)).status, 401);
  });
});
