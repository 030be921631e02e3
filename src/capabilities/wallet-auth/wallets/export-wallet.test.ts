// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bech32m } from '@scure/base';
import { decryptExportBundle, hpkeDecrypt } from '@turnkey/crypto';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { refuseProvisioning } from '#capabilities/accounts/provision-account.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { deriveServiceKey } from '#foundation/crypto/service-key.ts';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  type ClientKey,
  callSigned,
  givenWallet,
  type Login,
  logIn,
  newClientKey,
} from '#tests/harness/wallet-client.ts';

const orgOf = (accountId: string) => `org_${uuidOf(accountId).replaceAll('-', '')}`;

/** Both legs, sealed to this key. Returns the envelope and the path. */
async function exported(platform: TestPlatform, accountId: string, { key }: Login, to: ClientKey) {
  const call = { params: { id: accountId }, body: { clientPublicKey: to.uncompressed } };
  const reply = await callSigned(platform, key, 'exportInternalAccount', call);
  assert.equal(reply.status, 200, reply.raw);
  assert.equal(reply.body.id, accountId);
  return {
    envelope: String(reply.body.encryptedWalletCredentials),
    derivationPath: String(reply.body.derivationPath),
  };
}

/**
 * The address that any other Spark wallet derives from the words, by libraries that the service does not use for it.
 */
function deriveSparkAddress(words: string, prefix: string, path = "m/8797555'/1'/0'"): string {
  const { publicKey } = HDNodeWallet.fromPhrase(words, '', path);
  const key = Buffer.from(publicKey.slice(2), 'hex');
  return bech32m.encode(prefix, bech32m.toWords(Buffer.concat([Buffer.from([0x0a, 33]), key])), 1024);
}

