import assert from 'node:assert/strict';
import type { Deployment } from '#tests/drills/deployment.ts';
import { command } from '#tests/harness/command-line.ts';

/**
 * Asserts that the ledger verifies, and that no process answered or ended with an error that no fault explains. A 503 needs no
 * fault, because a busy machine can keep the database from answering in time: the call is repeated under its key, and the
 * model tells whether it took effect more than once.
 */
export async function requireSound({ faults, environment }: Deployment): Promise<void> {
  // A repeated call whose process was killed before anything was stored is told so once.
  const unexplained = faults.filter(
    (fault) => !fault.includes('ended before anything was stored') && !fault.includes(' answered 503: '),
  );
  assert.deepEqual(unexplained, [], 'no answer was 500 or above, but 503 or where a fault explains it');
  const verified = await command(['ledger', 'verify'], environment);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
}
