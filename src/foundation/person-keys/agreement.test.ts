import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { after, describe, it } from 'node:test';
import { addKey, newestVault } from '#foundation/crypto/keyring.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { type OpenedKeyring, openKeyring } from '#foundation/database/open-keyring.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { KeyStoreDisagrees, requireAgreement } from '#foundation/person-keys/agreement.ts';
import {
  eraseKeys,
  findErasures,
  findPeople,
  insertFirstKeys,
  wrapContext,
} from '#foundation/person-keys/key-store.ts';
import { repairKeys } from '#foundation/person-keys/repair.ts';
import { wrappedPeople } from '#foundation/person-keys/rewrap.ts';
import {
  copyDatabase,
  createPersonKeys,
  createTestDatabase,
  PATIENCE,
  type TestDatabase,
} from '#tests/harness/databases.ts';

describe('the two databases of a service', () => {
  const opened: { database: Database; files: TestDatabase }[] = [];
  after(async () => {
    for (const { database } of opened) await database.close();
    for (const { files } of opened) await files.drop();
  });

  async function open(made: Promise<TestDatabase>) {
    const files = await made;
    const database = openDatabase({ url: files.url, connectionsMax: 2, ...PATIENCE });
    opened.push({ database, files });
    return { database, files };
  }

  /** Closes a database for a moment and copies it. */
  async function backup(files: TestDatabase): Promise<Promise<TestDatabase>> {
    const at = opened.findIndex((one) => one.files === files);
    await opened[at]?.database.close();
    const database = openDatabase({ url: files.url, connectionsMax: 2, ...PATIENCE });
    const copy = copyDatabase(files);
    await copy;
    opened[at] = { database, files };
    return copy;
  }

  const latest = (files: TestDatabase): Database => {
    const found = opened.find((one) => one.files === files);
    assert.ok(found);
    return found.database;
  };

  const platform = newUuid<'Platform'>();
  const encryptionKey = randomBytes(32);

  const keysOf = (database: Database): Promise<OpenedKeyring> =>
    openKeyring(database, { encryptionKey, encryptionKeyNext: undefined, dataDir: tmpdir() });

  const agree = async (database: Database, store: Database) =>
    requireAgreement(database, store, await keysOf(database));

  /** The beginning of a value that is sealed with the first key of a person. */
  const sealedFor = (id: string) =>
    Buffer.concat([Buffer.of(2, 1), Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.of(1)]);

  async function addCustomer(database: Database, store: Database): Promise<string> {
    const id = newUuid();
    const { vault } = await keysOf(database);
    const wrapped = vault.ofPlatform(platform).seal(randomBytes(32), wrapContext(id, 1));
    await insertFirstKeys(store, platform, [{ person_id: id, generation: 1, wrapped }]);
    // The check reads only these columns.
    await database.query(sql`alter table platforms disable trigger all`);
    await database.query(sql`
      insert into platforms (id, name, environment, webhook_key_id, created_at, updated_at)
      values (${platform}, 'one', 'SANDBOX', ${newUuid()}, now(), now())
      on conflict do nothing`);
    const hash = Buffer.from(id.replaceAll('-', ''));
    await database.query(sql`
      insert into customers (platform_id, id, environment, customer_type, profile, reference, uma, person, reference_hash,
        uma_hash, status, region, currencies, created_at, updated_at)
      values (${platform}, ${id}, 'SANDBOX', 'INDIVIDUAL', null, '', '', ${sealedFor(id)}, ${hash}, ${hash},
        'UNVERIFIED', 'US', '{}', clock_timestamp(), clock_timestamp())`);
    return id;
  }

  it('decision 0039: a new pair agrees, and another database of keys is refused from then on', async () => {
    const { database } = await open(createTestDatabase());
    const [{ database: own }, { database: foreign }] = [
      await open(createPersonKeys()),
      await open(createPersonKeys()),
    ];
    await agree(database, own);
    await agree(database, own);
    await assert.rejects(
      agree(database, foreign),
      (error: unknown) => error instanceof KeyStoreDisagrees && /Set PERSON_KEYS_URL/.test(error.message),
    );
  });

  it('decision 0039: a database of keys that is behind is refused: by new people, and by erasures', async () => {
    const { database } = await open(createTestDatabase());
    const { database: store, files } = await open(createPersonKeys());
    await agree(database, store);
    const ada = await addCustomer(database, store);
    const yesterday = await open(backup(files).then((copy) => copy));
    await agree(database, yesterday.database);
    await addCustomer(database, latest(files));
    await agree(database, latest(files));
    await assert.rejects(agree(database, yesterday.database), /lacks the keys of 1 of the 2 newest/);
    const beforeErasure = await open(backup(files).then((copy) => copy));
    const erasure = await eraseKeys(latest(files), platform, [ada]);
    await database.query(sql`update person_key_store set last_erasure = ${erasure}`);
    await agree(database, latest(files));
    await assert.rejects(
      agree(database, beforeErasure.database),
      /still has the keys of people who were erased since.*Restore its newest backup/,
    );
  });

  it('decision 0039: a repair destroys keys of erased people again, and ends only after a loss is accepted', async () => {
    const { database } = await open(createTestDatabase());
    const { files } = await open(createPersonKeys());
    await agree(database, latest(files));
    const [ada, bob] = [
      await addCustomer(database, latest(files)),
      await addCustomer(database, latest(files)),
    ];
    const { database: yesterday } = await open(backup(files).then((copy) => copy));
    const eve = await addCustomer(database, latest(files));
    await database.query(sql`
      update customers set deleted_at = now(), erased_at = now(), person = null, reference = null, uma = null,
             reference_hash = null, uma_hash = null, platform_customer_id = id::text, uma_address = id::text, profile = '{}'
       where id = ${ada}`);
    await database.query(sql`update person_key_store set last_erasure = 7`);
    const repair = (acceptsLoss: boolean) => repairKeys({ database, store: yesterday, acceptsLoss });
    assert.deepEqual(await repair(false), { erasedAgain: 1, lost: 1, firstLost: [eve] });
    await assert.rejects(agree(database, yesterday), /lacks the keys of 1 of the/);
    assert.deepEqual(await repair(true), { erasedAgain: 0, lost: 1, firstLost: [eve] });
    await agree(database, yesterday);
    const people = await findPeople(yesterday, [ada, bob, eve]);
    assert.deepEqual(
      people.map((person) => [person?.isErased, person?.keys.length]),
      [
        [true, 0],
        [false, 1],
        [true, 0],
      ],
    );
    // The next start finds the loss: its number is above the last erasure that the database knows.
    const erasures = await findErasures(yesterday, 7n);
    assert.deepEqual(
      erasures.map(({ person }) => person),
      [ada, eve],
    );
    assert.deepEqual(await repair(true), { erasedAgain: 0, lost: 0, firstLost: [] });
  });

  it('decision 0039: a new database of keys takes the place of a lost one only if the loss is accepted', async () => {
    const { database } = await open(createTestDatabase());
    const { database: lost } = await open(createPersonKeys());
    const { database: used } = await open(createPersonKeys());
    const { database: empty } = await open(createPersonKeys());
    await agree(database, lost);
    const ada = await addCustomer(database, lost);
    await insertFirstKeys(used, platform, [
      { person_id: newUuid(), generation: 1, wrapped: Buffer.from('k') },
    ]);
    const repair = (store: Database, acceptsLoss: boolean) => repairKeys({ database, store, acceptsLoss });
    await assert.rejects(repair(used, true), KeyStoreDisagrees);
    await assert.rejects(repair(empty, false), /use a new, empty database of keys and --accept-loss/);
    assert.deepEqual(await repair(empty, true), { erasedAgain: 0, lost: 1, firstLost: [ada] });
    await agree(database, empty);
  });

  it('decision 0039: a database of keys from before a rotation is refused', async () => {
    const { database } = await open(createTestDatabase());
    const { database: store } = await open(createPersonKeys());
    await agree(database, store);
    const ada = await addCustomer(database, store);
    const rotated = sealedFor(ada);
    rotated[rotated.length - 1] = 2;
    await database.query(sql`update customers set person = ${rotated} where id = ${ada}`);
    await assert.rejects(agree(database, store), /lacks the keys of 1 of the 1 newest/);
  });

  it('decision 0039: keys that a later data key wraps are refused, also if only some of them were wrapped again', async () => {
    const { files, ...first } = await open(createTestDatabase());
    const { database: store, files: keyFiles } = await open(createPersonKeys());
    await agree(first.database, store);
    for (let added = 0; added < 8; added++) await addCustomer(first.database, store);
    const { database: yesterday } = await open(backup(files).then((copy) => copy));
    const { database: keysOfYesterday } = await open(backup(keyFiles).then((copy) => copy));
    const addDataKey = async (database: Database) => {
      const keys = await keysOf(database);
      await addKey(keys.store, keys.masters, { purpose: 'data', noticeMs: 0 });
      return newestVault(keys.store, keys.masters);
    };
    assert.equal(await wrappedPeople(latest(keyFiles)).rewrap(await addDataKey(latest(files))), 8);
    await agree(latest(files), latest(keyFiles));
    const refusal = (error: unknown) =>
      error instanceof KeyStoreDisagrees &&
      /wrapped with a data key that this database does not have.*Restore a newer backup/.test(error.message);
    await assert.rejects(agree(yesterday, latest(keyFiles)), refusal);
    await agree(yesterday, keysOfYesterday);
    // A rotation that was interrupted: only the first keys were wrapped again.
    const [oldest] = await latest(keyFiles).query<{ person_id: string; wrapped: Buffer }>(sql`
      select person_id, wrapped from person_keys order by person_id limit 1`);
    assert.ok(oldest);
    await keysOfYesterday.query(sql`
      update person_keys set wrapped = ${oldest.wrapped} where person_id = ${oldest.person_id}`);
    await assert.rejects(agree(yesterday, keysOfYesterday), refusal);
    // A different data key with the same id does not make them readable.
    assert.equal((await addDataKey(yesterday)).currentKeyId, 2);
    await assert.rejects(agree(yesterday, latest(keyFiles)), refusal);
  });
});
