import { ITEM_KINDS, type Item } from '#foundation/explanation/explanation.ts';

/** The most items that an explanation shows (operator.md §8.4). */
export const ITEMS_MAX = 500;

/** An item whose business time is known, or was derived. */
export type TimedItem = Item & { readonly at: Date };

/** A moment of which both times are known. */
export interface Anchor {
  readonly at: Date;
  readonly recordedAt: Date;
}

/**
 * Orders items by business time, the oldest first. Some records have only one of the two times. The other one follows from
 * records of the same moment: a platform's clock is ahead of real time by an offset that only grows.
 */
export function orderItems(items: readonly Item[], now: Anchor): TimedItem[] {
  const anchors = [...items.filter(isAnchor), now].toSorted(
    (a, b) => a.recordedAt.getTime() - b.recordedAt.getTime(),
  );
  const byMoment = new Map(anchors.map((anchor) => [anchor.at.getTime(), anchor.recordedAt]));
  return items
    .map((item) => timed(item, anchors, byMoment))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || rankOf(a) - rankOf(b));
}

function isAnchor(item: Item): item is Item & Anchor {
  return item.at !== undefined && item.recordedAt !== undefined;
}

function timed(
  item: Item,
  anchors: readonly Anchor[],
  byMoment: ReadonlyMap<number, Date>,
): Item & { readonly at: Date } {
  const { at, recordedAt } = item;
  if (at) return { ...item, at, recordedAt: recordedAt ?? byMoment.get(at.getTime()) };
  const real = (recordedAt ?? new Date(0)).getTime();
  const anchor = anchors.findLast((one) => one.recordedAt.getTime() <= real) ?? anchors[0];
  const offset = anchor ? anchor.at.getTime() - anchor.recordedAt.getTime() : 0;
  return { ...item, at: new Date(real + offset) };
}

/** The order of what happened at one moment: the request comes before what it caused. */
function rankOf({ kind }: Item): number {
  return ITEM_KINDS.indexOf(kind);
}

/** Keeps the newest. */
export function truncateItems<One>(items: readonly One[]): { items: One[]; isTruncated: boolean } {
  return { items: items.slice(-ITEMS_MAX), isTruncated: items.length > ITEMS_MAX };
}
