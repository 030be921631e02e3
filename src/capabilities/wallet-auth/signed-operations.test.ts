// lane: whole — every rule of signing, for every operation

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { givenWalletCard } from '#tests/given/delegated-keys.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { freeze, type SignedCase, signedMatrix } from '#tests/harness/signed-matrix.ts';
import {
  callSigned,
  givenWallet,
  logIn,
  newClientKey,
  newPerson,
  type Wallet,
} from '#tests/harness/wallet-client.ts';

const fetchCredentials = async (platform: TestPlatform, accountId: string) =>
  (await platform.call('listAuthCredentials', { query: { accountId } })).body.data;
const fetchSessions = async (platform: TestPlatform, accountId: string) =>
  (await platform.call('listAuthSessions', { query: { accountId } })).body.data;

async function givenOwner(platform: TestPlatform) {
  const wallet = await givenWallet(platform, newPerson());
  return { ...wallet, login: await logIn(platform, wallet.credentialId) };
}

/** A second credential of the wallet, by phone, with its own session. */
async function addPhone(
  platform: TestPlatform,
  { accountId, login }: Awaited<ReturnType<typeof givenOwner>>,
) {
  const body = { type: 'SMS_OTP', accountId };
  const added = await callSigned(platform, login.key, 'createAuthCredential', { body });
  const id = String(added.body.id);
  return { id, login: await logIn(platform, id, { type: 'SMS_OTP' }) };
}

