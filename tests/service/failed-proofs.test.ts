// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditLine } from '#foundation/audit/store.ts';
import { EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenPasskey, SCA_CODE } from '#tests/given/sca.ts';
import { authorize, givenScaPayer, givenWaiting } from '#tests/given/waiting.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { goodClaims, unsignedToken } from '#tests/harness/issuer.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import {
  callStamped,
  givenWallet,
  newClientKey,
  sealCode,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

/** platform.md §1.3.9: the audit log shows who tried a failed proof, for whom, from where, and why it failed. */
describe('proofs that fail', () => {
  const world = testWorld();

  const failures = (platform: TestPlatform) => auditLines(world, platform, 'proof failed');

  /** The actor of the platform's calls. */
  async function createToken(platform: TestPlatform): Promise<string> {
    const { body } = await platform.call('listTokens');
    return (body.data.at(-1)?.id ?? '').slice('Token:'.length);
  }

  it('platform.md §1.3.9: a code that is wrong, late or was never sent leaves a row with its reason, and never the code', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const params = { customerId: customer.id };
    const confirm = (word: 'Email' | 'Phone', code: string) =>
      platform.call(`confirmCustomer${word}Verification`, { params, body: { code } });
    // The first is refused by throwing, which rolls back; the second by returning, which keeps the count of tries.
    const refused = [await confirm('Email', '987654')];
    await platform.call('sendCustomerEmailVerification', { params });
    refused.push(await confirm('Email', '987654'));
    world.clock.advance(10 * 60_000);
    refused.push(await confirm('Email', '123456'), await confirm('Phone', '123456'));
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400],
    );
    assert.equal(new Set(refused.map(({ body }) => body.reason)).size, 1, 'the caller is not told why');
    const rows = await failures(platform);
    assert.deepEqual(
      rows.map(({ details }) => [details.proof, details.reason]),
      [
        ['EMAIL_CODE', 'no code was sent'],
        ['EMAIL_CODE', 'the code is wrong'],
        ['EMAIL_CODE', 'the code has expired or was used'],
        ['PHONE_CODE', 'no code was sent'],
      ],
    );
    const tokenId = await createToken(platform);
    for (const [i, row] of rows.entries()) {
      assert.deepEqual(
        [row.actor_kind, row.actor_id, row.resource, row.remote_address, row.request_id],
        ['token', tokenId, customer.id, '127.0.0.1', refused[i]?.headers['x-request-id']],
      );
      assert.doesNotMatch(JSON.stringify(row.details), /\d{6}/);
    }
  });

  it('platform.md §1.3.9: a signature that does not prove the wallet leaves a row, and never the signature', async () => {
    const platform = await world.platform({ settings: { counterpartyRequirements: true } });
    const customer = await givenCustomer(platform);
    const account = await givenExternalAccount(
      platform,
      'ETHEREUM_WALLET',
      { vaspName: undefined },
      { customerId: customer.id, ownershipType: 'FIRST_PARTY' },
    );
    const params = { externalAccountId: account.id };
    const signature = `0x${'ab'.repeat(65)}`;
    const attempt = async (waitMs: number) => {
      const body = { method: 'WALLET_SIGNATURE' };
      const challenge = await platform.call('createExternalAccountOwnershipChallenge', { params, body });
      assert.ok(challenge.status < 300, challenge.raw);
      world.clock.advance(waitMs);
      return platform.call('verifyExternalAccountOwnership', { params, body: { signature } });
    };
    assert.equal((await attempt(0)).status, 400);
    assert.equal((await attempt(24 * 3_600_000)).status, 400);
    const rows = await failures(platform);
    assert.deepEqual(
      rows.map(({ resource, details }) => [resource, details]),
      [
        'does not prove that the wallet’s key signed the challenge',
        'arrived after the challenge had expired',
      ].map((reason) => [account.id, { proof: 'WALLET_SIGNATURE', reason, customerId: customer.id }]),
    );
    assert.ok(!JSON.stringify(rows).includes('abab'));
  });

  it('platform.md §1.3.9: a code, passkey, id token or stamp that does not prove the owner of a wallet leaves a row, and never the proof', async () => {
    const platform = await world.platform();
    const { accountId, credentialId, customer } = await givenWallet(platform);
    const add = async (body: object) => {
      const added = await callStamped(platform, 'createAuthCredential', { body: { accountId, ...body } });
      return String(added.body.id);
    };
    const now = () => new Date(world.clock.now());
    const passkey = createPasskey();
    const attestation = passkey.register('Y2hhbGxlbmdl');
    const passkeyId = await add({
      type: 'PASSKEY',
      nickname: 'Phone',
      challenge: 'Y2hhbGxlbmdl',
      attestation,
    });
    const oauthId = await add({ type: 'OAUTH', oidcToken: unsignedToken(goodClaims(now())) });

    const key = newClientKey();
    const challenge = async (id: string) => {
      const body = { clientPublicKey: key.compressed };
      return (await platform.send('challengeAuthCredential', { params: { id }, body })).body;
    };
    const bundle = (await challenge(credentialId)).otpEncryptionTargetBundle;
    const sealed = async (code: string) => ({
      type: 'EMAIL_OTP',
      encryptedOtpBundle: await sealCode(bundle, key, code),
    });
    const right = await sealed('000000');
    const login = await challenge(passkeyId);
    const assertion = { ...passkey.assert(login.challenge), signature: passkey.assert('another').signature };
    const oldToken = unsignedToken(goodClaims(new Date(0), key.compressed));
    const otherToken = unsignedToken(goodClaims(now(), newClientKey().compressed));
    const byOther = async (asked: unknown) => signedHeaders(newClientKey(), asked as never);
    const verify = (id: string, body: object, headers = {}) =>
      platform.send('verifyAuthCredential', { params: { id }, body, headers });

    const attempts: [proof: string, resource: string, reason: RegExp, () => Promise<Answered<unknown>>][] = [
      [
        'EMAIL_OTP',
        credentialId,
        /^Invalid OTP code$/,
        async () => verify(credentialId, await sealed('424242')),
      ],
      [
        'EMAIL_OTP',
        credentialId,
        /^Unable to decrypt OTP bundle$/,
        () => verify(credentialId, { ...right, encryptedOtpBundle: garbled(right.encryptedOtpBundle) }),
      ],
      [
        'WALLET_SIGNATURE',
        credentialId,
        /key of the signature/,
        async () => {
          const asked = await verify(credentialId, right);
          return verify(credentialId, right, await byOther(asked.body));
        },
      ],
      ['EMAIL_OTP', credentialId, /^No pending OTP/, () => verify(credentialId, right)],
      ['PASSKEY', passkeyId, /Request-Id/, () => verify(passkeyId, { type: 'PASSKEY', assertion })],
      [
        'PASSKEY',
        passkeyId,
        /signature/,
        () => verify(passkeyId, { type: 'PASSKEY', assertion }, { 'request-id': login.requestId }),
      ],
      [
        'OAUTH',
        oauthId,
        /nonce/,
        () => verify(oauthId, { type: 'OAUTH', oidcToken: otherToken, clientPublicKey: key.compressed }),
      ],
      [
        'OAUTH',
        accountId,
        /iat/,
        () =>
          platform.send('createAuthCredential', { body: { type: 'OAUTH', accountId, oidcToken: oldToken } }),
      ],
      [
        'WALLET_SIGNATURE',
        accountId,
        /key of the signature/,
        async () => {
          const call = { params: { id: accountId }, body: { privateEnabled: true } };
          const asked = await platform.send('updateInternalAccount', call);
          return platform.send('updateInternalAccount', { ...call, headers: await byOther(asked.body) });
        },
      ],
    ];
    const refused: Answered<unknown>[] = [];
    for (const [, , , attempt] of attempts) refused.push(await attempt());
    const rows = await failures(platform);
    const tokenId = await createToken(platform);
    assert.equal(rows.length, attempts.length);
    for (const [i, [proof, resource, reason]] of attempts.entries()) {
      const { details, actor_kind, actor_id, request_id, remote_address, ...row } = rows[i] as AuditLine;
      const { status, raw, headers } = refused[i] as Answered<unknown>;
      assert.equal(status, 401, raw);
      const told = { actor_kind, actor_id, resource: row.resource, request_id, remote_address };
      assert.deepEqual(told, {
        actor_kind: 'token',
        actor_id: tokenId,
        resource,
        request_id: headers['x-request-id'],
        remote_address: '127.0.0.1',
      });
      assert.deepEqual([details.proof, details.customerId], [proof, customer.id]);
      assert.match(String(details.reason), reason);
    }
    const texts = JSON.stringify(rows.map(({ details }) => details));
    const proofs = [right.encryptedOtpBundle, assertion.signature, oldToken, otherToken, '424242'];
    for (const proof of proofs) assert.ok(!texts.includes(proof.slice(0, 40)), proof);
  });

  it('platform.md §1.3.9: an answer that does not authorize a payment leaves a row, with the lock that follows, and never the proof', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenScaPayer(platform);
    const passkey = await givenPasskey(platform, payer);
    const paid = await givenWaiting(platform, payer);
    await authorize(platform, paid.id, { code: SCA_CODE, endUserIpAddress: '203.0.113.7' });
    const byCode = await givenWaiting(platform, payer);
    const quote = await quoted(platform, { from: payer.usd, to: payer.bank });
    const execution = { params: { quoteId: quote.id }, body: { scaFactor: 'PASSKEY' as const } };
    const byPasskey = (await platform.call('executeQuote', execution)).body;
    const options = byPasskey.scaChallenge?.passkeyAssertionOptions;
    const wrong = { ...passkey.answer({ challenge: 'YW5vdGhlcg' }), endUserIpAddress: '2001:db8::7' };
    const refused = [
      await authorize(platform, byCode.id, { code: '987654', endUserIpAddress: '203.0.113.7' }),
      await authorize(platform, byCode.id, passkey.answer(options)),
      await authorize(platform, byPasskey.id, wrong),
      await authorize(platform, byPasskey.id, { code: '987654' }),
      await authorize(platform, byCode.id, { code: '987654' }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400, 400],
    );
    const rows = await failures(platform);
    const lockedUntil = new Date(world.clock.now() + 15 * 60_000).toISOString();
    assert.deepEqual(
      rows.map(({ details }) => details),
      [
        { proof: 'SMS_OTP', reason: 'the code is wrong', endUserIpAddress: '203.0.113.7' },
        { proof: 'SMS_OTP', reason: 'a passkey answered a challenge that requires a code' },
        {
          proof: 'PASSKEY',
          reason: 'The client data challenge does not match the challenge',
          endUserIpAddress: '2001:db8::7',
        },
        { proof: 'PASSKEY', reason: 'a code answered a challenge that requires a passkey' },
        { proof: 'SMS_OTP', reason: 'the code is wrong', consequence: `locked until ${lockedUntil}` },
      ],
    );
    for (const [i, { resource, request_id }] of rows.entries()) {
      assert.deepEqual([resource, request_id], [payer.id, refused[i]?.headers['x-request-id']]);
    }
    const texts = JSON.stringify(rows.map(({ details }) => details));
    assert.doesNotMatch(texts, /987654|YW5vdGhlcg/);
    assert.deepEqual(
      (await auditLines(world, platform, 'authorizeQuote')).map(({ details }) => details),
      [{ customerId: payer.id, status: 'PROCESSING', endUserIpAddress: '203.0.113.7' }],
    );
  });

  it('platform.md §1.3.9: a call leaves one row, however it fails: no more than one that succeeds', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const params = { customerId: customer.id };
    await platform.call('sendCustomerEmailVerification', { params });
    const wrong = (code: unknown) =>
      platform.send('confirmCustomerEmailVerification', { params, body: { code }, key: 'the-same-key' });
    await Promise.all(Array.from({ length: 10 }, () => wrong('000000')));
    assert.equal((await failures(platform)).length, 10);
    // A malformed code, or one without a challenge, is not a proof.
    await wrong(null);
    await platform.call('confirmCustomerEmailVerification', {
      params: { customerId: 'Customer:019542f5-b3e7-7d02-8000-0000000000ff' },
      body: { code: '000000' },
    });
    assert.equal((await failures(platform)).length, 10);
    assert.equal((await wrong('123456')).status, 200);
    assert.equal((await failures(platform)).length, 10);
  });
});

/** The same bundle with another last byte of its ciphertext. */
function garbled(bundle: string): string {
  const { ciphertext, ...rest } = JSON.parse(bundle) as Record<string, string>;
  const text = ciphertext ?? '';
  return JSON.stringify({ ...rest, ciphertext: text.slice(0, -2) + (text.endsWith('00') ? '11' : '00') });
}
