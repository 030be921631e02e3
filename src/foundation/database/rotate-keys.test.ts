// lane: whole — databases at their limits

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { addKey, KeyringError } from '#foundation/crypto/keyring.ts';
import { sealedKeyId, type Vault } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { type KeySettings, openKeyring } from '#foundation/database/open-keyring.ts';
import { changeMaster, rotateDataKey } from '#foundation/database/rotate-keys.ts';
import { contextColumns, sealedColumns, UNSEALED_BYTES } from '#foundation/database/sealed-columns.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

/** Columns that values were moved to, with the old context that these values stay bound to. */
const MOVED: Readonly<Record<string, string>> = {
  'webhook_keys.private_key': 'platforms.webhook_private_key',
  'codes.target_private': 'wallet_otps.target_private',
  'connectors.next_secret': 'connectors.secret',
};

describe('encryption keys', () => {
  let files: TestDatabase;
  let database: Database;
  let dataDir: string;
  const quietly = { isShared: false, report: () => undefined, wait: async () => undefined };

  // A new database for each test: a rotation concerns all data of a database.
  beforeEach(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url });
    dataDir = await mkdtemp(join(tmpdir(), 'corridor-keys-'));
  });
  afterEach(async () => {
    await database.close();
    await files.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const settings = (encryptionKey?: Buffer, encryptionKeyNext?: Buffer): KeySettings => ({
    encryptionKey,
    encryptionKeyNext,
    dataDir,
  });

  async function addPlatform(vault: Vault, secret: string): Promise<string> {
    const id = newUuid();
    const sealed = vault.seal(secret, `platforms.webhook_private_key:${id}`);
    const now = new Date();
    await database.query(sql`
      with key as (
        insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
        values (${id}, ${id}, '', ${sealed}, ${now}, ${now}))
      insert into platforms (id, name, environment, webhook_key_id, created_at, updated_at)
      values (${id}, 'One', 'SANDBOX', ${id}, ${now}, ${now})`);
    return id;
  }

  async function addKeyedReply(vault: Vault, platformId: string, key: string): Promise<void> {
    const scope = 'POST /svc/2025-10-13/quotes';
    const reply = vault.seal(`reply ${key}`, `idempotency_keys.reply:${platformId}:${scope}:${key}`);
    await database.query(sql`
      insert into idempotency_keys (platform_id, scope, key, body_hash, status, reply, created_at)
      values (${platformId}, ${scope}, ${key}, '', 201, ${reply}, ${new Date()})`);
  }

  async function sealedWith(): Promise<Set<number>> {
    const rows = await database.query<{ value: Buffer }>(sql`
      select private_key as value from webhook_keys
      union all select reply from idempotency_keys`);
    return new Set(rows.map(({ value }) => sealedKeyId(value)));
  }

  it('decision 0002: every column of bytes is declared as sealed or named as a hash', async () => {
    const columns = await database.query<{ name: string; comment: string | null }>(sql`
      select c.relname || '.' || a.attname as name, col_description(c.oid, a.attnum) as comment
        from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
         and a.atttypid = 'bytea'::regtype and not a.attisdropped`);
    const sealed = new Set(
      (await sealedColumns(database.query)).map(({ table, column }) => `${table}.${column}`),
    );
    const forgotten = columns.filter(({ name }) => sealed.has(name) === UNSEALED_BYTES.test(name));
    assert.deepEqual(forgotten, []);
    for (const name of ['webhook_keys.private_key', 'idempotency_keys.reply']) assert.ok(sealed.has(name));
  });

  it('decision 0002: rotation finds the sealed columns in any schema', async () => {
    const before = await sealedColumns(database.query);
    await database.query(sql`alter schema public rename to payments`);
    const url = new URL(files.url);
    url.searchParams.set('options', '-c search_path=payments');
    const moved = openDatabase({ url: url.toString(), connectionsMax: 1 });
    try {
      assert.deepEqual(await sealedColumns(moved.query), before);
    } finally {
      await moved.close();
    }
  });

  it('decision 0002: a sealed value is bound to its column and to its row', async () => {
    for (const sealed of await sealedColumns(database.query)) {
      const place = `${sealed.table}.${sealed.column}`;
      const name = MOVED[place] ?? place;
      if (place === 'codes.code') await assertGenerated(sealed.context);
      else assert.ok(sealed.context.startsWith(`${name}:{`), `${place} is bound to ${sealed.context}`);
      const types = await database.query<{ type: string }>(sql`
        select format_type(atttypid, null) as type from pg_attribute
         where attrelid = ${sealed.table}::regclass and attname = any(${contextColumns(sealed)})`);
      assert.equal(types.length, contextColumns(sealed).length, `${place} names columns it does not have`);
      for (const { type } of types) assert.match(type, /^(uuid|text|integer|bigint|smallint)$/, place);
    }
  });

  /** Codes came from several tables: the database itself derives a code's context, from a former place and the row's ids. */
  async function assertGenerated(context: string): Promise<void> {
    assert.equal(context, '{code_context}');
    const [found] = await database.query<{ generated: string; expression: string }>(sql`
      select a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as expression
        from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = 'codes'::regclass and a.attname = 'code_context'`);
    assert.equal(found?.generated, 's');
    const branches = found.expression.split(/\b(?:THEN|ELSE)\b/).slice(1);
    assert.equal(branches.length, 4, found.expression);
    for (const branch of branches) {
      assert.match(
        branch,
        /'(contact_codes|wallet_otps|card_tokenizations)\.code:'::text \|\| \((owner_id|id)\)::text/,
      );
    }
  }

  it('decision 0002: the database stores keys only wrapped, and another master key is refused', async () => {
    const master = randomBytes(32);
    const { vault } = await openKeyring(database, settings(master));
    const sealed = vault.seal('secret', 'here');
    const again = await openKeyring(database, settings(master));
    assert.equal(again.vault.openText(sealed, 'here'), 'secret');
    await assert.rejects(openKeyring(database, settings(randomBytes(32))), (error) => {
      assert.ok(error instanceof KeyringError);
      assert.match(error.message, /^ENCRYPTION_KEY is not the key with which this database was set up/);
      return true;
    });
  });

  it('decision 0002: processes that start together on a new database agree on its keys', async () => {
    const master = randomBytes(32);
    const rings = await Promise.all(Array.from({ length: 8 }, () => openKeyring(database, settings(master))));
    const sealed = rings.map(({ vault }) => vault.seal('secret', 'here'));
    for (const { vault } of rings) {
      for (const value of sealed) assert.equal(vault.openText(value, 'here'), 'secret');
      assert.deepEqual(vault.fingerprint('a', 'b'), rings[0]?.vault.fingerprint('a', 'b'));
    }
  });

  it('decision 0005: the embedded key is created once, readable by its owner alone, and never for an existing database', async () => {
    const first = await openKeyring(database, settings());
    const path = join(dataDir, 'encryption.key');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const text = await readFile(path, 'utf8');
    const second = await openKeyring(database, settings());
    assert.equal(second.vault.openText(first.vault.seal('x', 'here'), 'here'), 'x');
    assert.equal(await readFile(path, 'utf8'), text);
    await rm(path);
    await assert.rejects(openKeyring(database, settings()), /encryption\.key is missing/);
  });

  it('decision 0005: rotation seals every value again, and all of them still open', async () => {
    const keys = await openKeyring(database, settings(randomBytes(32)));
    const id = await addPlatform(keys.vault, 'pem');
    for (let i = 0; i < 450; i++) await addKeyedReply(keys.vault, id, `key ${i}`);
    const { keyId, resealed, wasContinued } = await rotateDataKey(database, keys, quietly);
    assert.deepEqual({ keyId, resealed, wasContinued }, { keyId: 2, resealed: 451, wasContinued: false });
    assert.deepEqual(await sealedWith(), new Set([2]));
    await keys.refresh();
    assert.equal(keys.vault.currentKeyId, 2);
    const rows = await database.query<{ key: string; scope: string; reply: Buffer }>(sql`
      select key, scope, reply from idempotency_keys`);
    for (const { key, scope, reply } of rows) {
      const context = `idempotency_keys.reply:${id}:${scope}:${key}`;
      assert.equal(keys.vault.openText(reply, context), `reply ${key}`);
    }
  });

  it('decision 0005: an interrupted rotation is continued, not started again', async () => {
    const keys = await openKeyring(database, settings(randomBytes(32)));
    const id = await addPlatform(keys.vault, 'pem');
    for (let i = 0; i < 450; i++) await addKeyedReply(keys.vault, id, `key ${i}`);
    let batches = 0;
    const killed = rotateDataKey(database, keys, {
      ...quietly,
      onBatch: () => {
        batches += 1;
        if (batches === 2) throw new Error('killed');
      },
    });
    await assert.rejects(killed, /killed/);
    assert.deepEqual(await sealedWith(), new Set([1, 2]));
    const { keyId, wasContinued } = await rotateDataKey(database, keys, quietly);
    assert.deepEqual({ keyId, wasContinued }, { keyId: 2, wasContinued: true });
    assert.deepEqual(await sealedWith(), new Set([2]));
  });

  it('decision 0005: a value written under the old key while rotation runs is found too', async () => {
    const keys = await openKeyring(database, settings(randomBytes(32)));
    const id = await addPlatform(keys.vault, 'pem');
    const { resealed } = await rotateDataKey(database, keys, {
      ...quietly,
      // This reply is written after the column of replies was read.
      onBatch: ({ column }) =>
        column.table === 'webhook_keys' ? addKeyedReply(keys.vault, id, 'late') : undefined,
    });
    assert.equal(resealed, 2);
    assert.deepEqual(await sealedWith(), new Set([2]));
  });

  it('decision 0005: a running server opens values of a new key before any process seals with it', async () => {
    const master = randomBytes(32);
    const server = await openKeyring(database, settings(master));
    await addKey(server.store, server.masters, { purpose: 'data', noticeMs: 60_000 });
    await server.refresh();
    assert.equal(server.vault.currentKeyId, 1, 'the notice has not passed');
    const early = await openKeyring(database, settings(master));
    assert.equal(server.vault.openText(early.vault.seal('x', 'here'), 'here'), 'x');
    await database.query(sql`update encryption_keys set created_at = created_at - interval '1 minute'`);
    await server.refresh();
    assert.equal(server.vault.currentKeyId, 2);
  });

  it('decision 0005: a vault that meets an unknown key loads it for the next attempt', async () => {
    const master = randomBytes(32);
    const cutOff = await openKeyring(database, settings(master));
    await addKey(cutOff.store, cutOff.masters, { purpose: 'data', noticeMs: 0 });
    const sealed = (await openKeyring(database, settings(master))).vault.seal('x', 'here');
    assert.throws(() => cutOff.vault.open(sealed, 'here'), /no data key 2/);
    // Waits for the reload that the failure started.
    await cutOff.refresh();
    assert.equal(cutOff.vault.openText(sealed, 'here'), 'x');
  });

  it('decision 0005: a new master key is used at once, and servers that have both keys keep running', async () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const server = await openKeyring(database, settings(old, next));
    const sealed = server.vault.seal('x', 'here');
    await changeMaster(await openKeyring(database, settings(old)), next);
    await server.refresh();
    assert.equal(server.vault.openText(sealed, 'here'), 'x');
    await assert.rejects(openKeyring(database, settings(old)), KeyringError);
    const restarted = await openKeyring(database, settings(next));
    assert.equal(restarted.vault.openText(sealed, 'here'), 'x');
  });

  it('decision 0005: a change of the embedded key that is killed between database and file is completed later', async () => {
    const keys = await openKeyring(database, settings());
    const sealed = keys.vault.seal('x', 'here');
    const staged = await keys.file?.stage();
    assert.ok(staged);
    await changeMaster(keys, staged);
    const restarted = await openKeyring(database, settings());
    assert.equal(restarted.vault.openText(sealed, 'here'), 'x');
    assert.deepEqual(await restarted.file?.stage(), staged, 'the staged key is the one in use: it must stay');
    await restarted.file?.adopt(staged);
    assert.deepEqual(await restarted.file?.read(), [staged]);
    const last = await openKeyring(database, settings());
    assert.equal(last.vault.openText(sealed, 'here'), 'x');
  });
});
