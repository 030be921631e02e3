// lane: first — the whole benchmark, with the real binary

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a benchmark with its smallest sizes, and returns what it prints; its figures mean nothing. */
function runQuickly(program: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--quick'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('the benchmarks', () => {
  it('all parts of npm run bench run one after the other, and the budgets are shown at the end', () => {
    const [parts = '', budgets = ''] = runQuickly('bench/run.ts').split('\nall figures with a budget\n');
    const ended = [...parts.matchAll(/^load average during (\w+): \d+\.\d → \d+\.\d$/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(ended, [
      ...['ledger', 'reads', 'executions', 'refusals', 'cards', 'webhooks', 'completion', 'instructions'],
    ]);
    for (const row of [
      'ledger, one entry per commit ÷ plain-SQL transfer',
      'GET of one resource ÷ bare route, one look-up',
      'execute a payment, spread over accounts, 1 client ÷ naive peer, spread over accounts, 1 client',
      'execute a payment, spread over accounts, 8 clients ÷ naive peer, spread over accounts, 8 clients',
      'execute a payment, spread over accounts ÷ naive peer, spread over accounts',
      'execute a payment, spread over accounts ÷ plain-SQL transfer',
      'authorize a purchase, spread over cards ÷ plain-SQL transfer',
      'payments to COMPLETED, three webhooks each, net of waits ÷ plain-SQL transfer',
    ]) {
      assert.ok(budgets.includes(row), `${row} is missing in ${budgets}`);
    }
  });

  it('npm run bench:scale fills and measures two sizes', () => {
    const printed = runQuickly('bench/scale.ts');
    for (const call of [
      'customers: page',
      'internal accounts: page',
      'external accounts: page',
      'one quote',
      'purge of events with their attempts',
      'drop of a month of the audit log',
      'order for a connector',
    ]) {
      assert.ok(printed.includes(call), `${call} is missing in ${printed}`);
    }
  });
});
