import type { Database, Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import { LEDGER_CHECKS, type LedgerCheck } from '#ledger/checks.ts';

export interface LedgerFinding {
  readonly name: string;
  readonly rule: string;
  readonly examined: bigint;
  /** What is wrong, for a person; empty when all is well. */
  readonly violations: readonly string[];
}

/**
 * Proves from the database what can be read there of the invariants of money.md §12. Each check is one
 * statement, so it holds at one moment, while postings go on too.
 */
export async function verifyLedger(
  run: Run,
  checks: readonly LedgerCheck[] = LEDGER_CHECKS,
): Promise<LedgerFinding[]> {
  const findings: LedgerFinding[] = [];
  for (const { name, rule, run: check } of checks) findings.push({ name, rule, ...(await check(run)) });
  return findings;
}

/** The same for a large ledger: all checks at one moment, however long they take. */
export function verifyWholeLedger(
  database: Database,
  checks: readonly LedgerCheck[] = LEDGER_CHECKS,
): Promise<LedgerFinding[]> {
  return database.transaction(async (run) => {
    await run(sql`set transaction isolation level repeatable read, read only`);
    await run(sql`set local statement_timeout = 0`);
    return verifyLedger(run, checks);
  });
}

/** One line per violation, with the rule it breaks. */
export function violationsIn(findings: readonly LedgerFinding[]): string[] {
  return findings.flatMap(({ rule, violations }) => violations.map((violation) => `${rule}: ${violation}`));
}
