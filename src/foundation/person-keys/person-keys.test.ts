import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PersonErased, PersonKeysMissing, readReferences } from '#foundation/crypto/person-seal.ts';
import { type Vault, withPersonKeys } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { compile, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { eraseKeys, findPeople, insertFirstKeys, wrapContext } from '#foundation/person-keys/key-store.ts';
import { PersonKeysLost } from '#foundation/person-keys/lost-keys.ts';
import {
  openPersonKeys,
  PersonKeys,
  type PersonKeysOptions,
  type PersonSealing,
} from '#foundation/person-keys/person-keys.ts';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';
import { createTestDatabase, PATIENCE, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { newVault } from '#tests/harness/person-keys.ts';

const PLACE = 'customers.profile:1';

describe('the keys of people', () => {
  let files: TestDatabase;
  let database: Database;
  let store: Database;
  let data: Vault;
  const clock = handClock();
  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 8, ...PATIENCE });
    store = openDatabase({ url: personKeysUrl(), connectionsMax: 8 });
    data = newVault();
  });
  after(async () => {
    await store.close();
    await database.close();
    await files.drop();
  });

  const platform = newUuid<'Platform'>();
  const open = (more: Partial<Pick<PersonKeysOptions, 'heldMax' | 'onLost'>> = {}) =>
    openPersonKeys({ database, store, vault: data, clock, ...more });

  /** Seals as `Work` does: a missing key is fetched, then the step is repeated. */
  async function provided<T>({ personKeys }: PersonSealing, step: () => T): Promise<T> {
    for (;;) {
      try {
        return step();
      } catch (error) {
        if (!(error instanceof PersonKeysMissing)) throw error;
        await personKeys.provide(platform, error);
      }
    }
  }

  const seal = (by: PersonSealing, people: string[], text = 'Ada Lovelace') =>
    provided(by, () => by.vault.sealFor(people, text, PLACE));
  const openText = (by: PersonSealing, sealed: Buffer) =>
    provided(by, () => by.vault.openText(sealed, PLACE));

  const isErased = (error: unknown) => error instanceof PersonErased;

  it('decision 0039: what one process seals opens in another, in its own place only', async () => {
    const [one, other] = [await open(), await open()];
    const ada = newUuid();
    const sealed = await seal(one, [ada]);
    assert.equal(sealed.includes('Ada'), false);
    assert.equal(await openText(other, sealed), 'Ada Lovelace');
    assert.throws(() => other.vault.openText(sealed, 'customers.profile:2'), /authenticate/);
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    assert.throws(() => other.vault.openText(changed, PLACE), /authenticate/);
  });

  it('decision 0039: values without a person open as before', async () => {
    const { vault } = await open();
    assert.equal(vault.openText(data.seal('a webhook key', PLACE), PLACE), 'a webhook key');
    assert.deepEqual(readReferences(data.seal('a webhook key', PLACE)), []);
  });

  it('decision 0039: a value of several people opens only while all of them have keys', async () => {
    const people = await open();
    const [ada, bob] = [newUuid(), newUuid()];
    const shared = await seal(people, [bob, ada, bob], 'from Ada to Bob');
    const own = await seal(people, [ada]);
    assert.deepEqual(
      readReferences(shared).map(({ person }) => person),
      [ada, bob].toSorted(),
    );
    assert.equal(await openText(await open(), shared), 'from Ada to Bob');
    await people.personKeys.erase(platform, [bob]);
    await assert.rejects(openText(people, shared), isErased);
    await assert.rejects(openText(await open(), shared), isErased);
    assert.equal(await openText(await open(), own), 'Ada Lovelace');
    assert.equal(people.vault.openKept(shared, PLACE), undefined);
    assert.deepEqual(readReferences(people.vault.sealFor([], 'nobody', PLACE)), []);
  });

  it('decision 0039: an erased person never gets a key again, by any call', async () => {
    const [one, other] = [await open(), await open()];
    const ada = newUuid();
    const sealed = await seal(one, [ada]);
    await openText(other, sealed);
    await one.personKeys.erase(platform, [ada]);
    await one.personKeys.erase(platform, [ada]);
    await assert.rejects(seal(one, [ada]), isErased);
    // The other process holds the key until it learns of the erasure.
    assert.equal(other.vault.openText(sealed, PLACE), 'Ada Lovelace');
    await other.personKeys.dropErased();
    await assert.rejects(openText(other, sealed), isErased);
    await assert.rejects(seal(other, [ada]), isErased);
    const neverSeen = newUuid();
    await one.personKeys.erase(platform, [neverSeen]);
    await assert.rejects(seal(other, [neverSeen]), isErased);
    for (const statement of [
      sql`insert into person_keys (person_id, generation, wrapped) values (${ada}, 2, '\\x00')`,
      sql`update people set erased_at = null, erasure = null where person_id = ${ada}`,
      sql`delete from people where person_id = ${ada}`,
    ]) {
      await assert.rejects(store.query(statement), /is erased/);
    }
  });

  it('decision 0039: two processes that create the first key at once agree on one', async () => {
    const ada = newUuid();
    const processes = await Promise.all(Array.from({ length: 6 }, () => open()));
    const sealed = await Promise.all(processes.map((one) => seal(one, [ada])));
    for (const one of processes) {
      for (const value of sealed) assert.equal(await openText(one, value), 'Ada Lovelace');
    }
    assert.equal((await findPeople(store, [ada]))[0]?.keys.length, 1);
  });

  it('decision 0039: creating and erasing at once leaves no key', async () => {
    for (let i = 0; i < 20; i++) {
      const ada = newUuid();
      const key = { person_id: ada, generation: 1, wrapped: Buffer.alloc(40) };
      await Promise.allSettled([
        insertFirstKeys(store, platform, [key]),
        eraseKeys(store, platform, [ada]),
        insertFirstKeys(store, platform, [key]),
      ]);
      assert.deepEqual(await findPeople(store, [ada]), [{ isErased: true, isRecorded: true, keys: [] }]);
    }
  });

  it('decision 0039: a process holds a bounded number of keys, for minutes', async () => {
    const small = await open({ heldMax: 2 });
    const people = [newUuid(), newUuid(), newUuid()];
    for (const person of people) await seal(small, [person]);
    assert.deepEqual(
      people.map((person) => small.personKeys.newest(person) !== undefined),
      [false, true, true],
    );
    clock.advance(HELD_MS);
    assert.equal(small.personKeys.newest(people[2] ?? ''), undefined);
    await seal(small, people.slice(1));
  });

  it('decision 0039: an erasure is heard even if it commits after a later one began', async () => {
    const listening = await open();
    const [ada, bob] = [newUuid(), newUuid()];
    const sealed = [await seal(listening, [ada]), await seal(listening, [bob])];
    await Promise.all([eraseKeys(store, platform, [ada]), eraseKeys(store, platform, [bob])]);
    await listening.personKeys.dropErased();
    for (const value of sealed) await assert.rejects(openText(listening, value), isErased);
  });

  it('decision 0039: the stored key is wrapped for its person and platform', async () => {
    const people = await open();
    const [ada, bob] = [newUuid(), newUuid()];
    await seal(people, [ada, bob]);
    const row = (await findPeople(store, [ada]))[0]?.keys[0];
    assert.ok(row);
    await store.query(sql`
      update person_keys set wrapped = ${row.wrapped} where person_id = ${bob}`);
    await assert.rejects(async () => (await open()).personKeys.load([bob]), /authenticate/);
    await assert.rejects(
      openPersonKeys({ database, store, vault: newVault(), clock }).then(({ personKeys }) =>
        personKeys.load([ada]),
      ),
      /authenticate/,
    );
    const foreign = data.ofPlatform(newUuid<'Platform'>());
    assert.throws(() => foreign.open(row.wrapped, `person_keys.wrapped:${ada}:1`), /authenticate/);
  });

  it('decision 0039: while the store is away, nothing opens and nothing is created, but what needs no person works', async () => {
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
    const personKeys = new PersonKeys({ database, store: away, vault: data, clock }, 0n);
    const vault = withPersonKeys(data, personKeys);
    await assert.rejects(seal({ vault, personKeys }, [newUuid()]), { name: 'DatabaseUnavailable' });
    assert.equal(vault.openText(vault.seal('x', PLACE), PLACE), 'x');
    await away.close();
  });

  /** Loses the keys of people, as an older backup would. */
  async function lose(people: readonly string[]): Promise<void> {
    await store.query(sql`delete from person_keys where person_id = any(${people}::uuid[])`);
    await store.query(sql`delete from people where person_id = any(${people}::uuid[])`);
  }

  const isLost = (error: unknown) => error instanceof PersonKeysLost && error.status === 503;

  it('customers.md §2.4.26k: a key that is lost is never made again, and the operator is told', async () => {
    const told: string[] = [];
    const cold = await open({ onLost: (_, people) => void told.push(...people) });
    const [ada, bob] = [newUuid(), newUuid()];
    const sealed = await seal(await open(), [ada]);
    await seal(await open(), [bob]);
    await lose([ada]);
    await assert.rejects(openText(cold, sealed), isLost);
    await assert.rejects(seal(cold, [ada]), isLost);
    await assert.rejects(seal(cold, [ada, bob]), isLost);
    await assert.rejects(cold.personKeys.ensure(platform, [ada, newUuid()]), isLost);
    assert.deepEqual(await findPeople(store, [ada]), [undefined]);
    assert.deepEqual(new Set(told), new Set([ada]));
    const lost = await database.query(sql`select person_id from lost_person_keys where person_id = ${ada}`);
    assert.deepEqual(lost, [{ person_id: ada }]);
  });

  it('customers.md §2.4.26k: a lost generation of a key, and a person without any key, count as lost', async () => {
    const [ada, bob] = [newUuid(), newUuid()];
    const one = await open();
    const sealed = await seal(one, [ada]);
    await seal(one, [bob]);
    const newer = data.ofPlatform(platform).seal(Buffer.alloc(32, 7), wrapContext(ada, 2));
    await store.query(sql`
      insert into person_keys (person_id, generation, wrapped) values (${ada}, 2, ${newer})`);
    const rotated = await seal(await open(), [ada]);
    await store.query(sql`delete from person_keys where person_id = ${ada} and generation = 2`);
    await store.query(sql`delete from person_keys where person_id = ${bob}`);
    assert.equal(await openText(await open(), sealed), 'Ada Lovelace');
    await assert.rejects(openText(await open(), rotated), isLost);
    await assert.rejects(seal(await open(), [bob]), isLost);
    assert.deepEqual(await findPeople(store, [bob]), [{ isErased: false, isRecorded: true, keys: [] }]);
  });

  it('customers.md §2.4.26k: no process uses a key before the service’s database has recorded it', async () => {
    const ada = newUuid();
    const unwritable: PersonKeysOptions['database'] = {
      query: async (piece) => {
        if (compile(piece).text.includes('insert into')) throw new Error('the process is killed');
        return [];
      },
    };
    const killed = await openPersonKeys({ database: unwritable, store, vault: data, clock });
    await assert.rejects(seal(killed, [ada]), /killed/);
    assert.equal(killed.personKeys.newest(ada), undefined);
    assert.deepEqual((await findPeople(store, [ada]))[0]?.isRecorded, false);
    // Nothing was sealed with that key, so a new one may be made if it is lost.
    await lose([ada]);
    await assert.rejects(seal(killed, [ada]), /killed/);
    const sealed = await seal(await open(), [ada]);
    assert.deepEqual((await findPeople(store, [ada]))[0]?.isRecorded, true);
    await lose([ada]);
    await assert.rejects(seal(await open(), [ada]), isLost);
    await assert.rejects(openText(await open(), sealed), isLost);
  });

  it('decision 0039: an id that was taken back is taken again; only its own process deletes an unused one', async () => {
    const one = await open();
    const take = () => provided(one, () => one.personKeys.newPerson(platform));
    const [ada, bob] = [await take(), await take()];
    one.personKeys.takeBack(platform, ada);
    assert.equal(await take(), ada);
    one.personKeys.takeBack(platform, ada);
    // Held for minutes: then the key is read again, and the id is still good.
    clock.advance(HELD_MS + 1);
    assert.equal(await take(), ada);
    one.personKeys.takeBack(platform, ada);
    await one.personKeys.discardSpares();
    const [discarded, taken] = await findPeople(store, [ada, bob]);
    assert.deepEqual([discarded, taken?.keys.length], [undefined, 1]);
  });

  it('decision 0039: an id in reserve whose key is lost is not taken', async () => {
    const one = await open();
    const take = () => provided(one, () => one.personKeys.newPerson(platform));
    const ada = await take();
    one.personKeys.takeBack(platform, ada);
    await lose([ada]);
    clock.advance(HELD_MS + 1);
    assert.notEqual(await take(), ada);
  });
});
