// lane: whole — every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { sql } from '#foundation/database/sql.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { callSigned, givenWallet, logIn, newClientKey } from '#tests/harness/wallet-client.ts';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;
const FIVE_MINUTES_MS = 300 * SECOND_MS;
const SESSION_MS = 900 * SECOND_MS;

describe('purging old rows of wallets', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    return { platform, ...(await givenWallet(platform)) };
  }

  async function purge(platform: TestPlatform) {
    const work = await platform.work();
    await work.write(async (tx) => {
      for (const one of SERVICE.purges) await one(tx, 1_000);
    });
  }

  async function count(platform: TestPlatform, table: 'signed_requests' | 'codes' | 'code_attempts') {
    const tables = {
      signed_requests: sql`signed_requests`,
      codes: sql`codes`,
      code_attempts: sql`code_attempts`,
    };
    const rows = await world.database.query(
      sql`select 1 from ${tables[table]} where platform_id = ${platform.id}`,
    );
    return rows.length;
  }

  it('wallets.md §6.7.42: pending requests are deleted a day after they expired, used or not', async () => {
    const { platform, accountId, credentialId } = await scene();
    const { key } = await logIn(platform, credentialId);
    const call = { params: { id: accountId }, body: { privateEnabled: true } };
    assert.equal((await callSigned(platform, key, 'updateInternalAccount', call)).status, 200);
    assert.equal((await platform.send('updateInternalAccount', call)).status, 202);
    const before = await count(platform, 'signed_requests');
    assert.equal(before, 3, 'the login’s, the used one and the open one');
    world.clock.advance(FIVE_MINUTES_MS + DAY_MS);
    await purge(platform);
    assert.equal(await count(platform, 'signed_requests'), before);
    world.clock.advance(1);
    await purge(platform);
    assert.equal(await count(platform, 'signed_requests'), 0);
  });

  it('wallets.md §6.7.42: codes are deleted a day after they expired', async () => {
    const { platform, credentialId } = await scene();
    await platform.send('challengeAuthCredential', { params: { id: credentialId } });
    world.clock.advance(FIVE_MINUTES_MS + DAY_MS);
    await purge(platform);
    assert.equal(await count(platform, 'codes'), 1);
    world.clock.advance(1);
    await purge(platform);
    assert.equal(await count(platform, 'codes'), 0);
  });

  it('wallets.md §1: attempts are deleted after the longest limit, a day', async () => {
    const { platform, credentialId } = await scene();
    await platform.send('challengeAuthCredential', { params: { id: credentialId } });
    world.clock.advance(DAY_MS);
    await platform.send('challengeAuthCredential', { params: { id: credentialId } });
    const before = await count(platform, 'code_attempts');
    await purge(platform);
    assert.equal(await count(platform, 'code_attempts'), before);
    world.clock.advance(1);
    await purge(platform);
    assert.equal(await count(platform, 'code_attempts'), before / 2);
  });

  it('wallets.md §6.7.41: an ended session can be found for 30 days, and then not, purged or not', async () => {
    const { platform, accountId, credentialId } = await scene();
    const expired = await logIn(platform, credentialId);
    const revoked = await logIn(platform, credentialId);
    const params = { id: revoked.session.id };
    assert.equal((await callSigned(platform, revoked.key, 'revokeAuthSession', { params })).status, 204);
    const refresh = async (id: string) => {
      const body = { clientPublicKey: newClientKey().uncompressed };
      const reply = await platform.send('refreshAuthSession', { params: { id }, body });
      return [reply.status, reply.body.code];
    };
    const known = [401, 'UNAUTHORIZED'];
    const unknown = [404, 'SESSION_NOT_FOUND'];
    world.clock.advance(30 * DAY_MS);
    await purge(platform);
    assert.deepEqual(await refresh(revoked.session.id), known);
    world.clock.advance(1);
    assert.deepEqual(await refresh(revoked.session.id), unknown);
    world.clock.advance(SESSION_MS - 1);
    await purge(platform);
    assert.deepEqual(await refresh(expired.session.id), known);
    world.clock.advance(1);
    assert.deepEqual(await refresh(expired.session.id), unknown);
    await purge(platform);
    const rows = await world.database.query(sql`
      select 1 from wallet_sessions where platform_id = ${platform.id}`);
    assert.deepEqual(rows, []);
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    assert.equal(body.data.length, 1, 'credentials stay');
  });

  it('platforms do not purge each other’s rows', async () => {
    const [one, other] = [await scene(), await scene()];
    for (const { platform, credentialId } of [one, other]) {
      await platform.send('challengeAuthCredential', { params: { id: credentialId } });
    }
    world.clock.advance(2 * DAY_MS);
    await purge(one.platform);
    assert.deepEqual([await count(one.platform, 'codes'), await count(other.platform, 'codes')], [0, 1]);
  });
});
