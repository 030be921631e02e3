import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prettyFactory } from 'pino-pretty';
import { TERMINAL } from '#app/log.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const BASE = wireNames('Svc').basePath;
const NOBODY = 'Customer:019542f5-b3e7-7d02-8000-0000000000ff';
const TOKEN = { name: 'reader', permissions: ['VIEW'] as ['VIEW'] };

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly platform?: string;
  readonly idempotency?: string;
  readonly requestId: string;
}

describe('the log of requests', () => {
  const world = testWorld();

  async function collectLines(step: () => Promise<unknown>): Promise<Line[]> {
    const before = world.logged.length;
    await step();
    const lines = world.logged.slice(before).map((line) => JSON.parse(line) as Line & { method?: string });
    return lines.filter(({ method }) => method !== undefined);
  }

  const seen = (lines: readonly Line[]) => lines.map(({ msg }) => msg.replace(/\d+ ms$/, 'n ms'));

  const get = (platform: TestPlatform, url: string) =>
    world.app.http.inject({ method: 'GET', url, headers: { authorization: platform.authorization } });

  it('platform.md §11.5: one line per request names the call, its outcome and its duration', async () => {
    const platform = await world.platform();
    const lines = await collectLines(async () => {
      await platform.call('createToken', { body: TOKEN, key: 'one' });
      await platform.send('createToken', { body: { name: 'x' }, key: 'one' });
      await platform.send('getCustomerById', { params: { customerId: NOBODY } });
      await platform.send('listTokens', { query: { name: 'planted' }, as: 'nobody' });
    });
    assert.deepEqual(seen(lines), [
      'POST /tokens 201 n ms',
      'POST /tokens 400 INVALID_INPUT n ms',
      `GET /customers/${NOBODY} 404 CUSTOMER_NOT_FOUND n ms`,
      'GET /tokens 401 UNAUTHORIZED n ms',
    ]);
    assert.deepEqual(
      lines.map(({ platform: id }) => id),
      [platform.id, platform.id, platform.id, undefined],
    );
    assert.ok(lines.every(({ requestId }) => /^[0-9a-f-]{36}$/.test(requestId)));
  });

  it('platform.md §11.5: the line says whether the idempotency key was new, replayed or a conflict', async () => {
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', fullName: 'Ada' } as const;
    const lines = await collectLines(async () => {
      await platform.call('createCustomer', { body, key: 'one' });
      await platform.call('createCustomer', { body, key: 'one' });
      await platform.call('createCustomer', { body: { ...body, fullName: 'Bea' }, key: 'one' });
      await platform.call('createCustomer', { body });
      await platform.call('createToken', { body: TOKEN, key: 'one' });
      await platform.call('createToken', { body: TOKEN, key: 'one' });
    });
    assert.deepEqual(
      lines.map(({ idempotency }) => idempotency),
      ['new', 'replayed', 'conflict', undefined, 'new', 'conflict'],
    );
  });

  it('platform.md §11.5: the line contains no query, no secret of a path and no path parameter other than an id', async () => {
    const platform = await world.platform();
    const lines = await collectLines(async () => {
      await get(platform, `${BASE}/agents/device-codes/PLANTED-CODE/status`);
      await get(platform, `${BASE}/receiver/uma/%24planted%40example.com`);
      await get(platform, `${BASE}/customers/planted?platformCustomerId=planted`);
      await get(platform, `${BASE}/qoutes/planted-secret`);
      await get(platform, '/onboard/planted');
      await get(platform, '/planted/planted-secret');
      await get(platform, `${BASE}/tokens?planted=planted`);
    });
    assert.deepEqual(seen(lines), [
      'GET /agents/device-codes/…/status 404 NOT_FOUND n ms',
      'GET /receiver/uma/… 424 LNURLP_REQUEST_FAILED n ms',
      'GET /customers/… 404 CUSTOMER_NOT_FOUND n ms',
      'GET /qoutes/… 404 NOT_FOUND n ms',
      'GET /onboard/{token} 404 n ms',
      'GET /…/… 404 NOT_FOUND n ms',
      'GET /tokens 200 n ms',
    ]);
    for (const line of lines) assert.doesNotMatch(JSON.stringify(line), /planted/i);
  });

  it('platform.md §11.5: probes are not logged at the usual level', async () => {
    const [line] = await collectLines(() => world.app.http.inject({ url: '/health/live' }));
    assert.equal(line?.level, 20);
  });

  it('platform.md §11.5: in a terminal a request is one readable line', () => {
    const pretty = prettyFactory({ ...TERMINAL, colorize: false });
    const record = {
      requestId: 'r',
      method: 'POST',
      path: '/quotes',
      status: 400,
      code: 'INVALID_INPUT',
      ms: 3,
    };
    const text = pretty({ level: 30, time: 0, ...record, msg: 'POST /quotes 400 INVALID_INPUT 3 ms' });
    assert.match(text, /INFO: POST \/quotes 400 INVALID_INPUT 3 ms \{"requestId":"r"\}\n$/);
    assert.equal(text.split('\n').length, 2);
  });

  it('platform.md §11.5: each failed webhook attempt is one line, without the address', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    receiver.answer(() => ({ status: 503 }));
    await platform.call('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 'Ada' } });
    await platform.call('sendTestWebhook', {});
    const lines = world.logged.filter((line) => line.includes('"msg":"webhook '));
    assert.ok(lines.length > 0);
    for (const line of lines) {
      assert.match(JSON.parse(line).msg, /^webhook [A-Z_.]+ attempt 1: 503$/);
      assert.ok(!line.includes(receiver.url));
    }
  });
});
