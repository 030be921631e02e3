import { joinSql, rawSql, type Sql, sql } from '#database/sql.ts';

/**
 * The order in which everything is written, and so the order in which everybody locks: two commits that want the same
 * rows wait for each other and never lock up. What strangers share comes last, so that it is held for the shortest time.
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

export type Stage = (typeof STAGES)[number];

/**
 * Writes one kind of thing: rows of a product, ledger entries, events, jobs, audit rows, idempotency keys, counters. The
 * folder that owns the tables owns the writer, and nobody else writes there. The items may belong to one transaction or
 * to many changes, and to any number of platforms.
 */
export interface Writer<Item> {
  readonly name: string;
  readonly stage: Stage;
  /**
   * The statements, in order. One that finds something not as the item says raises a reason (reasons.sql); then
   * nothing of the commit stands.
   */
  write(items: readonly Item[]): readonly Sql[];
  /** What it means when a unique constraint of the writer's tables is violated: constraint → name of the reason. */
  readonly constraints?: Readonly<Record<string, string>>;
  /** What the item contends for and may be refused: changes that contend for what was refused lately go apart. */
  contested?(item: Item): readonly string[];
  /** What only one of several changes can have: a row as it was seen, a key. The others find it otherwise, and are stale. */
  exclusive?(item: Item): readonly string[];
  /** Whether a worker has something to do at once. */
  wakes?(item: Item): boolean;
}

interface Collected {
  readonly writer: Writer<unknown>;
  readonly items: unknown[];
}

/** Items by their writer. */
export class Collection {
  readonly #byName = new Map<string, Collected>();

  add<Item>(writer: Writer<Item>, ...items: readonly Item[]): void {
    const held = this.#byName.get(writer.name);
    if (held) held.items.push(...items);
    else this.#byName.set(writer.name, { writer: writer as Writer<unknown>, items: [...items] });
  }

  addAll(other: Collection): void {
    for (const { writer, items } of other.#byName.values()) this.add(writer, ...items);
  }

  /** Everything, in the order in which it is written; nothing where there is nothing. */
  statements(): Sql[] {
    if (this.#byName.size === 0) return [];
    return [PLAN_BY_KEY, ...this.#inOrder().flatMap(({ writer, items }) => writer.write(items))];
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
 * Plans that were made while the tables were small must serve when they are large, and planning anew for each set would
 * cost more than writing it: look-ups by key, always. Holds until the end of the transaction.
 */
const PLAN_BY_KEY = sql`select ${joinSql(
  ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
    .map((setting) => rawSql(`set_config('${setting}', 'off', true)`))
    .concat(rawSql(`set_config('plan_cache_mode', 'force_generic_plan', true)`)),
  ', ',
)}`;
