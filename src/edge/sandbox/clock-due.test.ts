// lane: whole — makes many payments and moves the clock often

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { givenAgent } from '#tests/given/agents.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  readTransaction,
} from '#tests/given/payments.ts';
import { purchaseBody, simulated } from '#tests/given/purchases.ts';
import { givenEuropean, givenScaSession } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('what is due on the clock', () => {
  const world = testWorld();

  async function listed(platform: TestPlatform, query: { limit?: number; cursor?: string } = {}) {
    const { status, body, raw } = await platform.call('listSandboxClockDue', { query });
    assert.equal(status, 200, raw);
    return body;
  }

  /** The sentences, with how many seconds ahead each is. */
  async function told(platform: TestPlatform) {
    const { body: clock } = await platform.call('getSandboxClock');
    const { data } = await listed(platform);
    return data.map(({ dueAt, sentence }) => [
      Math.ceil((Date.parse(dueAt) - Date.parse(clock.now)) / 1000),
      sentence,
    ]);
  }

  const moveTo = (platform: TestPlatform, until: string, key?: string) =>
    platform.send('advanceSandboxClock', { body: { until }, ...(key !== undefined && { key }) });

  async function payment(platform: TestPlatform, suffix?: string) {
    const payer = await givenPayer(platform);
    const from = payer.account('USD').id;
    const to = await givenOutside(platform, payer.id, suffix);
    return givenQuote(world, platform, { from, to });
  }

  it('platform.md §1.5.5: a new platform has nothing due, despite its daily upkeep', async () => {
    const platform = await world.platform();
    assert.deepEqual(await listed(platform), { data: [], hasMore: false });
  });

  it('platform.md §1.5.5: a quote’s expiry is listed until it is executed, then what the rail reports', async () => {
    const platform = await givenPlatform(world);
    const quote = await payment(platform);
    const [due] = (await listed(platform)).data;
    const expiresAt = Date.parse(quote.expiresAt);
    assert.deepEqual(due, {
      id: due?.id,
      dueAt: new Date(Math.ceil(expiresAt / 1000) * 1000).toISOString(),
      resourceId: quote.id,
      kind: 'Quote',
      sentence: `${quote.id} expires, unless it is executed first.`,
    });
    await execute(platform, quote.id);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await told(platform), [
      [1, `The rail reports the payout of ${quote.transactionId} as settled.`],
    ]);
  });

  it('platform.md §1.5.7: moves exactly to what is due next, which happens, with its event', async () => {
    const platform = await givenPlatform(world);
    const quote = await payment(platform);
    await execute(platform, quote.id);
    // The order has not been sent to the rail yet: that is done first.
    const { status, body } = await moveTo(platform, 'next');
    assert.equal(status, 200);
    assert.equal(body.reached.sentence, `The rail reports the payout of ${quote.transactionId} as settled.`);
    assert.equal(body.now, body.reached.dueAt);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
    assert.deepEqual((await platform.call('getSandboxClock')).body, {
      now: body.now,
      offsetSeconds: body.offsetSeconds,
    });
  });

  it('platform.md §1.5.7: moves to a quote’s expiry past everything before it', async () => {
    const platform = await givenPlatform(world);
    const [late, paid] = [await payment(platform), await payment(platform, '005')];
    await execute(platform, paid.id);
    await world.app.worker.settle(platform.id);
    const expiry = (await listed(platform)).data.find(({ resourceId }) => resourceId === late.id);
    const { status, body } = await moveTo(platform, expiry?.id ?? '');
    assert.deepEqual([status, body.now, body.reached], [200, expiry?.dueAt, expiry]);
    assert.deepEqual(await listEventTypes(platform, late.transactionId), ['PENDING', 'EXPIRED']);
    assert.notEqual((await readTransaction(platform, paid.transactionId)).status, 'PROCESSING');
  });

  it('platform.md §1.5.5: lists a failure of the rail, a hold, a device code, an invitation and a retry', async () => {
    const platform = await givenCardPlatform(world);
    (await platform.receive()).answer({ status: 500 });
    const card = await givenCard(platform);
    const hold = await simulated(world, platform, card.id, 'authorization', purchaseBody(1_000));
    const inviter = await givenCustomer(platform);
    const { id: agentId } = await givenAgent(platform, inviter);
    await platform.call('createInvitation', {
      body: {
        inviterUma: inviter.umaAddress,
        expiresAt: new Date(world.clock.now() + 86_400_000).toISOString(),
      },
    });
    const failing = await payment(platform, '002');
    await execute(platform, failing.id);
    await world.app.worker.settle(platform.id);
    const sentences = (await listed(platform, { limit: 100 })).data.map(({ sentence }) => sentence);
    for (const sentence of [
      `The hold of the card purchase Transaction:${hold.id} is released, unless it is cleared first.`,
      `An invitation from ${inviter.id} expires, unless it is claimed first.`,
      `The device code of ${agentId} expires, unless it is redeemed first.`,
    ]) {
      assert.ok(sentences.includes(sentence), `${sentence}\n${sentences.join('\n')}`);
    }
    assert.ok(
      sentences.some((sentence) =>
        /^The webhook CARD\.\S+ for \S+ is retried, after one attempt\.$/.test(sentence),
      ),
    );
  });

  it('platform.md §1.5.5: lists codes, links, challenges and sessions that expire, without their contents', async () => {
    const platform = await givenPlatform(world);
    const unverified = await givenCustomer(platform, EUROPEAN);
    const european = await givenEuropean(platform);
    await platform.call('sendCustomerEmailVerification', { params: { customerId: unverified.id } });
    await givenScaSession(platform, european);
    await platform.call('startScaLogin', { query: { customerId: european.id }, body: { factor: 'SMS_OTP' } });
    await world.app.worker.settle(platform.id);
    const { data } = await listed(platform, { limit: 100 });
    assert.deepEqual(
      data
        .map(({ sentence, resourceId = '' }) =>
          sentence.replace(/ScaChallenge:\S+/, 'ScaChallenge').replaceAll(resourceId, '…'),
        )
        .toSorted(),
      [
        `ScaChallenge of ${european.id} expires, unless it is answered first.`,
        'The code for the e-mail address of … expires.',
        'The session of … ends, and the customer has to log in again.',
      ],
    );
    assert.doesNotMatch(JSON.stringify(data), /@|123456|\+49/);
    const other = await world.platform();
    const customer = await givenCustomer(other);
    const link = await other.call('createCustomerKycLink', { params: { customerId: customer.id } });
    assert.equal(link.status, 201, link.raw);
    assert.deepEqual(
      (await listed(other)).data.map(({ sentence }) => sentence),
      [`The link of ${customer.id} to the hosted page expires.`],
    );
  });

  it('platform.md §1.5.5, §1.4.2: pages by (time, item), without repeating or leaving out items of one moment', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const [from, to] = [payer.account('USD').id, await givenOutside(platform, payer.id)];
    for (let n = 0; n < 5; n++) await givenQuote(world, platform, { from, to });
    for (let n = 0; n < 3; n++) await execute(platform, (await givenQuote(world, platform, { from, to })).id);
    await world.app.worker.settle(platform.id);
    const whole = await listed(platform, { limit: 100 });
    assert.equal(whole.data.length, 8);
    assert.equal(whole.hasMore, false);
    const times = whole.data.map(({ dueAt }) => dueAt);
    assert.deepEqual(times, times.toSorted());
    const walked: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await listed(platform, { limit: 1, ...(cursor !== undefined && { cursor }) });
      walked.push(...page.data);
      assert.equal(page.hasMore, page.nextCursor !== undefined);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(walked, whole.data);
    const foreign = await platform.call('listSandboxClockDue', { query: { cursor: 'WyIxIl0.x' } });
    assert.equal(foreign.status, 400);
  });

  it('platform.md §1.5.6: lists no other platform’s items, and finds none of them', async () => {
    const [platform, other] = [await givenPlatform(world), await givenPlatform(world)];
    await payment(platform);
    const [due] = (await listed(platform)).data;
    assert.deepEqual((await listed(other)).data, []);
    const { status, body } = await moveTo(other, due?.id ?? '');
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND']);
    assert.equal((await other.call('getSandboxClock')).body.offsetSeconds, 0);
  });

  it('platform.md §1.5.6: shows nothing of the work behind an item', async () => {
    const platform = await givenPlatform(world);
    const quote = await payment(platform);
    await execute(platform, quote.id);
    await world.app.worker.settle(platform.id);
    const [job] = await world.database.query<{ id: bigint; kind: string }>(sql`
      select id, kind from jobs where platform_id = ${platform.id} and kind = 'payments.follow'`);
    const page = await listed(platform, { limit: 1 });
    assert.ok(job);
    assert.doesNotMatch(JSON.stringify(page), /payments\.follow|token|notices/);
    const decoded = page.data.map(({ id }) => id).join();
    assert.doesNotMatch(decoded, new RegExp(`:${job.id}$`));
  });

  it('platform.md §1.5.7: refuses if nothing is due, unknown ids, items that have happened, and bad combinations', async () => {
    const platform = await givenPlatform(world);
    const nothing = await moveTo(platform, 'next');
    assert.deepEqual([nothing.status, nothing.body.code], [409, 'CONFLICT']);
    const quote = await payment(platform);
    const [due] = (await listed(platform)).data;
    assert.equal((await moveTo(platform, due?.id ?? '')).status, 200);
    const again = await moveTo(platform, due?.id ?? '');
    assert.deepEqual([again.status, again.body.code], [404, 'NOT_FOUND']);
    assert.match(again.body.message, /has passed, so it has happened or was cancelled/);
    const unknown = await moveTo(platform, 'DueItem:ffffffff-ffff-8fff-bfff-ffffffffffff');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND']);
    for (const [body, field] of [
      [{ seconds: 5, until: 'next' }, 'until'],
      [{}, 'seconds'],
      [{ until: 'NEXT' }, 'until'],
      [{ until: quote.id }, 'until'],
      [{ until: '' }, 'until'],
      [{ until: 5 }, 'until'],
    ] as const) {
      const refused = await platform.send('advanceSandboxClock', { body });
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.details.errors[0].field],
        [400, 'INVALID_INPUT', field],
        JSON.stringify(body),
      );
    }
  });

  it('platform.md §1.5.7: refuses an item more than a year ahead', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    await work.write(async (tx) => schedule(tx, { kind: 'webhook-keys.remove', afterMs: 366 * 86_400_000 }));
    const { status, body } = await moveTo(platform, 'next');
    assert.deepEqual([status, body.details.errors[0].field], [400, 'until']);
  });

  it('platform.md §1.5.8: concurrent calls move the clock no further than the item that each found', async () => {
    const platform = await givenPlatform(world);
    const [first, second] = [await payment(platform), await payment(platform)];
    await execute(platform, first.id);
    await execute(platform, second.id);
    await world.app.worker.settle(platform.id);
    const soonest = (await listed(platform)).data[0];
    const replies = await Promise.all([1, 2, 3].map(() => moveTo(platform, 'next')));
    const reached = replies.map(({ status, body }) => (status === 200 ? body.reached.dueAt : status));
    assert.ok(reached.includes(soonest?.dueAt));
    const { now } = (await platform.call('getSandboxClock')).body;
    assert.equal(
      now,
      reached
        .filter((at) => typeof at === 'string')
        .toSorted()
        .at(-1),
    );
  });

  it('platform.md §1.5.4, §1.5.7: a repeated key moves the clock once, and gets the same item', async () => {
    const platform = await givenPlatform(world);
    const [first, second] = [await payment(platform), await payment(platform)];
    await execute(platform, first.id);
    const moved = await moveTo(platform, 'next', 'k');
    await execute(platform, second.id);
    const repeated = await moveTo(platform, 'next', 'k');
    assert.deepEqual([repeated.status, repeated.body], [200, moved.body]);
    assert.equal((await platform.call('getSandboxClock')).body.now, moved.body.now);
  });

  it('platform.md §1.5.7: does not move the clock if real time has reached the item', async () => {
    const platform = await givenPlatform(world);
    const quote = await payment(platform);
    await execute(platform, quote.id);
    await world.app.worker.settle(platform.id);
    const [due] = (await listed(platform)).data;
    world.clock.advance(60_000);
    const { status } = await moveTo(platform, due?.id ?? '');
    // It is due, so it is done before the item is looked for.
    assert.equal(status, 404);
    assert.equal((await platform.call('getSandboxClock')).body.offsetSeconds, 0);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
  });
});
