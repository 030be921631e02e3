import type { ReadTx } from '#foundation/database/tx.ts';
import type { DueFact } from '#foundation/jobs/handlers.ts';

/** Something that happens at a known time of the platform's clock. */
export interface DueItem extends DueFact {
  readonly dueAt: Date;
  /** Its name within its source; items that are due at the same time are listed in the order of their keys. */
  readonly key: string;
}

/** The part of a source's items to list: those at `from` or later and, of those at `from`, those after a key. */
export interface DueRange {
  readonly from: Date;
  readonly afterKey?: string | undefined;
  readonly limit: number;
}

/** A folder's items, read along an index in the order of (dueAt, key). */
export interface DueSource {
  /** Its name within the service. */
  readonly name: string;
  list(tx: ReadTx, range: DueRange): Promise<DueItem[]>;
}

/** An item of the list over all sources. */
export interface ListedDue extends DueItem {
  readonly id: Id<'DueItem'>;
  /** The position of its source. */
  readonly source: number;
}

/** Where a page of the list over all sources ended. */
export type DuePosition = Pick<ListedDue, 'dueAt' | 'source' | 'key'>;

/** Lists what happens after the platform's present time, the earliest first: at most `limit` items of each source are read. */
export async function listDue(
  tx: ReadTx,
  sources: readonly DueSource[],
  limit: number,
  after?: DuePosition,
): Promise<ListedDue[]> {
  const soonest = new Date(tx.now.getTime() + 1);
  const found: ListedDue[] = [];
  // One after the other: a transaction has one connection.
  for (const [at, source] of sources.entries()) {
    const items = await source.list(tx, { ...rangeOf(at, soonest, after), limit });
    found.push(...items.map((item) => ({ ...item, id: idOf(tx, source, item), source: at })));
  }
  return found.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.source - b.source).slice(0, limit);
}

/** The range of one source after a position of the whole list, in which sources at the same time follow each other. */
function rangeOf(source: number, soonest: Date, after: DuePosition | undefined): Omit<DueRange, 'limit'> {
  if (!after || after.dueAt < soonest) return { from: soonest };
  if (source === after.source) return { from: after.dueAt, afterKey: after.key };
  return { from: source > after.source ? after.dueAt : new Date(after.dueAt.getTime() + 1) };
}

const BATCH = 100;

/** Finds the pending item with this id; undefined if it has happened, was cancelled or never existed. */
export async function findDue(
  tx: ReadTx,
  sources: readonly DueSource[],
  id: Id<'DueItem'>,
): Promise<DueItem | undefined> {
  const from = timeOf(id);
  for (const source of sources) {
    let afterKey: string | undefined;
    for (;;) {
      const items = await source.list(tx, { from, afterKey, limit: BATCH });
      const then = items.filter(({ dueAt }) => dueAt.getTime() === from.getTime());
      const found = then.find((item) => idOf(tx, source, item) === id);
      if (found) return found;
      if (then.length < BATCH) break;
      afterKey = then.at(-1)?.key;
    }
  }
  return undefined;
}

/**
 * The id of an item, the same each time: a UUID of its time and a keyed hash, so that it says nothing about the row
 * behind it, and the time leads back to the row along the source's index.
 */
function idOf({ vault, platformId }: ReadTx, { name }: DueSource, { dueAt, key }: DueItem): Id<'DueItem'> {
  const bytes = Buffer.from(vault.fingerprint([platformId, name, key].join(' '), 'due item').subarray(0, 16));
  bytes.writeUIntBE(dueAt.getTime(), 0, TIME_BYTES);
  // Version 8 of a UUID: its content is defined by its issuer.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id<'DueItem'>;
}

const TIME_BYTES = 6;

/** The time at which an item is due, by its id. */
export function timeOf(id: Id<'DueItem'>): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 2 * TIME_BYTES), 16));
}