const CASES: readonly SignedCase[] = [
  {
    operation: 'createAuthCredential',
    status: 201,
    spoil: freeze,
    async given(platform) {
      const { accountId, login } = await givenOwner(platform);
      const body = { type: 'SMS_OTP', accountId };
      return {
        accountId,
        login,
        call: { body },
        changed: { body: { type: 'EMAIL_OTP', accountId } },
        missing: { body: { ...body, accountId: `InternalAccount:${randomUUID()}` } },
        invalid: { body: { type: 'SMS_OTP' } },
        state: () => fetchCredentials(platform, accountId),
      };
    },
  },
  {
    operation: 'revokeAuthCredential',
    status: 204,
    // The credential becomes the wallet's last one.
    async spoil(platform, { accountId, call }) {
      const [other] = await fetchCredentials(platform, accountId);
      assert.notEqual(other?.id, call.params?.id);
      const params = { id: other?.id ?? '' };
      const { body } = await platform.send('revokeAuthCredential', { params });
      const headers = {
        'svc-wallet-signature': 'sandbox-valid-signature',
        'request-id': String(Reflect.get(body, 'requestId')),
      };
      const revoked = await platform.send('revokeAuthCredential', { params, headers });
      assert.equal(revoked.status, 204, revoked.raw);
      return [400, 'INVALID_INPUT'];
    },
    async given(platform) {
      const owner = await givenOwner(platform);
      const { accountId, login } = owner;
      const phone = await addPhone(platform, owner);
      return {
        accountId,
        login,
        call: { params: { id: phone.id } },
        missing: { params: { id: `AuthMethod:${randomUUID()}` } },
        excluded: phone.login.key,
        afterwards: [404, 'AUTH_METHOD_NOT_FOUND'],
        state: () => fetchCredentials(platform, accountId),
      };
    },
  },
  {
    operation: 'revokeAuthSession',
    status: 204,
    async given(platform, { clock }) {
      const { accountId, credentialId, login } = await givenOwner(platform);
      // The session that is revoked outlives the signing one.
      clock.advance(60_000);
      const revoked = await logIn(platform, credentialId);
      return {
        accountId,
        login,
        call: { params: { id: revoked.session.id } },
        missing: { params: { id: `Session:${randomUUID()}` } },
        afterwards: [404, 'SESSION_NOT_FOUND'],
        state: async () =>
          (await fetchSessions(platform, accountId)).some(({ id }) => id === revoked.session.id),
      };
    },
  },
  {
    operation: 'refreshAuthSession',
    status: 201,
    spoil: freeze,
    async given(platform, { database }) {
      const { accountId, credentialId, login } = await givenOwner(platform);
      const params = { id: login.session.id };
      return {
        accountId,
        login,
        call: { params, body: { clientPublicKey: newClientKey().uncompressed } },
        changed: { params, body: { clientPublicKey: newClientKey().uncompressed } },
        missing: { ...keyBody(), params: { id: `Session:${randomUUID()}` } },
        invalid: { params, body: { clientPublicKey: `02${'0'.repeat(63)}1` } },
        excluded: (await logIn(platform, credentialId)).key,
        state: () =>
          database.query(sql`select id from wallet_sessions where platform_id = ${platform.id} order by id`),
      };
    },
  },
  {
    operation: 'exportInternalAccount',
    status: 200,
    spoil: freeze,
    async given(platform) {
      const { accountId, login } = await givenOwner(platform);
      const params = { id: accountId };
      return {
        accountId,
        login,
        call: { params, ...keyBody() },
        changed: { params, ...keyBody() },
        missing: { params: { id: `InternalAccount:${randomUUID()}` }, ...keyBody() },
        invalid: { params, body: { clientPublicKey: newClientKey().compressed } },
        state: async () => undefined,
      };
    },
  },
  {
    operation: 'updateInternalAccount',
    status: 200,
    spoil: freeze,
    async given(platform) {
      const { accountId, customer, login } = await givenOwner(platform);
      const params = { id: accountId };
      return {
        accountId,
        login,
        call: { params, body: { privateEnabled: true } },
        changed: { params, body: { privateEnabled: false } },
        missing: { params: { id: `InternalAccount:${randomUUID()}` }, body: { privateEnabled: true } },
        invalid: { params, body: { privateEnabled: null } },
        state: () => fetchWallet(platform, customer),
      };
    },
  },
  {
    operation: 'updateCustomerById',
    status: 200,
    // Another customer gets the new address.
    async spoil(platform, { call }) {
      const { email } = call.body as { email: string };
      await givenWallet(platform, { ...newPerson(), email });
      return [409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'];
    },
    async given(platform) {
      const { accountId, customer, login } = await givenOwner(platform);
      const params = { customerId: customer.id };
      const body = { customerType: 'INDIVIDUAL', email: newPerson().email };
      return {
        accountId,
        login,
        call: { params, body },
        changed: { params, body: { ...body, email: newPerson().email } },
        missing: { params: { customerId: `Customer:${randomUUID()}` }, body },
        invalid: { params, body: { ...body, email: 'nobody' } },
        // The address is already the customer's then: nothing changes, and the headers are ignored
        // (wallets.md §6.11.48).
        afterwards: [200],
        state: async () => [
          (await platform.call('getCustomerById', { params })).body.email,
          await fetchCredentials(platform, accountId),
        ],
      };
    },
  },
  { ...delegation((keys) => keys), status: 202 },
  // For its last leg: the earlier ones leave a key that waits.
  {
    ...delegation((keys) => keys.filter(({ status }) => status !== 'PENDING')),
    status: 201,
    signedBefore: 1,
  },
];

function delegation(
  seen: (keys: readonly { readonly status: string }[]) => unknown,
): Omit<SignedCase, 'status'> {
  return {
    operation: 'createDelegatedKey',
    spoil: freeze,
    async given(platform) {
      const { accountId, customer, login } = await givenOwner(platform);
      const card = await givenWalletCard(platform, { accountId, customer });
      const body = { cardId: card.id, internalAccountId: accountId, nickname: 'Groceries' };
      return {
        accountId,
        login,
        call: { body },
        changed: { body: { ...body, nickname: 'Books' } },
        missing: { body: { ...body, cardId: `Card:${randomUUID()}` } },
        invalid: { body: { ...body, nickname: '' } },
        state: async () =>
          seen((await platform.call('listDelegatedKeys', { query: { accountId } })).body.data),
      };
    },
  };
}

const keyBody = () => ({ body: { clientPublicKey: newClientKey().uncompressed } });

const fetchWallet = async (platform: TestPlatform, { id }: Wallet['customer']) =>
  inCurrency(await fetchAccounts(platform, id), 'USDB');

/** Signed by the key that its request names, not by a session's key: otp-login.test.ts has its cases. */
const SIGNED_OTHERWISE = ['verifyAuthCredential'];

describe('every signed operation (wallets.md §3.1–3.7, accounts.md §2.5.32)', () => {
  const world = testWorld();

  it('wallets.md §3.1: has a case here', () => {
    const signed = world.app.operations.filter((one) => one.signed && !one.signed.withoutRequestId);
    const ids = signed.map(({ id }) => id).filter((id) => !SIGNED_OTHERWISE.includes(id));
    assert.deepEqual(ids.sort(), [...new Set(CASES.map(({ operation }) => operation))].sort());
  });

  for (const one of CASES) {
    const legs = one.signedBefore ? `, signed ${one.signedBefore} time before` : '';
    describe(`${one.operation}${legs}`, () => signedMatrix(world, one));
  }
});
