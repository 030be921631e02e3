import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isContactTaken } from '#capabilities/wallet-auth/contacts/store.ts';
import { findSigners } from '#capabilities/wallet-auth/session-store.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { explainSkippedRows } from '#tests/harness/skipped-rows.ts';
import { givenWallet } from '#tests/harness/wallet-client.ts';

/** The reads of every signed request cost the same, however many rows a wallet has. */
describe('look-ups of wallets', () => {
  const world = testWorld();
  const MANY = 5_000;

  async function scene() {
    const platform = await world.platform();
    const { accountId } = await givenWallet(platform);
    return { platform, accountId: uuidOf(accountId) };
  }

  it('wallets.md §6.7.42: a stamp’s key is found among the wallet’s active sessions, however many have ended', async () => {
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
    const { plan, rows } = await explainSkippedRows(platform, (tx) => findSigners(tx, [accountId], 'k3'));
    assert.match(plan, /rows=1\.00/, plan);
    assert.ok(rows < 50, plan);
  });

  it('wallets.md §6.11.49: whether a contact is taken is read along an index, however many wallets there are', async () => {
    const { platform, accountId } = await scene();
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`
        insert into internal_accounts
        select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'status', 'CLOSED'))).*
          from internal_accounts a, generate_series(1, ${MANY})
         where a.platform_id = ${tx.platformId} and a.id = ${accountId}`;
      await tx.sql`
        insert into wallet_credentials (platform_id, id, account_id, type, nickname, created_at, updated_at)
        select platform_id, gen_random_uuid(), id, 'EMAIL_OTP', 'Ada.' || id || '@Example.com', ${tx.now}, ${tx.now}
          from internal_accounts where platform_id = ${tx.platformId} and id <> ${accountId}`;
    });
    const stranger = '00000000-0000-4000-8000-000000000000' as Id<never>;
    const { plan, rows } = await explainSkippedRows(platform, (tx) =>
      isContactTaken(tx, stranger, 'EMAIL_OTP', 'nobody@example.com'),
    );
    assert.match(plan, /wallet_credentials_by_folded_contact/, plan);
    assert.ok(rows < 50, plan);
  });
});
