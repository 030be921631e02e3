import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testWorld } from '#tests/harness/harness.ts';

describe('paths and ids that are nearly right', () => {
  const world = testWorld();
  const BASE = '/svc/2025-10-13';

  const get = async (url: string) => {
    const { statusCode, body } = await world.app.http.inject({ method: 'GET', url });
    const { code, reason } = JSON.parse(body) as { code: string; reason: string };
    return { status: statusCode, code, reason };
  };

  it('platform.md §1.1.1: the refusal of an unknown path names the declared path that it resembles, and repeats nothing of the sent one', async () => {
    for (const [sent, meant] of [
      [`${BASE}/costumers`, `${BASE}/customers`],
      [`${BASE}/config/`, `${BASE}/config`],
      [`${BASE}/Quotes`, `${BASE}/quotes`],
      [`${BASE}/quotes/Quote:secret-thing/exceute`, `${BASE}/quotes/{quoteId}/execute`],
      ['/customers', `${BASE}/customers`],
    ] as const) {
      const { status, code, reason } = await get(sent);
      assert.deepEqual([status, code], [404, 'NOT_FOUND'], sent);
      assert.equal(reason, `There is no such path. Did you mean ${meant}?`, sent);
    }
  });

  it('platform.md §1.1.1: a path that resembles no declared one gets no suggestion', async () => {
    for (const sent of [`${BASE}/zebra`, `${BASE}/a/b/c/d/e/f`, '/', `${BASE}/${'customers'.repeat(100)}`])
      assert.deepEqual(
        await get(sent),
        { status: 404, code: 'NOT_FOUND', reason: 'There is no such path.' },
        sent,
      );
  });

  it('platform.md §1.2.2: the id of another kind in a path is 404 with the code of the path, and names the kind', async () => {
    const platform = await world.platform();
    const uuid = '019542f5-b3e7-7d02-8000-000000000099';
    const read = (customerId: string) => platform.send('getCustomerById', { params: { customerId } });
    const wrong = await read(`Quote:${uuid}`);
    assert.deepEqual([wrong.status, wrong.body.code], [404, 'CUSTOMER_NOT_FOUND']);
    assert.equal(wrong.body.reason, 'There is no such Customer: the path has the id of another kind, Quote.');
    const [missing, malformed] = [await read(`Customer:${uuid}`), await read('Customer:1')];
    assert.equal(malformed.raw, missing.raw);
  });
});
