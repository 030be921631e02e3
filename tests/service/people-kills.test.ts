// lane: whole — kills processes of the real binary

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { appOptions } from '#cli/app-options.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { type SealedColumn, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { requireAgreement } from '#foundation/person-keys/agreement.ts';
import { findLastRecorded, recordErasure } from '#foundation/person-keys/agreement-store.ts';
import { ERASURES_LOCK, findLastErasure } from '#foundation/person-keys/key-store.ts';
import { openPersonKeys, type PersonKeys } from '#foundation/person-keys/person-keys.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { command } from '#tests/harness/command-line.ts';
import { type Environment, launch } from '#tests/harness/corridor-process.ts';
import {
  createEmptyDatabase,
  createPersonKeys,
  createTestDatabase,
  PATIENCE,
  type TestDatabase,
} from '#tests/harness/databases.ts';
import { type TestPlatform, testPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { makeDataDir, restoreKept, SETTINGS } from '#tests/upgrades/kept-database.ts';

/** How often each step is met by a kill; the drill `erasures` sets more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);

/** Holds what these statements lock until it is released. */
async function hold(url: string, ...statements: string[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  for (const statement of statements) await client.query(statement);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

/** Starts a process, waits until it is blocked by what was held, and kills it there. */
async function killWhenBlocked(
  words: readonly string[],
  environment: Environment,
  { url, release }: { url: string; release: () => Promise<void> },
): Promise<void> {
  const started = await launch(words, environment);
  await untilBlocked(url, 1, started.finished);
  started.kill('SIGKILL');
  const { code, stdout, stderr } = await started.finished;
  assert.equal(code, null, `it was not blocked: ${stdout}${stderr}`);
  await release();
}

describe('an erasure whose process is killed', () => {
  let files: TestDatabase;
  let keys: TestDatabase;
  let database: Database;
  let store: Database;
  let environment: Environment;
  let app: App;
  let platform: TestPlatform;
  let personKeys: PersonKeys;

  before(async () => {
    files = await createTestDatabase();
    keys = await createPersonKeys();
    database = openDatabase({ url: files.url, connectionsMax: 4, ...PATIENCE });
    store = openDatabase({ url: keys.url, connectionsMax: 2, ...PATIENCE });
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: keys.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['platform', 'create', '--name', 'Kill', '--environment', 'sandbox', '--json'];
    const made = await command(words, environment);
    assert.equal(made.code, 0, made.stderr);
    const config = readConfig(environment);
    const keyring = await openKeyring(database, config);
    await requireAgreement(database, store, keyring);
    const people = await openPersonKeys({ database, store, vault: keyring.vault, clock: systemClock });
    app = await createApp(await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) }));
    personKeys = people.personKeys;
    const { id, clientId, clientSecret } = JSON.parse(made.stdout);
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    platform = testPlatform({ database }, () => app, [], {
      id: uuidOf(id),
      authorization,
      webhookPublicKey: '',
    });
  });
  after(async () => {
    await app?.close();
    await database?.close();
    await store?.close();
    await files?.drop();
    await keys?.drop();
  });

  const steps: Record<string, () => Promise<{ url: string; release: () => Promise<void> }>> = {
    'before its first commit': async () => ({
      url: files.url,
      release: await hold(files.url, 'select from customers for update'),
    }),
    'before the key is destroyed': async () => ({
      url: keys.url,
      release: await hold(keys.url, `select pg_advisory_xact_lock(${ERASURES_LOCK})`),
    }),
    'before the end is recorded': async () => ({
      url: files.url,
      release: await hold(files.url, 'select from person_key_store for update'),
    }),
  };

  for (const [step, hinder] of Object.entries(steps)) {
    it(`customers.md §2.4.26d: ${step}: all is there, or nothing opens, and the next process ends it`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = await givenCustomer(platform);
        await platform.call('deleteCustomerById', { params: { customerId: id } });
        const [copy] = await database.query<{ person: Buffer }>(
          sql`select person from customers where id = ${uuidOf(id)}`,
        );
        assert.ok(copy);
        const words = ['customer', 'erase', id, '--reason', 'a kill', '--yes'];
        await killWhenBlocked(words, environment, await hinder());
        const [row] = await database.query<{ erased: boolean }>(
          sql`select erased_at is not null as erased from customers where id = ${uuidOf(id)}`,
        );
        const isBegun = step !== 'before its first commit';
        assert.equal(row?.erased, isBegun);
        await app.worker.settle(platform.id);
        const { vault } = app.runtime;
        await personKeys.loadFor([copy.person]);
        const opened = vault.openKept(copy.person, `customers.person:${uuidOf(id)}`);
        assert.equal(opened?.includes(PERSON.fullName), isBegun ? undefined : true);
        const again = await command(words, environment);
        assert.equal(again.code, 0, again.stderr);
        await personKeys.dropErased();
        assert.equal(vault.openKept(copy.person, `customers.person:${uuidOf(id)}`), undefined);
      }
    });
  }

  const isErased = async (id: string) => {
    const rows = await database.query<{ erased: boolean }>(
      sql`select erased_at is not null as erased from customers where id = ${uuidOf(id)}`,
    );
    return rows[0]?.erased;
  };

  async function givenDeleted(): Promise<string> {
    const { id } = await givenCustomer(platform);
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: id } });
    assert.equal(deleted.status, 200, deleted.raw);
    return id;
  }

  it('customers.md §2.4.26e: a command that erases somebody forgets no erasure before it, as after a restore', async () => {
    const [ada, bob] = [await givenDeleted(), await givenDeleted()];
    // The restored database does not know that Ada was erased.
    await personKeys.erase(platform.id, [uuidOf(ada)]);
    const done = await command(['customer', 'erase', bob, '--reason', 'a test', '--yes'], environment);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual([await isErased(ada), await isErased(bob)], [false, true]);
    await app.worker.settle(platform.id);
    assert.deepEqual([await isErased(ada), await isErased(bob)], [true, true]);
    assert.equal(await findLastRecorded(database), await findLastErasure(store));
  });

  it('decision 0039: a command refuses another database of keys, and one that is older, and changes nothing', async () => {
    const id = await givenDeleted();
    const other = await createPersonKeys();
    const erase = (environment: Environment) =>
      command(['customer', 'erase', id, '--reason', 'a test', '--yes'], environment);
    try {
      const refused = await erase({ ...environment, PERSON_KEYS_URL: other.url });
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /PERSON_KEYS_URL names the database of keys .* Nothing was changed/);
    } finally {
      await other.drop();
    }
    const last = await findLastErasure(store);
    await recordErasure(database, last + 1n);
    const older = await erase(environment);
    assert.notEqual(older.code, 0);
    assert.match(older.stderr, /older than this database.*Nothing was changed/);
    assert.equal(await isErased(id), false);
    await database.query(sql`update person_key_store set last_erasure = ${last}`);
    assert.equal((await erase(environment)).code, 0);
    assert.equal(await isErased(id), true);
  });
});

