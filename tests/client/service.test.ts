// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, describe, it } from 'node:test';
import {
  AuthenticationError,
  type Corridor,
  createCorridor,
  type InvalidRequestError,
  NotFoundError,
  verifyWebhook,
  WebhookError,
  webhookKeys,
} from '@corridor/client';
import {
  executeSigned,
  exportWords,
  logInWithCode,
  newSealingKeys,
  newSigningKey,
  openSessionKey,
  signed,
} from '@corridor/client/wallet';
import { connectionTo, givenClient } from '#tests/client/given-client.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { newClientKey, serviceKeyOf } from '#tests/harness/wallet-client.ts';

describe('the client and the service', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let corridor: Corridor;

  before(async () => {
    platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    corridor = await givenClient(world, platform);
  });

  async function fundedDollars(): Promise<string> {
    const [account] = await Array.fromAsync(corridor.listPlatformInternalAccounts({ currency: 'USD' }));
    assert.ok(account);
    await corridor.sandboxFundInternalAccount(account.id, { amount: 100_000 });
    return account.id;
  }

  let receivers = 0;

  const newReceiver = async () => {
    const { id } = await corridor.createPlatformExternalAccount({
      currency: 'EUR',
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: ['DE89370400440532013000', 'FR1420041010050500013M02606'][receivers++] ?? '',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jean Dupont', countryOfResidence: 'FR' },
      },
    });
    return id;
  };

  it('platform.md §2.6: a payment whose reply is lost on the way is made once', async () => {
    const [source, receiver] = [await fundedDollars(), await newReceiver()];
    let lost = 0;
    const forgetful = await givenClient(world, platform, {
      wait: async () => undefined,
      fetch: async (url, init) => {
        const reply = await fetch(url, init);
        if (lost++ < 2) throw new TypeError(`the reply ${reply.status} was lost`);
        return reply;
      },
    });
    const quote = await forgetful.createQuote({
      source: { sourceType: 'ACCOUNT', accountId: source },
      destination: { destinationType: 'ACCOUNT', accountId: receiver },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 25_000,
      immediatelyExecute: true,
    });
    assert.equal(lost, 3);
    assert.equal(quote.status, 'PROCESSING');
    const made = await Array.fromAsync(corridor.listTransactions({ type: 'OUTGOING' }));
    assert.deepEqual(
      made.map(({ id }) => id),
      [quote.transactionId],
    );
  });

  it('platform.md §1.4.2: iterating goes through all pages, however short they are', async () => {
    for (const name of ['a', 'b', 'c']) await corridor.createToken({ name, permissions: ['VIEW'] });
    const names = await Array.fromAsync(corridor.listTokens({ limit: 1 }), ({ name }) => name);
    assert.deepEqual(names.slice(0, 3), ['c', 'b', 'a']);
    const { data, hasMore, totalCount } = await corridor.listTokens({ limit: 2 });
    assert.deepEqual([data.length, hasMore, totalCount], [2, true, names.length]);
  });

  it('platform.md §10.0.2: a refusal is an error with every bad field', async () => {
    const wrong = createCorridor({ ...(await connectionTo(world, platform)), clientSecret: 'wrong' });
    await assert.rejects(wrong.getPlatformConfig(), AuthenticationError);
    await assert.rejects(corridor.getQuoteById('Quote:1'), NotFoundError);
    const bad = await corridor.createToken({ name: '', permissions: [] }).catch((error) => error);
    assert.deepEqual(bad.errors.map(({ field }: { field: string }) => field).sort(), ['name', 'permissions']);
    assert.match(bad.requestId, /^[0-9a-f-]{36}$/);
  });

  it('platform.md §4.1.3: a webhook is verified by its bytes; a changed, foreign, unsigned or stale one is refused', async () => {
    const receiver = await platform.receive();
    await corridor.sendWebhookTest();
    const received = receiver.received.find(({ body }) => body.type === 'TEST');
    assert.ok(received);
    const raw = received.raw.toString();
    const signature = String(received.headers['x-svc-signature']);
    const key = platform.webhookPublicKey;
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const otherKey = other.export({ type: 'spki', format: 'pem' }).toString();
    const now = Date.parse(received.body.timestamp);
    for (const body of [raw, Buffer.from(raw)]) {
      assert.equal((await verifyWebhook(body, signature, [otherKey, key], { now })).type, 'TEST');
    }
    const wrong: Parameters<typeof verifyWebhook>[] = [
      [raw.replace('TEST', 'TOST'), signature, key, { now }],
      [raw, signature, otherKey, { now }],
      [raw, undefined, key, { now }],
      [raw, '{"v":"1","s":"AAAA"}', key, { now }],
      [raw, signature.replace('"1"', '"2"'), key, { now }],
      [raw, signature, [], { now }],
      [raw, signature, key, { now: now + 301_000 }],
      [raw, signature, key, { now: now - 301_000 }],
      [raw, signature, key, { now: now + 2_000, toleranceSeconds: 1 }],
    ];
    for (const given of wrong) await assert.rejects(verifyWebhook(...given), WebhookError);
  });

  describe('and keys of webhooks', () => {
    async function givenRotating() {
      const rotating = await world.platform();
      const client = await givenClient(world, rotating);
      const receiver = await rotating.receive();
      await world.app.worker.settle(rotating.id);
      const sent = async () => {
        receiver.received.splice(0);
        await client.sendWebhookTest();
        const [{ raw, headers, body } = assert.fail('nothing came')] = receiver.received;
        return { raw, headers, now: Date.parse(body.timestamp) };
      };
      let readings = 0;
      let isDown = false;
      const listed = webhookKeys(
        {
          listWebhookKeys() {
            readings++;
            if (isDown) throw new Error('down');
            return client.listWebhookKeys();
          },
        },
        { now: () => world.clock.now() },
      );
      const setDown = (value: boolean) => {
        isDown = value;
      };
      return { client, sent, listed, readings: () => readings, setDown };
    }

    it('platform.md §4.1.3, §4.1.4: of keys with ids, the one that a webhook names is tried; keys without ids are all tried', async () => {
      const { client, sent } = await givenRotating();
      const { raw, headers, now } = await sent();
      const { data } = await client.rotateWebhookKey();
      const [signing, next] = data;
      assert.ok(signing && next);
      const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      for (const given of [headers, new Headers(entries as [string, string][])]) {
        assert.equal((await verifyWebhook(raw, given, data, { now })).type, 'TEST');
        assert.equal(
          (await verifyWebhook(raw, given, [next.publicKey, signing.publicKey], { now })).type,
          'TEST',
        );
      }
      const signature = String(headers['x-svc-signature']);
      assert.equal((await verifyWebhook(raw, signature, data, { now })).type, 'TEST');
      const renamed = { ...headers, 'x-svc-signature-key-id': next.id };
      const swapped = [
        { ...next, id: signing.id },
        { ...signing, id: next.id },
      ];
      for (const [given, keys] of [
        [renamed, data],
        [headers, swapped],
        [headers, [next]],
      ] as const) {
        await assert.rejects(verifyWebhook(raw, given, keys, { now }), WebhookError);
      }
    });

    it('platform.md §4.1.5, §4.1.6: keys are read once, and again when a webhook names another', async () => {
      const { client, sent, listed, readings } = await givenRotating();
      const first = await sent();
      const verified = ({ raw, headers, now }: Awaited<ReturnType<typeof sent>>) =>
        verifyWebhook(raw, headers, listed, { now });
      await Promise.all([verified(first), verified(first), verified(first)]);
      assert.equal(readings(), 1);
      await client.rotateWebhookKey({ immediately: true });
      const second = await sent();
      world.clock.advance(5_000);
      await Promise.all([verified(second), verified(second)]);
      assert.equal(readings(), 2);
      await assert.rejects(verified(first), WebhookError, 'its key has gone');
      assert.equal(readings(), 2, 'names that are made up cost one reading in five seconds');
      world.clock.advance(5_000);
      await assert.rejects(verified(first), WebhookError);
      assert.equal(readings(), 3);
    });

    it('platform.md §4.1.6: keys are read again in time, and stay valid while they cannot be read', async () => {
      const { sent, listed, readings, setDown } = await givenRotating();
      const { raw, headers, now } = await sent();
      setDown(true);
      for (let n = 0; n < 3; n++) await assert.rejects(verifyWebhook(raw, headers, listed, { now }), /down/);
      assert.equal(readings(), 1, 'an outage costs one reading in five seconds, however many webhooks come');
      world.clock.advance(5_000);
      setDown(false);
      await verifyWebhook(raw, headers, listed, { now });
      world.clock.advance(299_999);
      await verifyWebhook(raw, headers, listed, { now });
      assert.equal(readings(), 2);
      world.clock.advance(1);
      setDown(true);
      await verifyWebhook(raw, headers, listed, { now });
      assert.equal(readings(), 3);
      const other = {
        ...headers,
        'x-svc-signature-key-id': 'WebhookKey:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968',
      };
      world.clock.advance(5_000);
      await assert.rejects(verifyWebhook(raw, other, listed, { now }), /down/);
    });
  });

  describe('and embedded wallets', () => {
    async function givenWallet() {
      const customer = await corridor.createCustomer({
        customerType: 'INDIVIDUAL',
        fullName: 'Ada Lovelace',
        birthDate: '1985-12-10',
        email: 'ada@example.com',
        region: 'US',
        currencies: ['USD', 'USDB'],
        endUserTermsConsent: {
          acceptedAt: '2026-03-02T09:00:00Z',
          ipAddress: '203.0.113.7',
          termsVersion: 'V1',
          acceptanceMethod: 'CHECKBOX',
        },
      });
      const wallets = corridor.listCustomerInternalAccounts({
        customerId: customer.id ?? '',
        type: 'EMBEDDED_WALLET',
      });
      const [wallet] = await Array.fromAsync(wallets);
      assert.ok(wallet);
      const [credential] = await Array.fromAsync(corridor.listAuthCredentials({ accountId: wallet.id }));
      assert.ok(credential);
      return { wallet, credential };
    }

    it('wallets.md §5.15: its stamps and sealed codes are accepted, sessions are refreshed, words and keys can be opened', async () => {
      const { wallet, credential } = await givenWallet();
      const bundle = await corridor.challengeAuthCredential(credential.id);
      assert.ok('otpEncryptionTargetBundle' in bundle);
      const serviceKey = serviceKeyOf(bundle.otpEncryptionTargetBundle ?? '');
      const login = await logInWithCode(corridor, credential.id, async () => '000000', serviceKey);
      assert.equal(login.accountId, wallet.id);

      const key = await newSigningKey();
      const next = await signed(login.key, (options) =>
        corridor.refreshAuthSession(login.id, { clientPublicKey: key.publicKey }, options),
      );
      const words = await exportWords(corridor, key, wallet.id);
      assert.ok([12, 24].includes(words.split(' ').length), 'what was opened are no words');

      const sealing = await newSealingKeys();
      const made = await signed(key, (options) =>
        corridor.refreshAuthSession(next.id, { clientPublicKey: sealing.publicKey }, options),
      );
      const theirs = await openSessionKey(made, sealing);
      await signed(theirs, (options) => corridor.revokeAuthSession(made.id, options));
    });

    it('wallets.md §5.15: a code is not sealed to a key that another service signed', async () => {
      const { credential } = await givenWallet();
      const login = logInWithCode(corridor, credential.id, async () => '000000', newClientKey().uncompressed);
      await assert.rejects(login, /not signed by the service/);
    });

    it('a quote out of a wallet is executed with its owner’s stamp', async () => {
      const { wallet, credential } = await givenWallet();
      await corridor.sandboxFundInternalAccount(wallet.id, { amount: 50_000_000 });
      const login = await logInWithCode(corridor, credential.id, async () => '000000');
      const quote = await corridor.createQuote({
        source: { sourceType: 'ACCOUNT', accountId: wallet.id },
        destination: { destinationType: 'ACCOUNT', accountId: await newReceiver() },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 5_000_000,
      });
      const executed = await executeSigned(corridor, login.key, quote);
      assert.equal(executed.status, 'PROCESSING');
    });
  });
});

describe('the client and a service with another name', () => {
  const world = testWorld({ serviceName: 'Acme' });

  it('platform.md §1.2.7, §1.1.6: paths, headers, bodies and queries use that name on both sides', async () => {
    const platform = await world.platform({ settings: { refuseUnknownFields: true } });
    const corridor = await givenClient(world, platform, { serviceName: 'Acme' });
    const coins = await corridor.listStablecoins({ svcOperationsStatus: 'ENABLED' });
    assert.deepEqual(coins.data, []);
    await assert.rejects(
      Array.fromAsync(corridor.listStablecoins({ svcOperationsStatus: 'SOMETIMES' as 'ENABLED' })),
      ({ code, errors }: InvalidRequestError) =>
        code === 'INVALID_INPUT' && errors.map(({ field }) => field).join() === 'svcOperationsStatus',
    );
  });
});
