// lane: whole — the real binary

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

// Other tests start a bundle of the same program (tests/harness/tested-binary.ts).
describe('npm start', () => {
  it('starts the service, which makes a payment and attaches a command; a signal lets it end cleanly: `npm start & … kill $!` leaves no process behind', {
    timeout: 300_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-npm-'));
    const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', NODE_TEST_CONTEXT: undefined };
    const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      let text = '';
      const ready = Promise.withResolvers<void>();
      const closed = once(npm.stdout, 'close');
      npm.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('"msg":"Ready."')) ready.resolve();
      });
      npm.stdout.once('close', () => ready.reject(new Error(text)));
      await ready.promise;
      await pay(text);
      const command = promisify(execFile)('npm', ['run', '-s', 'corridor', '--', 'ledger', 'verify'], {
        env,
      });
      assert.match((await command).stdout, /\nEvery check holds\.\n$/);
      npm.kill('SIGTERM');
      // The output ends with the last process that holds it open.
      await closed;
      assert.match(text, /SIGTERM: finishing/);
      assert.match(text, /"msg":"Stopped\."/);
      if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** A payment out of the platform's own account, until it is completed. */
async function pay(printed: string): Promise<void> {
  const line = printed.split('\n').find((one) => one.includes('"baseUrl"')) ?? '{}';
  const { baseUrl, credentialsFile } = JSON.parse(line);
  const [, auth = ''] = /CORRIDOR_AUTH=(\w+:\w+);/.exec(await readFile(credentialsFile, 'utf8')) ?? [];
  const headers = { authorization: `Basic ${btoa(auth)}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: object) => {
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const reply = await fetch(`${baseUrl}/${path}`, init);
    const text = await reply.text();
    assert.ok(reply.ok, `${path}: ${text}`);
    return JSON.parse(text);
  };
  const { data } = await call('platform/internal-accounts?currency=USD');
  const accountId = data[0].id;
  await call(`sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 });
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Jean Dupont',
    countryOfResidence: 'FR',
  };
  const payee = await call('platform/external-accounts', {
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary },
  });
  const quote = await call('quotes', {
    source: { sourceType: 'ACCOUNT', accountId },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 25_000,
    immediatelyExecute: true,
  });
  await call('sandbox/clock/advance', { seconds: 5 });
  assert.equal((await call(`transactions/${quote.transactionId}`)).status, 'COMPLETED');
}
