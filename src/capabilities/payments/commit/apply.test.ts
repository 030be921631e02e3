import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import { PaymentDraft, type PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { scheduleExpiry } from '#capabilities/payments/machine/outgoing.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { CollectedItems } from '#foundation/database/changes.ts';
import { Change } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('transitions that are applied together', () => {
  const world = testWorld();

  it('quotes of several platforms schedule their shared expiry in one order, whatever the order of the transitions', async () => {
    const platforms = [await givenPlatform(world), await givenPlatform(world)];
    const [low, high] = platforms.sort((a, b) => (a.id < b.id ? -1 : 1)) as [TestPlatform, TestPlatform];
    const transitions = [await newQuote(high), await newQuote(low)];
    const key = transitions[0]?.jobs[0]?.key;
    assert.equal(transitions[1]?.jobs[0]?.key, key);
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    const schedule = (platform: TestPlatform) =>
      other.query(
        `insert into jobs (platform_id, kind, key, payload, due_at, created_at) values ($1, $2, $3, '{}', now(), now())`,
        [platform.id, JOB.expire, key],
      );
    try {
      await other.query('begin');
      await schedule(low);
      const collected = new CollectedItems();
      for (const [i, platform] of [high, low].entries()) {
        const change = await (await platform.work()).read(async (tx) => new Change(tx));
        applyTransition(change, transitions[i] as PaymentTransition);
        collected.addAll(change.collected);
      }
      const applying = world.database.commit(collected.statements());
      await untilBlocked(world.databaseUrl, 1, applying);
      // If the other side had taken the higher lock first, it would now wait for us while we wait for it.
      await schedule(high);
      await other.query('commit');
      // A deadlock would end one of them.
      await applying;
    } finally {
      await other.end();
    }
  });

  /** A quote like a stored one, but not stored yet. */
  async function newQuote(platform: TestPlatform): Promise<PaymentTransition> {
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const { transactionId } = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to,
      send: 1_000n,
    });
    const work = await platform.work();
    const row = await work.read((tx) => findTransaction(tx, uuidOf(transactionId)));
    assert.ok(row);
    const expiresAt = new Date(world.clock.now() + 3_600_000);
    const draft = new PaymentDraft(
      { ...row, id: newUuid(), quote_id: newUuid(), expires_at: expiresAt, version: 0n },
      row.created_at,
    );
    scheduleExpiry(draft);
    return draft.transition();
  }
});
