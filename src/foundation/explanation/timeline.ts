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
 * Orders items by business time, the oldest first; causes come before their effects. Some records have only one of the two
 * times. The business time is derived from facts that are certain (operator.md §8.1b): a platform's clock is ahead of real
 * time by an offset that only grows.
 */
export function orderItems(items: readonly Item[], known: readonly Anchor[]): TimedItem[] {
  const anchors = [...items.filter(isAnchor), ...known].toSorted(
    (a, b) => realTimeOf(a) - realTimeOf(b) || offsetOf(a) - offsetOf(b),
  );
  const byMoment = new Map(anchors.map((anchor) => [anchor.at.getTime(), anchor.recordedAt]));
  const derived = deriveTimes(items, anchors);
  return items
    .map((item) => {
      const { at = derived.get(item) ?? new Date(0) } = item;
      return { ...item, at, recordedAt: item.recordedAt ?? byMoment.get(at.getTime()) };
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || rankOf(a) - rankOf(b));
}

function isAnchor(item: Item): item is Item & Anchor {
  return item.at !== undefined && item.recordedAt !== undefined;
}

const realTimeOf = ({ recordedAt }: Pick<Item, 'recordedAt'>) => recordedAt?.getTime() ?? 0;
const offsetOf = ({ at, recordedAt }: Anchor) => at.getTime() - recordedAt.getTime();

/** Walks the records that lack a business time in the order of real time, with the greatest offset known so far. */
function deriveTimes(items: readonly Item[], anchors: readonly Anchor[]): Map<Item, Date> {
  const untimed = items.filter(({ at }) => at === undefined);
  const derived = new Map<Item, Date>();
  let passed = 0;
  let offset: number | undefined;
  for (const item of untimed.toSorted((a, b) => realTimeOf(a) - realTimeOf(b))) {
    const real = realTimeOf(item);
    for (let next = anchors[passed]; next && realTimeOf(next) < real; next = anchors[++passed]) {
      offset = Math.max(offset ?? 0, offsetOf(next));
    }
    const at = startOf(item, items, anchors) ?? boundedTime(item, offset, anchors[0]);
    if (item.notBefore) offset = Math.max(offset ?? 0, at - real);
    derived.set(item, new Date(at));
  }
  return derived;
}

/** The clock is never behind real time, and an attempt never comes before its event. */
function boundedTime(item: Item, offset: number | undefined, first: Anchor | undefined): number {
  const { notBefore } = item;
  const unknown = notBefore || !first ? 0 : offsetOf(first);
  return Math.max(realTimeOf(item) + (offset ?? unknown), notBefore?.getTime() ?? 0);
}

/**
 * Returns when a request came: it is as long before the change that it caused as it is in real time. Undefined if it
 * changed nothing.
 */
function startOf(item: Item, items: readonly Item[], anchors: readonly Anchor[]): number | undefined {
  if (item.kind !== 'request') return undefined;
  const real = realTimeOf(item);
  const answered = real + Number(item.details?.durationMs ?? 0);
  const caused =
    items.find(({ requestId }) => requestId !== undefined && requestId === item.details?.requestId) ??
    anchors.findLast(({ recordedAt }) => recordedAt.getTime() >= real && recordedAt.getTime() <= answered);
  if (!caused?.at) return undefined;
  return caused.at.getTime() - Math.max(0, (caused.recordedAt?.getTime() ?? answered) - real);
}

/** The order of what happened at one moment: the request comes before what it caused. */
function rankOf({ kind }: Item): number {
  return ITEM_KINDS.indexOf(kind);
}

/** Keeps the newest. */
export function truncateItems<One>(items: readonly One[]): { items: One[]; isTruncated: boolean } {
  return { items: items.slice(-ITEMS_MAX), isTruncated: items.length > ITEMS_MAX };
}
