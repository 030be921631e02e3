import assert from 'node:assert/strict';
import type { Database, Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';

/** The findings of these checks after tables were changed by hand, past every guard of the database; undone afterwards. */
export async function findingsAfter(
  database: Database,
  changes: readonly Sql[],
  checks?: readonly LedgerCheck[],
): Promise<string[]> {
  const undone = new Error('undone');
  let found: string[] = [];
  const tamper = async (run: Run) => {
    await run(sql`set local session_replication_role = replica`);
    for (const change of changes) await run(change);
    found = violationsIn(await verifyLedger(run, checks));
    throw undone;
  };
  await assert.rejects(database.transaction(tamper), (error) => error === undone);
  return found;
}
