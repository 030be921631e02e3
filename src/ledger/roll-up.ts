import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';

/**
 * Periodic work, one platform at a time: takes new lines of shared accounts into their sums, so that `sumOf`
 * stays quick. Returns how many entries were taken in; undefined when another process is doing it. Lines that may
 * still be in flight are left for the next run.
 */
export async function rollUpLedger(database: Database, platformId: string): Promise<bigint | undefined> {
  const [row] = await database.query<{ taken: bigint | null }>(
    sql`select ledger_roll_up(${platformId}) as taken`,
  );
  return row?.taken ?? undefined;
}

/**
 * Rolls the platform's ledger up once this transaction has ended: a roll-up needs one of its own, since it looks
 * at which others are over. One that fails is made up for by the next; sums are right without it.
 */
export function rollUpAfter(tx: Tx): void {
  const { database } = tx.runtime;
  tx.afterCommit(() => void rollUpLedger(database, tx.platformId).catch(() => undefined));
}
