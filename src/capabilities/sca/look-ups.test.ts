import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { purgeChallenges } from '#capabilities/sca/challenges/store.ts';
import { loadAuthentication } from '#capabilities/sca/factor-store.ts';
import { listLocked } from '#capabilities/sca/factors/operator-store.ts';
import { findResetStart } from '#capabilities/sca/factors/reset-store.ts';
import { findSessionFactor } from '#capabilities/sca/standing/store.ts';
import { findDecidingAttempt } from '#foundation/codes/limit-store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { givenEuropean } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { explainSkippedRows } from '#tests/harness/skipped-rows.ts';

const MANY = 3_000;
const DAY_MS = 24 * 60 * 60_000;

/** The reads of every payment and login cost the same, however long a customer's history is. */
describe('look-ups of strong customer authentication', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    return { platform, customerId: uuidOf(await givenEuropean(platform)) };
  }

  /** Every second session was revoked, and all have ended. */
  async function givenEndedSessions(platform: TestPlatform, customerId: string) {
    const work = await platform.work();
    await work.write(
      (tx) => tx.sql`
        insert into sca_sessions (platform_id, id, customer_id, factor, created_at, expires_at, revoked_at)
        select ${tx.platformId}, gen_random_uuid(), ${customerId}, 'SMS_OTP', ${tx.now}::timestamptz - n * interval '1 s',
               case when n % 2 = 0 then ${tx.now}::timestamptz + interval '1 day' else ${tx.now} end,
               case when n % 2 = 0 then ${tx.now}::timestamptz end
          from generate_series(1, ${MANY}) n`,
    );
  }

  it('customers.md §7.8: the search for a live session reads only live ones, however many have ended', async () => {
    const { platform, customerId } = await scene();
    await givenEndedSessions(platform, customerId);
    for (const look of [findSessionFactor, loadAuthentication]) {
      const { plan, rows } = await explainSkippedRows(platform, (tx) => look(tx, customerId));
      assert.match(plan, /sca_sessions_of_customer/);
      assert.ok(rows < 10, plan);
    }
  });

  it('customers.md §7.7a, §7.16: limits are counted with an index, whatever other customers have sent and started', async () => {
    const { platform, customerId } = await scene();
    const other = uuidOf(await givenEuropean(platform));
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`
        insert into code_attempts (platform_id, kind, owner_id, at)
        select ${tx.platformId}, 'SCA_SEND', ${other}, ${tx.now}::timestamptz - n * interval '1 s'
          from generate_series(1, ${MANY}) n`;
      await tx.sql`
        insert into sca_resets (platform_id, id, customer_id, factor, status, created_at, expires_at)
        select ${tx.platformId}, gen_random_uuid(), ${other}, 'TOTP', 'INITIATED', ${tx.now}, ${tx.now}
          from generate_series(1, ${MANY})`;
    });
    const within = { withinMs: DAY_MS };
    for (const look of [
      (tx: ReadTx) => findResetStart(tx, customerId, { nth: 5, ...within }),
      (tx: ReadTx) =>
        findDecidingAttempt(tx, { kind: 'SCA_SEND', ownerId: customerId }, { max: 5, ...within }),
    ]) {
      const { plan, rows } = await explainSkippedRows(platform, look);
      assert.ok(rows < 10, plan);
    }
  });

  it('customers.md §7.17: a purge does not read rows that are still needed', async () => {
    const { platform, customerId } = await scene();
    const work = await platform.work();
    await work.write(
      (tx) => tx.sql`
        insert into sca_challenges
          (platform_id, id, customer_id, purpose, target, factor, webauthn_challenge, created_at, expires_at)
        select ${tx.platformId}, gen_random_uuid(), ${customerId}, 'TRUST', gen_random_uuid(), 'PASSKEY', '\\x00', ${tx.now},
               ${tx.now}
          from generate_series(1, ${MANY})`,
    );
    const { plan, rows } = await explainSkippedRows(platform, (tx) => purgeChallenges(tx, 100));
    assert.ok(rows < 10, plan);
  });

  it('customers.md §7.8: the list of locked customers reads no others', async () => {
    const { platform } = await scene();
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`alter table sca_standings disable trigger all`;
      await tx.sql`
        insert into sca_standings (platform_id, customer_id) select ${tx.platformId}, gen_random_uuid()
          from generate_series(1, ${MANY})`;
      await tx.sql`alter table sca_standings enable trigger all`;
    });
    const { plan, rows } = await explainSkippedRows(platform, (tx) => listLocked(tx, 100));
    assert.ok(rows < 10, plan);
  });
});
