import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { supports } from '#tests/given/accounts.ts';
import {
  askBurn,
  askMint,
  COIN,
  DONE_SECONDS,
  givenBank,
  givenCoins,
  givenSparkWallet,
} from '#tests/given/mints.ts';
import { advance, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { askCoin, type CoinReply, givenCoin } from '#tests/given/stablecoins.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the supply of a coin (stablecoins.md §7)', () => {
  const world = testWorld();

  async function readSupply(platform: TestPlatform, { id }: Pick<CoinReply, 'id'>) {
    const reply = await platform.call('getStablecoinSupply', { params: { stablecoinId: id } });
    assert.equal(reply.status, 200, reply.raw);
    const { stablecoinId, ...supply } = reply.body;
    assert.equal(stablecoinId, id);
    return supply;
  }

  /** In whole coins; the reserve in dollars. */
  const supplyOf = (issued: number, inside: number, { openMints = 0, openBurns = 0 } = {}) => ({
    issued: String(BigInt(issued) * COIN),
    inside: String(BigInt(inside) * COIN),
    outside: String(BigInt(issued - inside) * COIN),
    reserve: String(issued * 100),
    reserveCurrency: 'USD',
    openMints: String(BigInt(openMints) * COIN),
    openBurns: String(BigInt(openBurns) * COIN),
  });

  it('stablecoins.md §7.3: shows coins inside and outside, their reserve, and open mints and burns', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    assert.deepEqual(await readSupply(platform, coin), supplyOf(0, 0));

    const payer = await givenPayer(platform, 10_000);
    await givenCoins(platform, coin, 30n * COIN);
    await givenCoins(platform, coin, 12n * COIN, payer.account(coin.symbol).id);
    assert.deepEqual(await readSupply(platform, coin), supplyOf(42, 12));

    const wallet = await givenSparkWallet(platform);
    const minted = await askMint(platform, coin, {
      amount: String(5n * COIN),
      destination: { accountId: wallet.id },
    });
    assert.equal(minted.status, 201, minted.raw);
    const burned = await askBurn(platform, coin, {
      amount: String(2n * COIN),
      source: { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account(coin.symbol).id },
      destination: {
        type: 'EXTERNAL_ACCOUNT',
        externalAccountId: (await givenBank(platform)).id,
        rail: 'WIRE',
      },
    });
    assert.equal(burned.status, 201, burned.raw);
    assert.deepEqual(await readSupply(platform, coin), supplyOf(42, 12, { openMints: 5, openBurns: 2 }));

    await advance(platform, DONE_SECONDS);
    assert.deepEqual(await readSupply(platform, coin), supplyOf(45, 10));
  });

  it('stablecoins.md §7.3: a failed coin has no supply, even if another coin has its symbol', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const failed = await givenCoin(platform, { providerTokenIdentifier: 'samesymbol-004' });
    assert.equal(failed.issuanceStatus, 'FAILED');
    const live = await askCoin(platform, { providerTokenIdentifier: 'samesymbol-999' });
    assert.equal(live.body.symbol, failed.symbol);
    await givenCoins(platform, live.body, 3n * COIN);
    assert.deepEqual(await readSupply(platform, live.body), supplyOf(3, 0));
    assert.deepEqual(await readSupply(platform, failed), supplyOf(0, 0));
  });

  it('stablecoins.md §7.3: the coin of another platform is not found', async () => {
    const [platform, other] = [await givenPlatform(world), await givenPlatform(world)];
    const coin = await givenCoin(platform);
    const reply = await other.call('getStablecoinSupply', { params: { stablecoinId: coin.id } });
    assert.equal(reply.status, 404);
    assert.equal(reply.body.code, 'STABLECOIN_NOT_FOUND');
  });
});
