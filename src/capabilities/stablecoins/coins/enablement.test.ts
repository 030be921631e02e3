import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ISSUANCE_STATUSES, SVC_STATUSES } from '#capabilities/stablecoins/coin-row.ts';
import {
  checkRequest,
  ENABLEMENT_STEPS,
  type EnablementStep,
} from '#capabilities/stablecoins/coins/enablement.ts';
import { advance } from '#tests/given/payments.ts';
import {
  type CoinReply,
  decideOn,
  enableCoin,
  givenCoin,
  readCoin,
  SET_UP_SECONDS,
} from '#tests/given/stablecoins.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const STEPS: readonly EnablementStep[] = ['request', 'approve', 'decline', 'setUp', 'disable', 'enable'];

describe('enabling a coin for internal accounts', () => {
  const world = testWorld();

  const request = (platform: TestPlatform, { id }: Pick<CoinReply, 'id'>) =>
    platform.send('requestStablecoinEnablement', { params: { stablecoinId: id } });
  const loadStatus = async (platform: TestPlatform, coin: CoinReply) =>
    (await readCoin(platform, coin)).svcOperationsStatus;
  const listCurrencies = async (platform: TestPlatform) => {
    const { ownCurrencies, disabledCurrencies } = (await platform.work()).platform;
    return { own: ownCurrencies, disabled: disabledCurrencies };
  };

  it('stablecoins.md §4.12–4.18: every step of the table leads to its status, and every other step has no effect', () => {
    const steps = SVC_STATUSES.flatMap((from) => STEPS.map((step) => [from, step] as const));
    const led = steps.flatMap(([from, step]) => {
      const to = ENABLEMENT_STEPS[from][step];
      return to ? [`${from} ${step} ${to}`] : [];
    });
    assert.deepEqual(led, [
      'NOT_ENABLED request PENDING_APPROVAL',
      'PENDING_APPROVAL request PENDING_APPROVAL',
      'PENDING_APPROVAL approve ENABLING',
      'PENDING_APPROVAL decline NOT_ENABLED',
      'ENABLING setUp ENABLED',
      'ENABLED disable DISABLED',
      'DISABLED enable ENABLING',
    ]);
  });

  it('stablecoins.md §4.1, §4.14: only a provisioned coin can be requested, and this is checked first', () => {
    for (const issuance_status of ISSUANCE_STATUSES)
      for (const svc_operations_status of SVC_STATUSES) {
        const code = checkRequest({ issuance_status, svc_operations_status })?.code;
        const isOpen = ['NOT_ENABLED', 'PENDING_APPROVAL'].includes(svc_operations_status);
        const expected = isOpen ? undefined : 'STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE';
        assert.equal(code, issuance_status === 'PROVISIONED' ? expected : 'STABLECOIN_NOT_PROVISIONED');
      }
  });

  it('stablecoins.md §4.11, §4.12, §4.13: a new coin is not enabled; a request makes it wait, and a second request changes nothing', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    assert.deepEqual([coin.svcOperationsStatus, coin.currency], ['NOT_ENABLED', undefined]);
    const first = await request(platform, coin);
    assert.deepEqual([first.status, first.body.svcOperationsStatus], [200, 'PENDING_APPROVAL']);
    await advance(platform, 3_600);
    const second = await request(platform, coin);
    assert.deepEqual([second.status, second.raw], [200, first.raw]);
  });

  it('stablecoins.md §4.1: a coin that is in review, being provisioned, rejected or failed is 400', async () => {
    const platform = await world.platform();
    for (const end of ['001', '002', '004', '005']) {
      const coin = await givenCoin(platform, { providerTokenIdentifier: `acme-${end}` });
      const { status, body } = await request(platform, coin);
      assert.deepEqual([status, body.code], [400, 'STABLECOIN_NOT_PROVISIONED']);
      assert.equal(await loadStatus(platform, coin), 'NOT_ENABLED');
    }
  });

  it('stablecoins.md §4.15, §4.16, §8.1: after the approval it is set up, and then is a currency of its platform', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    await request(platform, coin);
    const approved = await decideOn(platform, coin, 'approve');
    assert.deepEqual([approved.svcOperationsStatus, approved.currency], ['ENABLING', undefined]);
    assert.deepEqual(await listCurrencies(platform), { own: {}, disabled: [] });
    await advance(platform, SET_UP_SECONDS - 1);
    assert.equal(await loadStatus(platform, coin), 'ENABLING');
    await advance(platform, 1);
    const enabled = await readCoin(platform, coin);
    assert.deepEqual([enabled.svcOperationsStatus, enabled.currency], ['ENABLED', 'ACMEUSD']);
    assert.deepEqual(await listCurrencies(platform), {
      own: { ACMEUSD: { name: 'ACMEUSD Dollar', symbol: 'ACMEUSD', decimals: 6 } },
      disabled: [],
    });
  });

  it('stablecoins.md §4.15: after a decline it is unchanged and can be requested again', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    await request(platform, coin);
    assert.equal((await decideOn(platform, coin, 'decline')).svcOperationsStatus, 'NOT_ENABLED');
    await enableCoin(platform, coin);
  });

  it('stablecoins.md §4.14, §4.17, §4.18, §8.4: when disabled and enabled again it stays a currency, and cannot be requested', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    const assertRefused = async () => {
      const { status, body } = await request(platform, coin);
      assert.deepEqual([status, body.code], [409, 'STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE']);
    };
    await request(platform, coin);
    await decideOn(platform, coin, 'approve');
    await assertRefused();
    await advance(platform, SET_UP_SECONDS);
    await assertRefused();
    const disabled = await decideOn(platform, coin, 'disable');
    assert.deepEqual([disabled.svcOperationsStatus, disabled.currency], ['DISABLED', 'ACMEUSD']);
    assert.deepEqual((await listCurrencies(platform)).disabled, ['ACMEUSD']);
    await assertRefused();
    const again = await decideOn(platform, coin, 'enable');
    assert.deepEqual([again.svcOperationsStatus, again.currency], ['ENABLING', 'ACMEUSD']);
    assert.deepEqual((await listCurrencies(platform)).disabled, ['ACMEUSD'], 'until it is set up');
    await advance(platform, SET_UP_SECONDS);
    assert.equal(await loadStatus(platform, coin), 'ENABLED');
    assert.deepEqual((await listCurrencies(platform)).disabled, []);
  });

  it('stablecoins.md §4.15, §4.17, §4.18: a decision that the status does not allow is a conflict, and changes nothing', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    const assertConflicts = async (...steps: Parameters<typeof decideOn>[2][]) => {
      const before = await readCoin(platform, coin);
      for (const step of steps) {
        await assert.rejects(decideOn(platform, coin, step), { code: 'CONFLICT', message: /must be/ });
      }
      assert.deepEqual(await readCoin(platform, coin), before);
    };
    await assertConflicts('approve', 'decline', 'disable', 'enable');
    await request(platform, coin);
    await assertConflicts('disable', 'enable');
    await decideOn(platform, coin, 'approve');
    await assertConflicts('approve', 'decline', 'disable', 'enable');
    await advance(platform, SET_UP_SECONDS);
    await assertConflicts('approve', 'decline', 'enable');
    await decideOn(platform, coin, 'disable');
    await assertConflicts('approve', 'decline', 'disable');
  });

  it('stablecoins.md §4.2: a coin that ends in 006 is ENABLING 5 s after the request, and ENABLED 10 s after it', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'acme-006' });
    await request(platform, coin);
    const seen: string[] = [];
    for (const seconds of [4, 1, 4, 1]) {
      await advance(platform, seconds);
      seen.push(await loadStatus(platform, coin));
    }
    assert.deepEqual(seen, ['PENDING_APPROVAL', 'ENABLING', 'ENABLING', 'ENABLED']);
  });

  it('stablecoins.md §4.2, §4.15: a declined request is not approved automatically; the next request is, after its own delay', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'acme-006' });
    await request(platform, coin);
    await advance(platform, 3);
    await decideOn(platform, coin, 'decline');
    await request(platform, coin);
    await advance(platform, 3);
    assert.equal(await loadStatus(platform, coin), 'PENDING_APPROVAL');
    await advance(platform, 2);
    assert.equal(await loadStatus(platform, coin), 'ENABLING');
  });

  it('stablecoins.md §4.12: ten concurrent requests in two processes are all 200, and one takes effect', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    const other = await world.elsewhere(platform);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => request(i % 2 === 0 ? platform : other, coin)),
    );
    assert.deepEqual(new Set(replies.map(({ status, raw }) => `${status} ${raw}`)).size, 1);
    assert.equal(replies[0]?.status, 200);
  });

  it('stablecoins.md §4.15: if an approval and a decline race, one counts, and the other is a conflict', async () => {
    const platform = await world.platform();
    const coin = await givenCoin(platform);
    await request(platform, coin);
    const done = await Promise.allSettled([
      decideOn(platform, coin, 'approve'),
      decideOn(platform, coin, 'decline'),
    ]);
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.ok(['ENABLING', 'NOT_ENABLED'].includes(await loadStatus(platform, coin)));
  });
});
