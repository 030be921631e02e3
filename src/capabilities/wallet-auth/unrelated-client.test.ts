// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ApiKeyStamper } from '@turnkey/api-key-stamper';
import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOtpCodeToBundle,
  generateP256KeyPair,
  getPublicKey,
  verifyOtpVerificationToken,
} from '@turnkey/crypto';
import { Mnemonic } from 'ethers';
import { fetchAccounts, inCurrency, posts } from '#tests/given/accounts.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { activateWallet, givenWallet, requirePayload, type Wallet } from '#tests/harness/wallet-client.ts';

interface Keys {
  readonly apiPrivateKey: string;
  readonly apiPublicKey: string;
}
type Call = NonNullable<Parameters<TestPlatform['send']>[1]>;

describe('unchanged client libraries of wallets on a production platform', () => {
  const { world, mailedCode } = productionWallets();
  // One of them compares a token's time with that of its own machine.
  before(() => world.clock.advance(Date.now() - world.clock.now()));

  /** An owner's wallet with money in it, and an account to pay to. */
  async function scene() {
    const platform = await givenPlatform(world, {
      environment: 'PRODUCTION',
      currencies: ['USD', 'EUR', 'USDB'],
    });
    await givenRates(world);
    const wallet = await givenWallet(platform);
    await activateWallet(platform, wallet);
    const account = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USDB');
    await posts(platform, account, 'deposit', 10_000_000n);
    const { id: receiver } = await givenExternalAccount(platform, 'EUR_ACCOUNT', {
      iban: 'DE89370400440532013000',
    });
    await (await platform.work()).write(
      (tx) => tx.sql`update external_accounts set status = 'ACTIVE' where platform_id = ${tx.platformId}`,
    );
    return { platform, wallet, receiver };
  }

  const stamped = async (keys: Keys, payload: string) =>
    (await new ApiKeyStamper(keys).stamp(payload)).stampHeaderValue;

  /** Both legs. Returns the signed payload and the reply. */
  async function sign(platform: TestPlatform, keys: Keys, operation: string, call: Call) {
    const first = await platform.send(operation, call);
    assert.equal(first.status, 202, first.raw);
    const { payloadToSign, requestId } = first.body as unknown as Record<string, string>;
    const headers = {
      'svc-wallet-signature': await stamped(keys, payloadToSign ?? ''),
      'request-id': requestId ?? '',
    };
    const reply = await platform.send(operation, { ...call, headers });
    return {
      payloadToSign: payloadToSign ?? '',
      reply,
      body: reply.body as unknown as Record<string, string>,
    };
  }

  /** A login with the code from the e-mail, and the token that proved it. */
  async function logIn(platform: TestPlatform, { credentialId, accountId }: Wallet) {
    const serviceKey = world.app.runtime.serviceKey.publicKey.uncompressed;
    const params = { id: credentialId };
    const challenge = await platform.send('challengeAuthCredential', { params });
    const { otpEncryptionTargetBundle } = challenge.body as { otpEncryptionTargetBundle: string };
    const code = await mailedCode(platform);
    const { privateKey, publicKey } = generateP256KeyPair();
    const encryptedOtpBundle = await encryptOtpCodeToBundle(
      code,
      otpEncryptionTargetBundle,
      publicKey,
      serviceKey,
    );
    const keys = { apiPrivateKey: privateKey, apiPublicKey: publicKey };
    const body = { type: 'EMAIL_OTP', encryptedOtpBundle };
    const done = await sign(platform, keys, 'verifyAuthCredential', { params, body });
    assert.equal(done.reply.status, 200, done.reply.raw);
    const claims = await verifyOtpVerificationToken(done.payloadToSign, serviceKey);
    assert.equal(claims.public_key, publicKey);
    assert.equal(claims.contact, 'ada@example.com');
    assert.equal(claims.organization_id, `org_${accountId.split(':')[1]?.replaceAll('-', '')}`);
    return { sessionId: done.body.id ?? '', keys, organizationId: claims.organization_id };
  }

  it('wallets.md §5.15–5.19, §6.4.33, §6.7.41, §6.9.46, §6.12.51: log in, refresh, sign a quote, export and decrypt', async () => {
    const { platform, wallet, receiver } = await scene();
    const { sessionId, keys, organizationId } = await logIn(platform, wallet);

    const client = generateP256KeyPair();
    const refreshed = await sign(platform, keys, 'refreshAuthSession', {
      params: { id: sessionId },
      body: { clientPublicKey: client.publicKeyUncompressed },
    });
    assert.equal(refreshed.reply.status, 201, refreshed.reply.raw);
    const apiPrivateKey = decryptCredentialBundle(
      refreshed.body.encryptedSessionSigningKey ?? '',
      client.privateKey,
    );
    const apiPublicKey = Buffer.from(getPublicKey(apiPrivateKey, true)).toString('hex');
    const session = { apiPrivateKey, apiPublicKey };

    const quote = await quoted(platform, { from: wallet.accountId, to: receiver, send: 1_000_000 });
    const executed = await platform.call('executeQuote', {
      params: { quoteId: quote.id },
      headers: { 'svc-wallet-signature': await stamped(session, requirePayload(quote)) },
    });
    assert.deepEqual([executed.status, executed.body.status], [200, 'PROCESSING'], executed.raw);

    const target = generateP256KeyPair();
    const exported = await sign(platform, session, 'exportInternalAccount', {
      params: { id: wallet.accountId },
      body: { clientPublicKey: target.publicKeyUncompressed },
    });
    assert.equal(exported.reply.status, 200, exported.reply.raw);
    const words = await decryptExportBundle({
      exportBundle: exported.body.encryptedWalletCredentials ?? '',
      embeddedKey: target.privateKey,
      organizationId,
      dangerouslyOverrideSignerPublicKey: world.app.runtime.serviceKey.publicKey.uncompressed,
      returnMnemonic: true,
    });
    assert.ok(Mnemonic.isValidMnemonic(words));
    assert.equal(words.split(' ').length, 12);
  });
});
