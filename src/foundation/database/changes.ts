import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';

/**
 * The order in which every commit writes, and therefore locks: two commits that want the same rows queue up instead of
 * deadlocking. Rows that many callers share come last, so that they are locked for the shortest time.
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
 * folder that owns the tables owns the writer, and nobody else writes there. The items of one call may come from one
 * transaction or from many changes, and from any number of platforms.
 */
export interface Writer<Item> {
  readonly name: string;
  readonly stage: CommitStage;
  /**
   * The statements, in order. A statement that finds something other than the item expects raises a reason
   * (reasons.sql), which rolls the whole commit back.
   */
  write(items: readonly Item[]): readonly Sql[];
  /** What a violated unique constraint of the writer's tables means: constraint → name of the reason. */
  readonly constraints?: Readonly<Record<string, string>>;
  /** What the item competes for and may be refused, by name: a balance, a counter. Recent losers commit apart (commit.ts). */
  contested?(item: Item): readonly string[];
  /** What only one of several concurrent changes can have: a version of a row, a key. The others are stale. */
  exclusive?(item: Item): readonly string[];
  /** Whether a worker has something to do right after the commit. */
  wakes?(item: Item): boolean;
}

interface Collected {
  readonly writer: Writer<unknown>;
  readonly items: unknown[];
}

/** The items that a transaction or change has collected so far, by their writer. */
export class CollectedItems {
  readonly #byName = new Map<string, Collected>();

  add<Item>(writer: Writer<Item>, ...items: readonly Item[]): void {
    const held = this.#byName.get(writer.name);
    if (held) held.items.push(...items);
    else this.#byName.set(writer.name, { writer: writer as Writer<unknown>, items: [...items] });
  }

  addAll(other: CollectedItems): void {
    for (const { writer, items } of other.#byName.values()) this.add(writer, ...items);
  }

  /** All statements, in the order of `STAGES`; empty where nothing was collected. */
  statements(): Sql[] {
    if (this.#byName.size === 0) return [];
    return [FOR_THIS_COMMIT, ...this.#inOrder().flatMap(({ writer, items }) => writer.write(items))];
  }

  constraints(): Map<string, string> {
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

  wakes(): boolean {
    return this.#flatMap(({ wakes }, item) => wakes?.(item) ?? []).includes(true);
  }

  clear(): void {
    this.#byName.clear();
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
 * Items in the one order in which everybody locks them: by name, which begins with the platform's id. Two commits that
 * want the same rows of a table then queue up instead of deadlocking.
 */
export function inLockOrder<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Item[] {
  const named = Array.from(items, (item) => ({ name: nameOf(item), item }));
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ item }) => item);
}

const PLANNING = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((setting) => rawSql(`set_config('${setting}', 'off', true)`))
  .concat(rawSql(`set_config('plan_cache_mode', 'force_generic_plan', true)`));

/**
 * A refused commit is no error, and must not fill the server's log (decision 0018). Until the end of the transaction the
 * server logs no `ERROR`, where our role may set that and the server is not set up that way already.
 */
const QUIET = rawSql(`case when current_setting('log_min_messages') not in ('log', 'fatal', 'panic')
  and has_parameter_privilege('log_min_messages', 'SET') then set_config('log_min_messages', 'log', true) end`);

/**
 * What every commit begins with. Connections keep the plans that they made while the tables were small, and planning each
 * set again would cost more than writing it. So every commit is told to look rows up by key, until the end of its
 * transaction.
 */
const FOR_THIS_COMMIT = sql`select ${joinSql([...PLANNING, QUIET], ', ')}`;
