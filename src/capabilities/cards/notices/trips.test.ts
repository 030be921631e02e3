import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { App } from '#app/app.ts';
import type { Authorization, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import { Work } from '#foundation/database/work.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { givenCardholder } from '#tests/given/purchases.ts';
import type { DatabaseProxy } from '#tests/harness/database-proxy.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { openProxiedApp, type ProxiedApp } from '#tests/harness/proxied-app.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Counts the database round trips of the one call in payments that has a deadline. */
describe('the round trips of the decision on an authorization', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let proxy: DatabaseProxy;
  let opened: ProxiedApp;
  let app: App;

  before(async () => {
    platform = await givenPlatform(world, { settings: { cards: { decisionMs: 60_000 } } as never });
    opened = await openProxiedApp(world);
    ({ app, proxy } = opened);
  });
  after(() => opened.close());

  const asking = (cardId: CardId, amount: bigint, more: Partial<Authorization> = {}): Authorization => ({
    kind: 'authorization',
    asks: 'DEBIT',
    isFinal: false,
    id: randomUUID(),
    token: randomUUID(),
    cardId,
    amount,
    merchant: { descriptor: 'CORNER BOOKS' },
    ...more,
  });

  async function given(cents: number) {
    const cardId = uuidOf((await givenCardholder(platform, cents)).cardId);
    const inside = await platform.work();
    const work = new Work(app.runtime, inside.platform, inside.actor);
    const ask = (amount: bigint, more?: Partial<Authorization>) =>
      receiveNotice(work, asking(cardId, amount, more));
    return { cardId, ask };
  }

  /** The trips of one decision, after all connections have prepared the statements. */
  async function countTrips(decide: () => Promise<NoticeAnswer>): Promise<[number, NoticeAnswer]> {
    for (let i = 0; i < 8; i++) await decide();
    Object.assign(proxy.passed, { statements: 0, trips: 0 });
    const answer = await decide();
    return [proxy.passed.trips, answer];
  }

  it('cards.md §6.6: one trip to look, one to commit, approved or declined, held or captured at once', async () => {
    const { ask } = await given(1_000_000);
    assert.deepEqual(await countTrips(() => ask(100n)), [2, { isApproved: true }]);
    assert.deepEqual(await countTrips(() => ask(100n, { isFinal: true })), [2, { isApproved: true }]);
    assert.deepEqual(await countTrips(() => ask(0n, { asks: 'INQUIRY' })), [2, { isApproved: true }]);
    const declined = { isApproved: false, reason: 'INSUFFICIENT_FUNDS' };
    assert.deepEqual(await countTrips(() => ask(9_000_000n)), [2, declined]);
  });

  it('cards.md §6.10: a known notice costs one', async () => {
    const { ask } = await given(1_000);
    const id = randomUUID();
    assert.deepEqual(await countTrips(() => ask(100n, { id })), [1, { isApproved: true }]);
  });

  it('cards.md §6.6: a third if another authorization takes the money between the two', async () => {
    const { cardId, ask } = await given(1_000);
    let isTaken = false;
    /** Lets another authorization take the rest as soon as everything was loaded. */
    const commit: typeof app.runtime.commit = async (change) => {
      if (!isTaken) await receiveNotice(await platform.work(), asking(cardId, 1_000n));
      isTaken = true;
      return app.runtime.commit(change);
    };
    await countTrips(() => ask(0n));
    Object.assign(proxy.passed, { statements: 0, trips: 0 });
    const inside = await platform.work();
    const work = new Work({ ...app.runtime, commit }, inside.platform, inside.actor);
    const answer = await receiveNotice(work, asking(cardId, 500n));
    assert.deepEqual(answer, { isApproved: false, reason: 'INSUFFICIENT_FUNDS' });
    assert.equal(proxy.passed.trips, 3);
  });
});
