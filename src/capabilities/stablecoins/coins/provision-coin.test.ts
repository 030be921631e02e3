import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ISSUANCE_STATUSES } from '#capabilities/stablecoins/coin-row.ts';
import { ISSUANCE_STEPS, isDecided, issuanceAfter } from '#capabilities/stablecoins/issuance.ts';
import type { IssuanceStatus, TokenAnswer } from '#foundation/ports/stablecoins.ts';
import { advance, postedKinds } from '#tests/given/payments.ts';
import {
  askCoin,
  type CoinReply,
  givenCoin,
  givenLink,
  playProvider,
  readCoin,
  readLink,
} from '#tests/given/stablecoins.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the provider’s progress with a coin', () => {
  const world = testWorld();

  const loadStatus = async (platform: TestPlatform, coin: CoinReply) =>
    (await readCoin(platform, coin)).issuanceStatus;

  /** A provider that reports this about every token, and wants to be asked again after a minute. */
  const saying = (status: IssuanceStatus, supply = 0n) =>
    playProvider(world, {
      describeToken: async (_login, { networkTokenIdentifier }): Promise<TokenAnswer> => ({
        outcome: 'FOUND',
        token: {
          name: 'Acme Dollar',
          symbol: 'ACMEUSD',
          baseCurrency: 'USD',
          decimals: 6,
          networkTokenIdentifier,
          supply,
          issuance: { status, ...(!isDecided(status) && { askAgainAfterMs: 60_000 }) },
        },
      }),
    });
  const during = async <T>(restore: () => void, steps: () => Promise<T>): Promise<T> =>
    steps().finally(restore);
  const registeredAs = async (platform: TestPlatform, status: IssuanceStatus, supply?: bigint) => {
    await givenLink(platform);
    const reply = await during(saying(status, supply), () => askCoin(platform));
    assert.deepEqual([reply.status, reply.body.issuanceStatus], [201, status]);
    return reply.body;
  };
  const loadMinute = (platform: TestPlatform, status: IssuanceStatus) =>
    during(saying(status), () => advance(platform, 60));

  it('stablecoins.md §3.22–3.25, §3.2: these steps exist, and every other report changes nothing', () => {
    const steps = ISSUANCE_STATUSES.flatMap((from) => ISSUANCE_STEPS[from].map((to) => `${from} ${to}`));
    assert.deepEqual(steps, [
      'PENDING_REVIEW PROVISIONING',
      'PENDING_REVIEW REJECTED',
      'PROVISIONING PROVISIONED',
      'PROVISIONING FAILED',
    ]);
    const made = ISSUANCE_STATUSES.flatMap((from) =>
      ISSUANCE_STATUSES.filter((to) => to !== from && issuanceAfter(from, to) === to).map(
        (to) => `${from} ${to}`,
      ),
    );
    const severalSteps = ['PENDING_REVIEW PROVISIONED', 'PENDING_REVIEW FAILED'];
    assert.deepEqual(made.sort(), [...steps, ...severalSteps].sort());
    for (const from of ISSUANCE_STATUSES)
      for (const to of ISSUANCE_STATUSES) assert.ok([from, to].includes(issuanceAfter(from, to)));
    assert.deepEqual(ISSUANCE_STATUSES.filter(isDecided), ['PROVISIONED', 'REJECTED', 'FAILED']);
  });

  for (const [row, end, statuses] of [
    ['stablecoins.md §3.31, §3.21', '001', ['PENDING_REVIEW', 'PENDING_REVIEW', 'PENDING_REVIEW']],
    ['stablecoins.md §3.32, §3.23', '002', ['REJECTED', 'REJECTED', 'REJECTED']],
    ['stablecoins.md §3.34, §3.25', '004', ['FAILED', 'FAILED', 'FAILED']],
    ['stablecoins.md §3.35, §3.22, §3.24', '005', ['PROVISIONING', 'PROVISIONING', 'PROVISIONED']],
    ['stablecoins.md §3.36, §3.24', 'usd', ['PROVISIONED', 'PROVISIONED', 'PROVISIONED']],
  ] as const) {
    it(`${row}: a token that ends in ${end} is ${statuses.join(', then ')}`, async () => {
      const platform = await world.platform();
      const coin = await givenCoin(platform, { providerTokenIdentifier: `acme-${end}` });
      const seen = [coin.issuanceStatus];
      for (const seconds of [29, 1]) {
        await advance(platform, seconds);
        seen.push(await loadStatus(platform, coin));
      }
      assert.deepEqual(seen, statuses);
      await advance(platform, 7 * 24 * 3_600);
      assert.equal(await loadStatus(platform, coin), statuses[2]);
    });
  }

  it('stablecoins.md §3.22, §3.24, money.md §11.L29: step by step; the earlier supply is booked with the last step', async () => {
    const platform = await world.platform();
    const coin = await registeredAs(platform, 'PENDING_REVIEW', 10_000n);
    await loadMinute(platform, 'PROVISIONING');
    assert.equal(await loadStatus(platform, coin), 'PROVISIONING');
    assert.deepEqual(await postedKinds(platform, `Transaction:${uuidOf(coin)}`), []);
    await loadMinute(platform, 'PROVISIONED');
    assert.equal(await loadStatus(platform, coin), 'PROVISIONED');
    assert.deepEqual(await postedKinds(platform, `Transaction:${uuidOf(coin)}`), ['L29']);
  });

  it('stablecoins.md §3.2: several steps are taken at once, and a report of an earlier one changes nothing', async () => {
    const platform = await world.platform();
    const coin = await registeredAs(platform, 'PROVISIONING');
    for (const late of ['PENDING_REVIEW', 'PROVISIONING'] as const) await loadMinute(platform, late);
    assert.deepEqual(await readCoin(platform, coin), coin);
    const slow = await world.platform();
    const jumped = await registeredAs(slow, 'PENDING_REVIEW');
    await loadMinute(slow, 'FAILED');
    assert.equal(await loadStatus(slow, jumped), 'FAILED');
  });

  it('stablecoins.md §3.2: a rejection after the acceptance is not a step, and does not make us ask the provider again', async () => {
    const platform = await world.platform();
    const coin = await registeredAs(platform, 'PROVISIONING');
    await loadMinute(platform, 'REJECTED');
    assert.equal(await loadStatus(platform, coin), 'PROVISIONING');
  });

  for (const outcome of ['UNAVAILABLE', 'UNKNOWN'] as const) {
    it(`stablecoins.md §3.2: a provider whose answer is ${outcome} is asked again`, async () => {
      const platform = await world.platform();
      const coin = await registeredAs(platform, 'PROVISIONING');
      const lost = playProvider(world, { describeToken: async () => ({ outcome }) });
      await during(lost, () => advance(platform, 60));
      assert.deepEqual(await readCoin(platform, coin), coin);
      await during(saying('PROVISIONED'), () => advance(platform, 600));
      assert.equal(await loadStatus(platform, coin), 'PROVISIONED');
    });
  }

  it('stablecoins.md §1.12, §1.4: refused credentials make the link INVALID; the next link asks again', async () => {
    const platform = await world.platform();
    const coin = await registeredAs(platform, 'PROVISIONING');
    const refusing = playProvider(world, { describeToken: async () => ({ outcome: 'LOGIN_REFUSED' }) });
    await during(refusing, () => advance(platform, 60));
    const link = await readLink(platform, { id: coin.stablecoinProviderAccountId });
    assert.deepEqual([link.status, await loadStatus(platform, coin)], ['INVALID', 'PROVISIONING']);
    await advance(platform, 3_600);
    await during(saying('PROVISIONED'), async () => {
      await givenLink(platform);
      await advance(platform, 1);
    });
    assert.equal(await loadStatus(platform, coin), 'PROVISIONED');
  });

  it('stablecoins.md §1.4: a link that takes over while the old one asks the provider asks again itself', async () => {
    const platform = await world.platform();
    const coin = await registeredAs(platform, 'PROVISIONING');
    let asked = 0;
    const relinking = playProvider(world, {
      async describeToken() {
        if (asked++ === 0) {
          const work = await platform.work();
          await work.write(
            (tx) =>
              tx.sql`update stablecoin_provider_accounts set status = 'INVALID' where platform_id = ${tx.platformId}`,
          );
          await givenLink(platform);
        }
        return { outcome: 'LOGIN_REFUSED' };
      },
    });
    await during(relinking, () => advance(platform, 60));
    assert.equal(asked, 2);
    const { stablecoinProviderAccountId: id } = await readCoin(platform, coin);
    assert.notEqual(id, coin.stablecoinProviderAccountId);
    assert.equal((await readLink(platform, { id })).status, 'INVALID', 'because its own login was refused');
  });
});
