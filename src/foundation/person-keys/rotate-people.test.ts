import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { type OpenedKeyring, openKeyring } from '#foundation/database/open-keyring.ts';
import { rotateDataKey } from '#foundation/database/rotate-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { openPersonKeys, type PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { wrappedPeople } from '#foundation/person-keys/rewrap.ts';
import { type RotatePeopleOptions, rotatePeople } from '#foundation/person-keys/rotate-people.ts';
import {
  createPersonKeys,
  createTestDatabase,
  PATIENCE,
  type TestDatabase,
} from '#tests/harness/databases.ts';

describe('the rotation of keys of people', () => {
  let files: TestDatabase[];
  let database: Database;
  let store: Database;
  let keys: OpenedKeyring;
  let dataDir: string;
  const platform = newUuid<'Platform'>();
  const quietly = { isShared: false, report: () => undefined, wait: async () => undefined };

  // Each test has new databases, because a rotation concerns all data of a database.
  beforeEach(async () => {
    files = [await createTestDatabase(), await createPersonKeys()];
    [database, store] = files.map(({ url }) => openDatabase({ url, connectionsMax: 2, ...PATIENCE })) as [
      Database,
      Database,
    ];
    dataDir = await mkdtemp(join(tmpdir(), 'corridor-people-'));
    keys = await openKeyring(database, {
      encryptionKey: randomBytes(32),
      encryptionKeyNext: undefined,
      dataDir,
    });
  });
  afterEach(async () => {
    for (const opened of [database, store]) await opened.close();
    for (const one of files) await one.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** The keys of people, as another process opens them. */
  const open = (): Promise<PersonSealing> =>
    openPersonKeys({ database, store, vault: keys.vault, clock: systemClock });

  const contextOf = (key: string) => `idempotency_keys.reply:${platform}:scope:${key}`;

  async function addReply({ vault }: PersonSealing, key: string, people: readonly string[]): Promise<void> {
    await database.query(sql`
      insert into idempotency_keys (platform_id, scope, key, body_hash, status, reply, created_at)
      values (${platform}, 'scope', ${key}, '', 201, ${vault.sealFor(people, `reply ${key}`, contextOf(key))}, now())`);
  }

  async function readReplies({ vault, personKeys }: PersonSealing) {
    const rows = await database.query<{ key: string; reply: Buffer }>(sql`
      select key, reply from idempotency_keys order by key`);
    await personKeys.loadFor(rows.map(({ reply }) => reply));
    return rows.map(({ key, reply }) => ({
      key,
      text: vault.openKept(reply, contextOf(key)),
      generations: readReferences(reply).map(({ generation }) => generation),
    }));
  }

  async function generationsLeft(): Promise<number[]> {
    const rows = await store.query<{ generation: number }>(sql`
      select distinct generation from person_keys order by generation`);
    return rows.map(({ generation }) => generation);
  }

  async function givenPeople(server: PersonSealing) {
    const [ada, bob, eve] = [newUuid(), newUuid(), newUuid()];
    await server.personKeys.ensure(platform, [ada, bob, eve]);
    await addReply(server, 'a', [ada]);
    await addReply(server, 'b', [ada, bob]);
    await addReply(server, 'c', [eve]);
    await server.personKeys.erase(platform, [eve]);
    return { ada, bob, eve };
  }

  const options = (): RotatePeopleOptions => ({ database, store, vault: keys.vault, ...quietly });

  it('decision 0039: gives everybody a new key, seals values of one and of several people again, and deletes the old keys', async () => {
    const server = await open();
    const { ada } = await givenPeople(server);
    const done = await rotatePeople(options());
    assert.deepEqual(done, { wasContinued: false, people: 2, resealed: 2, deleted: 2 });
    assert.deepEqual(await generationsLeft(), [2]);
    const expected = [
      { key: 'a', text: 'reply a', generations: [2] },
      { key: 'b', text: 'reply b', generations: [2, 2] },
      { key: 'c', text: undefined, generations: [1] },
    ];
    // A server that still holds the old keys fetches the new ones, and one that starts now has them.
    assert.deepEqual(await readReplies(server), expected);
    assert.deepEqual(await readReplies(await open()), expected);
    assert.equal(server.personKeys.newest(ada)?.generation, 2);
  });

  it('decision 0039: a value that a server seals with an old key during the rotation is sealed again', async () => {
    const server = await open();
    const { ada } = await givenPeople(server);
    const waits: number[] = [];
    const done = await rotatePeople({
      ...options(),
      isShared: true,
      async wait(ms) {
        waits.push(ms);
        await addReply(server, 'late', [ada]);
      },
    });
    assert.deepEqual([waits, done.resealed], [[360_000], 3]);
    assert.deepEqual((await readReplies(await open())).at(-1), {
      ...{ key: 'late', text: 'reply late', generations: [2] },
    });
  });

  it('decision 0039: an interrupted rotation is continued, and the next one begins again', async () => {
    const server = await open();
    await givenPeople(server);
    const killed = rotatePeople({
      ...options(),
      onBatch() {
        throw new Error('killed');
      },
    });
    await assert.rejects(killed, /killed/);
    assert.deepEqual(await generationsLeft(), [1, 2]);
    assert.deepEqual(
      (await readReplies(await open())).map(({ text }) => text),
      ['reply a', 'reply b', undefined],
    );
    const done = await rotatePeople(options());
    assert.deepEqual([done.wasContinued, done.people, done.deleted], [true, 0, 2]);
    assert.deepEqual(await generationsLeft(), [2]);
    assert.equal((await rotatePeople(options())).people, 2);
    assert.deepEqual(await generationsLeft(), [3]);
  });

  it('decision 0039: an erasure during the rotation wins', async () => {
    const server = await open();
    const { ada } = await givenPeople(server);
    await rotatePeople({
      ...options(),
      isShared: true,
      wait: async () => void (await server.personKeys.erase(platform, [ada])),
    });
    const left = await store.query<{ person_id: string }>(sql`select person_id from person_keys`);
    assert.ok(!left.some(({ person_id }) => person_id === ada));
    assert.deepEqual(
      (await readReplies(await open())).map(({ text }) => text),
      [undefined, undefined, undefined],
    );
  });

  it('decision 0039: a new data key wraps the keys of people again, and the old one stays', async () => {
    const server = await open();
    await givenPeople(server);
    const people = wrappedPeople(store);
    const killed = rotateDataKey(database, keys, {
      ...quietly,
      people: wrappedPeople(store, () => {
        throw new Error('killed');
      }),
    });
    await assert.rejects(killed, /killed/);
    // The rotation also finds a key that a process with the old data key adds meanwhile.
    await server.personKeys.ensure(platform, [newUuid()]);
    assert.equal(await people.hasOld(2), true);
    const { keyId, wasContinued, rewrapped } = await rotateDataKey(database, keys, { ...quietly, people });
    assert.deepEqual({ keyId, wasContinued, rewrapped }, { keyId: 2, wasContinued: true, rewrapped: 1 });
    assert.equal(await people.hasOld(2), false);
    await keys.refresh();
    assert.equal((await readReplies(await open()))[1]?.text, 'reply b');
    assert.deepEqual(
      (await keys.store.load()).map(({ id }) => id),
      [0, 1, 2],
    );
  });
});
