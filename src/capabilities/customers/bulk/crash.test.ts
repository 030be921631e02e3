// lane: whole — kills a process in the middle of its work

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { IMPORT_JOB } from '#capabilities/customers/bulk/accept-import.ts';
import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import { newestVault } from '#foundation/crypto/keyring.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { keyStore } from '#foundation/database/open-keyring.ts';
import { sql } from '#foundation/database/sql.ts';
import { holdReference, untilBlocked } from '#tests/given/blocked.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, PATIENCE, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

const ROWS = 260;
/** In the third batch of a hundred. */
const HELD = 'person-230';

describe('a bulk import whose process dies', () => {
  let files: TestDatabase;
  let database: Database;
  let folder: string;
  let environment: Environment;
  const running: Server[] = [];

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 4, ...PATIENCE });
    folder = await mkdtemp(join(tmpdir(), 'corridor-import-'));
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      DATABASE_CONNECTIONS: '6',
      DATA_DIR: folder,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      API_TOKEN_ID: randomBytes(16).toString('hex'),
      API_CLIENT_SECRET: randomBytes(24).toString('hex'),
    };
  });
  after(async () => {
    for (const server of running) server.kill('SIGTERM');
    await Promise.all(running.map((server) => server.finished));
    await database.close();
    await files.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<Server> {
    const server = await serve(environment);
    running.push(server);
    return server;
  }

  async function call(server: Server, path: string, body?: FormData) {
    const { API_TOKEN_ID: id, API_CLIENT_SECRET: secret } = environment;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const reply = await fetch(`${server.told.baseUrl}/customers/bulk/${path}`, {
      headers: { authorization },
      ...(body && { method: 'POST', body }),
    });
    return reply.json() as Promise<Record<string, unknown>>;
  }

  const count = async (what: ReturnType<typeof sql>) => (await database.query(what)).length;

  it('customers.md §2.5.31: after a kill in the middle of a batch and a restart, every row is imported once', async () => {
    const first = await start();
    const [platform] = await database.query<{ id: string }>(sql`select id from platforms`);
    const vault = await newestVault(keyStore(database), async () => [
      Buffer.from(environment.ENCRYPTION_KEY ?? '', 'base64'),
    ]);
    const held = await holdReference(files.url, platform?.id ?? '', { reference: HELD, vault });
    const rows = Array.from({ length: ROWS }, (_, i) => personRow(i + 1));
    const { jobId } = await call(first, 'csv', csvForm(renderCsv(rows)));
    await untilBlocked(files.url);
    first.kill('SIGKILL');
    await first.finished;
    await held.end('rollback');
    const made = await count(sql`select from customers`);
    assert.equal(made, 200, 'two batches are committed, the third was under way');
    // The dead process's lease expires in a minute; the test does not wait for it.
    await database.query(sql`update jobs set leased_until = ${new Date(0)} where kind = ${IMPORT_JOB}`);
    const second = await start();
    const isRunning = sql`select from customer_imports where completed_at is null`;
    while ((await count(isRunning)) > 0) await turn();
    const job = await call(second, `jobs/${jobId}`);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job));
    assert.deepEqual(job.progress, { total: ROWS, processed: ROWS, successful: ROWS, failed: 0 });
    const names = await database.query<{ hash: Buffer }>(sql`select reference_hash as hash from customers`);
    const expected = rows.map(
      (row) => hashCustomer(vault, 'reference', row.platformCustomerId ?? '').toStore,
    );
    assert.deepEqual(
      names.map(({ hash }) => hash.toString('hex')).sort(),
      expected.map((hash) => hash.toString('hex')).sort(),
    );
    assert.equal(await count(sql`select from events where type = 'BULK_UPLOAD.COMPLETED'`), 1);
    assert.equal(await count(sql`select from internal_accounts where customer_id is not null`), 2 * ROWS);
  });
});