describe('an upgrade to sealed values whose worker is killed', () => {
  let kept: TestDatabase;
  let keys: TestDatabase;
  let database: Database;
  let store: Database;
  let environment: Environment;
  let dataDir: Awaited<ReturnType<typeof makeDataDir>>;

  before(async () => {
    kept = await createEmptyDatabase();
    keys = await createPersonKeys();
    await restoreKept('1.0.0-rc.1', kept.url);
    dataDir = await makeDataDir();
    database = openDatabase({ url: kept.url, connectionsMax: 4, ...PATIENCE });
    store = openDatabase({ url: keys.url, connectionsMax: 1, ...PATIENCE });
    environment = {
      ...SETTINGS,
      DATABASE_URL: kept.url,
      PERSON_KEYS_URL: keys.url,
      DATABASE_CONNECTIONS: '4',
      DATA_DIR: dataDir.path,
    };
    const migrated = await command(['migrate'], environment);
    assert.equal(migrated.code, 0, migrated.stderr);
  });
  after(async () => {
    await database?.close();
    await store?.close();
    await kept?.drop();
    await keys?.drop();
    await dataDir?.remove();
  });

  const isClear = ({ column, was, person }: SealedColumn) => {
    const value = `t."${column}"`;
    const owner = person?.startsWith('(') ? person : `t."${person}"`;
    const clear = was?.startsWith('(') ? was : `t."${was}"`;
    const old = was === null ? 'false' : `${value} is null and ${clear} is not null`;
    return rawSql(`(get_byte(${value}, 0) = 1 and ${owner} is not null or ${old})`);
  };

  async function findClear(): Promise<string[]> {
    const found: string[] = [];
    for (const column of await sealedColumns(database.query)) {
      if (column.person === null) continue;
      const rows = await database.query(sql`
        select from ${rawSql(`"${column.table}"`)} t where ${isClear(column)} limit 1`);
      if (rows.length > 0) found.push(`${column.table}.${column.column}`);
    }
    const customers = await database.query(
      sql`select from customers where person is null and erased_at is null limit 1`,
    );
    return [...found, ...(customers.length > 0 ? ['customers'] : [])];
  }

  it('decision 0039: goes on where it stopped, in every table, and ends with everything sealed', async (context) => {
    const clear = await findClear();
    assert.ok(clear.includes('customers') && clear.length > 5, clear.join(', '));
    // An earlier version erased this customer, and left the merchants.
    const [gone] = await database.query<{ id: string }>(sql`
      update customers set deleted_at = now(), erased_at = now()
       where id = (select customer_id from card_transactions order by id limit 1)
      returning id`);
    assert.ok(gone);
    let kills = 0;
    for (; kills < 2 + ROUNDS; kills++) {
      // Each worker seals at least one table, and is killed at the next one that is left.
      const [, table] = new Set((await findClear()).map((name) => name.split('.')[0]));
      if (table === undefined) break;
      const release = await hold(kept.url, `select from "${table}" for update`);
      await killWhenBlocked(['serve', '--role', 'worker'], environment, { url: kept.url, release });
      // The lease of the dead worker ends in a moment; the test does not wait for it.
      await database.query(sql`update jobs set leased_until = ${new Date(0)} where leased_until is not null`);
    }
    context.diagnostic(`${kills} kills of the upgrade`);
    const worker = await launch(['serve', '--role', 'worker'], environment);
    await worker.prints(/The worker runs/);
    const kinds = [
      'people.seal-stored',
      'customers.seal-people',
      'payments.seal-stored',
      'customer.destroy-key',
    ];
    const jobs = sql`select from jobs where kind = any(${kinds})`;
    while ((await database.query(jobs)).length > 0) await delay(50);
    worker.kill('SIGTERM');
    await worker.finished;
    assert.deepEqual(await findClear(), []);
    const erasures = await store.query<{ person_id: string }>(
      sql`select person_id from people where erased_at is not null`,
    );
    assert.deepEqual(
      erasures.map(({ person_id }) => person_id),
      [gone.id],
    );
  });
});
