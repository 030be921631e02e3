// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PERSON } from '#tests/given/customers.ts';
import { createIssuer } from '#tests/harness/issuer.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { callSigned, newClientKey, sealCode } from '#tests/harness/wallet-client.ts';

describe('wallets in production', () => {
  const production = productionWallets();
  const { world, mailedCode, logInByMail } = production;

  async function scene() {
    const owner = await production.givenOwner();
    return { owner, platform: owner.platform, ...owner.wallet };
  }

  it('wallets.md §1, §7: a code is random, by the platform’s settings, and 000000 is not special', async () => {
    const { platform, credentialId, owner } = await scene();
    const params = { id: credentialId };
    const asked = async () => {
      const { body } = await platform.send('challengeAuthCredential', { params });
      return {
        bundle: String(Reflect.get(body, 'otpEncryptionTargetBundle')),
        code: await mailedCode(platform),
      };
    };
    const codes = [await asked(), await asked(), await asked()];
    assert.ok(codes.every(({ code }) => /^\d{6}$/.test(code)));
    assert.ok(new Set(codes.map(({ code }) => code)).size > 1);
    const embeddedWalletConfig = { otpLength: 9, alphanumeric: true };
    await platform.call('updatePlatformConfig', { body: { embeddedWalletConfig } });
    const { bundle, code } = await asked();
    assert.match(code, /^[A-HJ-NP-Z2-9]{9}$/);
    const key = newClientKey();
    const verify = async (told: string) =>
      platform.send('verifyAuthCredential', {
        params,
        body: { type: 'EMAIL_OTP', encryptedOtpBundle: await sealCode(bundle, key, told) },
      });
    assert.deepEqual((await verify('000000')).body.reason, 'Invalid OTP code');
    assert.equal((await verify(code.toLowerCase())).status, 202, 'letter case does not matter');
    await logInByMail(owner);
  });

  it('wallets.md §1: thirty codes of a credential are sent in any day, and no more', async () => {
    const { platform, credentialId } = await scene();
    const challenge = () => platform.send('challengeAuthCredential', { params: { id: credentialId } });
    for (let i = 0; i < 30; i++) {
      assert.equal((await challenge()).status, 200);
      world.clock.advance(10_000);
    }
    await world.app.worker.settle(platform.id);
    const sent = production.mail.received.length;
    const refused = await challenge();
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED']);
    await world.app.worker.settle(platform.id);
    assert.equal(production.mail.received.length, sent);
    world.clock.advance(24 * 3_600_000 - 300_000);
    assert.equal((await challenge()).status, 200);
  });

  it('wallets.md §3.2, §7: without a provider for the channel no code is sent: 501, before a signature is requested', async () => {
    const { platform, accountId, owner } = await scene();
    await logInByMail(owner);
    const reply = await platform.send('createAuthCredential', { body: { type: 'SMS_OTP', accountId } });
    assert.deepEqual([reply.status, reply.body.code], [501, 'NOT_IMPLEMENTED']);
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    assert.equal(body.data.length, 1);
  });

  it('wallets.md §6.5.38a: the issuer’s own signature is verified; if the issuer is down, the reply is 401 and may be retried', async () => {
    const { platform, accountId, owner } = await scene();
    const { key } = await logInByMail(owner);
    const client = newClientKey();
    const { issuer } = production;
    const claims = () => production.claims(client.compressed);
    const add = (oidcToken: string) =>
      platform.send('createAuthCredential', { body: { type: 'OAUTH', accountId, oidcToken } });
    const stranger = await createIssuer(issuer.issuer, 'ES256');
    await stranger.keys.close();
    const forged = await add(stranger.token(claims()));
    assert.deepEqual([forged.status, forged.body.code], [401, 'UNAUTHORIZED'], 'row 6');
    const unsigned = `${issuer.token(claims()).split('.').slice(0, 2).join('.')}.signature`;
    assert.equal((await add(unsigned)).status, 401, 'a token that only the sandbox accepts');
    const body = { type: 'OAUTH', accountId, oidcToken: issuer.token(claims()) };
    const added = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    const verify = (oidcToken: string) =>
      platform.send('verifyAuthCredential', {
        params: { id: String(added.body.id) },
        body: { type: 'OAUTH', oidcToken, clientPublicKey: client.compressed },
      });
    const done = await verify(issuer.token(claims()));
    assert.equal(done.status, 200, done.raw);
    issuer.rotate();
    issuer.keys.answer({ status: 503 });
    world.clock.advance(25 * 3_600_000);
    const down = await verify(issuer.token(claims()));
    assert.deepEqual([down.status, down.body.reason], [401, 'issuer keys unavailable']);
    assert.equal(down.headers['x-should-retry'], 'true');
  });

  it('wallets.md §7: the sandbox’s literal is not a passkey’s signature', async () => {
    const { platform, accountId, owner } = await scene();
    const { key } = await logInByMail(owner);
    const [passkey, challenge] = [createPasskey(), Buffer.alloc(32, 1).toString('base64url')];
    const body = {
      type: 'PASSKEY',
      accountId,
      nickname: 'Phone',
      challenge,
      attestation: passkey.register(challenge),
    };
    const added = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    const params = { id: String(added.body.id) };
    const asked = await platform.send('challengeAuthCredential', {
      params,
      body: { clientPublicKey: newClientKey().compressed },
    });
    const { challenge: toSign, requestId } = asked.body as unknown as Record<string, string>;
    const assertion = { ...passkey.assert(toSign ?? ''), signature: 'sandbox-valid-passkey-signature' };
    const headers = { 'request-id': requestId ?? '' };
    const reply = await platform.send('verifyAuthCredential', {
      params,
      body: { type: 'PASSKEY', assertion },
      headers,
    });
    assert.deepEqual([reply.status, reply.body.code], [401, 'UNAUTHORIZED']);
  });

  it('wallets.md §6.7.42: two platforms’ wallets are isolated: no session, request, credential or stamp works on the other', async () => {
    const mine = await scene();
    const theirs = await scene();
    const [me, them] = [await logInByMail(mine.owner), await logInByMail(theirs.owner)];
    const params = { id: me.session.id };
    const first = await mine.platform.send('revokeAuthSession', { params });
    assert.equal(first.status, 202);
    for (const operation of ['revokeAuthSession', 'refreshAuthSession']) {
      const body = operation === 'refreshAuthSession' ? { clientPublicKey: me.key.compressed } : undefined;
      const foreign = await theirs.platform.send(operation, { params, ...(body && { body }) });
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'SESSION_NOT_FOUND']);
    }
    for (const operation of ['challengeAuthCredential', 'revokeAuthCredential']) {
      const foreign = await theirs.platform.send(operation, { params: { id: mine.credentialId } });
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'AUTH_METHOD_NOT_FOUND']);
    }
    const crossed = await callSigned(mine.platform, them.key, 'revokeAuthSession', { params });
    assert.deepEqual([crossed.status, crossed.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    assert.equal(PERSON.email, me.session.nickname);
  });
});