describe('exporting a wallet', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    return { platform, wallet, login: await logIn(platform, wallet.credentialId) };
  }

  const openUnsigned = (envelope: string, { privateKey }: ClientKey) => {
    const { data } = JSON.parse(envelope) as { data: string };
    const { encappedPublic, ciphertext } = JSON.parse(String(Buffer.from(data, 'hex')));
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
    const opened = hpkeDecrypt({
      ciphertextBuf: bytes(ciphertext),
      encappedKeyBuf: bytes(encappedPublic),
      receiverPriv: privateKey,
    });
    return Buffer.from(opened).toString();
  };

  it('wallets.md §6.9.46, accounts.md §2.5.31: the envelope holds the twelve words, the same at each export, readable only with the client’s key', async () => {
    const { platform, wallet, login } = await scene();
    const keys = [newClientKey(), newClientKey()] as const;
    const [first, second] = [
      (await exported(platform, wallet.accountId, login, keys[0])).envelope,
      (await exported(platform, wallet.accountId, login, keys[1])).envelope,
    ];
    const words = openUnsigned(first, keys[0]);
    assert.ok(Mnemonic.isValidMnemonic(words));
    assert.equal(words.split(' ').length, 12);
    assert.equal(openUnsigned(second, keys[1]), words);
    assert.throws(() => openUnsigned(first, keys[1]));
    const { data, ...rest } = JSON.parse(first);
    assert.deepEqual(rest, { version: 'v1.0.0', dataSignature: '', enclaveQuorumPublic: '' });
    const { organizationId } = JSON.parse(String(Buffer.from(data, 'hex')));
    assert.equal(organizationId, orgOf(wallet.accountId));
    const { key } = await logIn(platform, wallet.credentialId);
    assert.ok(key, 'the wallet stays usable');
  });

  it('wallets.md §6.9.46a: the exported words restore the address of the wallet', async () => {
    const { platform, wallet, login } = await scene();
    const key = newClientKey();
    const { envelope, derivationPath } = await exported(platform, wallet.accountId, login, key);
    assert.equal(derivationPath, "m/8797555'/1'/0'");
    const words = openUnsigned(envelope, key);
    const work = await platform.work();
    const address = () => work.read((tx) => walletAddress(tx, uuidOf(wallet.accountId)));
    assert.equal(await address(), deriveSparkAddress(words, 'sparkt'));
    assert.equal(await address(), deriveSparkAddress(words, 'sparkt'), 'the stored address');
  });

  it('wallets.md §6.9.46a: an older wallet keeps its address, stored or not, and the export states its path', async () => {
    const { platform, wallet, login } = await scene();
    const { id } = platform;
    const key = newClientKey();
    const words = openUnsigned((await exported(platform, wallet.accountId, login, key)).envelope, key);
    // As the migration leaves it: the path is the column's default.
    await world.database.query(sql`
      update wallet_keys set derivation_path = default, address = null where platform_id = ${id}`);
    const again = await exported(platform, wallet.accountId, login, key);
    assert.deepEqual([openUnsigned(again.envelope, key), again.derivationPath], [words, "m/8797555'/0'/0'"]);
    const work = await platform.work();
    for (const when of ['derived', 'stored']) {
      const address = await work.read((tx) => walletAddress(tx, uuidOf(wallet.accountId)));
      assert.equal(address, deriveSparkAddress(words, 'sparkt', again.derivationPath), when);
    }
  });

  it('wallets.md §3.8, §3.9: the payload names the wallet and the key as it was sent', async () => {
    const { platform, wallet } = await scene();
    const clientPublicKey = newClientKey().uncompressed.toUpperCase();
    const call = { params: { id: wallet.accountId }, body: { clientPublicKey } };
    const { body } = await platform.send('exportInternalAccount', call);
    const payload = String(Reflect.get(body, 'payloadToSign'));
    const uuid = uuidOf(wallet.accountId).replaceAll('-', '');
    const timestampMs = JSON.parse(payload).timestampMs;
    assert.match(timestampMs, /^\d+$/);
    assert.equal(
      payload,
      JSON.stringify({
        organizationId: `org_${uuid}`,
        parameters: { targetPublicKey: clientPublicKey, walletId: `wallet_${uuid}` },
        timestampMs,
        type: 'ACTIVITY_TYPE_EXPORT_WALLET',
      }),
    );
  });

  it('wallets.md §6.9.46: a compressed, invalid or missing key is 400, and so is an account that is not a wallet', async () => {
    const { platform, wallet } = await scene();
    const { compressed, uncompressed } = newClientKey();
    const off = `${uncompressed.slice(0, -1)}${uncompressed.endsWith('0') ? '1' : '0'}`;
    const bad = [
      compressed,
      off,
      `05${uncompressed.slice(2)}`,
      `${uncompressed}00`,
      '',
      'x',
      null,
      4,
      undefined,
    ];
    for (const clientPublicKey of bad) {
      const call = { params: { id: wallet.accountId }, body: { clientPublicKey } };
      const reply = await platform.send('exportInternalAccount', call);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], String(clientPublicKey));
      assert.deepEqual(
        reply.body.details.errors.map(({ field }) => field),
        ['clientPublicKey'],
      );
    }
    const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD');
    const own = inCurrency(await platformAccounts(platform), 'USDB');
    for (const { id } of [usd, own]) {
      const call = { params: { id }, body: { clientPublicKey: uncompressed } };
      const reply = await platform.send('exportInternalAccount', call);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], 'accounts.md §2.5.33');
    }
  });

  it('accounts.md §2.5.33, wallets.md §6.1.20: a wallet that is FROZEN or CLOSED is 409 CONFLICT', async () => {
    const { platform, wallet } = await scene();
    const call = { params: { id: wallet.accountId }, body: { clientPublicKey: newClientKey().uncompressed } };
    const work = await platform.work();
    for (const stop of [freezeAccount, closeAccount]) {
      await work.write((tx) => stop(tx, { accountId: uuidOf(wallet.accountId) }));
      const reply = await platform.send('exportInternalAccount', call);
      assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT'], reply.raw);
    }
  });

  it('wallets.md §2: neither leg sends an event, and the words are in no log, audit row or request', async () => {
    const { platform, wallet, login } = await scene();
    const [before] = await world.database.query<{ count: bigint }>(sql`select count(*) from events`);
    const key = newClientKey();
    const words = openUnsigned((await exported(platform, wallet.accountId, login, key)).envelope, key);
    const [after] = await world.database.query<{ count: bigint }>(sql`select count(*) from events`);
    assert.equal(after?.count, before?.count);
    const rows = await world.database.query<{ text: string }>(sql`
      select a::text as text from audit_log a where platform_id = ${platform.id}
      union all select r::text from signed_requests r where platform_id = ${platform.id}
      union all select k::text from wallet_keys k where platform_id = ${platform.id}`);
    const hex = Buffer.from(words).toString('hex');
    for (const text of [...rows.map((row) => row.text), ...world.logged]) {
      assert.ok(!text.includes(words) && !text.includes(hex));
    }
    assert.ok(
      rows.some(({ text }) => text.includes('exportInternalAccount')),
      'the export is audited',
    );
  });
});

