// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import { resendFailed } from '#edge/webhooks/events/resend-failed.ts';
import { resendMatching } from '#edge/webhooks/resend-matching.ts';
import { sql } from '#foundation/database/sql.ts';
import {
  advance,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const PAYMENTS = 12;
const ROUNDS = 5;
/** At least as many as the pool has connections. */
const SESSIONS = 24;

describe('resends beside commits', () => {
  const world = testWorld();

  it('platform.md §4.2.6a, §4.7.5: events of resources that change meanwhile are resent without a deadlock, and all are delivered', async () => {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    // The endpoint's test is sent only once.
    await world.app.worker.settle(platform.id);
    // Two processes, so that the commits are not one batch.
    const sides = [platform, await world.elsewhere(platform)];
    const payers = await Promise.all(sides.map(() => givenPayer(platform, 1_000_000)));
    const before = await deadlocks();
    for (let round = 0; round < ROUNDS; round++) {
      const payments = await Promise.all(
        Array.from({ length: PAYMENTS }, async (_, i) => {
          const payer = payers[i % payers.length] as (typeof payers)[number];
          const to = await givenOutside(platform, payer.id);
          const quote = await givenQuote(world, platform, {
            from: payer.account('USD').id,
            to,
            send: 100n,
          });
          assert.equal((await execute(platform, quote.id)).status, 200);
          return uuidOf(quote.transactionId);
        }),
      );
      // Every event waits for a retry.
      receiver.answer(() => ({ status: 500 }));
      await world.app.worker.settle(platform.id);
      receiver.answer(() => ({ status: 200 }));
      let isOver = false;
      const resends = resendUntil(() => isOver, platform);
      // Each commit changes a payment and its payer's balance, which are among the resent resources.
      await Promise.all(payments.map((id, i) => fail(sides[i % sides.length] as TestPlatform, id)));
      isOver = true;
      assert.ok((await resends) > 0);
    }
    assert.equal(await deadlocks(), before);
    await advance(platform, 3_600);
    const events = await world.database.query<{ id: string; state: string }>(sql`
      select id, state from events where platform_id = ${platform.id}`);
    assert.ok(events.length > ROUNDS * PAYMENTS * 3);
    const arrived = new Set(receiver.received.map(({ body }) => body.id));
    assert.deepEqual(
      events.filter(({ id, state }) => state !== 'DELIVERED' || !arrived.has(`Webhook:${id}`)),
      [],
    );
  });

  /** The bank cannot pay: the payment fails, and its payer gets the money back. */
  async function fail(platform: TestPlatform, reference: TransactionId): Promise<void> {
    const notices = [{ kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' }, { kind: 'refunded' }] as const;
    await (await platform.work()).write((tx) => receiveReport(tx, { reference, notices }));
  }

  /** Resends everything, in turn as the operator and as the platform do; returns how many events. */
  async function resendUntil(isOver: () => boolean, platform: TestPlatform): Promise<number> {
    const work = await platform.work();
    let resent = 0;
    do {
      const wish = { filter: {}, limit: 10_000, isDry: false, reason: 'a test' };
      resent += (await resendMatching(work, wish)).count;
      const failed = { since: new Date(0), includeSkipped: true };
      resent += (await work.write((tx) => resendFailed(tx, failed))).count;
    } while (!isOver());
    return resent;
  }

  /** Sessions report their statistics late, so each is told to report now. */
  async function deadlocks(): Promise<bigint> {
    await Promise.all(
      Array.from({ length: SESSIONS }, () =>
        world.database.query(sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`),
      ),
    );
    const [row] = await world.database.query<{ deadlocks: bigint }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    return row?.deadlocks ?? 0n;
  }
});
