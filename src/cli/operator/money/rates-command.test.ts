import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { createRateServer, type RateServer, rateDocument } from '#tests/given/rates.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

describe('corridor rates', () => {
  let files: TestDatabase;
  let database: Database;
  let server: RateServer;
  let environment: Environment;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 2 });
    server = await createRateServer();
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
  });
  after(async () => {
    await server.close();
    await database.close();
    await files.drop();
  });

  const run = (words: string[], more: Environment = {}) =>
    command(['rates', ...words], { ...environment, ...more });
  const shown = async (words: string[], more: Environment = {}) => {
    const done = await run([...words, '--json'], more);
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout).map((row: Record<string, unknown>) => [
      row.currency,
      row.perUsd,
      row.from,
      row.counts,
    ]);
  };

  it('sets, shows and clears rates, audited, and names missing ones', async () => {
    const none = await run(['show']);
    assert.match(none.stdout, /no rates: production cannot quote/);
    const set = ['set', 'eur=0.92', '--hours', '8', '--reason', 'case 4711', '--yes'];
    assert.deepEqual(await shown(set), [['EUR', '0.92', 'operator', true]]);
    assert.match(
      (await run(['show'])).stdout,
      /Production cannot quote anything without a valid rate of BTC/,
    );
    assert.deepEqual(await shown(['clear', 'eur', '--reason', 'done']), []);
    const again = await run(['clear', 'eur', '--reason', 'done']);
    assert.deepEqual(
      [again.code, again.stderr],
      [1, 'corridor: None of these currencies has a rate that was set by hand, and none is stopped.\n'],
    );
    const stop = ['stop', 'eur', '--reason', 'closed', '--yes'];
    assert.equal((await run(stop)).code, 0);
    assert.deepEqual((await run(stop)).stderr, 'corridor: These currencies are stopped already.\n');
    assert.equal((await run(['clear', 'eur', '--reason', 'open again'])).code, 0);
    const rows = await database.query<{ action: string }>(sql`
      select action from audit_log where action like 'rates%' order by at, id`);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['rates set', 'rates clear', 'rates stop', 'rates clear'],
    );
  });

  it('refuses an invalid rate by name, and sets nothing', async () => {
    const done = await run(['set', 'EUR=0.92', 'XYZ=1', 'GBP=-1', '--reason', 'x', '--yes']);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /XYZ: is not a currency\n.*GBP: must be a plain decimal/);
    for (const words of [['EUR'], ['EUR=1=2'], ['EUR=1', 'EUR=2'], ['EUR=1', '--hours', '0']]) {
      assert.equal((await run(['set', ...words, '--reason', 'x', '--yes'])).code, 2, words.join(' '));
    }
    assert.equal((await run(['set', 'EUR=1', '--yes'])).code, 2, 'a reason is needed');
    for (const reason of ['', ' ', 'two\nlines', 'x'.repeat(256)]) {
      const unsaid = await run(['set', 'EUR=1', '--reason', reason, '--yes']);
      assert.equal(unsaid.code, 2, reason);
      assert.match(unsaid.stderr, /It must be one line of up to 255 characters/);
    }
    assert.deepEqual(await shown(['show']), []);
  });

  it('asks the source now, and names the problems of its answer', async () => {
    const unset = await run(['poll']);
    assert.deepEqual([unset.code, unset.stderr], [1, 'corridor: RATES_URL is not set.\n']);
    server.answer(rateDocument(new Date(), { EUR: '0.92', BTC: 0.00000833 }));
    const refused = await run(['poll'], { RATES_URL: server.url });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /No rate was accepted:\n {2}rates\.BTC must be in quotes/);
    assert.match((await run(['show'], { RATES_URL: server.url })).stdout, /was refused: rates\.BTC/);
    server.answer(rateDocument(new Date(), { EUR: '0.92', BTC: '0.00000833' }));
    assert.deepEqual(await shown(['poll'], { RATES_URL: server.url }), [
      ['BTC', '0.00000833', 'source', true],
      ['EUR', '0.92', 'source', true],
    ]);
  });
});
