import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';
import { givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenScaPayer, givenTrusted } from '#tests/given/waiting.ts';
import { type DatabaseProxy, openDatabaseProxy } from '#tests/harness/database-proxy.ts';
import { personKeysUrl } from '#tests/harness/databases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { openProxiedApp, type ProxiedApp } from '#tests/harness/proxied-app.ts';

const BASE = wireNames('Svc').basePath;

describe('the cost of an execution', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let proxy: DatabaseProxy;
  let opened: ProxiedApp;

  before(async () => {
    platform = await givenPlatform(world);
    opened = await openProxiedApp(world);
    ({ proxy } = opened);
  });
  after(() => opened.close());

  async function execute(payer: Payer, bank: string, by: ProxiedApp = opened): Promise<void> {
    const { id } = await quoted(platform, { from: payer.account('USD').id, to: bank });
    Object.assign(by.proxy.passed, { statements: 0, trips: 0 });
    const headers = { authorization: platform.authorization, 'idempotency-key': newUuid() };
    const reply = await by.app.http.inject({ method: 'POST', url: `${BASE}/quotes/${id}/execute`, headers });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  /**
   * Round trips and statements of one execution, once all connections have prepared the statements, and the rows that
   * it wrote. Background work of the process, such as writing the request log, may be counted as well, so the minimum
   * of several runs is used.
   */
  async function measureTrips(payer: Payer, bank: string) {
    const spent: (typeof proxy.passed)[] = [];
    for (let i = 0; i < 12; i++) {
      await execute(payer, bank);
      spent.push({ ...proxy.passed });
    }
    const [least] = spent.toSorted((one, other) => one.statements - other.statements);
    return { ...least, rows: await rowsWrittenBy(() => execute(payer, bank)) };
  }

  async function rowsWrittenBy(step: () => Promise<void>): Promise<Record<string, number>> {
    await step();
    const [last] = await world.database.query<{ xid: string }>(sql`
      select max(xmin::text::bigint)::text as xid from idempotency_keys`);
    const tables = await world.database.query<{ name: string }>(sql`
      select relname as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`);
    const written: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await world.database.query<{ count: bigint }>(sql`
        select count(*) from ${rawSql(name)} t where t.xmin::text = ${last?.xid}`);
      if (row && row.count > 0n) written[name] = Number(row.count);
    }
    return written;
  }

  const ROWS = {
    ...{ audit_log: 1, counters: 1, events: 2, idempotency_keys: 1, jobs: 1, ledger_balances: 1 },
    ...{ ledger_entries: 2, transactions: 1 },
  };

  it('decision 0017: credentials, the look-up and the commit; outside SCA regions authentication costs nothing', async () => {
    const payer = await givenPayer(platform);
    const bank = await givenOutside(platform, payer.id);
    assert.deepEqual(await measureTrips(payer, bank), { trips: 3, statements: 9, rows: ROWS });
  });

  it('decision 0039: with cold keys an execution fetches them in one trip to their store, and then in none', async () => {
    const keys = await openDatabaseProxy(personKeysUrl());
    const store = openDatabase({ url: keys.url, connectionsMax: 1 });
    const { vault, clock } = world.app.runtime;
    const sealing = await openPersonKeys({ database: world.database, store, vault, clock });
    const cold = await openProxiedApp(world, { sealing });
    try {
      const [first, payer] = [await givenPayer(platform), await givenPayer(platform)];
      const banks = [await givenOutside(platform, first.id), await givenOutside(platform, payer.id)] as const;
      // All connections prepare their statements.
      for (let i = 0; i < 8; i++) await execute(first, banks[0], cold);
      const tripsToKeys = async () => {
        keys.passed.trips = 0;
        await execute(payer, banks[1], cold);
        return keys.passed.trips;
      };
      assert.deepEqual([await tripsToKeys(), cold.proxy.passed.trips], [1, 3]);
      assert.deepEqual([await tripsToKeys(), await tripsToKeys()], [0, 0]);
      world.clock.advance(HELD_MS);
      assert.equal(await tripsToKeys(), 1);
    } finally {
      await cold.close();
      await store.close();
      await keys.close();
    }
  });

  it('customers.md §7.15: a trusted account costs two more look-ups, in parallel, and no more rows', async () => {
    const payer = await givenScaPayer(platform);
    await givenTrusted(platform, payer.bank);
    const { rows, trips, statements } = await measureTrips(payer, payer.bank);
    assert.deepEqual([trips, statements, rows], [5, 11, ROWS]);
  });
});
