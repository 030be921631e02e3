import type { Changes } from '#database/tx.ts';
import { assertPostable, type Entry } from '#ledger/entries.ts';
import { LEDGER } from '#ledger/writer.ts';

/** Posts an entry with this transaction or change; where it cannot stand, nothing of the commit does. */
export function post(changes: Changes, entry: Entry): void {
  assertPostable(entry);
  const { platformId, now: createdAt, runtime } = changes;
  const recordedAt = new Date(runtime.clock.now());
  changes.collect(LEDGER, { ...entry, id: entry.id ?? changes.newId(), platformId, createdAt, recordedAt });
}
