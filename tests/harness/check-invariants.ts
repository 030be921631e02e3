import assert from 'node:assert/strict';
import { SERVICE } from '#app/compose.ts';
import { JOURNAL_CHECKS } from '#capabilities/payments/journal-checks.ts';
import { BOOKING_CHECKS } from '#capabilities/reconciliation/ledger-checks.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';

/** Checks all invariants of money.md §12 that can be read from the database: after every test. */
export async function checkInvariants(database: Database, journalIsChecked: boolean): Promise<void> {
  // They hold trivially if nothing was ever posted or paid, as in half of the files.
  const [money] = await database.query<{ moved: boolean }>(sql`
    select exists (select from ledger_entries) or exists (select from transactions)
        or exists (select from ledger_balances where balance <> 0) as moved`);
  if (!money?.moved) return;
  const apart = [...JOURNAL_CHECKS, ...BOOKING_CHECKS];
  const checks = SERVICE.ledgerChecks.filter((check) => journalIsChecked || !apart.includes(check));
  const run = inOneStatement(database.query);
  const findings = await Promise.all(checks.map((check) => verifyLedger(run, [check])));
  assert.deepEqual(violationsIn(findings.flat()), []);
}

interface Waiting {
  readonly piece: Sql;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs queries that are asked for at the same moment as one statement: there are more than fifty checks, and on a test's small
 * tables a round trip takes longer than the check. Rows come back as JSON.
 */
function inOneStatement(run: Run): Run {
  let waiting: Waiting[] = [];
  const send = async () => {
    const all = waiting;
    waiting = [];
    const columns = all.map(
      ({ piece }, i) => sql`(select json_agg(q) from (${piece}) q) as ${rawSql(`c${i}`)}`,
    );
    try {
      const [row] = await run<Record<string, never[] | null>>(sql`select ${joinSql(columns, ', ')}`);
      for (const [i, { resolve }] of all.entries()) resolve(row?.[`c${i}`] ?? []);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  return (piece) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ piece, resolve, reject }) === 1) queueMicrotask(send);
    });
}
