import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { verifySignature } from '#foundation/crypto/p256.ts';
import { sealedKeyId } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { openServiceKey } from '#foundation/database/open-service-key.ts';
import { rotateDataKey } from '#foundation/database/rotate-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

describe('the service key', () => {
  let files: TestDatabase;
  let database: Database;
  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url });
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  it('wallets.md §5.17: processes that start together agree on one key, which a rotation seals again', async () => {
    const settings = { encryptionKey: randomBytes(32), encryptionKeyNext: undefined, dataDir: '' };
    const keys = await openKeyring(database, settings);
    const open = () => openServiceKey(database, keys.vault);
    const opened = await Promise.all(Array.from({ length: 8 }, open));
    assert.equal(new Set(opened.map(({ publicKey }) => publicKey.compressed)).size, 1);
    const [first, second] = opened;
    assert.ok(first && second);
    const signature = await first.sign('text');
    assert.ok(await verifySignature(second.publicKey.compressed, 'text', signature));

    await rotateDataKey(database, keys, {
      isShared: false,
      report: () => undefined,
      wait: async () => undefined,
    });
    await keys.refresh();
    const rows = await database.query<{ private_key: Buffer }>(sql`select private_key from service_keys`);
    assert.deepEqual(
      rows.map((row) => sealedKeyId(row.private_key)),
      [2],
    );
    assert.deepEqual((await open()).publicKey, first.publicKey);
  });

  it('wallets.md §5.17: the key cannot be removed, and there cannot be a second one', async () => {
    await assert.rejects(database.query(sql`delete from service_keys`), /never removed/);
    const second = sql`insert into service_keys (id, private_key) values (2, '')`;
    await assert.rejects(database.query(second), /service_keys_id_check/);
  });
});
