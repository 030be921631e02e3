import { CollectedItems } from '#foundation/database/changes.ts';
import { createCommit } from '#foundation/database/commit.ts';
import type { Database } from '#foundation/database/database.ts';
import { type Reason, readReason } from '#foundation/database/reasons.ts';
import { assertPostable, type CompleteEntry } from '#foundation/ledger/entries.ts';
import { LEDGER } from '#foundation/ledger/post.ts';

export type Poster = (entry: CompleteEntry) => Promise<Reason | undefined>;

/** Posts entries that need no other row: unrelated ones share a commit, each with its own outcome. */
export function createPoster(database: Pick<Database, 'commit'>): Poster {
  const commit = createCommit(database, () => undefined);
  return (entry) => commit({ collected: collectEntries([entry]) });
}

/** Posts a set entirely or not at all, in one trip; returns the reason if it failed. */
export async function postSet(
  database: Pick<Database, 'commit'>,
  entries: readonly CompleteEntry[],
): Promise<Reason | undefined> {
  const collected = collectEntries(entries);
  try {
    await database.commit(collected.statements());
    return undefined;
  } catch (error) {
    const reason = readReason(error, collected.constraints());
    if (reason) return reason;
    throw error;
  }
}

export function collectEntries(entries: readonly CompleteEntry[]): CollectedItems {
  const collected = new CollectedItems();
  for (const entry of entries) {
    assertPostable(entry);
    collected.add(LEDGER, entry);
  }
  return collected;
}
