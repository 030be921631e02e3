// lane: whole — the real binary

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { command } from '#tests/harness/command-line.ts';
import { corridor, type Environment, freePort, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

describe('command line with DATABASE_URL', () => {
  let files: TestDatabase;
  let outside: Environment;
  const running: Server[] = [];

  before(async () => {
    files = await createTestDatabase();
    outside = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      DATABASE_CONNECTIONS: '4',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      API_TOKEN_ID: randomBytes(16).toString('hex'),
      API_CLIENT_SECRET: randomBytes(24).toString('hex'),
    };
  });
  after(async () => {
    for (const server of running) server.kill('SIGTERM');
    await Promise.all(running.map((server) => server.finished));
    await files.drop();
  });

  it('decision 0005: roles run in processes of their own, with the configured credentials', async () => {
    const api = await serve(outside, ['--role', 'api']);
    running.push(api, await serve(outside, ['--role', 'worker']));
    assert.doesNotMatch(api.output(), new RegExp(outside.API_CLIENT_SECRET ?? 'none'));
    const basic = Buffer.from(`${outside.API_TOKEN_ID}:${outside.API_CLIENT_SECRET}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    assert.equal((await fetch(`${api.told.baseUrl}/config`, { headers })).status, 200);
  });

  it('decision 0005: a new platform comes with the line that a developer pastes into a shell', async () => {
    const settings = { ...outside, PUBLIC_URL: 'https://pay.example' };
    const { code, stdout, stderr } = await command(['platform', 'create', '--name', 'Two'], settings);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /\n {2}export CORRIDOR_URL=https:\/\/pay\.example\/svc\/2025-10-13 CORRIDOR_AUTH=[0-9a-f]{32}:[0-9a-f]+; export API=/,
    );
    const shown = await command(['platform', 'show'], outside);
    assert.equal(shown.code, 1);
    assert.match(
      shown.stderr,
      /There are 2 platforms: name one by its name or id \("corridor platform list" shows them\)/,
    );
  });

  it('decision 0005: the start warns of a database that may lose acknowledged commits', async () => {
    const name = new URL(files.url).pathname.slice(1);
    await withClient(files.url, (client) =>
      client.query(`alter database ${name} set synchronous_commit = off`),
    );
    const server = await serve(outside);
    running.push(server);
    assert.match(
      server.output(),
      /"level":"warn"[^\n]*The database may lose payments that were answered when it crashes: [^\n]*synchronous_commit/,
    );
  });

  it('decision 0005: a worker process serves probes and metrics at PROBE_PORT', async () => {
    const port = await freePort();
    const worker = await serve({ ...outside, PROBE_PORT: String(port) }, ['--role', 'worker']);
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      assert.equal((await get('/health/live')).status, 200);
      assert.deepEqual(await (await get('/health/ready')).json(), { status: 'ready' });
      assert.match(await (await get('/metrics')).text(), /# TYPE corridor_jobs_total counter/);
      assert.equal((await get('/svc/2025-10-13/config')).status, 404);
      const second = await corridor(['serve', '--role', 'worker'], { ...outside, PROBE_PORT: String(port) });
      assert.equal(second.code, 1);
      assert.match(
        second.stderr,
        /^corridor: \S+ is taken by another program; set PROBE_PORT to a free port\.\n$/,
      );
    } finally {
      worker.kill('SIGTERM');
      assert.equal((await worker.finished).code, 0);
    }
  });

  it('decision 0032: with METRICS_PORT the metrics are served there and nowhere else', async () => {
    const port = await freePort();
    const api = await serve({ ...outside, METRICS_PORT: String(port) }, ['--role', 'api']);
    running.push(api);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.match(await metrics.text(), /^corridor_database_up 1$/m);
    assert.equal((await fetch(new URL('/metrics', api.told.baseUrl))).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 404);
  });

  it('money.md §12: ledger verify lists its checks, and exits with 1 at a broken invariant', async () => {
    const clean = await command(['ledger', 'verify'], outside);
    assert.equal(clean.code, 0, clean.stderr);
    assert.match(clean.stdout, /^holds .*money\.md §12\.1.*\n(holds .*\n)+Every check holds\.\n$/);
    await withClient(files.url, (client) =>
      client.query(`
        insert into ledger_balances (platform_id, account, currency, balance, updated_at)
        select id, 'AVAIL:made-up', 'USD', 100, now() from platforms`),
    );
    const broken = await command(['ledger', 'verify', '--json'], outside);
    assert.equal(broken.code, 1);
    const { ok, checks } = JSON.parse(broken.stdout);
    assert.equal(ok, false);
    const violations = checks.flatMap((check: { violations: string[] }) => check.violations);
    assert.match(violations.join(), /AVAIL:made-up/);
  });

  it('decision 0002: a wrong ENCRYPTION_KEY is refused with one clear line', async () => {
    const wrong = { ...outside, PORT: '0', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const { code, stderr } = await corridor(['serve'], wrong);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^corridor: ENCRYPTION_KEY is not the key with which this database was set up; [^\n]*\n$/,
    );
  });

  it('decision 0005: a database that cannot be reached is one clear line without its password', async () => {
    const DATABASE_URL = 'postgres://someone:hidden@127.0.0.1:1/corridor';
    const { code, stderr, stdout } = await corridor(['serve'], { ...outside, DATABASE_URL });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^corridor: The database 127\.0\.0\.1:1\/corridor of DATABASE_URL cannot be used: [^\n]*\n$/,
    );
    assert.doesNotMatch(stdout + stderr, /hidden/);
  });
});

async function withClient(url: string, step: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await step(client);
  } finally {
    await client.end();
  }
}
