import type { Vault } from '#crypto/vault.ts';
import type { Database, Run } from '#database/database.ts';
import { type Sql, sql } from '#database/sql.ts';
import { type Clock, platformTime } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Environment, Platform } from '#lib/platform.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { Ports } from '#rails/ports.ts';

/** Who acts: an API token, the operator, the worker, a visitor of the onboarding page. Kept with every audit row. */
export interface Actor {
  readonly kind: 'token' | 'operator' | 'worker' | 'page';
  readonly id: string;
}

/** What is built once in app.ts and every transaction carries. */
export interface Surroundings {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly vault: Vault;
  /** The service's own name, for what is made here and bears it. */
  readonly names: WireNames;
  ports(environment: Environment): Ports;
  /** What lower folders do when an upper one announces something, by the announcement's name. */
  readonly reactions: ReadonlyMap<string, readonly ((tx: Tx, news: never) => Promise<void>)[]>;
  /** Called after a commit that left work for the worker, so that it need not wait for its next look. */
  wakeWorker(): void;
}

/** Writes all items that a transaction gathered, in one statement, just before the commit. */
export interface Collector<Item> {
  readonly name: string;
  write(tx: Tx, items: Item[]): Promise<void>;
}

/** One database transaction of one platform. Use cases receive this, never the pool. */
export class Tx {
  readonly platform: Platform;
  readonly platformId: string;
  /** The platform's business time, the same for the whole transaction. */
  readonly now: Date;
  readonly actor: Actor;
  readonly surroundings: Surroundings;
  readonly #run: Run;
  readonly #collected = new Map<string, { collector: Collector<unknown>; items: unknown[] }>();
  readonly #afterCommit: (() => void)[] = [];

  constructor(surroundings: Surroundings, platform: Platform, actor: Actor, run: Run) {
    this.surroundings = surroundings;
    this.platform = platform;
    this.platformId = platform.id;
    this.now = platformTime(surroundings.clock, platform.clockOffsetMs);
    this.actor = actor;
    this.#run = run;
  }

  get ports(): Ports {
    return this.surroundings.ports(this.platform.environment);
  }

  get vault(): Vault {
    return this.surroundings.vault;
  }

  newId(): string {
    return this.surroundings.newId();
  }

  /** One statement: tx.sql<Row>`select … where platform_id = ${tx.platformId}`. */
  sql<Row = unknown>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    return this.#run<Row>(sql(parts, ...values));
  }

  query<Row = unknown>(piece: Sql): Promise<Row[]> {
    return this.#run<Row>(piece);
  }

  /** Hands an item to its collector; all items of one transaction are written together before the commit. */
  collect<Item>(collector: Collector<Item>, item: Item): void {
    const held = this.#collected.get(collector.name);
    if (held) held.items.push(item);
    else this.#collected.set(collector.name, { collector: collector as Collector<unknown>, items: [item] });
  }

  afterCommit(step: () => void): void {
    this.#afterCommit.push(step);
  }

  /** For whoever opened the transaction: the last statements before the commit. */
  async flush(): Promise<void> {
    for (const { collector, items } of this.#collected.values()) await collector.write(this, items);
    this.#collected.clear();
  }

  /** For whoever opened the transaction: once the commit stands. */
  committed(): void {
    for (const step of this.#afterCommit) step();
  }
}
