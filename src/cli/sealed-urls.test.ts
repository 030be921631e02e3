import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Vault } from '#crypto/vault.ts';
import { sealClear } from '#database/seal-clear.ts';
import { clearColumns } from '#database/sealed-columns.ts';
import { rawSql, sql } from '#database/sql.ts';
import { givenCustomer } from '#tests/given-customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';
import { listEvents, showEvent } from '#webhooks/log.ts';

const REDIRECT = 'https://app.example/done?session=hush-redirect';

describe('URLs that platforms give', () => {
  const world = testWorld();

  it('decision 0002: a secret in the query of an endpoint or of a redirect lies open nowhere, nor in the log', async () => {
    const { platform, endpoint, link } = await withSecrets();
    assert.deepEqual(await tablesWith('hush'), []);
    assert.deepEqual(
      world.logged.filter((line) => line.includes('hush')),
      [],
    );
    await stillShown(platform, endpoint, link);
  });

  it('decision 0002: what an earlier version left in clear is sealed, by whoever opens the keys, and goes on where it was cut off', async () => {
    const { platform, endpoint, link } = await withSecrets();
    await leaveInClear(platform, endpoint);
    assert.equal((await tablesWith('hush')).length, 3);
    const { vault } = world.app.runtime;
    let seals = 0;
    const cutOff: Vault = {
      ...vault,
      seal(plain, context) {
        if (++seals > 1) throw new Error('killed');
        return vault.seal(plain, context);
      },
    };
    await assert.rejects(sealClear(world.database, cutOff), /killed/);
    await Promise.all([sealClear(world.database, vault), sealClear(world.database, vault)]);
    assert.deepEqual(await tablesWith('hush'), []);
    assert.equal(await sealClear(world.database, vault), 0);
    await stillShown(platform, endpoint, link);
  });

  it('decision 0002: an earlier version that still runs cannot write one as it is where it belongs sealed', async () => {
    await withSecrets();
    for (const { sealed } of await clearColumns(world.database.query)) {
      const [table, column] = [rawSql(sealed.table), rawSql(sealed.column)];
      const asItIs = sql`update ${table} set ${column} = ${REDIRECT}`;
      await assert.rejects(world.database.query(asItIs), { code: '23514' }, sealed.table);
    }
    assert.deepEqual(await tablesWith('hush'), []);
  });

  it('every column in clear names the one that takes its place, and has an index that says whether anything is left', async () => {
    for (const { name, sealed } of await clearColumns(world.database.query)) {
      const rows = await world.database.query(sql`
        select from pg_indexes where tablename = ${sealed.table} and indexdef like ${`%WHERE (${name} IS NOT NULL)`}`);
      assert.equal(rows.length, 1, `${sealed.table}.${name}`);
    }
    assert.equal((await clearColumns(world.database.query)).length, 3);
  });

  /** A platform with one delivered webhook, and a customer with a link. */
  async function withSecrets() {
    const platform = await world.platform();
    const receiver = await platform.receive();
    const endpoint = `${receiver.url}?key=hush-endpoint`;
    const set = await platform.call('updatePlatformConfig', { body: { webhookEndpoint: endpoint } });
    assert.equal(set.body.webhookEndpoint, endpoint);
    const customer = await givenCustomer(platform);
    const made = await platform.call('createCustomerKycLink', {
      params: { customerId: customer.id },
      body: { redirectUri: REDIRECT },
      key: 'one link',
    });
    assert.equal(made.status, 201, made.raw);
    await world.app.worker.settle(platform.id);
    return { platform, endpoint, link: made.body.kycUrl as string };
  }

  /** As the columns were before they were sealed. */
  async function leaveInClear(platform: TestPlatform, endpoint: string): Promise<void> {
    const { query } = world.database;
    await query(sql`
      update platform_configs set webhook_endpoint = null, webhook_endpoint_clear = ${endpoint}
       where platform_id = ${platform.id}`);
    await query(sql`
      update webhook_attempts set url = null, url_clear = ${endpoint} where platform_id = ${platform.id}`);
    await query(sql`
      update onboarding_links set redirect_uri = null, redirect_uri_clear = ${REDIRECT}
       where platform_id = ${platform.id}`);
  }

  async function stillShown(platform: TestPlatform, endpoint: string, link: string): Promise<void> {
    const { body } = await platform.call('getPlatformConfig');
    assert.equal(body.webhookEndpoint, endpoint);
    const work = await platform.work();
    const [event] = await work.read((tx) => listEvents(tx, { limit: 1 }));
    const { log } = await work.read((tx) => showEvent(tx, event?.id ?? ''));
    assert.equal(log[0]?.url, endpoint);
    const page = await world.app.http.inject({ method: 'GET', url: new URL(link).pathname });
    assert.match(String(page.headers['content-security-policy']), /https:\/\/app\.example/);
  }

  /** Tables with a row that shows the text. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await world.database.query<{ name: string }>(
      sql`select relname as name from pg_stat_user_tables order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await world.database.query(
        sql`select from ${rawSql(name)} t where t::text like ${`%${text}%`} limit 1`,
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
});
