// lane: whole — kills a process in the middle of its work

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { SEEDS } from '#edge/sandbox/seeds.ts';
import type { PublicId } from '#foundation/lib/ids.ts';
import { type Environment, launch, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeys, createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

/** The tables at which the process is killed, while it writes in the middle of a seed, in the order of the seeds. */
const KILLED_AT = ['documents', 'external_accounts', 'cards'];

/** The tables that seeds write into, by resource type. */
const TABLES = {
  Customer: 'customers',
  Document: 'documents',
  Verification: 'verifications',
  BeneficialOwner: 'beneficial_owners',
  ExternalAccount: 'external_accounts',
  Transaction: 'transactions',
  Card: 'cards',
  Agent: 'agents',
};

describe('seeds whose process is killed', () => {
  const planned = SEEDS.flatMap(({ makes }) => makes as readonly PublicId[]);
  const [tokenId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(24).toString('hex')];
  let files: TestDatabase;
  let keys: TestDatabase;
  let environment: Environment;
  let client: pg.Client;

  before(async () => {
    files = await createTestDatabase();
    keys = await createPersonKeys();
    client = new pg.Client({ connectionString: files.url });
    await client.connect();
    environment = {
      SANDBOX_SEEDS: 'true',
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: keys.url,
      DATABASE_CONNECTIONS: '4',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      API_TOKEN_ID: tokenId,
      API_CLIENT_SECRET: clientSecret,
    };
  });
  after(async () => {
    await client.end();
    await files.drop();
    await keys.drop();
  });

  /** Polls, because other processes do not report their progress. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await setTimeout(50);
  }

  /** Kills the process while it waits for a table that the test has locked. */
  async function killAt(table: string): Promise<void> {
    await client.query('begin');
    await client.query(`lock table ${table} in exclusive mode`);
    // It is not ready before its seeds exist.
    const server = await launch(['serve'], { PORT: '0', ...environment });
    const waiting = `
      select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.relation = '${table}'::regclass and not l.granted`;
    await until(async () => (await client.query(waiting)).rows.length > 0);
    server.kill('SIGKILL');
    await server.finished;
    await client.query('rollback');
    // The test need not wait until the lease of the dead process expires.
    await client.query('update jobs set leased_until = null, lease_owner = null');
  }

  async function get(server: Server, path: string): Promise<number> {
    const basic = Buffer.from(`${tokenId}:${clientSecret}`).toString('base64');
    const reply = await fetch(`${server.told.baseUrl}${path}`, {
      headers: { authorization: `Basic ${basic}` },
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  it('platform.md §1.3.8: continue where they stopped, and each exists once', async () => {
    for (const table of KILLED_AT) await killAt(table);
    const server = await serve(environment);
    try {
      const last = SEEDS.at(-1)?.makes[0] ?? assert.fail();
      await until(async () => (await get(server, `/platform/external-accounts/${last}`)) === 200);
      for (const [type, table] of Object.entries(TABLES)) {
        const { rows } = await client.query<{ id: string }>(`select id from ${table} order by id`);
        const ids = planned.filter((id) => id.startsWith(`${type}:`)).map((id) => id.slice(type.length + 1));
        assert.deepEqual(
          rows.map(({ id }) => id),
          ids.sort(),
          type,
        );
      }
      assert.doesNotMatch(server.output(), /was skipped/);
    } finally {
      server.kill('SIGTERM');
      await server.finished;
    }
  });
});
