import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import type { Call } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';
import {
  callSigned,
  givenWallet,
  logIn,
  newClientKey,
  newPerson,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

describe('wallets whose account is closed or whose owner is erased', () => {
  const world = testWorld();

  const listSessions = async (platform: TestPlatform, accountId: string) =>
    (await platform.call('listAuthSessions', { query: { accountId } })).body.data;

  /** A wallet with all kinds of rows: credentials, sessions, codes, attempts, open and used requests. */
  async function fullWallet(platform: TestPlatform, nickname = 'Phone') {
    const wallet = await givenWallet(platform, newPerson());
    const { accountId, credentialId, customer } = wallet;
    const login = await logIn(platform, credentialId);
    const add = (body: object) =>
      callSigned(platform, login.key, 'createAuthCredential', { body: { ...body, accountId } });
    assert.equal((await add({ type: 'SMS_OTP' })).status, 201);
    const challenge = 'Y2hhbGxlbmdl';
    const attestation = createPasskey().register(challenge);
    const passkey = await add({ type: 'PASSKEY', nickname, challenge, attestation });
    assert.equal(passkey.status, 201, passkey.raw);
    await platform.send('challengeAuthCredential', { params: { id: credentialId } });
    const clientPublicKey = newClientKey().uncompressed;
    const open: readonly (readonly [string, Call])[] = [
      ['updateCustomerById', { params: { customerId: customer.id }, body: NEW_CONTACT }],
      ['exportInternalAccount', { params: { id: accountId }, body: { clientPublicKey } }],
      ['revokeAuthCredential', { params: { id: String(passkey.body.id) } }],
      ['revokeAuthSession', { params: { id: login.session.id } }],
    ];
    for (const [operation, call] of open) {
      const reply = await platform.send(operation, call);
      assert.equal(reply.status, 202, reply.raw);
    }
    return { ...wallet, login };
  }

  const NEW_CONTACT = { customerType: 'INDIVIDUAL', email: 'ada.king@example.com' };

  it('wallets.md §2: closing the account revokes its sessions in the same commit', async () => {
    const platform = await world.platform();
    const { accountId, login } = await fullWallet(platform);
    const first = await platform.send('updateInternalAccount', {
      params: { id: accountId },
      body: { privateEnabled: true },
    });
    const headers = await signedHeaders(login.key, first.body as never);
    const other = await fullWallet(platform);
    const work = await platform.work();
    await work.write((tx) => closeAccount(tx, { accountId: uuidOf(accountId) }));
    assert.deepEqual(await listSessions(platform, accountId), []);
    assert.equal((await listSessions(platform, other.accountId)).length, 1, 'other wallets stay usable');
    const late = await platform.send('updateInternalAccount', {
      params: { id: accountId },
      body: { privateEnabled: true },
      headers,
    });
    assert.deepEqual([late.status, late.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
    const { session } = login;
    const gone = await platform.send('revokeAuthSession', { params: { id: session.id } });
    assert.deepEqual([gone.status, gone.body.code], [404, 'SESSION_NOT_FOUND']);
  });

  it('wallets.md §2: removing a customer’s currency closes the wallet, and ends its sessions', async () => {
    const platform = await world.platform();
    const { accountId, customer } = await fullWallet(platform);
    const body = { customerType: 'INDIVIDUAL', currencies: ['USD'] };
    const reply = await platform.send('updateCustomerById', { params: { customerId: customer.id }, body });
    assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual(await listSessions(platform, accountId), []);
  });

  it('wallets.md §6.2.26: a deleted customer’s wallet no longer has credentials or sessions, and no code is sent', async () => {
    const platform = await world.platform();
    const { accountId, credentialId, customer, login } = await fullWallet(platform);
    const params = { customerId: customer.id };
    assert.equal((await platform.call('deleteCustomerById', { params })).status, 200);
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    assert.deepEqual([body.data, await listSessions(platform, accountId)], [[], []]);
    const calls = [
      ['challengeAuthCredential', credentialId, 'AUTH_METHOD_NOT_FOUND'],
      ['revokeAuthCredential', credentialId, 'AUTH_METHOD_NOT_FOUND'],
      ['revokeAuthSession', login.session.id, 'SESSION_NOT_FOUND'],
    ] as const;
    for (const [operation, id, code] of calls) {
      const reply = await platform.send(operation, { params: { id } });
      assert.deepEqual([reply.status, reply.body.code], [404, code], operation);
    }
    await world.app.worker.settle(platform.id);
    const inbox = await platform.call('listSandboxMessages', { query: { recipient: customer.email } });
    assert.deepEqual(inbox.body.data, []);
  });

  it('customers.md §2.4.26a: erasing the customer deletes credentials, sessions, requests and the words; no personal data is left', async () => {
    const platform = await world.platform();
    const nickname = 'Planted nickname';
    const { accountId, customer } = await fullWallet(platform, nickname);
    const kept = await fullWallet(platform);
    const listRows = async () => {
      const rows = await allRows(world.database);
      return rows.filter(({ table, text }) => OWN_TABLES.includes(table) && text.includes(platform.id));
    };
    const tables = (rows: readonly { table: string }[]) =>
      [...new Set(rows.map(({ table }) => table))].sort();
    const before = await listRows();
    assert.deepEqual(tables(before), OWN_TABLES.toSorted(), 'every table has rows');
    assert.equal(
      (await platform.call('deleteCustomerById', { params: { customerId: customer.id } })).status,
      200,
    );
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    const after = await listRows();
    assert.equal(after.length, before.length / 2, 'the remaining rows are the other wallet’s');
    assert.ok(!after.some(({ text }) => text.includes(uuidOf(accountId))));
    for (const planted of [nickname, customer.email, customer.phoneNumber]) {
      for (const form of formsOf(planted ?? '')) {
        const leaks = (await allRows(world.database)).filter(({ text }) => text.includes(form));
        assert.deepEqual(tables(leaks), [], `${planted} as ${form}`);
      }
    }
    const { body } = await platform.call('listAuthCredentials', { query: { accountId: kept.accountId } });
    assert.equal(body.data.length, 3);
  });

  const OWN_TABLES = [
    'public.code_attempts',
    'public.codes',
    'public.signed_requests',
    'public.wallet_credentials',
    'public.wallet_keys',
    'public.wallet_passkey_challenges',
    'public.wallet_sessions',
  ];
});
