import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#database/sql.ts';
import { testWorld } from '#tests/harness.ts';

describe('pages outside the base path', () => {
  const world = testWorld();
  const get = (url: string) => world.app.http.inject({ method: 'GET', url });

  it('the process lives, and is ready while its database has every migration', async () => {
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

  it('metrics count requests by operation, work and connections, and name no secret', async () => {
    const platform = await world.platform();
    await platform.call('getPlatformConfig');
    const text = (await get('/metrics')).body;
    assert.match(text, /corridor_http_request_seconds_count\{operation="getPlatformConfig",status="200"\} 1/);
    assert.match(text, /corridor_database_connections\{state="idle"\}/);
    assert.match(text, /# TYPE corridor_webhook_attempts_total counter/);
  });

  it('the document and its reference page come without credentials and load nothing from elsewhere', async () => {
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
