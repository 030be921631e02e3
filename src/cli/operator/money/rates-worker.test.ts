// lane: whole — the real binary

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createRateServer, type RateServer, rateDocument } from '#tests/given/rates.ts';
import { command } from '#tests/harness/command-line.ts';
import { serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

describe('a service with a rate source', () => {
  let files: TestDatabase;
  let server: RateServer;
  before(async () => {
    files = await createTestDatabase();
    server = await createRateServer();
  });
  after(async () => {
    await server.close();
    await files.drop();
  });

  it('polls the source by itself, and every platform gets the rates', async () => {
    const key = randomBytes(32).toString('base64');
    const environment = { DATABASE_URL: files.url, PERSON_KEYS_URL: personKeysUrl(), ENCRYPTION_KEY: key };
    server.answer(rateDocument(new Date(), { EUR: '0.93', BTC: '0.00000833' }));
    const settings = { ...environment, RATES_URL: server.url, LOG_LEVEL: 'debug' };
    const worker = await serve(settings, ['--role', 'worker']);
    await worker.prints(/rates were updated/);
    worker.kill('SIGTERM');
    assert.equal((await worker.finished).code, 0);
    const shown = await command(['rates', 'show', '--json'], environment);
    assert.deepEqual(
      JSON.parse(shown.stdout).map((row: Record<string, unknown>) => [row.currency, row.perUsd, row.from]),
      [
        ['BTC', '0.00000833', 'source'],
        ['EUR', '0.93', 'source'],
      ],
    );
  });
});
