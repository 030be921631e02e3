import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';

/** Where the sealed copies lie of files that went to a bank or came from it. */
const KEPT = ['archive', 'archive/read', 'quarantine'] as const;
/** Copies that one round destroys: a lease is renewed between two rounds. */
const COPIES_MAX = 500;

/** Destroys copies that are older than the retention (bank-files.md §5.3). Returns how many. */
export async function purgeCopies(place: FilePlace, before: Date): Promise<number> {
  let destroyed = 0;
  for (const area of KEPT) {
    const old = await place.list(area, before);
    for (const name of old.slice(0, COPIES_MAX - destroyed)) {
      await place.remove(area, name);
      destroyed++;
    }
  }
  return destroyed;
}
