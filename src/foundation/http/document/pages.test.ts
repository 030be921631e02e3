// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { openDatabase } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { createMetricsServer, registerPages } from '#foundation/http/document/pages.ts';
import { createMetrics } from '#foundation/http/serve/metrics.ts';
import { accessAtService, type MetricsAccess } from '#foundation/http/serve/metrics-access.ts';
import { createTestDatabase } from '#tests/harness/databases.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Storage that always accepts documents. */
const ROOMY = { checkWritable: () => Promise.resolve() };

/** The address of the service in the pages. */
const ADDRESS = { publicUrl: () => 'http://localhost', basePath: '/svc/2025-10-13' };

describe('pages outside the base path', () => {
  const world = testWorld();
  const get = (url: string) => world.app.http.inject({ method: 'GET', url });

  it('the process is live, and is ready while its database has every migration', async () => {
    assert.equal((await get('/health/live')).statusCode, 200);
    assert.deepEqual((await get('/health/ready')).json(), { status: 'ready' });
    const [last] = await world.database.query<{ name: string; hash: string }>(
      sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, hash`,
    );
    const behind = await get('/health/ready');
    assert.equal(behind.statusCode, 503);
    assert.match(behind.json().status, /not up to date/);
    await world.database.query(
      sql`insert into schema_migrations (name, hash) values (${last?.name}, ${last?.hash})`,
    );
  });

  it('is no longer ready once a newer version has upgraded its database', async () => {
    await world.database.query(
      sql`insert into schema_migrations (name, hash) values ('9999_from_tomorrow', '')`,
    );
    const overtaken = await get('/health/ready');
    await world.database.query(sql`delete from schema_migrations where name = '9999_from_tomorrow'`);
    assert.deepEqual(
      [overtaken.statusCode, overtaken.json().status],
      [503, 'a newer version has upgraded the database'],
    );
    assert.equal((await get('/health/ready')).statusCode, 200);
  });

  it('is not ready while its database refuses writes, and is ready again once it accepts them', async () => {
    const standby = await createTestDatabase();
    const name = rawSql(new URL(standby.url).pathname.slice(1));
    await world.database.query(sql`alter database ${name} set default_transaction_read_only = on`);
    const database = openDatabase({ url: standby.url, connectionsMax: 1 });
    const app = Fastify();
    try {
      await registerPages(app, {
        describe: () => ({}),
        ...ADDRESS,
        metrics: createMetrics(),
        database,
        storage: ROOMY,
      });
      const demoted = await app.inject({ method: 'GET', url: '/health/ready' });
      assert.deepEqual([demoted.statusCode, demoted.json().status], [503, 'the database takes no writes']);
      await world.database.query(sql`alter database ${name} reset default_transaction_read_only`);
      const promoted = await app.inject({ method: 'GET', url: '/health/ready' });
      assert.deepEqual([promoted.statusCode, promoted.json().status], [200, 'ready']);
    } finally {
      await app.close();
      await database.close();
      await standby.drop();
    }
  });

  it('is not ready while its database cannot write to its disk', async () => {
    const files = await createTestDatabase();
    const path = `/tmp/corridor-disk-${randomUUID()}`;
    // Runs on the database server's machine, as its user. It reads its input first: otherwise the pipe may break.
    const onServer = (command: string) =>
      world.database.query(rawSql(`copy (select 1) to program 'cat > /dev/null; ${command}'`));
    const space = `disk_${process.pid}`;
    await onServer(`mkdir -m 700 ${path}`);
    await world.database.query(rawSql(`create tablespace ${space} location '${path}'`));
    const name = new URL(files.url).pathname.slice(1);
    await world.database.query(rawSql(`alter database ${name} set default_tablespace = ${space}`));
    const database = openDatabase({ url: files.url, connectionsMax: 1 });
    const app = Fastify();
    try {
      const parts = { describe: () => ({}), ...ADDRESS, metrics: createMetrics(), database, storage: ROOMY };
      await registerPages(app, { ...parts, probeMaxMs: 60_000 });
      await onServer(`chmod 000 ${path}`);
      const stuck = await app.inject({ method: 'GET', url: '/health/ready' });
      assert.deepEqual([stuck.statusCode, stuck.json().status], [503, 'the database takes no writes']);
      await onServer(`chmod 700 ${path}`);
      const freed = await app.inject({ method: 'GET', url: '/health/ready' });
      assert.deepEqual([freed.statusCode, freed.json().status], [200, 'ready']);
    } finally {
      await app.close();
      await database.close();
      await onServer(`chmod 700 ${path}`);
      await files.drop();
      await world.database.query(rawSql(`drop tablespace ${space}`));
      await onServer(`rm -r ${path}`);
    }
  });

  it('checks the disk rarely, however often it is probed, and every time after a failure', async () => {
    let tries = 0;
    let isFull = true;
    const storage = {
      async checkWritable() {
        tries++;
        if (isFull) throw new Error('full');
      },
    };
    const app = Fastify();
    await registerPages(app, {
      describe: () => ({}),
      ...ADDRESS,
      metrics: createMetrics(),
      database: world.database,
      storage,
    });
    const probe = () => app.inject({ method: 'GET', url: '/health/ready' });
    for (let i = 0; i < 2; i++) {
      const full = await probe();
      assert.deepEqual([full.statusCode, tries], [503, i + 1]);
      assert.match(full.json().status, /^documents cannot be stored/);
    }
    isFull = false;
    for (let i = 0; i < 5; i++) assert.equal((await probe()).statusCode, 200);
    assert.equal(tries, 3);
    const left = sql`select relname from pg_class where relname = 'write_that_is_taken_back'`;
    assert.deepEqual(await world.database.query(left), []);
    await app.close();
  });

  it('a database that does not answer makes the process unready in time, and its figures are left out', async () => {
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = world.database.transaction(async (run) => {
      await run(sql`lock table schema_migrations in access exclusive mode`);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const locked = async () => {
      await world.database.query(sql`select name from schema_migrations`);
      return [{ value: 1 }];
    };
    const metrics = createMetrics({ readMaxMs: 20 });
    metrics.gauge('slow', 'Reads what is locked.', locked);
    const patient = createMetrics({ readMaxMs: 2_000 });
    patient.gauge('slow', 'Reads what is locked.', locked);
    patient.gauge('quick', 'Reads nothing.', () => [{ value: 2 }]);
    const app = Fastify();
    try {
      await registerPages(app, {
        describe: () => ({}),
        ...ADDRESS,
        metrics,
        database: world.database,
        storage: ROOMY,
        probeMaxMs: 20,
      });
      const ready = await app.inject({ method: 'GET', url: '/health/ready' });
      assert.deepEqual([ready.statusCode, ready.json().status], [503, 'the database does not answer']);
      const figures = await patient.text();
      assert.match(figures, /^quick 2$/m);
      assert.doesNotMatch(figures, /^slow \d/m);
      // These need no credentials: however often they are requested, they must leave connections for others.
      const again = Array.from({ length: 10 }, () => ['/metrics', '/health/ready']).flat();
      for (const url of again) await app.inject({ method: 'GET', url });
      const { total, idle, waiting } = world.database.load();
      // One connection for the lock, one for the probe, and one for each set of figures.
      assert.ok(total - idle + waiting <= 4, `${total - idle} connections, ${waiting} more wanted`);
    } finally {
      release.resolve();
      await holder;
      await app.close();
    }
  });

  it('decision 0032: with a token set the metrics are shown to a caller that presents it, and are 404 where no caller may read them', async () => {
    const token = randomUUID();
    const served = async (metricsAccess: MetricsAccess, headers: Record<string, string> = {}) => {
      const app = createMetricsServer({ metrics: createMetrics(), metricsAccess });
      const reply = await app.inject({ method: 'GET', url: '/metrics', headers });
      await app.close();
      return reply;
    };
    const open = await served('anybody');
    assert.deepEqual([open.statusCode, /process_cpu/.test(open.body)], [200, true]);
    assert.equal((await served({ token }, { authorization: `Bearer ${token}` })).statusCode, 200);
    for (const authorization of ['', 'Bearer', `Bearer ${randomUUID()}`, `Basic ${token}`, token]) {
      const refused = await served({ token }, { authorization });
      assert.deepEqual([refused.statusCode, refused.json().code], [401, 'UNAUTHORIZED'], authorization);
      assert.equal(refused.headers['www-authenticate'], 'Bearer');
    }
    assert.equal((await served('nobody')).statusCode, 404);
  });

  it('decision 0032: without a setting the metrics are served to the own machine alone', () => {
    const nothing = { metricsPort: undefined, metricsToken: undefined, publicUrl: undefined };
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      assert.equal(accessAtService({ ...nothing, host }), 'anybody');
      assert.equal(accessAtService({ ...nothing, host, publicUrl: 'https://pay.example.com' }), 'nobody');
      assert.deepEqual(accessAtService({ ...nothing, host, metricsToken: 'x' }), { token: 'x' });
      assert.equal(accessAtService({ ...nothing, host, metricsToken: 'x', metricsPort: 9464 }), 'nobody');
    }
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'pay.example.com']) {
      assert.equal(accessAtService({ ...nothing, host }), 'nobody');
    }
  });

  it('platform.md §1.1.1: an unknown path below the reference page is 404 NOT_FOUND in JSON, too', async () => {
    for (const path of ['/docs/nothing', '/docs/../x', '/docs/%2e%2e/x', '/docs/js/nothing.js']) {
      const reply = await get(path);
      assert.deepEqual([reply.statusCode, reply.json().code], [404, 'NOT_FOUND'], path);
    }
  });

  it('the bundle of the reference page is in memory once, however many clients request it and never read it', async () => {
    const url = '/docs/js/scalar.js';
    const { length } = (await get(url)).rawPayload;
    const answers: ServerResponse[] = [];
    world.app.http.server.on('request', (_request, response) => void answers.push(response));
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.http.server.address() as AddressInfo;
    const before = process.memoryUsage().arrayBuffers;
    const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1').pause());
    try {
      for (const socket of sockets) socket.write(`GET ${url} HTTP/1.1\r\nhost: here\r\n\r\n`);
      while (answers.filter(({ headersSent }) => headersSent).length < sockets.length) await setImmediate();
      const held = process.memoryUsage().arrayBuffers - before;
      assert.ok(held < 10 * length, `${held} bytes are held for a bundle of ${length}`);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('metrics count requests by operation, jobs and connections, and contain no secret', async () => {
    const platform = await world.platform();
    await platform.call('getPlatformConfig');
    const text = (await get('/metrics')).body;
    assert.match(
      text,
      /corridor_http_request_duration_seconds_count\{operation="getPlatformConfig",status="200",environment="sandbox"\} 1/,
    );
    assert.match(text, /corridor_database_connections\{state="idle"\}/);
    assert.match(text, /# TYPE corridor_webhook_attempts_total counter/);
  });

  it('the document and its reference page need no credentials and load nothing from elsewhere', async () => {
    const document = (await get('/openapi.json')).json();
    assert.equal(document.openapi, '3.1.0');
    assert.ok(document.paths['/tokens'].post);
    assert.equal((await get('/docs')).statusCode, 302);
    const page = await get('/docs/');
    assert.equal(page.statusCode, 200);
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => String(source));
    assert.ok(sources.length > 0);
    for (const source of sources) assert.doesNotMatch(source, /^(https?:)?\/\//, source);
    const script = sources.find((source) => source.endsWith('.js')) ?? '';
    assert.equal((await get(new URL(script, 'http://x/docs/').pathname)).statusCode, 200);
  });
});
