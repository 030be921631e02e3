// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  callSigned,
  givenWallet,
  type Login,
  logIn,
  newClientKey,
  newPerson,
  sealCode,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

const EMAIL = 'ada.king@example.com';
const PHONE = '+14155550177';

describe('changing a contact that wallets’ codes go to', () => {
  const world = testWorld();

  async function scene(platform?: TestPlatform) {
    const own = platform ?? (await world.platform());
    const wallet = await givenWallet(own, newPerson());
    const login = await logIn(own, wallet.credentialId);
    const call = (change: object) => ({
      params: { customerId: wallet.customer.id },
      body: { customerType: 'INDIVIDUAL', ...change },
    });
    const update = (change: object, headers = {}) =>
      own.send('updateCustomerById', { ...call(change), headers });
    const updateSigned = (change: object, { key }: Pick<Login, 'key'> = login) =>
      callSigned(own, key, 'updateCustomerById', call(change));
    const credentials = async () =>
      (await own.call('listAuthCredentials', { query: { accountId: wallet.accountId } })).body.data;
    const customer = async () =>
      (await own.call('getCustomerById', { params: { customerId: wallet.customer.id } })).body;
    return { platform: own, ...wallet, login, update, updateSigned, credentials, customer };
  }

  /** A second credential, by phone. */
  async function withPhone(platform?: TestPlatform) {
    const given = await scene(platform);
    const body = { type: 'SMS_OTP', accountId: given.accountId };
    const added = await callSigned(given.platform, given.login.key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    return { ...given, phoneId: String(added.body.id) };
  }

  it('wallets.md §6.11.48, customers.md §2.3.25: after two legs, customer and credential get the new address together', async () => {
    const { customer, credentials, login, update, updateSigned, platform, accountId } = await scene();
    const [before, old] = [await customer(), await credentials()];
    const first = await update({ email: EMAIL });
    assert.equal(first.status, 202, first.raw);
    assert.deepEqual(Object.keys(first.body).sort(), ['expiresAt', 'payloadToSign', 'requestId']);
    assert.deepEqual(
      [await customer(), await credentials()],
      [before, old],
      'wallets.md §3.2: nothing has changed',
    );
    world.clock.advance(1000);
    const done = await updateSigned({ email: EMAIL });
    assert.equal(done.status, 200, done.raw);
    assert.equal(done.body.email, EMAIL);
    const updatedAt = new Date(world.clock.now()).toISOString();
    assert.deepEqual(await credentials(), [{ ...old[0], nickname: EMAIL, updatedAt }], 'wallets.md §6.11.49');
    const { body } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(
      body.data.map(({ id, nickname }) => [id, nickname]),
      [[login.session.id, EMAIL]],
      'wallets.md §6.11.49: sessions go on',
    );
  });

  it('wallets.md §3.8: the payload names the new contact and the customer', async () => {
    const { update, customer } = await withPhone();
    const userId = `user_${uuidOf(await customer()).replaceAll('-', '')}`;
    const of = async (change: object) => {
      const { body } = await update(change);
      const { parameters, type } = JSON.parse(String(Reflect.get(body, 'payloadToSign')));
      return { parameters, type };
    };
    assert.deepEqual(await of({ email: EMAIL }), {
      parameters: { userEmail: EMAIL, userId },
      type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    });
    assert.deepEqual(await of({ phoneNumber: PHONE }), {
      parameters: { userId, userPhoneNumber: PHONE },
      type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    });
  });

  it('wallets.md §6.11.48: changing both at once is 400; a contact without a credential, or unchanged, is 200 at once with any headers', async () => {
    const { update, customer } = await scene();
    const { email } = await customer();
    const headers = { 'svc-wallet-signature': 'x', 'request-id': 'y' };
    const both = await update({ email: EMAIL, phoneNumber: PHONE });
    assert.deepEqual([both.status, both.body.code], [400, 'INVALID_INPUT']);
    for (const change of [{ phoneNumber: PHONE }, { email }, { fullName: 'Ada King' }]) {
      const reply = await update(change, headers);
      assert.equal(reply.status, 200, reply.raw);
    }
    assert.equal((await customer()).phoneNumber, PHONE);
  });

  it('wallets.md §6.11.48: a session of the phone signs for the address, and a session of the address for the phone', async () => {
    const { platform, phoneId, updateSigned, login, credentials } = await withPhone();
    const phone = await logIn(platform, phoneId, { type: 'SMS_OTP' });
    assert.equal((await updateSigned({ email: EMAIL }, phone)).status, 200);
    assert.equal((await updateSigned({ phoneNumber: PHONE }, login)).status, 200);
    assert.deepEqual(
      (await credentials()).map(({ nickname }) => nickname),
      [EMAIL, PHONE],
    );
  });

  it('wallets.md §6.11.48: a contact that a credential depends on cannot be removed', async () => {
    const { update, customer } = await withPhone();
    const before = await customer();
    const reply = await update({ phoneNumber: null });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
    assert.match(reply.body.reason, /phoneNumber/);
    assert.deepEqual(await customer(), before);
  });

  it('wallets.md §6.11.48: a closed wallet needs no signature, and its credential gets the new address as well', async () => {
    const { platform, accountId, update, credentials } = await scene();
    const work = await platform.work();
    await work.write((tx) => closeAccount(tx, { accountId: uuidOf(accountId) }));
    assert.equal((await update({ email: EMAIL })).status, 200);
    assert.equal((await credentials())[0]?.nickname, EMAIL);
  });

  it('wallets.md §6.11.48: a wallet that is closed in the same request still has to sign', async () => {
    const { update, updateSigned, customer } = await scene();
    const change = { email: EMAIL, currencies: ['USD'] };
    assert.equal((await update(change)).status, 202);
    assert.equal((await updateSigned(change)).status, 200);
    assert.deepEqual((await customer()).currencies, ['USD']);
  });

  it('wallets.md §6.11.49: an address or number of another wallet’s credential is 409, on either leg; other platforms do not matter', async () => {
    const { platform, update, login, customer } = await withPhone();
    const elsewhere = await withPhone();
    const change = await elsewhere.customer();
    const taken = await withPhone(platform);
    const { email, phoneNumber } = await taken.customer();
    for (const [wanted, code] of [
      [{ email }, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'],
      [{ phoneNumber }, 'SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS'],
    ] as const) {
      const reply = await update(wanted);
      assert.deepEqual([reply.status, reply.body.code], [409, code]);
    }
    const first = await update({ email: change.email });
    assert.equal(first.status, 202, 'a credential of another platform has it');
    await givenWallet(platform, { ...newPerson(), email: change.email });
    const headers = await signedHeaders(login.key, first.body as never);
    const second = await update({ email: change.email }, headers);
    assert.deepEqual([second.status, second.body.code], [409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS']);
    assert.notEqual((await customer()).email, change.email);
  });

  it('wallets.md §6.11.49: letter case does not make a different address, on either side', async () => {
    const { platform, update, updateSigned, customer } = await scene();
    const { email } = await customer();
    await newWalletWith(platform, 'Grace.Hopper@Example.com');
    for (const wanted of [
      'grace.hopper@example.com',
      'GRACE.HOPPER@EXAMPLE.COM',
      'Grace.Hopper@Example.com',
    ]) {
      const reply = await update({ email: wanted });
      assert.deepEqual([reply.status, reply.body.code], [409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'], wanted);
    }
    const own = String(email).toUpperCase();
    assert.equal((await updateSigned({ email: own })).status, 200, 'the customer’s own, in capitals');
    assert.equal((await customer()).email, own);
  });

  it('wallets.md §6.11.49: if several customers want one address at the same moment, in different letter case, one gets it', async () => {
    const platform = await world.platform();
    const spellings = ['grace@example.com', 'Grace@example.com', 'GRACE@EXAMPLE.COM', 'grace@Example.com'];
    const legs = await Promise.all(
      spellings.map(async (email) => {
        const person = await scene(platform);
        const first = await person.update({ email });
        return { ...person, email, headers: await signedHeaders(person.login.key, first.body as never) };
      }),
    );
    const replies = await Promise.all(legs.map(({ update, email, headers }) => update({ email }, headers)));
    assert.deepEqual(
      replies.map(({ status }) => status).sort(),
      [200, 409, 409, 409],
      JSON.stringify(replies.map(({ raw }) => raw)),
    );
  });

  it('wallets.md §6.11.49: a wallet can be opened with another wallet’s address, and a closed wallet’s address is free', async () => {
    const { platform, update, customer } = await scene();
    const { email } = await customer();
    const other = await givenWallet(platform, { ...newPerson(), email });
    const wish = (await newWalletWith(platform, EMAIL)).accountId;
    assert.equal((await update({ email: EMAIL })).status, 409);
    const work = await platform.work();
    await work.write((tx) => closeAccount(tx, { accountId: uuidOf(wish) }));
    assert.equal((await update({ email: EMAIL })).status, 202);
    assert.ok(other.credentialId);
  });

  const newWalletWith = (platform: TestPlatform, email: string) =>
    givenWallet(platform, { ...newPerson(), email });

  it('wallets.md §6.11.49: credentials that were added or removed since the first leg are 409, and nothing changes', async () => {
    const { platform, accountId, login, update, customer } = await scene();
    const before = await customer();
    const first = await update({ phoneNumber: PHONE });
    assert.equal(first.status, 200, 'no credential depends on the number yet');
    const body = { type: 'SMS_OTP', accountId };
    await callSigned(platform, login.key, 'createAuthCredential', { body });
    const asked = await update({ phoneNumber: before.phoneNumber });
    const headers = await signedHeaders(login.key, asked.body as never);
    await replaceCredential(platform, accountId, 'SMS_OTP');
    const reply = await update({ phoneNumber: before.phoneNumber }, headers);
    assert.deepEqual([reply.status, reply.body.code], [409, 'SMS_OTP_CREDENTIAL_SET_CHANGED'], reply.raw);
    assert.equal((await customer()).phoneNumber, PHONE);
  });

  it('wallets.md §6.11.49: if the last such credential is revoked between the legs, the second is 409, and the same change without headers is 200', async () => {
    const { platform, credentialId, phoneId, update, customer } = await withPhone();
    const before = await customer();
    const phone = await logIn(platform, phoneId, { type: 'SMS_OTP' });
    const first = await update({ email: EMAIL });
    const headers = await signedHeaders(phone.key, first.body as never);
    const revoked = await callSigned(platform, phone.key, 'revokeAuthCredential', {
      params: { id: credentialId },
    });
    assert.equal(revoked.status, 204, revoked.raw);
    for (let i = 0; i < 2; i++) {
      const reply = await update({ email: EMAIL }, headers);
      assert.deepEqual([reply.status, reply.body.code], [409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED'], reply.raw);
    }
    assert.equal((await customer()).email, before.email);
    assert.equal(
      (await update({ email: EMAIL })).status,
      200,
      'no credential depends on the address any more',
    );
  });

  it('wallets.md §3.4, §6.11.48, §6.11.49: without such a credential the headers are valid only for the change that they were requested for', async () => {
    const { platform, credentialId, phoneId, update } = await withPhone();
    const phone = await logIn(platform, phoneId, { type: 'SMS_OTP' });
    const first = await update({ email: EMAIL });
    const headers = await signedHeaders(phone.key, first.body as never);
    await callSigned(platform, phone.key, 'revokeAuthCredential', { params: { id: credentialId } });
    const { 'request-id': requestId } = headers;
    const unsigned = await update({ email: EMAIL }, { 'request-id': requestId });
    assert.deepEqual([unsigned.status, unsigned.body.code], [401, 'WALLET_SIGNATURE_MISSING']);
    const stranger = await signedHeaders(newClientKey(), first.body as never);
    const forged = await update({ email: EMAIL }, stranger);
    assert.deepEqual([forged.status, forged.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    assert.equal((await update({ email: 'another@example.com' }, headers)).status, 200, 'another change');
  });

  /** Revokes the credential of this type and adds it again, with the sandbox's stamp. */
  async function replaceCredential(platform: TestPlatform, accountId: string, type: string) {
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    const id = body.data.find((one) => one.type === type)?.id ?? '';
    for (const [operation, call] of [
      ['revokeAuthCredential', { params: { id } }],
      ['createAuthCredential', { body: { type, accountId } }],
    ] as const) {
      const first = await platform.send(operation, call);
      const requestId = String(Reflect.get(first.body, 'requestId'));
      const headers = { 'svc-wallet-signature': 'sandbox-valid-signature', 'request-id': requestId };
      const done = await platform.send(operation, { ...call, headers });
      assert.ok(done.status < 300, done.raw);
    }
  }

  it('wallets.md §6.11.49, §7: a contact that the provider refuses is 424 on the second leg, and nothing changes', async () => {
    const { updateSigned, customer, credentials } = await withPhone();
    const before = [await customer(), await credentials()];
    for (const [change, code] of [
      [{ email: 'ada424@example.com' }, 'EMAIL_OTP_CREDENTIAL_SYNC_FAILED'],
      [{ phoneNumber: '+14155550424' }, 'SMS_OTP_CREDENTIAL_SYNC_FAILED'],
    ] as const) {
      const reply = await updateSigned(change);
      assert.deepEqual([reply.status, reply.body.code], [424, code], reply.raw);
    }
    assert.deepEqual([await customer(), await credentials()], before);
  });

  it('wallets.md §6.11.49: a code that was sent to the old address is void; the next one goes to the new', async () => {
    const { platform, credentialId, updateSigned } = await scene();
    const params = { id: credentialId };
    const { body } = await platform.send('challengeAuthCredential', { params });
    assert.equal((await updateSigned({ email: EMAIL })).status, 200);
    const bundle = String(Reflect.get(body, 'otpEncryptionTargetBundle'));
    const encryptedOtpBundle = await sealCode(bundle, newClientKey());
    const late = await platform.send('verifyAuthCredential', {
      params,
      body: { type: 'EMAIL_OTP', encryptedOtpBundle },
    });
    assert.deepEqual([late.status, late.body.reason], [401, 'No pending OTP for this credential']);
    assert.equal((await platform.send('challengeAuthCredential', { params })).status, 200);
    await world.app.worker.settle(platform.id);
    const inbox = await platform.call('listSandboxMessages', { query: { recipient: EMAIL } });
    assert.equal(inbox.body.data.length, 1);
  });

  it('wallets.md §3.6, §6.11.48: a request works once, even if the change is made back and forth', async () => {
    const { update, updateSigned, login, customer } = await scene();
    const { email } = await customer();
    const first = await update({ email: EMAIL });
    const headers = await signedHeaders(login.key, first.body as never);
    assert.equal((await update({ email: EMAIL }, headers)).status, 200);
    assert.equal((await updateSigned({ email })).status, 200);
    const again = await update({ email: EMAIL }, headers);
    assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHORIZED']);
    assert.equal((await customer()).email, email);
  });

  it('wallets.md §6.11.49: if several customers want one address at the same moment, one gets it', async () => {
    const platform = await world.platform();
    const people = await Promise.all(Array.from({ length: 4 }, () => scene(platform)));
    const legs = await Promise.all(
      people.map(async (person) => {
        const first = await person.update({ email: EMAIL });
        return { ...person, headers: await signedHeaders(person.login.key, first.body as never) };
      }),
    );
    const replies = await Promise.all(legs.map(({ update, headers }) => update({ email: EMAIL }, headers)));
    assert.deepEqual(
      replies.map(({ status }) => status).sort(),
      [200, 409, 409, 409],
      JSON.stringify(replies.map(({ raw }) => raw)),
    );
  });

  it('wallets.md §6.1.22, §6.11.49: a credential that is added during the change never keeps the old contact', async () => {
    for (let i = 0; i < 5; i++) {
      const { platform, customer, accountId, login, update, credentials } = await scene();
      const body = { type: 'SMS_OTP', accountId };
      const first = await platform.send('createAuthCredential', { body });
      const headers = await signedHeaders(login.key, first.body as never);
      const [added, changed] = await Promise.all([
        platform.send('createAuthCredential', { body, headers }),
        update({ phoneNumber: PHONE }),
      ]);
      // If the credential was added first, the change has to be signed; otherwise the signed addition is refused.
      const nickname = (await credentials()).find(({ type }) => type === 'SMS_OTP')?.nickname;
      assert.deepEqual(
        [added.status, changed.status, nickname],
        changed.status === 200 ? [409, 200, undefined] : [201, 202, (await customer()).phoneNumber],
      );
    }
  });

  it('customers.md §2.3.25: a customer without wallet credentials changes both contacts at once', async () => {
    const platform = await world.platform();
    const { email: _, ...person } = PERSON;
    const made = await platform.call('createCustomer', { body: { ...person, currencies: ['USD'] } });
    const params = { customerId: made.body.id };
    for (const change of [{ email: EMAIL }, { phoneNumber: PHONE }, { phoneNumber: null }]) {
      const body = { customerType: 'INDIVIDUAL', ...change };
      assert.equal((await platform.send('updateCustomerById', { params, body })).status, 200);
    }
  });
});
