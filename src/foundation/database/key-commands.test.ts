import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { addKey, KeyringError } from '#foundation/crypto/keyring.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { KeyCommandRefused, runKeyCommand } from '#foundation/database/key-commands.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { changeMaster } from '#foundation/database/rotate-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { openDatabaseProxy } from '#tests/harness/database-proxy.ts';
import { createTestDatabase, PATIENCE, type TestDatabase } from '#tests/harness/databases.ts';

describe('commands that change keys (decision 0066)', () => {
  let files: TestDatabase;
  let database: Database;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, ...PATIENCE });
  });
  after(async () => {
    await database?.close();
    await files?.drop();
  });

  const master = randomBytes(32);
  const openKeys = (key = master) =>
    openKeyring(database, { encryptionKey: key, encryptionKeyNext: undefined, dataDir: tmpdir() });

  const storedIds = async () =>
    (await database.query<{ id: number }>(sql`select id from encryption_keys order by id`)).map(
      ({ id }) => id,
    );

  it('decision 0066: if commands begin at once, one runs; the others name it, and do nothing', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const names = Array.from({ length: 6 }, (_, i) => `keys rotate --number ${i}`);
    const refused: string[] = [];
    const runs = names.map(async (name) => {
      try {
        await runKeyCommand(files.url, name, async () => {
          running += 1;
          await gate.promise;
        });
        return name;
      } catch (error) {
        assert.ok(error instanceof KeyCommandRefused, String(error));
        refused.push(error.message);
        // The one that runs ends only when all others were refused.
        if (refused.length === names.length - 1) gate.resolve();
        return undefined;
      }
    });
    const [ran, ...more] = (await Promise.all(runs)).filter((name) => name !== undefined);
    assert.deepEqual([running, more], [1, []]);
    for (const message of refused) {
      assert.ok(message.includes(`"corridor ${ran} on `), message);
      assert.match(
        message,
        /since \d{4}-.*Nothing was changed\. Run this command again when that one has ended\./,
      );
    }
    assert.equal(await runKeyCommand(files.url, 'keys rotate', async () => 'done'), 'done');
  });

  it('decision 0066: a command that fails releases the lock, and its failure is reported', async () => {
    const failed = runKeyCommand(files.url, 'keys rotate', async () => {
      throw new Error('a failure of its own');
    });
    await assert.rejects(failed, /a failure of its own/);
    assert.equal(await runKeyCommand(files.url, 'keys rotate', async () => 'done'), 'done');
  });

  it('decision 0066: a command that loses the connection with its lock stops, and another one can run', async () => {
    const proxy = await openDatabaseProxy(files.url);
    try {
      const begun = Promise.withResolvers<void>();
      const stopped = runKeyCommand(proxy.url, 'keys rotate', async () => {
        begun.resolve();
        await new Promise(() => undefined);
      });
      await begun.promise;
      proxy.refuse();
      await assert.rejects(stopped, /it has stopped\. Run it again: it continues where it stopped/);
      await untilFree();
      assert.equal(await runKeyCommand(files.url, 'keys rotate', async () => 'done'), 'done');
    } finally {
      await proxy.close();
    }
  });

  /** Waits until the server has noticed that the connection is gone. */
  async function untilFree(): Promise<void> {
    await database.query(sql`
      with held as (select pg_advisory_lock(hashtextextended('commands of keys', 0)))
      select pg_advisory_unlock(hashtextextended('commands of keys', 0)) from held`);
  }

  it('decision 0066: keys that are added at once have ids of their own, and none is dropped silently', async () => {
    const { store, masters } = await openKeys();
    const before = await storedIds();
    const purposes = Array.from<unknown, 'data' | 'hash'>({ length: 8 }, (_, i) => (i % 2 ? 'hash' : 'data'));
    const added = await Promise.allSettled(
      purposes.map((purpose) => addKey(store, masters, { purpose, noticeMs: 0 })),
    );
    const ids = added.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(await storedIds(), [...before, ...ids.toSorted((a, b) => a - b)]);
    for (const one of added) {
      if (one.status === 'rejected') assert.ok(one.reason instanceof KeyringError, String(one.reason));
    }
  });

  it('decision 0066: a key that is added while the master key changes is wrapped with the new one, or refused', async () => {
    const next = randomBytes(32);
    const keys = await openKeys();
    const outcomes = await Promise.allSettled([
      changeMaster(keys, next),
      addKey(keys.store, keys.masters, { purpose: 'data', noticeMs: 0 }),
    ]);
    assert.equal(outcomes[0].status, 'fulfilled');
    // All keys open with one master key: no key was left with the old one.
    const { vault } = await openKeys(next);
    assert.equal(vault.openText(vault.seal('x', 'here'), 'here'), 'x');
    await assert.rejects(openKeys(), KeyringError);
  });
});
