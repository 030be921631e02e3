// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { refuseProvisioning } from '#capabilities/accounts/provision-account.ts';
import { fetchAccounts, inCurrency, listAccountWebhooks } from '#tests/given/accounts.ts';
import { PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { givenWallet, logIn, newClientKey, type Wallet } from '#tests/harness/wallet-client.ts';

describe('wallets that cannot be used (wallets.md §6.1.20)', () => {
  const world = testWorld();

  const NOT_PROVISIONED = { ...PERSON, email: 'ada409@example.com' };
  const BUNDLE = JSON.stringify({ encappedPublic: '00', ciphertext: '00' });

  /** Every operation of wallets.md §6.1.20, and its reply. */
  async function answers(platform: TestPlatform, { accountId, credentialId }: Wallet, sessionId?: string) {
    const [account, credential] = [{ id: accountId }, { id: credentialId }];
    const clientPublicKey = newClientKey().uncompressed;
    const replies = await Promise.all([
      platform.send('createAuthCredential', { body: { type: 'SMS_OTP', accountId } }),
      platform.send('challengeAuthCredential', { params: credential }),
      platform.send('verifyAuthCredential', {
        params: credential,
        body: { type: 'EMAIL_OTP', encryptedOtpBundle: BUNDLE },
      }),
      platform.send('exportInternalAccount', { params: account, body: { clientPublicKey } }),
      platform.send('updateInternalAccount', { params: account, body: { privateEnabled: true } }),
      ...(sessionId === undefined
        ? []
        : [platform.send('refreshAuthSession', { params: { id: sessionId }, body: { clientPublicKey } })]),
    ]);
    return new Set(replies.map(({ status, body }) => `${status} ${body.code}`));
  }

  it('wallets.md §6.1.20, §7: a wallet whose owner’s address ends in 409 stays PENDING, and cannot be used', async () => {
    const platform = await world.platform();
    const wallet = await givenWallet(platform, NOT_PROVISIONED);
    assert.ok(wallet.credentialId, 'it still has its credential');
    world.clock.advance(30 * 24 * 3_600_000);
    await world.app.worker.settle(platform.id);
    const accounts = await fetchAccounts(platform, wallet.customer.id);
    assert.equal(inCurrency(accounts, 'USDB').status, 'PENDING');
    assert.equal(inCurrency(accounts, 'USD').status, 'ACTIVE', 'other accounts are opened as usual');
    assert.deepEqual(await answers(platform, wallet), new Set(['409 WALLET_NOT_PROVISIONED']));
    assert.deepEqual(await listAccountWebhooks(platform), []);
  });

  it('wallets.md §6.1.20: FAILED is not provisioned either', async () => {
    const platform = await world.platform();
    const wallet = await givenWallet(platform, NOT_PROVISIONED);
    const work = await platform.work();
    await work.write((tx) => refuseProvisioning(tx, { accountId: uuidOf(wallet.accountId) }));
    assert.deepEqual(await answers(platform, wallet), new Set(['409 WALLET_NOT_PROVISIONED']));
  });

  it('wallets.md §6.1.20: FROZEN and CLOSED are a conflict; a session that ended with its wallet cannot be used', async () => {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    const { session } = await logIn(platform, wallet.credentialId);
    const work = await platform.work();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(wallet.accountId) }));
    assert.deepEqual(await answers(platform, wallet, session.id), new Set(['409 CONFLICT']));
    await work.write((tx) => closeAccount(tx, { accountId: uuidOf(wallet.accountId) }));
    assert.deepEqual(await answers(platform, wallet), new Set(['409 CONFLICT']));
    const refresh = await platform.send('refreshAuthSession', {
      params: { id: session.id },
      body: { clientPublicKey: newClientKey().uncompressed },
    });
    assert.deepEqual([refresh.status, refresh.body.code], [401, 'UNAUTHORIZED'], 'wallets.md §2');
  });
});
