import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEvents, showEvent } from '#edge/webhooks/log.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const REDIRECT = 'https://app.example/done?session=hush-redirect';

describe('URLs given by platforms', () => {
  const world = testWorld();

  it('decision 0002: a secret in the query of an endpoint or a redirect is stored nowhere in the clear, and not logged', async () => {
    const { platform, endpoint, link } = await withSecrets();
    assert.deepEqual(await tablesWith('hush'), []);
    assert.deepEqual(
      world.logged.filter((line) => line.includes('hush')),
      [],
    );
    await stillShown(platform, endpoint, link);
  });

  it('decision 0002: a URL cannot be written in the clear into an encrypted column', async () => {
    await withSecrets();
    const places = [
      sql`platform_configs set webhook_endpoint`,
      sql`webhook_attempts set url`,
      sql`onboarding_links set redirect_uri`,
    ];
    for (const place of places) {
      await assert.rejects(world.database.query(sql`update ${place} = ${REDIRECT}`), { code: '23514' });
    }
    assert.deepEqual(await tablesWith('hush'), []);
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

  async function stillShown(platform: TestPlatform, endpoint: string, link: string): Promise<void> {
    const { body } = await platform.call('getPlatformConfig');
    assert.equal(body.webhookEndpoint, endpoint);
    const work = await platform.work();
    const [event] = await work.read((tx) => listEvents(tx, { limit: 1 }));
    const { log } = await work.read((tx) => showEvent(tx, {}, event?.id ?? ''));
    assert.equal(log[0]?.url, endpoint);
    const page = await world.app.http.inject({ method: 'GET', url: new URL(link).pathname });
    assert.match(String(page.headers['content-security-policy']), /https:\/\/app\.example/);
  }

  /** The tables with a row that contains the text. */
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
