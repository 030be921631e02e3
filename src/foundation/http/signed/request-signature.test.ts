import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SigningKeys, signatureHeader } from '#foundation/crypto/webhook-key.ts';
import { sql } from '#foundation/database/sql.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('signed requests', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await world.platform();
  });

  /** The signature header of a caller that has the private half of the platform's key. */
  async function signature(of: TestPlatform, body: string, which: 'old' | 'new' = 'old'): Promise<string> {
    const rows = await world.database.query<{ id: Id<'WebhookKey'>; sealed: Buffer }>(sql`
      select id, private_key as sealed from webhook_keys where platform_id = ${of.id} order by signs_from`);
    const row = which === 'old' ? rows[0] : rows.at(-1);
    assert.ok(row);
    const key = new SigningKeys(world.app.runtime.vault).keyOf(of.id, row.id, row.sealed);
    return signatureHeader(key, Buffer.from(body));
  }

  const BODY = JSON.stringify({ name: 'signed', permissions: ['VIEW'] });

  it('platform.md §4.5: a signature that verifies over the exact bytes of the body is accepted, as is a request without one', async () => {
    const signed = await platform.send('createToken', {
      body: BODY,
      headers: { 'x-svc-signature': await signature(platform, BODY) },
    });
    assert.equal(signed.status, 201);
    const empty = { headers: { 'x-svc-signature': await signature(platform, '') } };
    assert.equal((await platform.call('listTokens', empty)).status, 200);
    assert.equal((await platform.call('listTokens')).status, 200);
  });

  it('platform.md §4.5: during a key rotation either key is accepted, only the named key if one is named, and no key that has expired', async () => {
    const rotating = await world.platform();
    await rotating.call('rotateWebhookKey', { body: { signsAfterSeconds: 60, keepsOldForSeconds: 60 } });
    const [old, next] = (await rotating.call('listWebhookKeys')).body.data;
    assert.ok(old && next);
    const [byOld, byNext] = [await signature(rotating, ''), await signature(rotating, '', 'new')];
    const sendForStatus = async (signed: string, keyId?: string) => {
      const headers = { 'x-svc-signature': signed, ...(keyId && { 'x-svc-signature-key-id': keyId }) };
      return (await rotating.call('listTokens', { headers })).status;
    };
    assert.deepEqual([await sendForStatus(byOld), await sendForStatus(byNext)], [200, 200]);
    assert.deepEqual([await sendForStatus(byOld, old.id), await sendForStatus(byNext, next.id)], [200, 200]);
    assert.equal(await sendForStatus(byNext, next.id.replace('WebhookKey:', '')), 200);
    const foreign = (await (await world.platform()).call('listWebhookKeys')).body.data[0]?.id ?? '';
    for (const wrong of [old.id, 'WebhookKey:1', 'nothing', foreign]) {
      assert.equal(await sendForStatus(byNext, wrong), 401, wrong);
    }
    await rotating.call('advanceSandboxClock', { body: { seconds: 60 } });
    assert.deepEqual([await sendForStatus(byOld), await sendForStatus(byNext)], [200, 200]);
    await rotating.call('advanceSandboxClock', { body: { seconds: 60 } });
    assert.deepEqual([await sendForStatus(byOld), await sendForStatus(byOld, old.id)], [401, 401]);
    assert.equal(await sendForStatus(byNext), 200);
  });

  it('platform.md §4.5, §10.2: a signature that is malformed, of another body or by another key is 401 INVALID_SIGNATURE', async () => {
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
