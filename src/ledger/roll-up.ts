import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';

/**
 * Periodic work, one platform at a time: adds new lines of shared accounts to their stored sums, so that `loadSum` stays
 * fast. Returns how many entries were added; undefined if another process is doing it. The newest lines wait for a later
 * run, when no transaction of the same time can be in flight any more.
 */
export async function rollUpLedger(database: Database, platformId: string): Promise<bigint | undefined> {
  const [row] = await database.query<{ taken: bigint | null }>(
    sql`select ledger_roll_up(${platformId}) as taken`,
  );
  return row?.taken ?? undefined;
}

/**
 * Rolls the platform's ledger up once this transaction has ended: a roll-up needs a transaction of its own, because it
 * looks at which others have ended. If it fails the next one catches up; sums are correct without it.
 */
export function rollUpAfter(tx: Tx): void {
  const { database } = tx.runtime;
  tx.afterCommit(() => void rollUpLedger(database, tx.platformId).catch(() => undefined));
}
