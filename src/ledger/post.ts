import type { Tx } from '#database/tx.ts';
import { assertPostable, type Entry, type Verdict } from '#ledger/entries.ts';
import { postEntries } from '#ledger/store.ts';

/**
 * Posts in the caller's transaction, in one trip: one entry, or several judged in order, each with its own
 * verdict. What is refused leaves nothing and stops nothing; whether the rest may stand is for the caller.
 */
export function post(tx: Tx, entry: Entry): Promise<Verdict>;
export function post(tx: Tx, entries: readonly Entry[]): Promise<Verdict[]>;
export async function post(tx: Tx, given: Entry | readonly Entry[]): Promise<Verdict | Verdict[]> {
  const entries = isMany(given) ? given : [given];
  if (entries.length === 0) return [];
  entries.forEach(assertPostable);
  const complete = entries.map((entry) => ({
    ...entry,
    id: entry.id ?? tx.newId(),
    platformId: tx.platformId,
    createdAt: tx.now,
  }));
  const recordedAt = new Date(tx.surroundings.clock.now());
  const verdicts = await postEntries((piece) => tx.query(piece), complete, recordedAt);
  return isMany(given) ? verdicts : (verdicts[0] as Verdict);
}

function isMany(given: Entry | readonly Entry[]): given is readonly Entry[] {
  return Array.isArray(given);
}
