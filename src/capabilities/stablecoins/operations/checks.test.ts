// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { EUROPEAN } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  askBurn,
  askMint,
  givenBank,
  givenCoins,
  givenSparkWallet,
  loadCoinBooks,
  operationRows,
} from '#tests/given/mints.ts';
import { advance, fetchPayer, givenFunds, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { decideOn, givenCoin, givenLink, readLink } from '#tests/given/stablecoins.ts';
import type { AnyReply } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const NOBODY = '019542f5-b3e7-7d02-8000-000000000999';

function refused(reply: AnyReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.raw);
}

describe('the checks of a mint or burn (stablecoins.md §5)', () => {
  const world = testWorld();

  /**
   * A platform with an enabled coin, a customer with dollars and an account in the coin, an external wallet and a bank
   * account.
   */
  async function givenScene() {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const payer = await givenPayer(platform, 10_000);
    const wallet = await givenSparkWallet(platform);
    const bank = await givenBank(platform);
    const usd = payer.account('USD').id;
    const coins = payer.account(coin.symbol).id;
    return { platform, coin, payer, wallet, bank, usd, coins };
  }
  const scene = once(givenScene);
  const unprovenAccount = once(async () => givenUsAccount((await scene()).platform, '999999991'));
  /** A bank account in dollars that is paid by SWIFT only. */
  const swiftAccount = once(async () =>
    givenExternalAccount((await scene()).platform, 'SWIFT_ACCOUNT (number)', {}, { currency: 'USD' }),
  );

  const toWallet = async () => ({ destination: { accountId: (await scene()).wallet.id } });
  const toBank = async (rail = 'WIRE') => ({
    destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: (await scene()).bank.id, rail },
  });

  it('stablecoins.md §5.21–5.32: the first check that fails answers, whatever else is wrong', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const link = await givenLink(platform);
    const unready = await givenCoin(platform, { providerTokenIdentifier: 'acme-001' });
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'acme-usd' });
    const bad = {
      amount: '0',
      fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: `InternalAccount:${NOBODY}` },
      destination: { accountId: `ExternalAccount:${NOBODY}` },
      description: 'treasury 004',
    };
    const params = { stablecoinId: `Stablecoin:${NOBODY}` };
    refused(
      await platform.send('createStablecoinMint', { params, body: {}, as: 'nobody' }),
      401,
      'UNAUTHORIZED',
    );
    refused(
      await askMint(platform, { id: `Stablecoin:${NOBODY}` as never }, bad, { key: null }),
      400,
      'INVALID_INPUT',
    );
    refused(
      await askMint(platform, { id: `Stablecoin:${NOBODY}` as never }, { ...bad, amount: '1.5' }),
      400,
      'INVALID_INPUT',
    );
    refused(
      await askMint(platform, { id: `Stablecoin:${NOBODY}` as never }, bad),
      404,
      'STABLECOIN_NOT_FOUND',
    );
    refused(await askMint(platform, unready, bad), 400, 'STABLECOIN_NOT_PROVISIONED');
    refused(await askMint(platform, coin, bad), 400, 'INVALID_AMOUNT');
    const uneven = { ...bad, amount: '10001' };
    refused(await askMint(platform, coin, uneven), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
    const whole = { ...bad, amount: '10000' };
    refused(await askMint(platform, coin, whole), 400, 'STABLECOIN_SVC_OPERATIONS_NOT_ENABLED');
    const wired = { ...whole, fundingSource: { type: 'WIRE' } };
    refused(await askMint(platform, coin, wired), 404, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND');
    const { id } = await givenSparkWallet(platform);
    refused(
      await askMint(platform, coin, { ...wired, destination: { accountId: id } }),
      400,
      'STABLECOIN_PROVIDER_ERROR',
    );
    const work = await platform.work();
    await work.write((tx) => revokeLink(tx, { linkId: uuidOf(link.id), reason: 'a test' }));
    refused(await askMint(platform, coin, bad), 400, 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED');
    assert.deepEqual(
      (await operationRows(platform, coin)).map(({ status }) => status),
      ['REFUSED'],
    );
  });

  it('stablecoins.md §5.29–5.31: an account that the provider refuses is reported in its place, before the destination and the funds', async () => {
    const { platform, coin, coins } = await scene();
    const unlinkable = await givenBank(platform, '202');
    const source = { type: 'ACH_DEBIT', externalAccountId: unlinkable.id };
    const nowhere = { accountId: `ExternalAccount:${NOBODY}` };
    const before = await operationRows(platform, coin);
    refused(
      await askMint(platform, coin, { fundingSource: source, destination: nowhere }),
      400,
      'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED',
    );
    const burn = {
      source: { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins },
      destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: unlinkable.id, rail: 'WIRE' },
    };
    refused(await askBurn(platform, coin, burn), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED');
    refused(await askBurn(platform, coin, { ...burn, ...(await toBank()) }), 400, 'INSUFFICIENT_FUNDS');
    assert.deepEqual(await operationRows(platform, coin), before);
  });

  it('stablecoins.md §5.26: a coin whose link the provider no longer accepts is neither minted nor burned', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform);
    const { wallet } = { wallet: await givenSparkWallet(platform) };
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`update stablecoin_provider_accounts set status = 'INVALID', version = version + 1
        where platform_id = ${tx.platformId}`;
    });
    const mint = { destination: { accountId: wallet.id } };
    refused(await askMint(platform, coin, mint), 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID');
    assert.equal((await readLink(platform, { id: coin.stablecoinProviderAccountId })).status, 'INVALID');
  });

  it('stablecoins.md §5.1, §5.28: amounts are digits of any length; replies drop leading zeros', async () => {
    const { platform, coin } = await scene();
    const mint = async (amount: string) => askMint(platform, coin, { amount, ...(await toWallet()) });
    refused(await mint('000'), 400, 'INVALID_AMOUNT');
    refused(await mint('9007199254750000'), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
    refused(await mint('9'.repeat(100_000)), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
    refused(await mint('1'), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
    for (const amount of ['', '1e6', '+10000', ' 10000', '１００００', '0x10'])
      refused(await mint(amount), 400, 'INVALID_INPUT');
    const padded = await mint(`${'0'.repeat(50)}20000`);
    assert.deepEqual([padded.status, padded.body.amount], [201, '20000']);
  });

  it('stablecoins.md §5.1: open mints count towards the maximum of a coin, and of an account', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const account = inCurrency(await platformAccounts(platform), coin.symbol);
    const mint = (amount: string) =>
      askMint(platform, coin, { amount, destination: { accountId: account.id } });
    assert.equal((await mint('9007199254740000')).status, 201);
    refused(await mint('10000'), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
    await advance(platform, 15);
    refused(await mint('10000'), 400, 'STABLECOIN_AMOUNT_NOT_REPRESENTABLE');
  });

  it('stablecoins.md §5.2: the source account must be active, and its owner ready and outside SCA regions', async () => {
    const { platform, coin, wallet, usd } = await scene();
    const mintFrom = (accountId: string) =>
      askMint(platform, coin, {
        fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId },
        destination: { accountId: wallet.id },
      });
    refused(await mintFrom(`InternalAccount:${NOBODY}`), 404, 'ACCOUNT_NOT_FOUND');
    const european = await givenPayer(platform, 10_000, EUROPEAN);
    refused(await mintFrom(european.account('USD').id), 409, 'CONFLICT');
    const work = await platform.work();
    const setStatus = (status: string) =>
      work.write(async (tx) => {
        await tx.sql`update internal_accounts set status = ${status} where id = ${uuidOf(usd)}`;
      });
    await setStatus('FROZEN');
    refused(await mintFrom(usd), 403, 'USER_NOT_READY');
    await setStatus('ACTIVE');
  });

  it('stablecoins.md §5.2: a customer who is not ready to move money does not pay for coins (customers.md §1.7)', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const wallet = await givenSparkWallet(platform);
    const payer = await givenPayer(platform, 0);
    await givenFunds(platform, payer.account('USD').id, 10_000);
    const reply = await askMint(platform, coin, {
      fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account('USD').id },
      destination: { accountId: wallet.id },
    });
    assert.equal(reply.status, 403, reply.raw);
  });

  it('stablecoins.md §5.42, §6.12, §6.13: a debit needs a bank account in US dollars that is active', async () => {
    const { platform, coin, wallet } = await scene();
    const from = (externalAccountId: string) =>
      askMint(platform, coin, {
        fundingSource: { type: 'ACH_DEBIT', externalAccountId },
        destination: { accountId: wallet.id },
      });
    refused(await from(`ExternalAccount:${NOBODY}`), 404, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND');
    refused(await from(wallet.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    const euro = await givenExternalAccount(platform, 'EUR_ACCOUNT');
    refused(await from(euro.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    refused(await from('not an id'), 400, 'INVALID_INPUT');
    const closed = await givenUsAccount(platform, '999999992');
    for (const { id } of [await unprovenAccount(), closed]) {
      refused(await from(id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    }
    const swift = await swiftAccount();
    refused(await from(swift.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
  });

  it('stablecoins.md §6.12: another platform’s accounts and coins are unknown', async () => {
    const { coin, wallet, bank, usd, coins } = await scene();
    const stranger = await givenPlatform(world, { currencies: ['USD'] });
    const own = await givenCoin(stranger, { enabled: true });
    refused(
      await askMint(stranger, coin, { destination: { accountId: wallet.id } }),
      404,
      'STABLECOIN_NOT_FOUND',
    );
    refused(
      await askMint(stranger, own, { destination: { accountId: wallet.id } }),
      404,
      'STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND',
    );
    refused(await askMint(stranger, own, { destination: { accountId: coins } }), 404, 'ACCOUNT_NOT_FOUND');
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    refused(
      await askMint(stranger, own, { fundingSource, destination: { accountId: wallet.id } }),
      404,
      'ACCOUNT_NOT_FOUND',
    );
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    refused(await askBurn(stranger, own, { destination }), 404, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND');
  });

  it('stablecoins.md §5.43: dollars from an internal account pay, if there are enough', async () => {
    const { platform, coin, wallet, usd, coins } = await scene();
    const from = (accountId: string, amount: string) =>
      askMint(platform, coin, {
        amount,
        fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId },
        destination: { accountId: wallet.id },
      });
    refused(await from(coins, '10000'), 400, 'INVALID_CURRENCY');
    refused(await from(usd, '100010000'), 400, 'INSUFFICIENT_FUNDS');
    const paid = await from(usd, '10000');
    assert.deepEqual([paid.status, paid.body.status], [201, 'PENDING_PROVIDER'], paid.raw);
  });

  it('stablecoins.md §5.44: another token at the provider cannot pay yet', async () => {
    const { platform, coin } = await scene();
    const from = async (sourceTokenIdentifier: string, cryptoNetwork: string) =>
      askMint(platform, coin, {
        fundingSource: { type: 'PROVIDER_INTERNAL_BALANCE', sourceTokenIdentifier, cryptoNetwork },
        ...(await toWallet()),
      });
    refused(await from('USDC', 'ETHEREUM'), 400, 'STABLECOIN_PROVIDER_SOURCE_NOT_LINKED');
    refused(await from('USDT', 'SOLANA'), 400, 'STABLECOIN_PROVIDER_SOURCE_NOT_LINKED');
    refused(await from('USDC', 'SOLANA'), 400, 'STABLECOIN_OPERATION_NOT_SUPPORTED');
  });

  it('stablecoins.md §5.3: coins go to a Spark wallet, or to an internal account in the coin while it is enabled', async () => {
    const { platform, coin, bank, usd, coins } = await scene();
    const to = (accountId: string) =>
      askMint(platform, coin, { amount: '10000', destination: { accountId } });
    refused(await to('nobody'), 400, 'INVALID_INPUT');
    refused(await to(bank.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    const onChain = await givenExternalAccount(platform, 'SPARK_WALLET');
    refused(await to(onChain.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    refused(await to(`InternalAccount:${NOBODY}`), 404, 'ACCOUNT_NOT_FOUND');
    refused(await to(usd), 400, 'INVALID_CURRENCY');
    assert.equal((await to(coins)).status, 201);
    const plain = await givenCoin(platform, { providerTokenIdentifier: 'plain-usd' });
    refused(
      await askMint(platform, plain, { destination: { accountId: coins } }),
      400,
      'STABLECOIN_SVC_OPERATIONS_NOT_ENABLED',
    );
  });

  it('stablecoins.md §8.4: while a coin is disabled, no mint or burn uses an internal account, and others proceed', async () => {
    const { platform, coin, payer, wallet, bank, usd, coins } = await givenScene();
    await givenCoins(platform, coin, 1_000_000n, coins);
    await decideOn(platform, coin, 'disable');
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const source = { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins };
    for (const reply of [
      await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } }),
      await askMint(platform, coin, { destination: { accountId: coins } }),
      await askBurn(platform, coin, { source, destination }),
    ])
      refused(reply, 400, 'STABLECOIN_SVC_OPERATIONS_NOT_ENABLED');
    assert.equal((await askMint(platform, coin, { destination: { accountId: wallet.id } })).status, 201);
    const seen = (await fetchPayer(platform, payer)).account(coin.symbol);
    assert.equal(seen.balance?.amount, 1_000_000);
  });

  it('stablecoins.md §5.53: coins from an internal account are burned, if it has enough and is in the coin', async () => {
    const { platform, coin, usd, coins } = await scene();
    const from = async (accountId: string) =>
      askBurn(platform, coin, {
        amount: '9000000000',
        source: { type: 'SVC_INTERNAL_ACCOUNT', accountId },
        ...(await toBank()),
      });
    refused(await from(usd), 400, 'STABLECOIN_BURN_SOURCE_NOT_SUPPORTED');
    refused(await from(`InternalAccount:${NOBODY}`), 404, 'ACCOUNT_NOT_FOUND');
    refused(await from(coins), 400, 'INSUFFICIENT_FUNDS');
  });

  it('stablecoins.md §5.4: a burn is paid to a bank account in US dollars, by one of its rails', async () => {
    const { platform, coin, wallet } = await scene();
    await givenCoins(platform, coin, 1_000_000n);
    const to = (externalAccountId: string, rail: string) =>
      askBurn(platform, coin, {
        amount: '10000',
        destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail },
      });
    refused(await to(wallet.id, 'WIRE'), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    const swift = await swiftAccount();
    refused(await to(swift.id, 'WIRE'), 400, 'STABLECOIN_OPERATION_NOT_SUPPORTED');
    refused(await to(swift.id, 'RTP_CREDIT'), 400, 'STABLECOIN_OPERATION_NOT_SUPPORTED');
    refused(await to(swift.id, 'PIX'), 400, 'INVALID_INPUT');
    const unproven = await unprovenAccount();
    refused(await to(unproven.id, 'ACH_CREDIT'), 400, 'STABLECOIN_OPERATION_NOT_SUPPORTED');
    assert.equal((await to(unproven.id, 'WIRE')).status, 201);
  });

  it('stablecoins.md §5.4: coins of a customer are burned to a bank account of that customer or of the platform, never of another one', async () => {
    const { platform, coin, payer, bank, coins } = await givenScene();
    await givenCoins(platform, coin, 1_000_000n, coins);
    await givenCoins(platform, coin, 1_000_000n);
    const other = await givenPayer(platform, 0);
    const givenBankAccount = ({ id: customerId }: { readonly id: string }, accountNumber: string) =>
      givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber }, { customerId });
    const [own, foreign] = [
      await givenBankAccount(payer, '4000000001'),
      await givenBankAccount(other, '4000000009'),
    ];
    const burn = (source: object, externalAccountId: string) =>
      askBurn(platform, coin, {
        amount: '10000',
        source,
        destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail: 'WIRE' },
      });
    const held = { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins };
    const balance = async () => (await fetchPayer(platform, payer)).account(coin.symbol).balance.amount;
    refused(await burn(held, foreign.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
    assert.equal(await balance(), 1_000_000, 'nothing is held');
    assert.equal((await burn(held, own.id)).status, 201);
    assert.equal((await burn(held, bank.id)).status, 201, 'on the customer’s behalf');
    assert.equal(await balance(), 980_000);
    const outside = { type: 'PROVIDER_INTERNAL_BALANCE' };
    assert.equal((await burn(outside, foreign.id)).status, 201, 'no account here holds these');
  });

  it('stablecoins.md §7.1: burns of coins outside take no more than the coins outside, less open burns of both kinds', async () => {
    const { platform, coin, bank } = await givenScene();
    await givenCoins(platform, coin, 3_000_000n);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const burn = (type: string, amount: string) =>
      askBurn(platform, coin, { amount, source: { type }, destination });
    refused(await burn('EXTERNAL_ACCOUNT', '3010000'), 400, 'INSUFFICIENT_FUNDS');
    assert.equal((await burn('EXTERNAL_ACCOUNT', '1000000')).status, 201);
    assert.equal((await burn('PROVIDER_INTERNAL_BALANCE', '1500000')).status, 201);
    refused(await burn('EXTERNAL_ACCOUNT', '510000'), 400, 'INSUFFICIENT_FUNDS');
    assert.equal((await burn('EXTERNAL_ACCOUNT', '500000')).status, 201);
    await advance(platform, 15);
    assert.deepEqual(await loadCoinBooks(platform, coin), { issued: 0n, reserve: 0n, outside: 0n });
  });

  it('a customer’s dollars do not buy coins for another customer (money.md §2.4)', async () => {
    const { platform, coin, usd } = await scene();
    const other = await givenPayer(platform, 0);
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const to = (accountId: string) => askMint(platform, coin, { fundingSource, destination: { accountId } });
    refused(await to(other.account(coin.symbol).id), 400, 'INVALID_INPUT');
    const wallet = await givenSparkWallet(platform, 'other', { customerId: other.id });
    refused(await to(wallet.id), 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED');
  });

  it('stablecoins.md §6.14, §6.1: without automatic linking an account that the provider does not know is not used', async () => {
    const platform = await givenPlatform(world, {
      currencies: ['USD'],
      settings: { stablecoins: { automaticLinking: false } },
    });
    const coin = await givenCoin(platform);
    const wallet = await givenSparkWallet(platform);
    const reply = await askMint(platform, coin, { destination: { accountId: wallet.id } });
    refused(reply, 400, 'STABLECOIN_EXTERNAL_ACCOUNT_NOT_LINKED');
  });

  it('stablecoins.md §5.85–5.89, §6.14–6.18: bank accounts that cannot be linked, on either side', async () => {
    const { platform, coin, wallet } = await scene();
    await givenCoins(platform, coin, 1_000_000n);
    const ends: [digits: string, code: string][] = [
      ['201', 'LINK_FAILED'],
      ['203', 'PROVIDER_LINK_REQUIRED'],
      ['204', 'LINK_METHOD_REQUIRED'],
      ['205', 'NOT_LINKED'],
    ];
    for (const [digits, code] of ends) {
      const { id } = await givenBank(platform, digits);
      const fundingSource = { type: 'SAME_DAY_ACH_DEBIT', externalAccountId: id };
      const mint = await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } });
      refused(mint, 400, `STABLECOIN_EXTERNAL_ACCOUNT_${code}`);
      const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: id, rail: 'WIRE' };
      refused(
        await askBurn(platform, coin, { amount: '10000', destination }),
        400,
        `STABLECOIN_EXTERNAL_ACCOUNT_${code}`,
      );
    }
  });

  it('stablecoins.md §6.21: without a provider every operation but reads is 501, before any other check', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    const coin = { id: `Stablecoin:${NOBODY}` as never };
    refused(await askMint(production, coin, {}), 501, 'NOT_IMPLEMENTED');
    refused(await askBurn(production, coin, {}), 501, 'NOT_IMPLEMENTED');
    refused(
      await production.send('listStablecoinOperations', { params: { stablecoinId: coin.id } }),
      404,
      'STABLECOIN_NOT_FOUND',
    );
  });
});

/** The routing number decides whether the account is known to exist (accounts.md §4.7). */
function givenUsAccount(platform: TestPlatform, routingNumber: string) {
  return givenExternalAccount(platform, 'USD_ACCOUNT', { routingNumber });
}

/** Made at the first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
