// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { provisionJobs } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import type { WalletSeed } from '#foundation/ports/custody.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { givenWallet, logIn, newClientKey, newPerson, type Wallet } from '#tests/harness/wallet-client.ts';

describe('wallets that were opened before there were keys', () => {
  const world = testWorld();

  /** Wallets without keys, and the job that the upgrade schedules for them. */
  async function givenOldWallets(platform: TestPlatform, count: number): Promise<Wallet[]> {
    const wallets: Wallet[] = [];
    for (let i = 0; i < count; i++) wallets.push(await givenWallet(platform, newPerson()));
    await world.database.query(sql`delete from wallet_credentials where platform_id = ${platform.id}`);
    await world.database.query(sql`delete from wallet_keys where platform_id = ${platform.id}`);
    return wallets;
  }

  /** The test's clock is behind the real one, by which migrations date their rows. */
  async function upgrade() {
    const text = await readFile(
      new URL('../../../../migrations/0019_provision_wallets.sql', import.meta.url),
      'utf8',
    );
    await world.database.query(rawSql(text));
    await world.database.query(sql`
      update jobs set due_at = ${new Date(world.clock.now())} where kind = 'wallet-auth.provision'`);
  }

  const jobs = (platform: TestPlatform) =>
    world.database.query(sql`
      select 1 from jobs where platform_id = ${platform.id} and kind = 'wallet-auth.provision'`);
  const keys = (platform: TestPlatform) =>
    world.database.query<{ account_id: string; mnemonic: Buffer }>(sql`
      select account_id, mnemonic from wallet_keys where platform_id = ${platform.id} order by account_id`);
  const listCredentials = async (platform: TestPlatform, accountId: string) =>
    (await platform.call('listAuthCredentials', { query: { accountId } })).body.data;

  it('wallets.md §6.1.21, accounts.md §2.1.5: the upgrade gives each wallet its key and its EMAIL_OTP credential, and its owner can log in', async () => {
    const platform = await world.platform();
    const [wallet] = await givenOldWallets(platform, 1);
    assert.ok(wallet);
    const params = { id: wallet.accountId };
    const early = await platform.send('updateInternalAccount', { params, body: { privateEnabled: true } });
    assert.deepEqual([early.status, early.body.code], [409, 'WALLET_NOT_PROVISIONED']);
    await upgrade();
    await world.app.worker.settle(platform.id);
    const [credential, ...others] = await listCredentials(platform, wallet.accountId);
    assert.deepEqual(others, []);
    assert.deepEqual([credential?.type, credential?.nickname], ['EMAIL_OTP', wallet.customer.email]);
    await logIn(platform, credential?.id ?? '');
    const clientPublicKey = newClientKey().uncompressed;
    const first = await platform.send('exportInternalAccount', { params, body: { clientPublicKey } });
    assert.equal(first.status, 202, first.raw);
    assert.deepEqual(await jobs(platform), []);
  });

  it('an interrupted job, between batches or within one, continues where it stopped', async () => {
    const platform = await world.platform();
    await givenOldWallets(platform, 7);
    await upgrade();
    const step = (runtime: Runtime) =>
      new JobRunner(runtime, provisionJobs({ batchWallets: 3 })).step(platform.id);
    await step(world.app.runtime);
    const first = await keys(platform);
    assert.equal(first.length, 3);
    // The process ends here; the next one dies within its batch.
    await step(failingAfter(2));
    assert.deepEqual(await keys(platform), first);
    assert.equal((await jobs(platform)).length, 1, 'the job is retried later');
    world.clock.advance(60_000);
    while ((await jobs(platform)).length > 0) await step(world.app.runtime);
    const all = await keys(platform);
    assert.equal(all.length, 7);
    const kept = new Map(all.map((key) => [key.account_id, key.mnemonic]));
    for (const { account_id, mnemonic } of first) assert.deepEqual(kept.get(account_id), mnemonic);
    const rows = await world.database.query(sql`
      select account_id from wallet_credentials where platform_id = ${platform.id}`);
    assert.equal(rows.length, 7);
  });

  /** A service that fails to create keys from the nth on. */
  function failingAfter(count: number): Runtime {
    const { runtime } = world.app;
    let made = 0;
    const newSeed = (): WalletSeed => {
      made += 1;
      if (made > count) throw new Error('killed');
      return runtime.ports('SANDBOX').custody.newSeed();
    };
    return {
      ...runtime,
      ports: (environment) => {
        const ports = runtime.ports(environment);
        return { ...ports, custody: { ...ports.custody, newSeed } };
      },
    };
  }

  it('a second run changes nothing; a credential that was added meanwhile stays the only one', async () => {
    const platform = await world.platform();
    const [wallet, other] = await givenOldWallets(platform, 2);
    assert.ok(wallet && other);
    const body = { type: 'SMS_OTP', accountId: wallet.accountId };
    const added = await platform.send('createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    for (let i = 0; i < 2; i++) {
      await upgrade();
      await world.app.worker.settle(platform.id);
      assert.deepEqual(await listCredentials(platform, wallet.accountId), [added.body]);
      assert.equal((await listCredentials(platform, other.accountId)).length, 1);
    }
    const before = await keys(platform);
    await upgrade();
    assert.deepEqual(await jobs(platform), [], 'nothing is left to do');
    assert.deepEqual(await keys(platform), before);
  });

  it('closed wallets, those of deleted customers and other accounts are left out', async () => {
    const platform = await world.platform();
    const [closed, deleted, open] = await givenOldWallets(platform, 3);
    assert.ok(closed && deleted && open);
    const work = await platform.work();
    await work.write((tx) => closeAccount(tx, { accountId: uuidOf(closed.accountId) }));
    const gone = await platform.call('deleteCustomerById', { params: { customerId: deleted.customer.id } });
    assert.equal(gone.status, 200, gone.raw);
    const none = await world.platform();
    const [only] = await givenOldWallets(none, 1);
    await (await none.work()).write((tx) => closeAccount(tx, { accountId: uuidOf(only?.accountId ?? '') }));
    await upgrade();
    assert.deepEqual(await jobs(none), [], 'a platform without such wallets has no job');
    await world.app.worker.settle(platform.id);
    assert.deepEqual(
      (await keys(platform)).map(({ account_id }) => account_id),
      [uuidOf(open.accountId)],
    );
  });
});
