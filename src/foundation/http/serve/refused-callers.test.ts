import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { createApp } from '#app/app.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { deriveServiceKey } from '#foundation/crypto/service-key.ts';

import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS, testWorld } from '#tests/harness/harness.ts';
import { sealingAtRest } from '#tests/harness/person-keys.ts';

const URL = `${wireNames('Svc').basePath}/config`;
const MINUTE_MS = 60_000;

describe('callers without valid credentials', () => {
  const world = testWorld();

  async function refuse(remoteAddress: string, times = 1): Promise<void> {
    const calls = Array.from({ length: times }, () => world.app.http.inject({ url: URL, remoteAddress }));
    for (const { statusCode } of await Promise.all(calls)) assert.equal(statusCode, 401);
  }

  async function listRows(remoteAddress: string): Promise<{ times?: number }[]> {
    const rows = await world.database.query<{ details: { times?: number } }>(sql`
      select details from audit_log
       where action = 'authentication failed' and remote_address = ${remoteAddress} order by at, id`);
    return rows.map((row) => row.details);
  }

  /** The number of failures that the rows count. */
  const told = (rows: { times?: number }[]) => rows.reduce((sum, { times = 1 }) => sum + times, 0);

  it('platform.md §1.3.2: a flood from one address leaves few rows, which still count every failure', async () => {
    await refuse('192.0.2.1', 500);
    assert.ok((await listRows('192.0.2.1')).length < 20);
    world.clock.advance(MINUTE_MS);
    await refuse('192.0.2.1');
    const rows = await listRows('192.0.2.1');
    assert.ok(rows.length < 20, `${rows.length} rows`);
    assert.equal(told(rows), 501);
  });

  it('platform.md §1.3.2: a flood from one address does not hide failures from another', async () => {
    world.clock.advance(MINUTE_MS);
    await refuse('192.0.2.2', 300);
    await refuse('192.0.2.3', 2);
    assert.equal(told(await listRows('192.0.2.3')), 2);
  });

  it('platform.md §1.3.2: a flood from everywhere leaves few rows as well, and keeps count', async () => {
    world.clock.advance(MINUTE_MS);
    await refuse('192.0.2.4');
    const before = await all();
    for (let i = 0; i < 1_000; i++) await refuse(`2001:db8::${i.toString(16)}`);
    world.clock.advance(MINUTE_MS);
    await refuse('192.0.2.4');
    const after = await all();
    assert.ok(after.length - before.length < 300, `${after.length - before.length} rows`);
    assert.equal(told(after) - told(before), 1_001);
  });

  async function all(): Promise<{ times?: number }[]> {
    const rows = await world.database.query<{ details: { times?: number } }>(
      sql`select details from audit_log where action = 'authentication failed'`,
    );
    return rows.map((row) => row.details);
  }

  it('the forwarded address counts only if a trusted proxy sent it', async () => {
    const app = await createApp({
      ...world.app.runtime,
      names: wireNames('Svc'),
      domains: TEST_DOMAINS,
      storage: world.app.runtime.ports('SANDBOX').storage,
      log: pino({ level: 'silent' }),
      trustedProxies: ['10.0.0.0/8'],
    });
    try {
      const ask = (remoteAddress: string, forwarded: string) =>
        app.http.inject({ url: URL, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
      await ask('10.1.2.3', '198.51.100.1, 203.0.113.5');
      await ask('203.0.113.6', '198.51.100.1');
      assert.deepEqual(
        [(await listRows('203.0.113.5')).length, (await listRows('203.0.113.6')).length],
        [1, 1],
      );
      assert.equal((await listRows('198.51.100.1')).length, 0);
    } finally {
      await app.close();
    }
  });

  it('platform.md §1.3.2, §10.0.4: without a database, a call without credentials is still a 401, and one with credentials a 503', async () => {
    const logged: string[] = [];
    const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    const app = await createApp({
      database,
      ...sealingAtRest(),
      serviceKey: deriveServiceKey(generateKeyPair().privateKey),
      clock: systemClock,
      newId: newUuid,
      names: wireNames('Svc'),
      domains: TEST_DOMAINS,
      storage: world.app.runtime.ports('SANDBOX').storage,
      log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    });
    try {
      const ask = async (authorization?: string) => {
        const reply = await app.http.inject({
          url: URL,
          headers: { ...(authorization && { authorization }) },
        });
        return [reply.statusCode, reply.json().code];
      };
      assert.deepEqual(await ask(), [401, 'UNAUTHORIZED']);
      assert.deepEqual(await ask('Bearer abc'), [401, 'UNAUTHORIZED']);
      const credentials = Buffer.from(`${'0'.repeat(32)}:secret`).toString('base64');
      assert.deepEqual(await ask(`Basic ${credentials}`), [503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await app.close();
      await database.close();
    }
  });
});
