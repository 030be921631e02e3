import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import { parseId } from '#lib/ids.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';
import { givenWallet } from '#tests/wallet-client.ts';

/** What is read for every signed call costs the same however much a wallet has behind it. */
describe('look-ups of wallets', () => {
  const world = testWorld();
  const MANY = 5_000;

  async function scene() {
    const platform = await world.platform();
    const { accountId } = await givenWallet(platform);
    return { platform, accountId: parseId('InternalAccount', accountId) ?? '' };
  }

  /** How many rows a statement has looked at in vain. */
  async function passedOver(platform: TestPlatform, statement: (tx: Tx) => ReturnType<typeof sql>) {
    const work = await platform.work();
    return work.write(async (tx) => {
      // As a connection that has made its plan before the tables grew.
      await tx.sql`set local plan_cache_mode = force_generic_plan`;
      await tx.sql`set local enable_seqscan = off`;
      const lines = await tx.query<{ 'QUERY PLAN': string }>(
        sql`explain (analyze, costs off) ${statement(tx)}`,
      );
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
      return { plan, rows: removed.reduce((sum, count) => sum + count, 0) };
    });
  }

  it('W42: a stamp’s key is found among the wallet’s active sessions, whatever number has ended', async () => {
    const { platform, accountId } = await scene();
    const work = await platform.work();
    await work.write(
      (tx) => tx.sql`
        insert into wallet_sessions
          (platform_id, id, account_id, credential_id, type, nickname, public_keys, created_at, expires_at)
        select ${tx.platformId}, gen_random_uuid(), ${accountId}, gen_random_uuid(), 'EMAIL_OTP', 'a', array['k' || n],
               ${tx.now}::timestamptz - n * interval '20 s',
               ${tx.now}::timestamptz - n * interval '20 s' + interval '15 minutes'
          from generate_series(0, ${MANY - 1}) n`,
    );
    const { plan, rows } = await passedOver(
      platform,
      (tx) =>
        sql`select id from wallet_signers(${tx.platformId}, array[${accountId}::uuid], 'k3', ${tx.now})`,
    );
    assert.match(plan, /rows=1\.00/, plan);
    assert.ok(rows < 50, plan);
  });
});
