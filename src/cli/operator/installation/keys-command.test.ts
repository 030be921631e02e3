// lane: whole — starts and kills processes

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { runKeyCommand } from '#foundation/database/key-commands.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { sql } from '#foundation/database/sql.ts';
import { corridor, launch } from '#tests/harness/corridor-process.ts';
import {
  createPersonKeys,
  createTestDatabase,
  PATIENCE,
  type TestDatabase,
} from '#tests/harness/databases.ts';

describe('the commands of keys, as processes', () => {
  let files: TestDatabase[];
  let database: Database;
  const encryptionKey = randomBytes(32);
  let environment: Record<string, string>;

  before(async () => {
    files = [await createTestDatabase(), await createPersonKeys()];
    const [service, people] = files as [TestDatabase, TestDatabase];
    environment = {
      ...{ DATABASE_URL: service.url, PERSON_KEYS_URL: people.url },
      ENCRYPTION_KEY: encryptionKey.toString('base64'),
    };
    database = openDatabase({ url: service.url, connectionsMax: 4, ...PATIENCE });
    await openKeyring(database, { encryptionKey, encryptionKeyNext: undefined, dataDir: '.' });
  });
  after(async () => {
    await database?.close();
    for (const one of files ?? []) await one.drop();
  });

  const rotation = (...kind: string[]) => [
    'keys',
    'rotate',
    ...kind,
    '--yes',
    '--reason',
    'a test',
    '--json',
  ];

  /** Waits until PostgreSQL has noticed that a killed command is gone. */
  async function untilFree(): Promise<void> {
    await database.query(sql`
      with held as (select pg_advisory_lock(hashtextextended('commands of keys', 0)))
      select pg_advisory_unlock(hashtextextended('commands of keys', 0)) from held`);
  }

  async function listKeys(): Promise<string[]> {
    const rows = await database.query<{ key: string }>(
      sql`select purpose || ' ' || id as key from encryption_keys order by id`,
    );
    return rows.map(({ key }) => key);
  }

  it('decision 0066: while one command runs, every other one is refused, and changes nothing', async () => {
    const keys = await listKeys();
    const repair = ['person-keys', 'repair', '--yes', '--reason', 'a test'];
    await runKeyCommand(environment.DATABASE_URL ?? '', 'keys rotate --hashes', async () => {
      for (const words of [rotation('--hashes'), rotation(), rotation('--people'), repair]) {
        const refused = await corridor(words, environment);
        assert.equal(refused.code, 1, refused.stderr);
        assert.match(
          refused.stderr,
          /Another command changes keys: "corridor keys rotate --hashes on .*Nothing was changed/,
        );
      }
    });
    assert.deepEqual(await listKeys(), keys);
  });

  it('decision 0066: a command that was killed is continued by the next', async () => {
    const first = await launch(rotation('--hashes'), environment);
    await first.prints(/Giving running servers/);
    const keys = await listKeys();
    assert.deepEqual(keys, ['fingerprint 0', 'data 1', 'hash 2']);
    const holders = await database.query(sql`
      select 1 from pg_stat_activity where application_name like 'keys rotate --hashes on %'`);
    assert.equal(holders.length, 1);
    first.kill('SIGKILL');
    await first.finished;
    await untilFree();
    // No server runs here, so the wait for servers can end at once.
    await database.query(sql`update encryption_keys set created_at = created_at - interval '1 minute'`);
    const next = await corridor(rotation('--hashes'), environment);
    assert.equal(next.code, 0, next.stderr);
    assert.deepEqual(JSON.parse(next.stdout), { hashKey: 2, continued: true, rehashed: 0 });
    assert.deepEqual(await listKeys(), keys);
    const [versions] = await database.query(sql`select written, oldest, copied, next from hash_versions`);
    assert.deepEqual(versions, { written: 2, oldest: 2, copied: 2, next: null });
  });
});
