// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Mnemonic } from 'ethers';
import { signedEnvelope } from '#foundation/crypto/service-key.ts';
import { parseStamp, verifyStamp } from '#foundation/crypto/stamp.ts';
import { advance, givenFunds, givenOutside, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { createPasskey, type TestPasskey } from '#tests/harness/passkeys.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { callSigned, givenWallet, logIn } from '#tests/harness/wallet-client.ts';
import { copyWalletsPage, type WalletsPage } from '#tests/harness/wallets-page.ts';

interface Session {
  readonly id: string;
  readonly type: string;
  readonly accountId: string;
  readonly expiresAt: string;
  readonly key: SigningKey;
}
interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: string;
}
type CallApi = (method: string, path: string, body?: unknown, headers?: object) => Promise<never>;

/** The exports of the page's client. */
interface Client {
  newSigningKey(): Promise<SigningKey>;
  stamp(key: SigningKey, payload: string): Promise<string>;
  signed(call: CallApi, key: SigningKey, method: string, path: string, body?: unknown): Promise<unknown>;
  logInWithCode(
    call: CallApi,
    credentialId: string,
    askForCode: () => Promise<string>,
    serviceKey?: string,
  ): Promise<Session>;
  logInWithPasskey(call: CallApi, credentialId: string): Promise<Session>;
  execute(call: CallApi, session: Session, quote: object): Promise<{ status: string }>;
  exportWords(call: CallApi, session: Session, serviceKey?: string): Promise<string>;
}

