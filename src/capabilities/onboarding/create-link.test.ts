import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { BUSINESS, EUROPEAN, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  fetchCustomerStatus,
  givenCompletePerson,
  listCustomerEventTypes,
  submitted,
} from '#tests/given/packets.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const UNKNOWN = '019542f5-b3e7-7d02-8000-000000000099';
const DAY_MS = 24 * 3_600_000;

describe('links to the onboarding page (customers.md §6)', () => {
  const world = testWorld();

  const link = (platform: TestPlatform, customerId: string, call: Omit<Call, 'params'> = {}) =>
    platform.send('createCustomerKycLink', { params: { customerId }, ...call });

  const open = (kycUrl: string) => {
    const { pathname, search } = new URL(kycUrl);
    return world.app.http.inject({ method: 'GET', url: `${pathname}${search}` });
  };

  it('customers.md §6.1: one endpoint serves both types; the body is optional', async () => {
    const platform = await world.platform();
    for (const body of [PERSON, BUSINESS]) {
      const customer = await givenCustomer(platform, body);
      const bare = await link(platform, customer.id);
      assert.equal(bare.status, 201, bare.raw);
      assert.deepEqual(Object.keys(bare.body), ['kycUrl', 'expiresAt', 'provider', 'token']);
      assert.equal(new URL(bare.body.kycUrl).search, '');
      assert.equal((await link(platform, customer.id, { body: {} })).status, 201);
    }
  });

  it('customers.md §6.1, platform.md §1.1.8: redirectUri has no user name or password, and its host is in the host position', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const reasons = {
      'https://a:b@host.example/': 'must not contain a user name or password',
      'https://@host.example/': 'must not contain a user name or password',
      'https:///x': 'must name a host right after //',
    };
    for (const [redirectUri, message] of Object.entries(reasons)) {
      const reply = await link(platform, id, { body: { redirectUri } });
      assert.equal(reply.status, 400, redirectUri);
      const { errors } = reply.body.details as { errors: { field: string; message: string }[] };
      assert.deepEqual(
        errors.map(({ field, message }) => [field, message]),
        [['redirectUri', message]],
      );
    }
  });

  it('customers.md §6.1: redirectUri is https, or http for development, and is part of kycUrl', async () => {
    const platform = await world.platform();
    const live = await world.platform({ environment: 'PRODUCTION' });
    const [tried, meant] = [await givenCustomer(platform), await givenCustomer(live)];
    const status = async (where: TestPlatform, id: string, redirectUri: unknown) => {
      const reply = await link(where, id, { body: { redirectUri } });
      if (reply.status !== 201) {
        assert.equal(reply.body.code, 'INVALID_INPUT');
        assert.deepEqual(fieldsOf(reply.body), ['redirectUri']);
      } else {
        assert.equal(new URL(reply.body.kycUrl).searchParams.get('redirectUri'), redirectUri);
      }
      return reply.status;
    };
    const everywhere = ['https://app.example.com/a?b=c&d=%20#e', 'http://localhost:3000/x', 'http://[::1]/'];
    for (const uri of everywhere) {
      assert.equal(await status(platform, tried.id, uri), 201, uri);
      assert.equal(await status(live, meant.id, uri), 201, uri);
    }
    for (const uri of ['http://dev.example.com/', 'http://192.168.0.7:3000/done']) {
      assert.equal(await status(platform, tried.id, uri), 201, uri);
      assert.equal(await status(live, meant.id, uri), 400, uri);
    }
    assert.equal(await status(live, meant.id, 'http://localhost.example.com/'), 400);
    const never = ['', 'app.example.com', 'javascript:alert(1)', 'ftp://example.com', '//example.com', 7];
    never.push('https://', 'https://exa mple.com/', 'https://example.com/\r\nx: y', 'https://example.com/ü');
    for (const uri of never) assert.equal(await status(platform, tried.id, uri), 400, String(uri));
  });

  it('customers.md §6.1: a host that would inject directives into the page’s policy is 400', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    for (const host of ['*', '*.example.com', 'a;sandbox', 'a,b', "'none'", 'a!b', '(x)']) {
      const reply = await link(platform, id, { body: { redirectUri: `https://${host}/done` } });
      assert.equal(reply.status, 400, host);
      assert.deepEqual(fieldsOf(reply.body), ['redirectUri']);
    }
    for (const host of [
      'bücher.example',
      'xn--bcher-kva.example',
      '[::1]:8443',
      '127.0.0.1',
      'a_b.example',
    ]) {
      const redirectUri = new URL(`https://${host}/done`).href;
      assert.equal((await link(platform, id, { body: { redirectUri } })).status, 201, host);
    }
  });

  it('customers.md §6.2: public base, /onboard/, at least 256 random bits; SUMSUB; token; 24 hours', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const { body } = await link(platform, customer.id);
    const [, secret = ''] = /^http:\/\/localhost\/onboard\/([A-Za-z0-9_-]+)$/.exec(body.kycUrl) ?? [];
    // In addition to the sixteen bytes that identify the platform.
    assert.ok(Buffer.from(secret, 'base64url').length >= 16 + 32);
    assert.equal(body.provider, 'SUMSUB');
    assert.equal(body.token, `_act-sbx-jwt-${secret}`);
    assert.equal(body.expiresAt, new Date(world.clock.now() + DAY_MS).toISOString());
    const live = await world.platform({ environment: 'PRODUCTION' });
    const meant = await link(live, (await givenCustomer(live)).id);
    assert.doesNotMatch(meant.body.token, /sbx/);
  });

  it('customers.md §6.2: the secret is not in the database; its hash is', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const { body } = await link(platform, customer.id, { key: 'once' });
    const token = body.kycUrl.split('/').at(-1) ?? '';
    const secret = Buffer.from(token, 'base64url').subarray(16);
    const rows = await world.database.query<{ text: string }>(sql`
      select l::text as text from onboarding_links l where platform_id = ${platform.id}
      union all select k::text from idempotency_keys k where platform_id = ${platform.id}
      union all select a::text from audit_log a where platform_id = ${platform.id}`);
    assert.ok(rows.length >= 3);
    for (const { text } of rows) {
      for (const form of [token, secret.toString('hex'), secret.toString('base64')]) {
        assert.ok(!text.includes(form));
      }
    }
    assert.ok(!world.logged.some((line) => line.includes(token)));
  });

  it('customers.md §6.3: never changes the customer, emits no event, and works in every status', async () => {
    const platform = await world.platform();
    const fresh = await givenCustomer(platform);
    const decided = await givenCompletePerson(platform);
    await submitted(platform, decided.id);
    const pending = await givenCompletePerson(platform, 'Ada Lovelace 001');
    await submitted(platform, pending.id);
    const refused = await givenCompletePerson(platform, 'Ada Lovelace 002');
    await submitted(platform, refused.id);
    const told = await listCustomerEventTypes(platform);
    const expected = { UNVERIFIED: fresh, APPROVED: decided, PENDING: pending, REJECTED: refused };
    for (const [status, { id }] of Object.entries(expected)) {
      const before = await platform.call('getCustomerById', { params: { customerId: id } });
      assert.equal(before.body.kycStatus, status);
      assert.equal((await link(platform, id)).status, 201);
      const after = await platform.call('getCustomerById', { params: { customerId: id } });
      assert.deepEqual(after.body, before.body);
    }
    assert.deepEqual(await listCustomerEventTypes(platform), told);
    assert.equal(await fetchCustomerStatus(platform, fresh.id), 'UNVERIFIED');
  });

  it('customers.md §6.3: each call returns a new link, and older ones stay valid', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const made = [await link(platform, customer.id), await link(platform, customer.id)];
    const urls = made.map(({ body }) => body.kycUrl);
    assert.notEqual(urls[0], urls[1]);
    for (const url of urls) assert.equal((await open(url)).statusCode, 200);
  });

  it('customers.md §6.3: an Idempotency-Key replays the first reply for 24 h; another body is 409', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const call = { key: 'k-1', body: { redirectUri: 'https://example.com/' } };
    const first = await link(platform, customer.id, call);
    const again = await link(platform, customer.id, call);
    assert.equal(again.raw, first.raw);
    assert.equal(again.status, 201);
    const other = await link(platform, customer.id, { key: 'k-1' });
    assert.equal(other.status, 409);
    assert.equal(other.body.code, 'CONFLICT');
    const racing = await Promise.all(
      Array.from({ length: 5 }, () => link(platform, customer.id, { key: 'k-2' })),
    );
    assert.equal(new Set(racing.map(({ raw }) => raw)).size, 1);
  });

  it('customers.md §3.4: 409 CONFLICT until both contacts are verified', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const params = { customerId: customer.id };
    for (const word of ['Email', 'Phone'] as const) {
      const refused = await link(platform, customer.id);
      assert.equal(refused.status, 409);
      assert.equal(refused.body.code, 'CONFLICT');
      await platform.call(`sendCustomer${word}Verification`, { params });
      const confirmed = await platform.call(`confirmCustomer${word}Verification`, {
        params,
        body: { code: '123456' },
      });
      assert.equal(confirmed.status, 200, confirmed.raw);
    }
    assert.equal((await link(platform, customer.id)).status, 201);
  });

  it('customers.md §1: unknown, foreign and deleted customers are 404; missing credentials are 401; missing permission is 403', async () => {
    const platform = await world.platform();
    const stranger = await world.platform();
    const customer = await givenCustomer(platform);
    for (const id of [`Customer:${UNKNOWN}`, 'x', `BeneficialOwner:${UNKNOWN}`]) {
      const missing = await link(platform, id);
      assert.equal(missing.status, 404);
      assert.equal(missing.body.code, 'CUSTOMER_NOT_FOUND');
    }
    assert.equal((await link(stranger, customer.id)).status, 404);
    assert.equal((await link(platform, customer.id, { as: 'nobody' })).status, 401);
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await link(viewer, customer.id)).status, 403);
    const { body } = await link(platform, customer.id);
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal((await link(platform, customer.id)).status, 404);
    // customers.md §2.4.26: deletion revokes open links.
    assert.equal((await open(body.kycUrl)).statusCode, 410);
  });

  it('links that expired 30 days ago are deleted, newer ones kept', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const { body: old } = await link(platform, customer.id);
    const advance = (days: number) =>
      platform.call('advanceSandboxClock', { body: { seconds: (days * DAY_MS) / 1_000 } });
    await advance(20);
    const { body: young } = await link(platform, customer.id);
    await advance(13);
    assert.equal((await open(old.kycUrl)).statusCode, 404);
    assert.equal((await open(young.kycUrl)).statusCode, 410);
  });
});
