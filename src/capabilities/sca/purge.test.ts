// lane: whole — every lock, every way of a reset, all that voids a challenge; factors and logins stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenEuropean, givenScaSession, startedLogin } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('purging data of strong customer authentication', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform({ settings: { sca: { codePauseSeconds: 1 } } });
    const customer = await givenEuropean(platform);
    return { platform, customer, query: { customerId: customer.id } };
  }

  async function purge(platform: TestPlatform) {
    const work = await platform.work();
    await work.write(async (tx) => {
      for (const one of SERVICE.purges) await one(tx, 1_000);
    });
  }

  async function count(platform: TestPlatform, table: string) {
    const rows = await world.database.query(sql`
      select 1 from ${rawSql(table)} where platform_id = ${platform.id}`);
    return rows.length;
  }

  /** Asserts that it exists until the last moment of its time, and is deleted a moment later. */
  async function assertKept(platform: TestPlatform, table: string, forMs: number) {
    world.clock.advance(forMs - 1);
    await purge(platform);
    assert.equal(await count(platform, table), 1);
    world.clock.advance(2);
    await purge(platform);
    assert.equal(await count(platform, table), 0);
  }

  it('customers.md §7.17: an enrolment is deleted when it can no longer be confirmed', async () => {
    const { platform, query } = await scene();
    await platform.call('startScaFactorEnrollment', { query, body: { type: 'TOTP' } });
    await assertKept(platform, 'sca_enrollments', 10 * MINUTE_MS);
  });

  it('customers.md §7.17: a challenge is deleted a day after it ended', async () => {
    const { platform, customer } = await scene();
    await startedLogin(platform, customer);
    await assertKept(platform, 'sca_challenges', DAY_MS + 5 * MINUTE_MS);
  });

  it('customers.md §7.17: sent codes are counted for a day', async () => {
    const { platform, customer } = await scene();
    await startedLogin(platform, customer);
    await assertKept(platform, 'code_attempts', DAY_MS);
  });

  it('customers.md §7.17: a session is deleted 30 days after its end', async () => {
    const { platform, customer } = await scene();
    await givenScaSession(platform, customer);
    await assertKept(platform, 'sca_sessions', 210 * DAY_MS);
  });

  it('customers.md §7.17: a reset is deleted 30 days after its end', async () => {
    const { platform, query } = await scene();
    await platform.call('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
    await assertKept(platform, 'sca_resets', 30 * DAY_MS + 15 * MINUTE_MS);
  });

  it('customers.md §7.17: platforms do not purge each other’s rows', async () => {
    const [one, other] = [await scene(), await scene()];
    for (const { platform, customer } of [one, other]) await startedLogin(platform, customer);
    world.clock.advance(2 * DAY_MS);
    await purge(one.platform);
    const left = [await count(one.platform, 'sca_challenges'), await count(other.platform, 'sca_challenges')];
    assert.deepEqual(left, [0, 1]);
  });
});
