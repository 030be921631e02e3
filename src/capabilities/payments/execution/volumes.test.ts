// lane: whole — every unusual amount in every call

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('limits', () => {
  const world = testWorld();

  const platformWith = (
    limits: { minUsdCents?: number; maxUsdCents?: number; dailyUsdCents?: number },
    currencies?: string[],
  ) =>
    givenPlatform(world, {
      ...(currencies && { currencies }),
      settings: { limits: { default: limits, corridors: {}, ownershipThresholdEurCents: 100_000 } },
    });

  async function used(platform: TestPlatform, corridor: string): Promise<string | undefined> {
    const work = await platform.work();
    const [row] = await work.read(
      (tx) => tx.sql<{ used: string }>`
        select trim_scale(numerator / denominator)::text as used from counters
         where platform_id = ${tx.platformId} and name = ${`VOLUME:${corridor}`}`,
    );
    return row?.used;
  }

  it('money.md §8.1: one transaction may reach the maximum, but not exceed it', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000, dailyUsdCents: 50_000_000 });
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const wish = { from: payer.account('USD').id, to };
    await givenQuote(world, platform, { ...wish, send: 10_000n });
    const refused = await askQuote(platform, { ...wish, send: 10_001 });
    assert.equal(refused.body.code, 'TRANSACTION_SIZE_LIMIT_EXCEEDED');
  });

  it('platform.md §9: one transaction may be as small as the minimum, not smaller', async () => {
    const platform = await platformWith({ minUsdCents: 500 });
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const wish = { from: payer.account('USD').id, to };
    await givenQuote(world, platform, { ...wish, send: 500n });
    const refused = await askQuote(platform, { ...wish, send: 499 });
    assert.equal(refused.body.code, 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §8.2: exactly reaching the daily volume is allowed; a cent more is 429 with the figures', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 30_000 });
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const quote = (send: bigint) => givenQuote(world, platform, { from: payer.account('USD').id, to, send });
    const [first, second, third] = [await quote(20_000n), await quote(10_000n), await quote(1_000n)];
    assert.equal((await execute(platform, first.id)).status, 200);
    const before = await fetchBalance(platform, payer, 'USD');
    const over = await quote(10_001n);
    const refused = await execute(platform, over.id);
    assert.deepEqual([refused.status, refused.body.code], [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
    assert.equal(refused.body.reason, 'This payment would exceed the corridor’s daily limit.');
    const { limit, used: shown, requested, resetsAt } = refused.body.details;
    assert.deepEqual([limit, shown, requested], [30_000, 20_000, 10_001]);
    assert.equal(resetsAt, '2026-03-03T00:00:00.000Z');
    assert.equal(refused.headers['retry-after'], undefined);
    assert.equal((await readTransaction(platform, over.transactionId)).status, 'PENDING');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    assert.equal((await execute(platform, second.id)).status, 200, 'the rest of the day');
    assert.equal((await execute(platform, third.id)).status, 429);
    assert.equal(await used(platform, 'USD-EUR'), '30000');
  });

  it('money.md §8.2: the limit is checked before the balance', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 30_000 });
    const payer = await givenPayer(platform, 10);
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to, send: 30_001n });
    assert.equal((await execute(platform, quote.id)).status, 429);
    const smaller = await givenQuote(world, platform, { from: payer.account('USD').id, to, send: 30_000n });
    assert.equal((await execute(platform, smaller.id)).body.code, 'INSUFFICIENT_FUNDS');
  });

  it('money.md §8.2: failures do not reduce the volume, and a new UTC day begins at zero', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 10_000 });
    const payer = await givenPayer(platform);
    const failing = await givenOutside(platform, payer.id, '004');
    const quote = () =>
      givenQuote(world, platform, { from: payer.account('USD').id, to: failing, send: 10_000n });
    assert.equal((await execute(platform, (await quote()).id)).status, 200);
    await advance(platform, 5);
    assert.equal((await execute(platform, (await quote()).id)).status, 429);
    await advance(platform, 14 * 60 * 60);
    assert.equal((await execute(platform, (await quote()).id)).status, 200);
  });

  it('money.md §8.2: corridors are counted separately, and within one currency by that currency', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 10_000 });
    const payer = await givenPayer(platform);
    const [eur, usd] = [
      await givenOutside(platform, payer.id),
      await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT'),
    ];
    for (const to of [eur, usd]) {
      const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to, send: 10_000n });
      assert.equal((await execute(platform, quote.id)).status, 200);
    }
    assert.deepEqual([await used(platform, 'USD-EUR'), await used(platform, 'USD')], ['10000', '10000']);
  });

  it('money.md §8.2: a pull counts like any other payment, also into an internal account', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 10_000 });
    const payer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    for (const to of [payer.account('USD').id, await givenOutside(platform, payer.id)]) {
      const [first, second] = [
        await givenQuote(world, platform, { from, to, send: 10_000n }),
        await givenQuote(world, platform, { from, to, send: 100n }),
      ];
      assert.equal((await execute(platform, first.id)).status, 200);
      assert.equal((await execute(platform, second.id)).status, 429);
    }
    assert.deepEqual([await used(platform, 'USD-EUR'), await used(platform, 'USD')], ['10000', '10000']);
  });

  it('money.md §8.2: under concurrency the sum never exceeds the limit, and uses all of it', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 10_000 });
    const [payer, poor] = [await givenPayer(platform), await givenPayer(platform, 500)];
    const to = await givenOutside(platform, undefined);
    const quotes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const from = i % 4 === 0 ? poor : payer;
        return givenQuote(world, platform, { from: from.account('USD').id, to, send: 900n });
      }),
    );
    const replies = await Promise.all(quotes.map(({ id }) => execute(platform, id)));
    const paid = replies.filter(({ status }) => status === 200).length;
    assert.equal(paid, 11, 'eleven times 9.00 fit into 100.00');
    for (const { status, body } of replies.filter(({ status: code }) => code !== 200)) {
      assert.ok(status === 429 || body.code === 'INSUFFICIENT_FUNDS', `${status} ${body.code}`);
    }
    assert.equal(await used(platform, 'USD-EUR'), '9900');
  });

  it('money.md §8.3: other currencies count at their exact value: fractions of a cent add up to whole cents', async () => {
    // 3 MYR cents are worth 3/4.45 US cents; 89 times 5 are worth exactly 100.
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 100 }, [
      'MYR',
      'EUR',
      'USD',
    ]);
    const payer = await givenPayer(platform, 0);
    const account = payer.account('MYR').id;
    await platform.call('sandboxFundInternalAccount', {
      params: { accountId: account },
      body: { amount: 100_000 },
    });
    const to = await givenOutside(platform, payer.id);
    const pay = async (send: bigint) => {
      const quote = await givenQuote(world, platform, { from: account, to, send });
      return (await execute(platform, quote.id)).status;
    };
    for (let i = 0; i < 88; i++) assert.equal(await pay(5n), 200);
    assert.equal(await pay(6n), 429, 'one smallest unit too much');
    assert.equal(await pay(5n), 200, 'exactly the limit');
    assert.equal(await pay(5n), 429);
    assert.equal(await used(platform, 'MYR-EUR'), '100');
  });

  it('money.md §8.2: funds that exceed the volume fail the payment with LIMIT_EXCEEDED and are refunded', async () => {
    const platform = await platformWith({ maxUsdCents: 10_000_000, dailyUsdCents: 10_000 });
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const first = await givenQuote(world, platform, { from: payer.account('USD').id, to, send: 9_000n });
    await execute(platform, first.id);
    const quote = await givenQuote(world, platform, { from: { realtime: 'USD' }, to, send: 2_000n });
    const work = await platform.work();
    const reference = uuidOf(quote.transactionId);
    await work.write((tx) => receiveReport(tx, { reference, notices: [{ kind: 'funded', amount: 2_000n }] }));
    await advance(platform, 3);
    const { status, failureReason, refund } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([status, failureReason, refund.status], ['FAILED', 'LIMIT_EXCEEDED', 'COMPLETED']);
    assert.equal(await used(platform, 'USD-EUR'), '9000');
  });
});
