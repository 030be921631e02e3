import type { EventTaker } from '#foundation/database/outbox.ts';
import type { PlainReason } from '#foundation/database/reasons.ts';
import type { Sql } from '#foundation/database/sql.ts';

/**
 * The order in which every commit writes and therefore locks: two commits that need the same rows wait for each other
 * instead of deadlocking. Rows that many callers share come last, so that they are locked for the shortest time.
 */
export const STAGES = [
  'keys',
  'rows',
  'customers',
  'accounts',
  'ledger',
  'events',
  'balances',
  'jobs',
  'audit',
  'counters',
] as const;

export type CommitStage = (typeof STAGES)[number];

/**
 * Writes one kind of item: rows of a product, ledger entries, events, jobs, audit rows, idempotency keys, counters. The
 * folder that owns the tables owns the writer, and no other code writes there. The items of one call may belong to one
 * transaction or to many changes, and to any number of platforms.
 */
export interface Writer<Item> {
  readonly name: string;
  readonly stage: CommitStage;
  /**
   * The statements, in order. A statement that finds a state other than the item expects raises a reason (reasons.sql),
   * which rolls the whole commit back. The writer of events leases their queues to the taker.
   */
  write(items: readonly Item[], taker?: EventTaker): readonly Sql[];
  /** Makes items for another writer from all items of a commit. They are written after that writer's own. */
  passOn?(items: readonly Item[]): Passed;
  /** The reason for a violated unique constraint of the writer's tables: constraint → name of the reason. */
  readonly constraints?: Readonly<Record<string, PlainReason>>;
  /**
   * Names of the balances and counters that may refuse the item. Items that they refused recently commit apart
   * (commit.ts).
   */
  contested?(item: Item): readonly string[];
  /** Names of things that only one of several concurrent changes can get: a row's version, a key. The others are stale. */
  exclusive?(item: Item): readonly string[];
  /** Names the work that is due right after the commit, if any. A taker of events needs no wake-up for them. */
  wakes?(item: Item, taker?: EventTaker): WorkName | undefined;
}

/** The sources of work that a commit can give something to do. */
export type WorkName = 'jobs' | 'webhooks';

/** Items of another writer. */
export interface Passed {
  readonly writer: Writer<never>;
  readonly items: readonly unknown[];
}

/** The items of one writer. */
export interface Collected {
  readonly writer: Writer<unknown>;
  readonly items: readonly unknown[];
}

/** The items that a transaction or change has collected so far, by their writer. */
export class CollectedItems {
  readonly #byName = new Map<string, Collected & { readonly items: unknown[] }>();

  add<Item>(writer: Writer<Item>, ...items: readonly Item[]): void {
    const held = this.#byName.get(writer.name);
    if (held) held.items.push(...items);
    else this.#byName.set(writer.name, { writer: writer as Writer<unknown>, items: [...items] });
  }

  addAll(other: CollectedItems): void {
    for (const { writer, items } of other.#byName.values()) this.add(writer, ...items);
  }

  /** All statements, in the order of `STAGES`; empty if nothing was collected. */
  statements(taker?: EventTaker): Sql[] {
    return this.#passedOn().flatMap(({ writer, items }) => writer.write(items, taker));
  }

  /** The items by writer, as they were collected. */
  listOwn(): readonly Collected[] {
    return [...this.#byName.values()];
  }

  /** All items by writer, in the order of `STAGES`, with those that one writer makes for another. */
  list(): readonly Collected[] {
    return this.#passedOn();
  }

  constraints(): Map<string, PlainReason> {
    return new Map(
      [...this.#byName.values()].flatMap(({ writer }) => Object.entries(writer.constraints ?? {})),
    );
  }

  contested(): string[] {
    return this.#flatMap(({ contested }, item) => contested?.(item) ?? []);
  }

  exclusive(): string[] {
    return this.#flatMap(({ exclusive }, item) => exclusive?.(item) ?? []);
  }

  wakes(taker?: EventTaker): WorkName[] {
    return [...new Set(this.#flatMap(({ wakes }, item) => wakes?.(item, taker) ?? []))];
  }

  clear(): void {
    this.#byName.clear();
  }

  /** All items in the order of `STAGES`, with those that one writer makes for another. */
  #passedOn(): Collected[] {
    const passed = [...this.#byName.values()].flatMap(({ writer, items }) => writer.passOn?.(items) ?? []);
    if (passed.every(({ items }) => items.length === 0)) return this.#inOrder();
    const all = new CollectedItems();
    all.addAll(this);
    for (const { writer, items } of passed)
      if (items.length > 0) all.add(writer as Writer<unknown>, ...items);
    return all.#inOrder();
  }

  #inOrder(): Collected[] {
    const rank = ({ writer }: Collected) => STAGES.indexOf(writer.stage);
    return [...this.#byName.values()].sort(
      (a, b) => rank(a) - rank(b) || (a.writer.name < b.writer.name ? -1 : 1),
    );
  }

  #flatMap<Result>(of: (writer: Writer<unknown>, item: unknown) => Result | readonly Result[]): Result[] {
    return [...this.#byName.values()].flatMap(({ writer, items }) =>
      items.flatMap((item) => of(writer, item)),
    );
  }
}

/**
 * Sorts items in the order in which every commit locks them: by name, which begins with the platform's id. Two commits
 * that need the same rows of a table then wait for each other instead of deadlocking.
 */
export function inLockOrder<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Item[] {
  const named = Array.from(items, (item) => ({ name: nameOf(item), item }));
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ item }) => item);
}
