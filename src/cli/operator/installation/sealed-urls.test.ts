import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEvents, showEvent } from '#edge/webhooks/log.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

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

  it('operator.md §4.1: no operator is shown the endpoint of a webhook, for whatever reason', async () => {
    const { platform } = await withSecrets();
    const work = await platform.work();
    const [event] = await work.read((tx) => listEvents(tx, { limit: 1 }));
    const id = uuidOf(event?.id ?? '');
    const support = await seatedOperator(world, work.platform, ['support']);
    const page = await support.call('showWebhooks', { id });
    assert.equal(page.body.log.length, 1, JSON.stringify(page));
    assert.doesNotMatch(JSON.stringify(page), /hush/);
    const disclosed = await support.call('discloseWebhooksField', { id }, { field: 'log.0.url' });
    assert.doesNotMatch(JSON.stringify(disclosed), /hush/);
    assert.equal(disclosed.status, 400);
    const answered = await support.call('discloseWebhooksField', { id }, { field: 'log.0.attempt' });
    assert.deepEqual([answered.status, answered.body.value], [200, 1]);
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
