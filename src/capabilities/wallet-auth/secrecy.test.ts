// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decryptExportBundle } from '@turnkey/crypto';
import { sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';
import {
  callSigned,
  newClientKey,
  openSessionKey,
  sealCode,
  serviceKeyOf,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

describe('secrecy of wallets', () => {
  const production = productionWallets();
  const { world } = production;

  it('decision 0005: every sealed value of a wallet is bound to its column, so that key rotation can seal it again', async () => {
    const { platform, wallet } = await production.givenOwner();
    // A code whose message is not sent yet, and a request that waits for its signature.
    const challenge = await platform.send('challengeAuthCredential', { params: { id: wallet.credentialId } });
    assert.equal(challenge.status, 200, challenge.raw);
    const first = await platform.send('exportInternalAccount', {
      params: { id: wallet.accountId },
      body: { clientPublicKey: newClientKey().uncompressed },
    });
    assert.equal(first.status, 202, first.raw);
    const { vault } = (await platform.work()).runtime;
    const opened = new Set<string>();
    for (const sealed of await sealedColumns(world.database.query)) {
      const rows = await world.database.query<Record<string, unknown>>(sql`
        select * from ${rawSql(sealed.table)} where ${rawSql(sealed.column)} is not null`);
      for (const row of rows) {
        assert.ok(vault.open(row[sealed.column] as Buffer, sealContext(sealed, row)).length > 0);
        opened.add(`${sealed.table}.${sealed.column}`);
      }
    }
    const ofWallets = ['service_keys.private_key', 'signed_requests.challenge', 'wallet_keys.mnemonic'];
    for (const column of [...ofWallets, 'codes.code', 'codes.target_private'])
      assert.ok(opened.has(column), column);
  });

  it('wallets.md §6.7.42a: no private key, code, mnemonic, token or bundle is in plain text in any table, log, error or audit row', async () => {
    const { platform, wallet } = await production.givenOwner();
    const embeddedWalletConfig = { otpLength: 10, alphanumeric: true };
    await platform.call('updatePlatformConfig', { body: { embeddedWalletConfig } });
    const rows: { table: string; text: string }[] = [];
    const errors: string[] = [];
    const secrets: Record<string, string> = {};
    const look = async () => void rows.push(...(await allRows(world.database)));
    const send = async (operation: string, call: Parameters<typeof platform.send>[1]) => {
      const reply = await platform.send(operation, call);
      if (reply.status >= 400) errors.push(reply.raw);
      return reply;
    };

    // A code: before its message is sent, entered wrong, entered right.
    const params = { id: wallet.credentialId };
    const challenge = await send('challengeAuthCredential', { params });
    await look();
    const target = String(Reflect.get(challenge.body, 'otpEncryptionTargetBundle'));
    secrets.code = await production.mailedCode(platform);
    const key = newClientKey();
    const body = { type: 'EMAIL_OTP', encryptedOtpBundle: await sealCode(target, key, secrets.code) };
    secrets.bundle = body.encryptedOtpBundle;
    await send('verifyAuthCredential', { params, body: { ...body, type: 'SMS_OTP' } });
    await send('verifyAuthCredential', {
      params,
      body: { ...body, encryptedOtpBundle: await sealCode(target, key, 'WRONGWRONG') },
    });
    const first = await send('verifyAuthCredential', { params, body });
    secrets.verificationToken = String(Reflect.get(first.body, 'payloadToSign'));
    const headers = await signedHeaders(key, first.body as never);
    await look();
    await send('verifyAuthCredential', { params, body: { ...body, encryptedOtpBundle: '{}' }, headers });
    assert.equal((await send('verifyAuthCredential', { params, body, headers })).status, 200);

    // An id token, in both legs and at a login; and the key that is created for the session.
    const client = newClientKey();
    const token = () => production.issuer.token(production.claims(client.uncompressed));
    secrets.registrationToken = token();
    const oauth = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: secrets.registrationToken };
    const added = await callSigned(platform, key, 'createAuthCredential', { body: oauth });
    assert.equal(added.status, 201, added.raw);
    secrets.loginToken = token();
    const login = { type: 'OAUTH', oidcToken: secrets.loginToken, clientPublicKey: client.uncompressed };
    const oauthId = { id: String(added.body.id) };
    await send('verifyAuthCredential', {
      params: oauthId,
      body: { ...login, clientPublicKey: key.compressed },
    });
    const session = await send('verifyAuthCredential', { params: oauthId, body: login });
    secrets.sealedSessionKey = String(Reflect.get(session.body, 'encryptedSessionSigningKey'));
    secrets.sessionKey = openSessionKey(secrets.sealedSessionKey, client);

    // The words.
    const exporting = { params: { id: wallet.accountId }, body: { clientPublicKey: client.uncompressed } };
    const exported = await callSigned(platform, key, 'exportInternalAccount', exporting);
    secrets.envelope = String(Reflect.get(exported.body, 'encryptedWalletCredentials'));
    secrets.mnemonic = await decryptExportBundle({
      exportBundle: secrets.envelope,
      embeddedKey: client.privateKey,
      organizationId: `org_${wallet.accountId.slice('InternalAccount:'.length).replaceAll('-', '')}`,
      dangerouslyOverrideSignerPublicKey: serviceKeyOf(secrets.envelope),
      returnMnemonic: true,
    });
    await look();

    assert.ok(errors.length >= 4, 'there were errors to search');
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 10, name);
      const forms =
        name === 'sessionKey' ? [secret, Buffer.from(secret, 'hex').toString('base64')] : formsOf(secret);
      for (const form of forms) {
        const leaks = rows.filter(({ text }) => text.includes(form)).map(({ table }) => table);
        assert.deepEqual([...new Set(leaks)], [], `${name} in a table`);
        assert.ok(!world.logged.some((line) => line.includes(form)), `${name} in the log`);
        assert.ok(!errors.some((raw) => raw.includes(form)), `${name} in an error`);
      }
    }
    assert.ok(
      rows.some(({ text }) => text.includes(wallet.accountId.slice('InternalAccount:'.length))),
      'the search finds plain text',
    );
  });
});
