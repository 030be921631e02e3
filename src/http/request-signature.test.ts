import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SigningKeys, signatureHeader } from '#crypto/webhook-key.ts';
import { sql } from '#database/sql.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';

describe('requests that are signed', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await world.platform();
  });

  /** What somebody who has the private half of the platform's key would send. */
  async function signature(of: TestPlatform, body: string): Promise<string> {
    const [row] = await world.database.query<{ sealed: Buffer }>(
      sql`select webhook_private_key as sealed from platforms where id = ${of.id}`,
    );
    assert.ok(row);
    const key = new SigningKeys(world.app.runtime.vault).keyOf(of.id, row.sealed);
    return signatureHeader(key, Buffer.from(body));
  }

  const BODY = JSON.stringify({ name: 'signed', permissions: ['VIEW'] });

  it('platform.md §4.5: one that verifies over the exact bytes of the body is taken, as is one without', async () => {
    const signed = await platform.send('createToken', {
      body: BODY,
      headers: { 'x-svc-signature': await signature(platform, BODY) },
    });
    assert.equal(signed.status, 201);
    const empty = { headers: { 'x-svc-signature': await signature(platform, '') } };
    assert.equal((await platform.call('listTokens', empty)).status, 200);
    assert.equal((await platform.call('listTokens')).status, 200);
  });

  it('platform.md §4.5, §10.2: malformed, of another body or by another key it is 401 INVALID_SIGNATURE', async () => {
    const before = (await platform.call('listTokens')).body.totalCount;
    const s = JSON.parse(await signature(platform, BODY)).s as string;
    const headers = [
      '',
      'signed',
      s,
      '{}',
      JSON.stringify({ v: '2', s }),
      JSON.stringify({ v: '1', s: 7 }),
      JSON.stringify({ v: '1', s: '' }),
      await signature(platform, `${BODY} `),
      await signature(await world.platform(), BODY),
    ];
    for (const header of headers) {
      const { status, body } = await platform.send('createToken', {
        body: BODY,
        headers: { 'x-svc-signature': header },
      });
      assert.deepEqual([status, body.code], [401, 'INVALID_SIGNATURE'], header);
    }
    assert.equal((await platform.call('listTokens')).body.totalCount, before);
  });
});
