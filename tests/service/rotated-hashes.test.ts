// lane: whole — repeats a rotation that is interrupted at each statement

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { CUSTOMER_LIST, CUSTOMER_SHOW } from '#capabilities/accounts/customer-records.ts';
import { addKey } from '#foundation/crypto/keyring.ts';
import { deriveKey, openVault } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { type OpenedKeyring, openKeyring } from '#foundation/database/open-keyring.ts';
import { type RotateHashesOptions, rotateHashes } from '#foundation/database/rotate-hashes.ts';
import { rotateDataKey } from '#foundation/database/rotate-keys.ts';
import { rotatedHashes } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { openPersonKeys, type PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { wrappedPeople } from '#foundation/person-keys/rewrap.ts';
import { rotatePeople } from '#foundation/person-keys/rotate-people.ts';
import { cardFor, givenCard } from '#tests/given/cards.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { addAccount, buildAccountRequest, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A process: its own copy of the keys, which it loads again only when the test says so. */
interface Process {
  readonly keys: OpenedKeyring;
  readonly people: PersonSealing;
  /** Lets the process read its keys from the database, or not. */
  reads(canRead: boolean): void;
}

describe('a rotation of the key of hashes', () => {
  const world = testWorld({ hasOwnPersonKeys: true });
  const encryptionKey = randomBytes(32);
  let store: Database;
  let processes: readonly [Process, Process];

  before(async () => {
    await storeSharedKeys();
    store = openDatabase({ url: world.personKeysUrl, connectionsMax: 4, ...PATIENCE });
    processes = [await openProcess(), await openProcess()];
  });
  after(async () => {
    await store?.close();
  });

  /** Wraps the keys of all test worlds, so that a keyring loads them. */
  async function storeSharedKeys(): Promise<void> {
    const wrapping = openVault({
      data: new Map([[1, deriveKey(encryptionKey, 'wrap')]]),
      fingerprint: new Uint8Array(),
    });
    const wrap = (purpose: string, id: number, byte: number) =>
      wrapping.seal(Buffer.alloc(32, byte), `encryption_keys.wrapped:${purpose}:${id}`);
    await world.database.query(sql`
      insert into encryption_keys (id, purpose, wrapped, created_at)
      values (0, 'fingerprint', ${wrap('fingerprint', 0, 2)}, now()), (1, 'data', ${wrap('data', 1, 1)}, now())`);
  }

  async function openProcess(): Promise<Process> {
    const settings = { encryptionKey, encryptionKeyNext: undefined, dataDir: tmpdir() };
    const { database, clock } = world;
    let canRead = true;
    const cuttable: Database = {
      ...database,
      async query(piece) {
        if (!canRead) throw new DatabaseUnavailable(new Error('cut off'));
        return database.query(piece);
      },
    };
    const keys = await openKeyring(cuttable, settings);
    const people = await openPersonKeys({ database, store, vault: keys.vault, clock });
    const reads = (can: boolean) => {
      canRead = can;
    };
    return { keys, people, reads };
  }

  const refresh = async () => {
    for (const { keys } of processes) await keys.refresh();
  };

  /** The platform as both processes serve it. */
  async function givenServed(): Promise<readonly [TestPlatform, TestPlatform]> {
    const platform = await givenPlatform(world);
    const [one, other] = processes;
    return [await world.elsewhere(platform, one.people), await world.elsewhere(platform, other.people)];
  }

  /** A customer whose values a rotation has to find in every kind of column. */
  async function givenPerson(platform: TestPlatform) {
    const asked = {
      platformCustomerId: `ref ${randomBytes(4).toString('hex')}`,
      email: `${randomBytes(4).toString('hex')}@example.com`,
      fullName: `Ada ${randomBytes(4).toString('hex')}`,
    };
    const payer = await givenPayer(platform, 1_000, asked);
    await givenExternalAccount(platform, 'USD_ACCOUNT', {}, { customerId: payer.id });
    await givenCard(platform, payer, { platformCardId: `card of ${payer.id}` });
    const { body } = await platform.call('getCustomerById', { params: { customerId: payer.id } });
    return { payer, asked: { ...asked, umaAddress: body.umaAddress } };
  }

  type Person = Awaited<ReturnType<typeof givenPerson>>;

  async function assertFound(platform: TestPlatform, { payer, asked }: Person): Promise<void> {
    const { email, umaAddress, platformCustomerId, fullName } = asked;
    for (const query of [{ email: email.toUpperCase() }, { umaAddress }, { platformCustomerId }]) {
      const { body } = await platform.call('listCustomers', { query });
      const found = body.data.map(({ id }) => id);
      assert.deepEqual(found, [payer.id], JSON.stringify(query));
    }
    const named = await (await platform.work()).read((tx) =>
      CUSTOMER_LIST.page(tx, { list: 'test', filters: {}, limit: 20, cursor: undefined }, { name: fullName }),
    );
    assert.ok(named.data.some(({ customer }) => customer === payer.id));
  }

  async function assertTaken(platform: TestPlatform, { payer, asked }: Person): Promise<void> {
    const { platformCustomerId, umaAddress } = asked;
    const again = buildAccountRequest('USD_ACCOUNT', {}, { customerId: payer.id });
    const refused = [
      await platform.send('createCustomer', { body: { ...PERSON, platformCustomerId } }),
      await platform.send('createCustomer', { body: { ...PERSON, umaAddress } }),
      await addAccount(platform, again),
      await platform.send('createCard', { body: cardFor(payer, { platformCardId: `card of ${payer.id}` }) }),
    ];
    assert.deepEqual(
      refused.map(({ body }) => body.code),
      ['CONFLICT', 'UMA_ADDRESS_EXISTS', 'DUPLICATE_EXTERNAL_ACCOUNT', 'CONFLICT'],
    );
  }

  async function duplicatesOf(platform: TestPlatform, { id }: { readonly id: string }) {
    const work = await platform.work();
    const shown = await work.read((tx) => CUSTOMER_SHOW.load(tx, uuidOf(id)));
    return shown.possibleDuplicates.map(({ customer, shares }) => [customer, shares]);
  }

  /** Counts the hashes of each version, in all columns. */
  async function countVersions(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { table, column, isList } of await rotatedHashes(world.database.query)) {
      const hash = rawSql(isList ? `"${column}"[1]` : `"${column}"`);
      const rows = await world.database.query<{ version: number; count: bigint }>(sql`
        select hash_version(${hash}) as version, count(*) from ${rawSql(table)} where ${hash} is not null group by 1`);
      for (const { version, count } of rows) counts[version] = (counts[version] ?? 0) + Number(count);
    }
    return counts;
  }

  const options = (more: Partial<RotateHashesOptions> = {}): RotateHashesOptions => ({
    ...{ isShared: true, report: () => undefined, wait: refresh },
    ...more,
  });

  it('customers.md §2.4.26m: every column of a keyed hash that is stored for good has a trigger that chooses its version', async () => {
    const columns = await rotatedHashes(world.database.query);
    const triggers = await world.database.query<{ name: string }>(sql`
      select distinct t.tgrelid::regclass || '.' || a.attname as name
        from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr::int2[])
       where t.tgname like '%_hashes'`);
    const chosen = new Set(triggers.map(({ name }) => name));
    assert.ok(columns.length >= 16, `${columns.length} columns`);
    assert.deepEqual(
      columns.filter(({ table, column }) => !chosen.has(`${table}.${column}`)),
      [],
    );
  });

  it('customers.md §2.4.26m: interrupted at each statement, it goes on; everybody is found and nothing is taken twice', async () => {
    const [one, other] = await givenServed();
    const person = await givenPerson(one);
    const twin = await givenCustomer(other, { ...PERSON, fullName: person.asked.fullName });
    const before = await countVersions();
    assert.deepEqual(Object.keys(before), ['0']);
    let interruptions = 0;
    for (let isDone = false; !isDone; interruptions++) {
      let left = interruptions;
      const counted: Database = {
        ...world.database,
        async query(piece) {
          if (left-- === 0) throw new Error('killed');
          return world.database.query(piece);
        },
        async transaction(steps) {
          if (left-- === 0) throw new Error('killed');
          return world.database.transaction(steps);
        },
      };
      const { wasContinued } = await rotateHashes(counted, processes[0].keys, options()).then(
        (done) => {
          isDone = true;
          return done;
        },
        (error: Error) => {
          assert.equal(error.message, 'killed');
          return { wasContinued: undefined };
        },
      );
      if (isDone) assert.equal(wasContinued, true);
      // Now and then a process has not heard of the progress yet.
      if (interruptions % 3 === 0) await processes[0].keys.refresh();
      await assertFound(one, person);
      await assertFound(other, person);
      if (interruptions % 4 === 0 || isDone) await assertTaken(interruptions % 8 === 0 ? one : other, person);
    }
    assert.ok(interruptions > 20, `${interruptions} interruptions`);
    await refresh();
    await assertFound(one, person);
    await assertTaken(other, person);
    assert.deepEqual(await duplicatesOf(one, { id: twin.id }), [[person.payer.id, 'name, phone']]);
    const made = await countVersions();
    const keyId = Object.keys(made)[0];
    assert.equal(Object.keys(made).length, 1, JSON.stringify(made));
    assert.notEqual(keyId, '0');
    assert.ok(Object.values(made)[0] === Object.values(before)[0], 'no hash was lost or added');
  });

  /** Returns a race for a reference, which also tries to take the reference of the race before. */
  function racing(one: TestPlatform, other: TestPlatform) {
    return async (round: number) => {
      const body = { ...PERSON, platformCustomerId: `race ${round}` };
      const before = { ...PERSON, platformCustomerId: `race ${round - 1}` };
      const replies = await Promise.all(
        [one, other].map((platform) => platform.send('createCustomer', { body })),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted(),
        [201, 409],
        replies.map(({ raw }) => raw).join(),
      );
      if (round > 1) assert.equal((await one.send('createCustomer', { body: before })).status, 409);
    };
  }

  it('customers.md §2.4.26m: if two processes give one reference at once, one succeeds, at every step', async () => {
    const [one, other] = await givenServed();
    let round = 0;
    const next = racing(one, other);
    const race = () => next(++round);
    await race();
    await rotateHashes(
      world.database,
      processes[1].keys,
      options({
        async wait() {
          await race();
          await refresh();
          await race();
        },
        async onBatch() {
          await race();
          await processes[round % 2]?.keys.refresh();
          await race();
        },
      }),
    );
    await race();
    await refresh();
    await race();
    assert.equal(Object.keys(await countVersions()).length, 1);
  });

  it('customers.md §2.4.26m: with two new keys, as interrupted rotations leave them, one version after the other is made', async () => {
    const [one, other] = await givenServed();
    const person = await givenPerson(one);
    const { store: stored, masters } = processes[0].keys;
    const first = await addKey(stored, masters, { purpose: 'hash', noticeMs: 0 });
    await world.database.query(sql`update hash_versions set next = ${first}`);
    const second = await addKey(stored, masters, { purpose: 'hash', noticeMs: 0 });
    await refresh();
    let round = 0;
    const next = racing(one, other);
    const race = () => next(++round);
    await race();
    const done = await rotateHashes(world.database, processes[1].keys, options({ onBatch: race }));
    assert.deepEqual([done.keyId, done.wasContinued], [first, true]);
    assert.deepEqual(Object.keys(await countVersions()), [String(first)]);
    await race();
    await refresh();
    await race();
    await assertFound(other, person);
    await assertTaken(one, person);
    const last = await rotateHashes(world.database, processes[0].keys, options({ onBatch: race }));
    assert.deepEqual([last.keyId, last.wasContinued], [second, false]);
    assert.deepEqual(Object.keys(await countVersions()), [String(second)]);
    await race();
    await assertFound(one, person);
    await assertTaken(other, person);
  });

  it('customers.md §2.4.26m: the database refuses a version without a key, one that goes back, and a hash of another length', async () => {
    const [{ newest }] = (await world.database.query<{ newest: number }>(
      sql`select max(id) as newest from encryption_keys`,
    )) as [{ newest: number }];
    for (const change of ['written = 0, oldest = 0, copied = 0', `next = ${newest + 1}`, 'next = 1']) {
      const refused = world.database.query(sql`update hash_versions set ${rawSql(change)}`);
      await assert.rejects(refused, /never go back|no key of hashes/, change);
    }
    const platform = await givenPlatform(world);
    for (const length of [31, 33, 67, 71]) {
      const forged = world.database.query(sql`
        insert into sandbox_messages (platform_id, id, reference, channel, contact, contact_hash, text, created_at)
        values (${platform.id}, ${newUuid()}, 'forged', 'EMAIL', '', ${Buffer.alloc(length)}, '', now())`);
      await assert.rejects(forged, new RegExp(`a hash has ${length} bytes`));
    }
  });

  it('decision 0067: no other file than known-hashes.ts makes a condition of a hash', async () => {
    const found = [];
    for await (const path of glob('src/**/*.ts')) {
      const text = await readFile(path, 'utf8');
      if (/\btoFind\b/.test(text) && !path.endsWith('.test.ts')) found.push(path);
    }
    assert.deepEqual(found.toSorted(), [
      // These compare hashes that they have read, or count them.
      'src/capabilities/customers/bulk/error-store.ts',
      'src/capabilities/customers/bulk/store.ts',
      'src/foundation/crypto/keyed-hashes.ts',
      'src/foundation/database/known-hashes.ts',
    ]);
  });

  /** Every search by a hash, and every look-up for something that must be unique. */
  async function searchEverything(platform: TestPlatform, { payer, asked }: Person) {
    const { email, umaAddress, platformCustomerId, fullName } = asked;
    const search = (operation: string, query: Record<string, string>) => () =>
      platform.send(operation, { query });
    const statusOf = (read: Promise<unknown>) =>
      read.then(
        () => ({ status: 200 }),
        (error: unknown) => ({ status: error instanceof Refusal ? error.status : String(error) }),
      );
    const work = await platform.work();
    const searches = {
      email: search('listCustomers', { email }),
      uma: search('listCustomers', { umaAddress: String(umaAddress) }),
      reference: search('listCustomers', { platformCustomerId }),
      text: search('search', { q: platformCustomerId }),
      payments: search('listTransactions', { reference: 'nothing' }),
      senders: search('listTransactions', { senderAccountIdentifier: '$somebody@example.com' }),
      card: () =>
        platform.send('createCard', { body: cardFor(payer, { platformCardId: `card of ${payer.id}` }) }),
      account: () => addAccount(platform, buildAccountRequest('USD_ACCOUNT', {}, { customerId: payer.id })),
      customer: () => platform.send('createCustomer', { body: { ...PERSON, platformCustomerId } }),
      name: () =>
        statusOf(
          work.read((tx) =>
            CUSTOMER_LIST.page(
              tx,
              { list: 'test', filters: {}, limit: 20, cursor: undefined },
              { name: fullName },
            ),
          ),
        ),
      duplicates: () => statusOf(work.read((tx) => CUSTOMER_SHOW.load(tx, uuidOf(payer.id)))),
    };
    const statuses: Record<string, unknown> = {};
    for (const [name, ask] of Object.entries(searches)) statuses[name] = (await ask()).status;
    return statuses;
  }

  it('customers.md §2.4.26m: a process that missed the new key reads it before it searches, and answers 503 as long as it cannot', async () => {
    const [one, other] = await givenServed();
    const person = await givenPerson(one);
    await givenCustomer(one, { ...PERSON, fullName: person.asked.fullName });
    // Both answers of somebody who has all keys: found, and taken.
    const known = await searchEverything(other, person);
    assert.deepEqual(new Set(Object.values(known)), new Set([200, 409]));
    const [heard, missed] = processes;
    missed.reads(false);
    await rotateHashes(world.database, heard.keys, options({ wait: () => heard.keys.refresh() }));
    await heard.keys.refresh();
    assert.deepEqual(await searchEverything(one, person), known);
    const refused = await searchEverything(other, person);
    assert.deepEqual(new Set(Object.values(refused)), new Set([503]), JSON.stringify(refused));
    // Calls that need no hash go on.
    const shown = await other.call('getCustomerById', { params: { customerId: person.payer.id } });
    assert.equal(shown.status, 200, shown.raw);
    assert.equal((await other.call('listCustomers')).status, 200);
    missed.reads(true);
    assert.deepEqual(await searchEverything(other, person), known);
    await assertFound(other, person);
  });

  it('customers.md §2.4.26m: a process that missed only the switch reads the keys within the search, and finds everybody', async () => {
    const [one, other] = await givenServed();
    const person = await givenPerson(one);
    const [heard] = processes;
    await rotateHashes(world.database, heard.keys, options({ wait: () => heard.keys.refresh() }));
    await assertFound(other, person);
    await assertTaken(other, person);
    assert.deepEqual(await duplicatesOf(other, { id: person.payer.id }), []);
  });

  it('customers.md §2.4.26m: a process that never heard of the new key writes no hash, and answers 503', async () => {
    const platform = await givenPlatform(world);
    const late = await platform.send('createCustomer', {
      body: { ...PERSON, platformCustomerId: 'too late' },
    });
    assert.equal(late.status, 503, late.raw);
    const [one] = processes;
    const served = await world.elsewhere(platform, one.people);
    const { body } = await served.call('listCustomers', { query: { platformCustomerId: 'too late' } });
    assert.deepEqual(body.data, []);
  });

  it('decision 0039: keys of people, of data and of hashes are rotated while both processes serve calls', async () => {
    const [one, other] = await givenServed();
    const known = [await givenPerson(one)];
    let isOver = false;
    let calls = 0;
    const load = async (platform: TestPlatform) => {
      while (!isOver) {
        const person = await givenCustomer(platform);
        const body = { customerType: 'INDIVIDUAL', email: `${person.id.slice(-12)}@example.com` };
        const params = { customerId: person.id };
        const changed = await platform.call('updateCustomerById', { params, body });
        assert.equal(changed.status, 200, changed.raw);
        const { body: page } = await platform.call('listCustomers', { query: { email: body.email } });
        assert.deepEqual(
          page.data.map(({ id }) => id),
          [person.id],
        );
        await assertFound(platform, known[0] as Person);
        calls += 1;
      }
    };
    const { vault } = processes[0].keys;
    const shared = { isShared: true, report: () => undefined };
    const rotate = async () => {
      await rotateHashes(world.database, processes[0].keys, options());
      await rotateDataKey(world.database, processes[0].keys, {
        ...shared,
        wait: async () => {
          await world.database.query(
            sql`update encryption_keys set created_at = created_at - interval '1 minute'`,
          );
          await refresh();
        },
        people: wrappedPeople(store),
      });
      await rotatePeople({
        ...{ database: world.database, store, vault, ...shared },
        wait: async (ms) => world.clock.advance(ms),
      });
      isOver = true;
    };
    const stop = (error: unknown) => {
      isOver = true;
      throw error;
    };
    await Promise.all([rotate().catch(stop), load(one).catch(stop), load(other).catch(stop)]);
    assert.ok(calls > 1, `${calls} rounds of calls`);
    const generations = await store.query<{ generation: number }>(sql`
      select generation from person_keys where person_id = ${uuidOf(known[0]?.payer.id ?? '')}`);
    assert.deepEqual(generations, [{ generation: 2 }]);
    await assertFound(one, known[0] as Person);
    const { body } = await other.call('listCustomers', { query: { limit: 100 } });
    assert.ok(body.data.length > calls);
  });
});
