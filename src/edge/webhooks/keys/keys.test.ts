import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import type { Received } from '#tests/harness/receiver.ts';

const DAY = 24 * 60 * 60;

describe('keys of webhooks', () => {
  const world = testWorld();

  async function shown(platform: TestPlatform) {
    const { status, body } = await platform.call('listWebhookKeys');
    assert.equal(status, 200);
    return body.data;
  }

  async function statuses(platform: TestPlatform): Promise<string[]> {
    return (await shown(platform)).map(({ status }) => status);
  }

  /** Requests a test webhook, and returns the published key that verifies its signature. */
  async function signedBy(platform: TestPlatform): Promise<string> {
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.received.splice(0);
    assert.equal((await platform.call('sendWebhookTest')).status, 200);
    const [delivery] = receiver.received as [Received];
    return verifiedBy(delivery, await shown(platform));
  }

  function verifiedBy(
    { headers, raw }: Pick<Received, 'headers' | 'raw'>,
    keys: readonly { id: string; publicKey: string }[],
  ): string {
    const id = String(headers['x-svc-signature-key-id']);
    const key = keys.find((one) => one.id === id);
    assert.ok(key, `${id} is not on show`);
    const { s } = JSON.parse(String(headers['x-svc-signature'])) as { s: string };
    assert.ok(verify('sha256', raw, key.publicKey, Buffer.from(s, 'base64')), `not signed by ${id}`);
    return id;
  }

  const privateKeys = (platform: TestPlatform) =>
    world.database.query<{ id: string }>(
      sql`select id from webhook_keys where platform_id = ${platform.id} order by signs_from`,
    );

  const later = (seconds: number) => new Date(world.clock.now() + seconds * 1_000).toISOString();

  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    it(`platform.md §4.1.4: a platform shows the signing key to every token that may view (${environment})`, async () => {
      const platform = await world.platform({ environment });
      const { body: token } = await platform.call('createToken', {
        body: { name: 'reader', permissions: ['VIEW'] },
      });
      const as = `Basic ${btoa(`${token.clientId}:${token.clientSecret}`)}`;
      const { body } = await platform.call('listWebhookKeys', { as });
      assert.deepEqual(
        body.data.map(({ id: _, ...key }) => key),
        [{ status: 'SIGNING', publicKey: platform.webhookPublicKey, signsFrom: later(0) }],
      );
      assert.match(body.data[0]?.id ?? '', /^WebhookKey:[0-9a-f-]{36}$/);
      const refused = await platform.call('rotateWebhookKey', { as });
      assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
      assert.deepEqual((await platform.call('rotateWebhookKey')).body.data.length, 2);
    });
  }

  it('platform.md §4.1.3–4.1.5: a new key is published before it signs; the old key stays for a while, and is then removed', async () => {
    const platform = await world.platform();
    const [old] = await shown(platform);
    assert.equal(await signedBy(platform), old?.id);
    const { body } = await platform.call('rotateWebhookKey');
    const [first, second] = body.data;
    assert.deepEqual(first, { ...old, goesAt: later(2 * DAY) });
    assert.deepEqual([second?.status, second?.signsFrom, second?.goesAt], ['NEXT', later(DAY), undefined]);
    assert.deepEqual(await shown(platform), body.data);
    assert.equal(await signedBy(platform), first?.id);

    await platform.call('advanceSandboxClock', { body: { seconds: DAY - 1 } });
    assert.deepEqual(await statuses(platform), ['SIGNING', 'NEXT']);
    assert.equal(await signedBy(platform), first?.id);
    await platform.call('advanceSandboxClock', { body: { seconds: 1 } });
    assert.deepEqual(await statuses(platform), ['RETIRING', 'SIGNING']);
    assert.equal(await signedBy(platform), second?.id);

    await platform.call('advanceSandboxClock', { body: { seconds: DAY - 1 } });
    assert.equal((await privateKeys(platform)).length, 2);
    await platform.call('advanceSandboxClock', { body: { seconds: 1 } });
    const { goesAt: _, ...left } = second ?? {};
    assert.deepEqual(await shown(platform), [{ ...left, status: 'SIGNING' }]);
    assert.equal((await privateKeys(platform)).length, 1, 'its private half is deleted');
  });

  it('platform.md §4.1.5: the times can be chosen, even 0', async () => {
    const platform = await world.platform();
    const body = { signsAfterSeconds: 0, keepsOldForSeconds: 7 * DAY };
    const rotated = await platform.call('rotateWebhookKey', { body });
    world.clock.advance(1);
    assert.deepEqual(await statuses(platform), ['RETIRING', 'SIGNING']);
    assert.equal(await signedBy(platform), rotated.body.data[1]?.id);
    world.clock.advance(7 * DAY * 1_000);
    assert.deepEqual(await statuses(platform), ['SIGNING']);
    const none = { signsAfterSeconds: 0, keepsOldForSeconds: 0 };
    const swapped = await platform.call('rotateWebhookKey', { body: none });
    assert.deepEqual(
      swapped.body.data.map(({ status }) => status),
      ['SIGNING'],
    );
    assert.notEqual(swapped.body.data[0]?.id, rotated.body.data[1]?.id);
  });

  it('platform.md §4.1.5: a retry is signed with the key that is current at the attempt', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    receiver.answer({ status: 500 });
    await world.app.worker.settle(platform.id);
    await (await platform.work()).write(async (tx) => {
      const { emit } = await import('#foundation/events/emit.ts');
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: {} });
    });
    await world.app.worker.settle(platform.id);
    await platform.call('rotateWebhookKey', { body: { signsAfterSeconds: 1 } });
    await platform.call('advanceSandboxClock', { body: { seconds: 6 } });
    const [before, since] = receiver.received.filter(({ body }) => body.type !== 'TEST');
    assert.ok(before && since);
    const keys = await shown(platform);
    assert.deepEqual([verifiedBy(before, keys), verifiedBy(since, keys)], [keys[0]?.id, keys[1]?.id]);
  });

  it('platform.md §4.1.5: a second rotation is 409 until the old key is removed, and names that time', async () => {
    const platform = await world.platform();
    await platform.call('rotateWebhookKey');
    const kept = await shown(platform);
    const [signs, goes] = [later(DAY), later(2 * DAY)];
    for (const step of [0, DAY, DAY - 1]) {
      world.clock.advance(step * 1_000);
      const { status, body } = await platform.call('rotateWebhookKey');
      assert.deepEqual([status, body.code], [409, 'CONFLICT']);
      assert.ok(body.message.includes(signs) && body.message.includes(goes), body.message);
    }
    assert.deepEqual(
      (await shown(platform)).map(({ id }) => id),
      kept.map(({ id }) => id),
    );
    // No job has run yet: an expired key blocks nothing.
    world.clock.advance(1_000);
    assert.equal((await platform.call('rotateWebhookKey')).body.data[0]?.id, kept[1]?.id);
    world.clock.advance(2 * DAY * 1_000);
    await world.app.worker.settle(platform.id);
    assert.equal((await privateKeys(platform)).length, 1, 'each rotation sees to its own old key');
  });

  it('platform.md §4.1.6: with `immediately`, even during a rotation, the new key signs and no other is left', async () => {
    const platform = await world.platform();
    await platform.call('rotateWebhookKey');
    const before = await shown(platform);
    const { body } = await platform.call('rotateWebhookKey', { body: { immediately: true } });
    assert.deepEqual(
      body.data.map(({ status, signsFrom, goesAt }) => ({ status, signsFrom, goesAt })),
      [{ status: 'SIGNING', signsFrom: later(0), goesAt: undefined }],
    );
    assert.ok(!before.some(({ id }) => id === body.data[0]?.id));
    assert.equal((await privateKeys(platform)).length, 1);
    assert.equal(await signedBy(platform), body.data[0]?.id);
    await platform.call('advanceSandboxClock', { body: { seconds: 3 * DAY } });
    assert.deepEqual(await shown(platform), body.data, 'what was under way is over');
  });

  it('platform.md §4.1.5, §4.1.6, §10.0.2: bad times are 400, each by name', async () => {
    const platform = await world.platform();
    const wrong = [
      [
        { signsAfterSeconds: -1, keepsOldForSeconds: 7 * DAY + 1 },
        ['keepsOldForSeconds', 'signsAfterSeconds'],
      ],
      [{ signsAfterSeconds: '1', keepsOldForSeconds: 0.5 }, ['keepsOldForSeconds', 'signsAfterSeconds']],
      [{ immediately: true, signsAfterSeconds: 0 }, ['signsAfterSeconds']],
      [
        { immediately: true, signsAfterSeconds: 1, keepsOldForSeconds: 1 },
        ['keepsOldForSeconds', 'signsAfterSeconds'],
      ],
      [{ immediately: 'yes' }, ['immediately']],
    ] as const;
    for (const [body, fields] of wrong) {
      const { status, body: answer } = await platform.send('rotateWebhookKey', { body });
      const errors = (answer as unknown as { details: { errors: { field: string }[] } }).details.errors;
      assert.deepEqual([status, errors.map(({ field }) => field).sort()], [400, fields]);
    }
    assert.deepEqual(await statuses(platform), ['SIGNING']);
  });

  it('platform.md §2.3, §4.1.5: a repeated key is answered with the first rotation', async () => {
    const platform = await world.platform();
    const one = await platform.call('rotateWebhookKey', { body: {}, key: 'once' });
    const two = await platform.call('rotateWebhookKey', { body: {}, key: 'once' });
    assert.deepEqual([two.status, two.raw], [200, one.raw]);
  });

  it('platform.md §4.1.7: the audit log names the resulting keys, and no secret', async () => {
    const platform = await world.platform();
    const { body } = await platform.call('rotateWebhookKey');
    await platform.call('rotateWebhookKey', { body: { immediately: true } });
    const rows = await world.database.query<{ details: { immediately: boolean; keys: object[] } }>(sql`
      select details from audit_log where platform_id = ${platform.id} and action = 'rotateWebhookKey' order by at, id`);
    assert.deepEqual(
      rows.map(({ details }) => [details.immediately, details.keys.length]),
      [
        [false, 2],
        [true, 1],
      ],
    );
    assert.deepEqual(
      rows[0]?.details.keys,
      body.data.map(({ publicKey: _, ...key }) => key),
    );
  });

  it('platform.md §1.1.3, §4.1.5: platforms see and replace their own keys only', async () => {
    const [one, other] = [await world.platform(), await world.platform()];
    const before = await shown(other);
    await one.call('rotateWebhookKey', { body: { immediately: true } });
    assert.deepEqual(await shown(other), before);
    assert.equal(await signedBy(other), before[0]?.id);
  });

  it('platform.md §4.1.4: the database refuses two keys that sign at once, a gap between them, and a platform without one', async () => {
    const platform = await world.platform();
    await platform.call('rotateWebhookKey');
    const [old, next] = await privateKeys(platform);
    const mine = sql`platform_id = ${platform.id}`;
    const wrong = [
      sql`update webhook_keys set signs_until = signs_until + interval '1 hour' where ${mine} and id = ${old?.id}`,
      sql`update webhook_keys set signs_until = signs_until - interval '1 hour' where ${mine} and id = ${old?.id}`,
      sql`update webhook_keys set signs_from = signs_from + interval '1 hour' where ${mine} and id = ${next?.id}`,
      sql`update webhook_keys set signs_until = null, goes_at = null where ${mine} and id = ${old?.id}`,
      sql`update webhook_keys set goes_at = signs_until - interval '1 second' where ${mine} and id = ${old?.id}`,
      sql`delete from webhook_keys where ${mine} and id = ${next?.id}`,
      sql`delete from webhook_keys where ${mine}`,
      sql`update platforms set webhook_key_id = null where id = ${platform.id}`,
      sql`insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
          values (${platform.id}, gen_random_uuid(), '', '', now(), now())`,
    ];
    for (const piece of wrong) await assert.rejects(world.database.query(piece), /constraint/);
    assert.deepEqual(await statuses(platform), ['SIGNING', 'NEXT']);
  });
});
