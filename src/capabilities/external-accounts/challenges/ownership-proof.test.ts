// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, createBase58check } from '@scure/base';
import { sign as signBitcoinMessage } from 'bitcoinjs-message';
import { computeAddress, Wallet } from 'ethers';
import { utils as tron } from 'tronweb';
import nacl from 'tweetnacl';
import { encodeSparkAddress } from '#foundation/lib/identifiers/spark.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import {
  type ExternalAccountReply,
  givenExternalAccount,
  type Reply,
  readExternalAccount,
  refusedFields,
} from '#tests/given/external-accounts.ts';
import type { Answered, AnyReply, BodyOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Wallets, simulated by libraries that share no code with ours. */
interface Wallets {
  readonly type: string;
  addressOf(key: Buffer): string;
  sign(message: string, key: Buffer): string;
  /** Flips a bit of the signature's body. */
  spoil(signature: string): string;
  readonly scheme?: 'bip137' | 'electrum';
}

/** Builds addresses from their definitions and libraries alone, not by the service's own code. */
const hash160 = (bytes: Uint8Array) =>
  createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest();
const compressed = (key: Buffer) => secp256k1.getPublicKey(key, true);
const base58Address = (version: number, program: Uint8Array) =>
  createBase58check(sha256).encode(Buffer.concat([Buffer.of(version), program]));
const p2wpkh = (key: Buffer) => bech32.encode('bc', [0, ...bech32.toWords(hash160(compressed(key)))]);
const p2sh = (key: Buffer) =>
  base58Address(0x05, hash160(Buffer.concat([Buffer.of(0x00, 0x14), hash160(compressed(key))])));

const spoilBytes = (encoding: 'hex' | 'base64') => (signature: string) => {
  const bytes = Buffer.from(signature.replace(/^0x/, ''), encoding);
  bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
  return bytes.toString(encoding);
};

const evm = (type: string): Wallets => ({
  type,
  addressOf: (key) => computeAddress(`0x${key.toString('hex')}`),
  sign: (message, key) => new Wallet(`0x${key.toString('hex')}`).signMessageSync(message),
  spoil: spoilBytes('hex'),
});

const bitcoin = (addressOf: (key: Buffer) => string, options: object, scheme?: 'electrum'): Wallets => ({
  type: 'SPARK_WALLET',
  addressOf,
  sign: (message, key) => signBitcoinMessage(message, key, true, options).toString('base64'),
  spoil: spoilBytes('base64'),
  ...(scheme && { scheme }),
});

const WALLETS: Readonly<Record<string, Wallets>> = {
  'Ethereum (ethers)': evm('ETHEREUM_WALLET'),
  'Base (ethers)': evm('BASE_WALLET'),
  'Polygon (ethers)': evm('POLYGON_WALLET'),
  'Arbitrum (ethers)': evm('ARBITRUM_WALLET'),
  'Plasma (ethers)': evm('PLASMA_WALLET'),
  'Tron (tronweb)': {
    type: 'TRON_WALLET',
    addressOf: (key) => String(tron.address.fromPrivateKey(key.toString('hex'))),
    sign: (message, key) => tron.message.signMessage(message, key.toString('hex')),
    spoil: spoilBytes('hex'),
  },
  'Solana (tweetnacl)': {
    type: 'SOLANA_WALLET',
    addressOf: (key) => base58.encode(nacl.sign.keyPair.fromSeed(key).publicKey),
    sign: (message, key) =>
      base58.encode(nacl.sign.detached(Buffer.from(message), nacl.sign.keyPair.fromSeed(key).secretKey)),
    spoil: (signature) => {
      const bytes = base58.decode(signature);
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      return base58.encode(bytes);
    },
  },
  'Spark (bitcoinjs-message)': bitcoin((key) => encodeSparkAddress(compressed(key), 'spark'), {}),
  'Bitcoin P2PKH (bitcoinjs-message)': bitcoin((key) => base58Address(0x00, hash160(compressed(key))), {}),
  'Bitcoin P2WPKH, BIP-137 (bitcoinjs-message)': bitcoin(p2wpkh, { segwitType: 'p2wpkh' }),
  'Bitcoin P2SH-P2WPKH, BIP-137 (bitcoinjs-message)': bitcoin(p2sh, { segwitType: 'p2sh(p2wpkh)' }),
  'Bitcoin P2WPKH, Electrum (bitcoinjs-message)': bitcoin(p2wpkh, {}, 'electrum'),
};

const MINUTE_MS = 60_000;

describe('proving a wallet', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let customerId: string;

  before(async () => {
    platform = await world.platform({ settings: { counterpartyRequirements: true } });
    customerId = (await givenCustomer(platform)).id;
  });

  interface Given {
    account: ExternalAccountReply;
    key: Buffer;
    wallets: Wallets;
    challenge(method?: unknown): Promise<Answered<BodyOf<'createExternalAccountOwnershipChallenge'>>>;
    verify(body: object): Promise<Reply>;
    sign(message: string, key?: Buffer): object;
    status(): Promise<string>;
    /** The statuses in the platform's events, in order. */
    told(): Promise<string[]>;
  }

  async function given(name = 'Base (ethers)', isPlatforms = false): Promise<Given> {
    const wallets = WALLETS[name] as Wallets;
    const key = randomBytes(32);
    const account = await givenExternalAccount(
      platform,
      wallets.type,
      { address: wallets.addressOf(key), vaspName: undefined },
      { ownershipType: 'FIRST_PARTY', ...(!isPlatforms && { customerId }) },
    );
    const prefix = isPlatforms ? 'Platform' : '';
    const params = { externalAccountId: account.id };
    return {
      account,
      key,
      wallets,
      challenge: (method = 'WALLET_SIGNATURE') =>
        platform.send(`create${prefix}ExternalAccountOwnershipChallenge`, { params, body: { method } }),
      verify: (body) => platform.call(`verify${prefix}ExternalAccountOwnership`, { params, body }),
      sign: (message, by = key) => ({
        signature: wallets.sign(message, by),
        ...(wallets.scheme && { signatureScheme: wallets.scheme }),
      }),
      status: async () => (await readExternalAccount(platform, account.id)).status,
      told: async () =>
        (await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'))
          .filter((event) => event.resourceId === account.id)
          .map((event) => event.data.status),
    };
  }

  const message = (reply: Answered<BodyOf<'createExternalAccountOwnershipChallenge'>>): string => {
    assert.equal(reply.status, 201, reply.raw);
    return reply.body.messageToSign;
  };
  const conflicts = (reply: AnyReply) => {
    assert.equal(reply.status, 409, reply.raw);
    assert.equal(reply.body.code, 'CONFLICT');
  };
  const unverified = async (wallet: Given, reply: Reply) => {
    assert.equal(reply.status, 400, reply.raw);
    assert.deepEqual(refusedFields(reply), ['signature']);
    assert.equal(await wallet.status(), 'UNVERIFIED');
  };

  for (const name of Object.keys(WALLETS)) {
    it(`accounts.md §5.3.24: ${name}: the signed challenge makes the account active, once, with its event`, async () => {
      const wallet = await given(name);
      assert.equal(wallet.account.status, 'PENDING_OWNERSHIP_VERIFICATION');
      const text = message(await wallet.challenge());
      world.clock.advance(1000);
      const proven = await wallet.verify(wallet.sign(text));
      assert.equal(proven.status, 200, proven.raw);
      assert.deepEqual(proven.body, {
        ...wallet.account,
        status: 'ACTIVE',
        updatedAt: new Date(world.clock.now()).toISOString(),
      });
      assert.deepEqual(await readExternalAccount(platform, wallet.account.id), proven.body);
      const events = await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.');
      assert.deepEqual(events.at(-1), {
        type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED',
        resourceId: wallet.account.id,
        data: proven.body,
      });
      conflicts(await wallet.verify(wallet.sign(text)));
      conflicts(await wallet.challenge());
      assert.deepEqual(await wallet.told(), ['ACTIVE']);
    });

    it(`accounts.md §5.3.23: ${name}: a flipped bit, another key or another message is refused, and the challenge cannot be used again`, async () => {
      const wallet = await given(name);
      const wrong: ((text: string) => object)[] = [
        (text) => ({
          ...wallet.sign(text),
          signature: wallet.wallets.spoil(wallet.wallets.sign(text, wallet.key)),
        }),
        (text) => wallet.sign(text, randomBytes(32)),
        (text) => wallet.sign(`${text} `),
        (text) => wallet.sign(text.toLowerCase()),
      ];
      let told: string[] = [];
      for (const make of wrong) {
        const text = message(await wallet.challenge());
        told = [...told, ...(told.length > 0 ? ['PENDING_OWNERSHIP_VERIFICATION'] : []), 'UNVERIFIED'];
        await unverified(wallet, await wallet.verify(make(text)));
        conflicts(await wallet.verify(wallet.sign(text)));
        assert.deepEqual(await wallet.told(), told);
      }
      const text = message(await wallet.challenge());
      assert.equal((await wallet.verify(wallet.sign(text))).status, 200);
    });
  }

  it('accounts.md §5.2.10, §5.2.13, §5.2.14: the challenge is one line of ASCII with the address, the account, a nonce and its expiry', async () => {
    const { account, challenge } = await given();
    const texts = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { body, status } = await challenge();
      assert.equal(status, 201);
      const expiresAt = new Date(world.clock.now() + 15 * MINUTE_MS).toISOString();
      assert.equal(body.method, 'WALLET_SIGNATURE');
      assert.equal(body.expiresAt, expiresAt);
      const form = new RegExp(
        `^Svc wallet ownership: I control ${account.accountInfo.address}\\. Account ${account.id}\\. ` +
          `Nonce [0-9a-f]{32}\\. Valid until ${expiresAt}\\.$`,
      );
      assert.match(body.messageToSign, form);
      assert.match(body.messageToSign, /^[\x20-\x7e]+$/);
      texts.add(body.messageToSign);
    }
    assert.equal(texts.size, 3);
    for (const method of ['SIGNATURE', '', 5, null]) {
      assert.deepEqual(refusedFields(await challenge(method)), ['method']);
    }
  });

  it('accounts.md §5.2.11: only for the owner’s self-hosted wallet, while its proof is outstanding', async () => {
    const others: [string, object, object][] = [
      ['USD_ACCOUNT', {}, { ownershipType: 'FIRST_PARTY' }],
      ['LIGHTNING', {}, { ownershipType: 'FIRST_PARTY' }],
      ['BASE_WALLET', { vaspName: undefined }, { ownershipType: 'THIRD_PARTY' }],
      ['POLYGON_WALLET', {}, { ownershipType: 'FIRST_PARTY' }],
    ];
    for (const [name, fields, rest] of others) {
      const { id, status } = await givenExternalAccount(platform, name, fields, { ...rest, customerId });
      assert.equal(status, 'ACTIVE');
      for (const method of ['WALLET_SIGNATURE', 'LIVENESS']) {
        const params = { externalAccountId: id };
        conflicts(
          await platform.call('createExternalAccountOwnershipChallenge', { params, body: { method } }),
        );
      }
      const params = { externalAccountId: id };
      conflicts(await platform.call('verifyExternalAccountOwnership', { params, body: { signature: '0x' } }));
    }
    const free = await world.platform();
    const own = await givenExternalAccount(
      free,
      'BASE_WALLET',
      { vaspName: undefined },
      { ownershipType: 'FIRST_PARTY' },
    );
    const params = { externalAccountId: own.id };
    conflicts(
      await free.call('createExternalAccountOwnershipChallenge', { params, body: { method: 'LIVENESS' } }),
    );
  });

  it('accounts.md §5.2.12: a new challenge closes the open one, whatever its method', async () => {
    const wallet = await given();
    const first = message(await wallet.challenge());
    const second = message(await wallet.challenge());
    await unverified(wallet, await wallet.verify(wallet.sign(first)));
    const third = message(await wallet.challenge());
    assert.equal((await wallet.challenge('LIVENESS')).status, 201);
    conflicts(await wallet.verify(wallet.sign(third)));
    assert.equal(await wallet.status(), 'PENDING_OWNERSHIP_VERIFICATION');
    conflicts(await wallet.verify(wallet.sign(second)));
    assert.equal((await wallet.verify(wallet.sign(message(await wallet.challenge())))).status, 200);
    await world.app.worker.settle(platform.id);
    world.clock.advance(10_000);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await wallet.told(), ['UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION', 'ACTIVE']);
  });

  it('accounts.md §5.2.12: many challenges at once leave one open', async () => {
    const wallet = await given();
    const replies = await Promise.all(Array.from({ length: 6 }, () => wallet.challenge()));
    assert.deepEqual(
      replies.map((reply) => reply.status),
      Array(6).fill(201),
    );
    const work = await platform.work();
    const open = await work.read(
      (tx) => tx.sql`
      select from ownership_challenges where platform_id = ${tx.platformId} and closed_at is null
         and account_id = ${uuidOf(wallet.account.id)}`,
    );
    assert.equal(open.length, 1);
  });

  it('accounts.md §5.2.14, §5.3.23: expiry alone changes nothing; a signature after it fails', async () => {
    const wallet = await given();
    const text = message(await wallet.challenge());
    world.clock.advance(15 * MINUTE_MS - 1);
    const early = await given();
    const earlyText = message(await early.challenge());
    world.clock.advance(1);
    await world.app.worker.settle(platform.id);
    assert.equal(await wallet.status(), 'PENDING_OWNERSHIP_VERIFICATION');
    await unverified(wallet, await wallet.verify(wallet.sign(text)));
    assert.deepEqual(await wallet.told(), ['UNVERIFIED']);
    world.clock.advance(15 * MINUTE_MS - 2);
    assert.equal((await early.verify(early.sign(earlyText))).status, 200, 'the last moment still counts');
  });

  it('accounts.md §5.3.20, §5.3.21: the account is checked before the body, and an invalid body changes nothing', async () => {
    const wallet = await given();
    const text = message(await wallet.challenge());
    const bad: object[] = [
      {},
      { signature: '' },
      { signature: 5 },
      { signature: null },
      { ...wallet.sign(text), signatureScheme: 'schnorr' },
    ];
    for (const body of bad) {
      const reply = await wallet.verify(body);
      assert.equal(reply.status, 400);
      assert.equal(reply.body.code, 'INVALID_INPUT');
      const params = { externalAccountId: 'ExternalAccount:nobody' };
      assert.equal((await platform.call('verifyExternalAccountOwnership', { params, body })).status, 404);
    }
    assert.equal(await wallet.status(), 'PENDING_OWNERSHIP_VERIFICATION');
    assert.deepEqual(await wallet.told(), []);
    assert.equal((await wallet.verify(wallet.sign(text))).status, 200);
  });

  it('accounts.md §5.3.22: without an outstanding signature nothing is checked', async () => {
    const wallet = await given();
    conflicts(await wallet.verify({ signature: '0x00' }));
    await wallet.challenge('LIVENESS');
    conflicts(await wallet.verify({ signature: '0x00' }));
    assert.equal(await wallet.status(), 'PENDING_OWNERSHIP_VERIFICATION');
    assert.deepEqual(await wallet.told(), []);
  });

  it('accounts.md §5.3.24: one of many concurrent valid calls is accepted', async () => {
    const wallet = await given();
    const proof = wallet.sign(message(await wallet.challenge()));
    const replies = await Promise.all(Array.from({ length: 6 }, () => wallet.verify(proof)));
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 409, 409, 409, 409, 409]);
    assert.deepEqual(await wallet.told(), ['ACTIVE']);
  });

  it('accounts.md §5.3.23, §5.3.24: a good and a bad call at once: one decides, the other finds nothing outstanding', async () => {
    for (let round = 0; round < 4; round++) {
      const wallet = await given();
      const proof = wallet.sign(message(await wallet.challenge()));
      const [good, bad] = await Promise.all([wallet.verify(proof), wallet.verify({ signature: '0x00' })]);
      const outcome = `${good.status} ${bad.status} ${await wallet.status()}`;
      assert.ok(['200 409 ACTIVE', '409 400 UNVERIFIED'].includes(outcome), outcome);
      assert.equal((await wallet.told()).length, 1);
    }
  });

  it('accounts.md §5.3.25: there is no magic signature', async () => {
    for (const signature of ['sandbox', 'test', '123456', `0x${'00'.repeat(65)}`, '0x']) {
      const wallet = await given();
      await wallet.challenge();
      await unverified(wallet, await wallet.verify({ signature }));
    }
  });

  it('accounts.md §5.3.26: bip137 is the default; outside Bitcoin the scheme has no effect', async () => {
    const electrum = await given('Bitcoin P2WPKH, Electrum (bitcoinjs-message)');
    const { signature } = electrum.sign(message(await electrum.challenge())) as { signature: string };
    await unverified(electrum, await electrum.verify({ signature }));
    const base = await given();
    const proof = base.sign(message(await base.challenge()));
    assert.equal((await base.verify({ ...proof, signatureScheme: 'electrum' })).status, 200);
  });

  it('accounts.md §5.2, §5.3: the platform’s own path serves only its own wallets', async () => {
    const own = await given('Solana (tweetnacl)', true);
    assert.equal((await own.verify(own.sign(message(await own.challenge())))).body.status, 'ACTIVE');
    const theirs = await given();
    const params = { externalAccountId: theirs.account.id };
    const body = { method: 'WALLET_SIGNATURE' };
    const reply = await platform.call('createPlatformExternalAccountOwnershipChallenge', { params, body });
    assert.equal(reply.status, 404);
    const proof = { params, body: { signature: 'x' } };
    assert.equal((await platform.call('verifyPlatformExternalAccountOwnership', proof)).status, 404);
  });

  it('platform.md §2: a repeated key returns the first challenge', async () => {
    const { account } = await given();
    const call = {
      params: { externalAccountId: account.id },
      body: { method: 'WALLET_SIGNATURE' },
      key: 'again',
    };
    const first = await platform.call('createExternalAccountOwnershipChallenge', call);
    const again = await platform.call('createExternalAccountOwnershipChallenge', call);
    assert.equal(again.raw, first.raw);
  });
});