describe('the client of docs/wallets.md', () => {
  let page: WalletsPage;
  let client: Client;
  let callAt: (url: string, credentials: string) => CallApi;

  before(async () => {
    page = await copyWalletsPage();
    const load = (name: string) => import(pathToFileURL(join(page.folder, name)).href);
    client = (await load('wallet.js')) as Client;
    ({ callAt } = await load('call.js'));
  });
  const production = productionWallets();
  const { world } = production;
  before(() => world.app.http.listen({ host: '127.0.0.1', port: 0 }));
  after(() => page.remove());

  const createCaller = (platform: TestPlatform) => callAt(apiOf(world), credentialsOf(platform));
  const serviceKey = () => world.app.runtime.serviceKey.publicKey.uncompressed;

  async function scene() {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
    const wallet = await givenWallet(platform);
    await givenFunds(platform, wallet.accountId, 100_000_000);
    return { platform, wallet, receiver: await givenOutside(platform, undefined) };
  }

  it('is one module of at most 120 lines, on WebCrypto and two libraries', () => {
    const text = page.files.get('wallet.js') ?? '';
    assert.ok(text.split('\n').length - 1 <= 120, `${text.split('\n').length - 1} lines`);
    const imported = [...text.matchAll(/ from '(.+)'/g)].map(([, name]) => name);
    assert.deepEqual(imported, ['@hpke/core', 'bs58check']);
    assert.doesNotMatch(text, /\b(process|Buffer|require)\b/, 'browsers have none of these');
  });

  it('wallets.md §5.19, §6.4.33, §6.7.40, §6.7.41, §6.9.46, §6.12.51: the flows of the page, in their own process', async () => {
    const { platform, wallet, receiver } = await scene();
    const environment = {
      API: apiOf(world),
      AUTH: credentialsOf(platform),
      WALLET: wallet.accountId,
      RECEIVER: receiver,
      SERVICE_KEY: serviceKey(),
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['round.js'], {
      cwd: page.folder,
      env: environment,
    });
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, 2), [`logged in as ${wallet.customer.email}`, 'the quote is PROCESSING']);
    assert.match(lines[2] ?? '', /^logged in until \d{4}-.*Z$/);
    assert.deepEqual(lines.slice(3), ['12 words restore the wallet anywhere', 'logged out']);
    await advance(platform, 1);
    const { body } = await platform.call('listTransactions', { query: { type: 'OUTGOING' } });
    assert.deepEqual(
      body.data.map(({ status }) => status),
      ['COMPLETED'],
    );
    const sessions = await platform.call('listAuthSessions', { query: { accountId: wallet.accountId } });
    assert.equal(sessions.body.data.length, 2, 'of the three, one ended');
  });

  it('wallets.md §6.4.35, §6.4.37: a login with a passkey, whose session signs a quote', async () => {
    const { platform, wallet, receiver } = await scene();
    const passkey = createPasskey();
    const { key } = await logIn(platform, wallet.credentialId);
    const challenge = Buffer.alloc(32, 7).toString('base64url');
    const added = await callSigned(platform, key, 'createAuthCredential', {
      body: {
        type: 'PASSKEY',
        accountId: wallet.accountId,
        nickname: 'Phone',
        challenge,
        attestation: passkey.register(challenge),
      },
    });
    assert.equal(added.status, 201, added.raw);
    giveBrowser(passkey);
    const call = createCaller(platform);
    const session = await client.logInWithPasskey(call, String(added.body.id));
    assert.deepEqual([session.type, session.accountId], ['PASSKEY', wallet.accountId]);
    const quote = await quoted(platform, { from: wallet.accountId, to: receiver, send: 1_000_000 });
    assert.equal((await client.execute(call, session, quote)).status, 'PROCESSING');
    assert.ok(Mnemonic.isValidMnemonic(await client.exportWords(call, session)));
  });

  /** Signatures have 70 to 72 bytes. They are shorter, once in 256, if r or s begins with a zero. */
  const LENGTHS = [69, 70, 71, 72];

  it('wallets.md §4.10, §4.12: its stamps are DER, whatever r and s begin with', async () => {
    const key = await client.newSigningKey();
    const seen = new Set<number>();
    for (let i = 0; !LENGTHS.every((length) => seen.has(length)); i++) {
      const stamp = parseStamp(await client.stamp(key, `payload ${i}`));
      assert.ok('signature' in stamp && (await verifyStamp(stamp, `payload ${i}`)));
      seen.add(stamp.signature.length);
    }
  });

  it('wallets.md §5.17: it reads the service’s signatures, whatever r and s begin with', async () => {
    const { publicKey } = world.app.runtime.serviceKey;
    const seen = new Set<number>();
    const asked = new Error('asked for the code');
    while (!LENGTHS.every((length) => seen.has(length))) {
      const data = { targetPublic: publicKey.uncompressed, organizationId: 'org' };
      const otpEncryptionTargetBundle = await signedEnvelope(world.app.runtime.serviceKey, data);
      const call = async () => ({ type: 'EMAIL_OTP', otpEncryptionTargetBundle }) as never;
      const askForCode = () => Promise.reject(asked);
      await assert.rejects(client.logInWithCode(call, 'x', askForCode, publicKey.uncompressed), asked);
      seen.add(JSON.parse(otpEncryptionTargetBundle).dataSignature.length / 2);
    }
  });

  it('wallets.md §5.17, §6.9.46: in production it opens only envelopes that the service signed', async () => {
    const { platform, wallet } = await production.givenOwner();
    const call = createCaller(platform);
    const mailedCode = () => production.mailedCode(platform);
    const session = await client.logInWithCode(call, wallet.credentialId, mailedCode, serviceKey());
    assert.ok(Mnemonic.isValidMnemonic(await client.exportWords(call, session, serviceKey())));
    const stranger = await strangersKey();
    const refused = { message: 'The envelope is not signed by the service.' };
    await assert.rejects(client.exportWords(call, session, stranger), refused);
    await assert.rejects(client.logInWithCode(call, wallet.credentialId, mailedCode, stranger), refused);
  });

  it('wallets.md §6.9.46: with the service’s key it refuses an unsigned envelope, such as the sandbox’s', async () => {
    const { platform, wallet } = await scene();
    const call = createCaller(platform);
    const session = await client.logInWithCode(call, wallet.credentialId, async () => '000000', serviceKey());
    await assert.rejects(client.exportWords(call, session, serviceKey()), /not signed by the service/);
    assert.ok(await client.exportWords(call, session));
  });

  it('passes on the API’s refusals', async () => {
    const { platform, wallet } = await scene();
    const call = createCaller(platform);
    await assert.rejects(
      client.logInWithCode(call, wallet.credentialId, async () => '111111'),
      {
        message: 'UNAUTHORIZED: Invalid OTP code',
      },
    );
    const stranger = await client.newSigningKey();
    await assert.rejects(
      client.signed(call, stranger, 'PATCH', `/internal-accounts/${wallet.accountId}`, {
        privateEnabled: true,
      }),
      /^Error: WALLET_SIGNATURE_INVALID: /,
    );
  });

  it('wallets.md §3.8: a client can check that it signs the quote it shows, as the page describes', async () => {
    const { platform, wallet, receiver } = await scene();
    const quote = await quoted(platform, { from: wallet.accountId, to: receiver, send: 1_000_000 });
    const info = quote.paymentInstructions?.[0]?.accountOrWalletInfo as { payloadToSign: string };
    const { unsignedTransaction } = JSON.parse(info.payloadToSign).parameters;
    const terms = JSON.stringify({
      destination: receiver,
      quoteId: quote.id,
      receivingCurrency: quote.receivingCurrency.code,
      sendingCurrency: quote.sendingCurrency.code,
      totalReceivingAmount: quote.totalReceivingAmount,
      totalSendingAmount: quote.totalSendingAmount,
    });
    assert.equal(unsignedTransaction, createHash('sha256').update(terms).digest('hex'));
  });
});

function apiOf(world: World): string {
  const { port } = world.app.http.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/svc/2025-10-13`;
}

function credentialsOf({ authorization }: TestPlatform): string {
  return Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
}

/** `navigator.credentials`, which Node.js does not have, with this one passkey. */
function giveBrowser(passkey: TestPasskey): void {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer;
  const get = async ({ publicKey }: { publicKey: PublicKeyCredentialRequestOptions }) => {
    const allowed = publicKey.allowCredentials?.map(({ id }) =>
      Buffer.from(id as Uint8Array).toString('base64url'),
    );
    assert.deepEqual(allowed, [passkey.credentialId]);
    const answer = passkey.assert(Buffer.from(publicKey.challenge as Uint8Array).toString());
    return {
      rawId: bytes(answer.credentialId),
      response: {
        clientDataJSON: bytes(answer.clientDataJson),
        authenticatorData: bytes(answer.authenticatorData),
        signature: bytes(answer.signature),
      },
    };
  };
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
}

async function strangersKey(): Promise<string> {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
  ]);
  return Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('hex');
}
