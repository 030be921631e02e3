import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { SigningKeys, signatureHeader } from '#foundation/crypto/webhook-key.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('webhook keys from the time when a platform had only one', () => {
  const world = testWorld();

  /** The state before the migration that moved them: an encrypted column of the platform's row. */
  const TAKE_BACK = [
    'alter table platforms add column webhook_public_key text, add column webhook_private_key bytea',
    `update platforms p set webhook_public_key = k.public_key, webhook_private_key = k.private_key
       from webhook_keys k where k.platform_id = p.id`,
    'alter table platforms drop column webhook_key_id',
    'drop table webhook_keys',
    "delete from schema_migrations where name = '0037_webhook_keys'",
  ];

  it('platform.md §4.1.4: are published and sign as before, and can be replaced', async () => {
    const platform = await world.platform();
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const sealed = world.app.runtime.vault.seal(
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      `platforms.webhook_private_key:${platform.id}`,
    );
    for (const statement of TAKE_BACK) await world.database.query(rawSql(statement));
    await world.database.query(sql`
      update platforms set webhook_public_key = ${pem}, webhook_private_key = ${sealed} where id = ${platform.id}`);
    const { migrations } = await migrate(world.databaseUrl);
    assert.deepEqual(migrations, ['0037_webhook_keys']);

    const [key, ...others] = (await platform.call('listWebhookKeys')).body.data;
    assert.deepEqual([key?.publicKey, key?.status, others], [pem, 'SIGNING', []]);
    const signing = new SigningKeys(world.app.runtime.vault).keyOf(
      platform.id,
      platform.id as string as Id<'WebhookKey'>,
      sealed,
    );
    assert.ok(signatureHeader(signing, Buffer.from('x')));
    const receiver = await platform.receive();
    assert.equal((await platform.call('sendWebhookTest')).status, 200);
    assert.equal(receiver.received.at(-1)?.headers['x-svc-signature-key-id'], key?.id);
    const { body } = await platform.call('rotateWebhookKey');
    assert.deepEqual(
      body.data.map(({ status }) => status),
      ['SIGNING', 'NEXT'],
    );
  });
});
