// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { lockCustomer, updateCustomer } from '#capabilities/customers/store.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { goodClaims, unsignedToken } from '#tests/harness/issuer.ts';
import {
  callSigned,
  deriveClientKey,
  givenWallet,
  logIn,
  newClientKey,
  openSessionKey,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

describe('credentials and sessions', () => {
  const world = testWorld();
  const SECOND = 1_000;
  const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1).replaceAll('-', '');

  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    return { platform, ...wallet, ...(await logIn(platform, wallet.credentialId)) };
  }

  /** A wallet from before there were credentials. */
  async function withoutCredentials(platform: TestPlatform): Promise<void> {
    const work = await platform.work();
    await work.write((tx) => tx.sql`delete from wallet_credentials where platform_id = ${tx.platformId}`);
  }

  const add = (platform: TestPlatform, accountId: string, type = 'SMS_OTP', more: object = {}) =>
    platform.send('createAuthCredential', { body: { type, accountId, ...more } });
  const listed = async (platform: TestPlatform, accountId: string) =>
    (await platform.call('listAuthCredentials', { query: { accountId } })).body.data;
  const challengeOf = (body: unknown) =>
    body as { payloadToSign: string; requestId: string; expiresAt: string; type?: string };

  it('wallets.md §6.1.21, §6.1.22: the first credential is added at once, without a code; every other one has to be signed', async () => {
    const platform = await world.platform();
    const { phoneNumber: _, ...person } = PERSON;
    const account = { id: (await givenWallet(platform, person)).accountId };
    await withoutCredentials(platform);
    assert.deepEqual(await listed(platform, account.id), []);
    const missing = await add(platform, account.id);
    assert.deepEqual([missing.status, missing.body.code], [400, 'MISSING_MANDATORY_USER_INFO']);
    const first = await add(platform, account.id, 'EMAIL_OTP');
    assert.equal(first.status, 201, first.raw);
    assert.equal('otpEncryptionTargetBundle' in first.body, false);
    assert.deepEqual(await listed(platform, account.id), [first.body]);
  });

  it('wallets.md §3.2, §3.8, §3.9, §6.1.22: adding a phone number takes two legs, and its code is sent with the second', async () => {
    const { platform, customer, accountId, key } = await scene();
    const first = await add(platform, accountId);
    assert.equal(first.status, 202, first.raw);
    const challenge = challengeOf(first.body);
    assert.equal(challenge.type, 'SMS_OTP');
    const payload = JSON.parse(challenge.payloadToSign) as Record<string, unknown>;
    assert.deepEqual(payload, {
      organizationId: `org_${uuidOf(accountId)}`,
      parameters: { userId: `user_${uuidOf(customer.id)}`, userPhoneNumber: PERSON.phoneNumber },
      timestampMs: payload.timestampMs,
      type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    });
    assert.match(String(payload.timestampMs), /^\d{13}$/);
    assert.equal((await listed(platform, accountId)).length, 1, 'nothing has happened yet');
    const headers = await signedHeaders(key, challenge);
    const second = await platform.send('createAuthCredential', {
      body: { accountId, type: 'SMS_OTP' },
      headers,
    });
    assert.equal(second.status, 201, second.raw);
    const { otpEncryptionTargetBundle, ...credential } = second.body as Record<string, unknown>;
    assert.match(String(otpEncryptionTargetBundle), /^\{"version":"v1\.0\.0"/);
    assert.deepEqual((await listed(platform, accountId)).at(-1), credential);
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listSandboxMessages', { query: { recipient: PERSON.phoneNumber } });
    assert.match(body.data[0]?.text ?? '', /000000/);
    for (const leg of [undefined, await signedHeaders(key, challenge)]) {
      const again = await platform.send('createAuthCredential', {
        body: { accountId, type: 'SMS_OTP' },
        ...(leg && { headers: leg }),
      });
      const code = leg ? 'UNAUTHORIZED' : 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS';
      assert.deepEqual([again.status, again.body.code], [leg ? 401 : 400, code]);
    }
    const email = await add(platform, accountId, 'EMAIL_OTP');
    assert.deepEqual([email.status, email.body.code], [400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS']);
    const session = await logIn(platform, String(credential.id), { type: 'SMS_OTP' });
    assert.equal(session.session.nickname, PERSON.phoneNumber);
  });

  it('wallets.md §3.4 row 9: conditions of the first leg must still hold at the second', async () => {
    const { platform, accountId, key } = await scene();
    const [mine, other] = [
      challengeOf((await add(platform, accountId)).body),
      challengeOf((await add(platform, accountId)).body),
    ];
    const body = { type: 'SMS_OTP', accountId };
    const sign = async (challenge: typeof mine) =>
      platform.send('createAuthCredential', { body, headers: await signedHeaders(key, challenge) });
    assert.equal((await sign(mine)).status, 201);
    const late = await sign(other);
    assert.deepEqual([late.status, late.body.code], [400, 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS']);
    assert.equal((await listed(platform, accountId)).length, 2);
  });

  it('wallets.md §3.8: each payload of a wallet has a strictly later timestamp, even with concurrent requests', async () => {
    const { platform, accountId } = await scene();
    const replies = await Promise.all(Array.from({ length: 12 }, () => add(platform, accountId)));
    const dates = replies.map(({ body }) =>
      String((JSON.parse(challengeOf(body).payloadToSign) as { timestampMs: string }).timestampMs),
    );
    assert.equal(new Set(dates).size, 12);
  });

  it('wallets.md §6.1.20, §6.2.26: the wallets that can have credentials and lists', async () => {
    const { platform, customer, accountId } = await scene();
    const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const notAWallet = await add(platform, usd.id);
    assert.deepEqual([notAWallet.status, notAWallet.body.code], [400, 'INVALID_INPUT']);
    const unknown = await add(platform, `${accountId.slice(0, -12)}000000000000`);
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'ACCOUNT_NOT_FOUND']);
    for (const operation of ['listAuthCredentials', 'listAuthSessions']) {
      for (const query of [{}, { accountId: 'x' }, { accountId: customer.id }]) {
        const { status, body } = await platform.send(operation, { query });
        assert.deepEqual([status, body.code], [400, 'INVALID_INPUT']);
      }
      const foreign = await (await world.platform()).send(operation, { query: { accountId } });
      assert.deepEqual([foreign.status, foreign.body], [200, { data: [] }]);
    }
    const work = await platform.work();
    await work.write((tx) =>
      freezeAccount(tx, { accountId: parseId('InternalAccount', accountId) ?? NIL_ID }),
    );
    const frozen = await add(platform, accountId);
    assert.deepEqual([frozen.status, frozen.body.code], [409, 'CONFLICT']);
  });

  it('wallets.md §6.6.39: a credential is revoked by a session of another one; its sessions, codes and requests end with it', async () => {
    const { platform, accountId, credentialId, key, session } = await scene();
    const sole = await platform.send('revokeAuthCredential', { params: { id: credentialId } });
    assert.deepEqual([sole.status, sole.body.code], [400, 'INVALID_INPUT']);
    const added = await callSigned(platform, key, 'createAuthCredential', {
      body: { type: 'SMS_OTP', accountId },
    });
    const smsId = String(added.body.id);
    const own = await callSigned(platform, key, 'revokeAuthCredential', { params: { id: credentialId } });
    assert.deepEqual([own.status, own.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    const sms = await logIn(platform, smsId, { type: 'SMS_OTP' });
    const first = await platform.send('revokeAuthCredential', { params: { id: credentialId } });
    const { payloadToSign } = challengeOf(first.body);
    assert.match(payloadToSign, /"userEmail":""/, 'wallets.md §3.8: an empty value');
    const pending = await platform.send('revokeAuthCredential', { params: { id: credentialId } });
    const done = await platform.send('revokeAuthCredential', {
      params: { id: credentialId },
      headers: await signedHeaders(sms.key, challengeOf(first.body)),
    });
    assert.deepEqual([done.status, done.raw], [204, '']);
    assert.deepEqual(
      (await listed(platform, accountId)).map(({ id }) => id),
      [smsId],
    );
    const { body: left } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(
      left.data.map(({ id }) => id),
      [sms.session.id],
    );
    const gone = await platform.send('revokeAuthCredential', {
      params: { id: credentialId },
      headers: await signedHeaders(sms.key, challengeOf(pending.body)),
    });
    assert.deepEqual([gone.status, gone.body.code], [404, 'AUTH_METHOD_NOT_FOUND']);
    const refresh = await platform.send('refreshAuthSession', {
      params: { id: session.id },
      body: { clientPublicKey: newClientKey().compressed },
    });
    assert.deepEqual(
      [refresh.status, refresh.body.code],
      [401, 'UNAUTHORIZED'],
      'wallets.md §6.7.41: found, but unusable',
    );
  });

  it('wallets.md §6.6.39: if two credentials revoke each other at once, one stays', async () => {
    const { platform, accountId, credentialId, key } = await scene();
    const added = await callSigned(platform, key, 'createAuthCredential', {
      body: { type: 'SMS_OTP', accountId },
    });
    const smsId = String(added.body.id);
    const sms = await logIn(platform, smsId, { type: 'SMS_OTP' });
    const legs = await Promise.all(
      [credentialId, smsId].map((id) => platform.send('revokeAuthCredential', { params: { id } })),
    );
    const keys = [sms.key, key];
    const ends = await Promise.all(
      [credentialId, smsId].map(async (id, i) =>
        platform.send('revokeAuthCredential', {
          params: { id },
          headers: await signedHeaders(keys[i] ?? key, challengeOf(legs[i]?.body)),
        }),
      ),
    );
    assert.equal(ends.filter(({ status }) => status === 204).length, 1);
    assert.equal((await listed(platform, accountId)).length, 1);
  });

  it('wallets.md §6.1.21: if two processes add many first credentials at once, one is added unsigned, and all others have to be signed', async () => {
    for (let round = 0; round < 5; round++) {
      const platform = await world.platform();
      const { accountId } = await givenWallet(platform);
      await withoutCredentials(platform);
      const tokens = Array.from({ length: 5 }, (_none, i) =>
        unsignedToken({ ...goodClaims(new Date(world.clock.now())), sub: `user-${i}` }),
      );
      const through = [platform, await world.elsewhere(platform)];
      const replies = await Promise.all(
        tokens.flatMap((oidcToken) => through.map((one) => add(one, accountId, 'OAUTH', { oidcToken }))),
      );
      const added = replies.filter(({ status }) => status === 201);
      assert.equal(added.length, 1);
      assert.deepEqual(await listed(platform, accountId), [added[0]?.body]);
      for (const { status, raw } of replies) assert.ok([201, 202, 400].includes(status), raw);
    }
  });

  it('wallets.md §6.1.22: if the number has changed since the signature, neither the old nor the new one is added', async () => {
    const { platform, customer, accountId, key } = await scene();
    const body = { type: 'SMS_OTP', accountId };
    const first = await add(platform, accountId);
    const headers = await signedHeaders(key, challengeOf(first.body));
    const change = { customerType: 'INDIVIDUAL', phoneNumber: '+14155550188' };
    const changed = await platform.send('updateCustomerById', {
      params: { customerId: customer.id },
      body: change,
    });
    assert.equal(changed.status, 200, 'no credential depends on it yet');
    const late = await platform.send('createAuthCredential', { body, headers });
    assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT'], late.raw);
    assert.equal((await listed(platform, accountId)).length, 1);
    const again = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.deepEqual([again.status, again.body.nickname], [201, change.phoneNumber]);
  });

  it('wallets.md §6.1.22: a number that changes during the addition is not added either', async () => {
    const { platform, customer, accountId, key } = await scene();
    const first = await add(platform, accountId);
    const headers = await signedHeaders(key, challengeOf(first.body));
    const letGo = await holdOpen(platform, async (tx) => {
      const owner = await lockCustomer(tx, parseId('Customer', customer.id) ?? NIL_ID);
      assert.ok(owner);
      await updateCustomer(tx, owner.id, { ...owner, phone_number: '+14155550188' });
    });
    const body = { type: 'SMS_OTP', accountId };
    const adding = platform.send('createAuthCredential', { body, headers });
    await untilBlocked(world.databaseUrl, 1, adding);
    await letGo();
    const late = await adding;
    assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT'], late.raw);
    assert.equal((await listed(platform, accountId)).length, 1);
  });

  it('wallets.md §6.7.40: any session of the wallet can end a session, itself included; an ended one is not found', async () => {
    const { platform, accountId, credentialId, key, session } = await scene();
    const other = await logIn(platform, credentialId);
    const ended = await callSigned(platform, key, 'revokeAuthSession', { params: { id: other.session.id } });
    assert.equal(ended.status, 204, ended.raw);
    const again = await platform.send('revokeAuthSession', { params: { id: other.session.id } });
    assert.deepEqual([again.status, again.body.code], [404, 'SESSION_NOT_FOUND']);
    const first = await platform.send('revokeAuthSession', { params: { id: session.id } });
    assert.match(challengeOf(first.body).payloadToSign, /"apiKeyIds":\["api_key_[0-9a-f]{32}"\]/);
    assert.equal(challengeOf(first.body).type, 'EMAIL_OTP');
    world.clock.advance(900 * SECOND);
    const late = await platform.send('revokeAuthSession', { params: { id: session.id } });
    assert.deepEqual([late.status, late.body.code], [404, 'SESSION_NOT_FOUND']);
    const { body } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(body.data, [], 'wallets.md §6.2.26');
  });

  it('wallets.md §6.7.41, §6.4.33: a refresh is signed by the session itself, and gives a new one with its own key or a sealed one', async () => {
    const { platform, credentialId, key, session } = await scene();
    const other = await logIn(platform, credentialId);
    const [held, sealed] = [newClientKey(), newClientKey()];
    const refresh = (id: string, clientPublicKey: string, headers: Record<string, string> = {}) =>
      platform.send('refreshAuthSession', { params: { id }, body: { clientPublicKey }, headers });
    const first = await refresh(session.id, held.compressed);
    assert.equal(first.status, 202, first.raw);
    assert.equal('type' in first.body, false);
    const foreign = await refresh(
      session.id,
      held.compressed,
      await signedHeaders(other.key, challengeOf(first.body)),
    );
    assert.deepEqual([foreign.status, foreign.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    const changed = await refresh(
      session.id,
      sealed.compressed,
      await signedHeaders(key, challengeOf(first.body)),
    );
    assert.deepEqual(
      [changed.status, changed.body.code],
      [401, 'WALLET_SIGNATURE_BODY_MISMATCH'],
      'wallets.md §3.5',
    );
    world.clock.advance(800 * SECOND);
    const late = await refresh(
      session.id,
      held.compressed,
      await signedHeaders(key, challengeOf(first.body)),
    );
    assert.equal(late.status, 401, 'the request is older than 300 seconds');
    const own = await callSigned(platform, key, 'refreshAuthSession', {
      params: { id: session.id },
      body: { clientPublicKey: held.compressed },
    });
    assert.equal(own.status, 201, own.raw);
    assert.notEqual(own.body.id, session.id);
    assert.equal('encryptedSessionSigningKey' in own.body, false);
    const made = await callSigned(platform, key, 'refreshAuthSession', {
      params: { id: session.id },
      body: { clientPublicKey: sealed.uncompressed },
    });
    assert.equal(made.status, 201, made.raw);
    const privateKey = openSessionKey(String(made.body.encryptedSessionSigningKey), sealed);
    world.clock.advance(101 * SECOND);
    const dead = await refresh(session.id, held.compressed);
    assert.deepEqual([dead.status, dead.body.code], [401, 'UNAUTHORIZED']);
    const madeKey = deriveClientKey(privateKey);
    const signed = await callSigned(platform, madeKey, 'revokeAuthSession', {
      params: { id: String(made.body.id) },
    });
    assert.equal(signed.status, 204, signed.raw);
    for (const bad of [`02${'0'.repeat(63)}1`, '02ab', `04${'1'.repeat(128)}`]) {
      const refused = await refresh(String(own.body.id), bad);
      assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_INPUT'], bad);
    }
    const never = await refresh(`${session.id.slice(0, -12)}000000000000`, held.compressed);
    assert.deepEqual([never.status, never.body.code], [404, 'SESSION_NOT_FOUND']);
  });
});