describe('exporting a wallet in production', () => {
  const { world, givenOwner, logInByMail } = productionWallets();

  it('wallets.md §5.17, §6.9.46, §6.9.46a: the envelope is signed by the service’s key, and a client library opens it', async () => {
    const owner = await givenOwner();
    const { platform, wallet } = owner;
    const login = await logInByMail(owner);
    const key = newClientKey();
    const { envelope } = await exported(platform, wallet.accountId, login, key);
    const open = (changes: object = {}) =>
      decryptExportBundle({
        exportBundle: envelope,
        embeddedKey: key.privateKey,
        organizationId: orgOf(wallet.accountId),
        dangerouslyOverrideSignerPublicKey: world.app.runtime.serviceKey.publicKey.uncompressed,
        returnMnemonic: true,
        ...changes,
      });
    const words = await open();
    const work = await platform.work();
    const address = await work.read((tx) => walletAddress(tx, uuidOf(wallet.accountId)));
    assert.equal(address, deriveSparkAddress(words, 'spark'));
    const stranger = deriveServiceKey(Buffer.alloc(32, 7)).publicKey.uncompressed;
    await assert.rejects(open({ dangerouslyOverrideSignerPublicKey: stranger }));
    await assert.rejects(open({ embeddedKey: newClientKey().privateKey }));
  });

  it('accounts.md §2.5.33, wallets.md §6.1.20: a wallet that is PENDING or FAILED is 409 WALLET_NOT_PROVISIONED', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const wallet = await givenWallet(platform);
    const params = { id: wallet.accountId };
    const refused = async () => [
      await platform.send('exportInternalAccount', {
        params,
        body: { clientPublicKey: newClientKey().uncompressed },
      }),
      await platform.send('updateInternalAccount', { params, body: { privateEnabled: true } }),
    ];
    const pending = await refused();
    await (await platform.work()).write((tx) =>
      refuseProvisioning(tx, { accountId: uuidOf(wallet.accountId) }),
    );
    for (const { status, body } of [...pending, ...(await refused())]) {
      assert.deepEqual([status, body.code], [409, 'WALLET_NOT_PROVISIONED']);
    }
  });

  it('wallets.md §7: the sandbox’s stamp is malformed in production', async () => {
    const { platform, wallet } = await givenOwner();
    const call = { params: { id: wallet.accountId }, body: { privateEnabled: true } };
    const { body } = await platform.send('updateInternalAccount', call);
    const headers = {
      'svc-wallet-signature': 'sandbox-valid-signature',
      'request-id': String(Reflect.get(body, 'requestId')),
    };
    const reply = await platform.send('updateInternalAccount', { ...call, headers });
    assert.deepEqual([reply.status, reply.body.code], [401, 'WALLET_SIGNATURE_MALFORMED']);
  });
});
