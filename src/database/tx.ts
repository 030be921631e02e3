import type { Vault } from '#crypto/vault.ts';
import { Collection, type Writer } from '#database/changes.ts';
import type { Commit } from '#database/commit.ts';
import type { Database, Run, RunAll } from '#database/database.ts';
import { CommitRefused, reasonOf } from '#database/reasons.ts';
import { type Sql, sql } from '#database/sql.ts';
import { type Clock, platformTime } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Environment, Platform } from '#lib/platform.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { Ports } from '#rails/ports.ts';

/** Who acts: an API token, an agent, the operator, the worker, a visitor of a page. Kept with every audit row. */
export interface Actor {
  readonly kind: 'token' | 'agent' | 'operator' | 'worker' | 'page';
  readonly id: string;
}

/** What is built once in app.ts and every transaction carries. */
export interface Runtime {
  readonly database: Database;
  /** Commits changes together with those of others that come at the same time. */
  readonly commit: Commit;
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

/** What gathers the changes of one business fact: a transaction (`Tx`), or a `Change` that is committed with others'. */
export interface Changes {
  readonly platformId: string;
  /** The platform's business time, the same for the whole fact. */
  readonly now: Date;
  readonly actor: Actor;
  readonly runtime: Runtime;
  newId(): string;
  collect<Item>(writer: Writer<Item>, item: Item): void;
}

/** The statements of a transaction: one at a time, or together in one trip. */
export interface Statements {
  readonly run: Run;
  readonly runAll: RunAll;
}

/**
 * One platform's data, for reading. What is emitted, scheduled or audited has to be committed, which only a `Tx` or a
 * `Change` is.
 */
export class ReadTx {
  readonly platform: Platform;
  readonly platformId: string;
  /** The platform's business time, the same from the first statement to the last. */
  readonly now: Date;
  readonly actor: Actor;
  readonly runtime: Runtime;
  readonly #run: Run;

  constructor(runtime: Runtime, platform: Platform, actor: Actor, run: Run) {
    this.runtime = runtime;
    this.platform = platform;
    this.platformId = platform.id;
    this.now = platformTime(runtime.clock, platform.clockOffsetMs);
    this.actor = actor;
    this.#run = run;
  }

  get ports(): Ports {
    return this.runtime.ports(this.platform.environment);
  }

  get vault(): Vault {
    return this.runtime.vault;
  }

  newId(): string {
    return this.runtime.newId();
  }

  /** One statement: tx.sql<Row>`select … where platform_id = ${tx.platformId}`. */
  sql<Row = unknown>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    return this.#run<Row>(sql(parts, ...values));
  }

  query<Row = unknown>(piece: Sql): Promise<Row[]> {
    return this.#run<Row>(piece);
  }
}

/** One database transaction of one platform. Use cases receive this, never the pool. */
export class Tx extends ReadTx implements Changes {
  readonly #runAll: RunAll;
  readonly #collected = new Collection();
  readonly #afterCommit: (() => void)[] = [];

  constructor(runtime: Runtime, platform: Platform, actor: Actor, { run, runAll }: Statements) {
    super(runtime, platform, actor, run);
    this.#runAll = runAll;
  }

  /** All items of one transaction are written together, at the latest just before the commit. */
  collect<Item>(writer: Writer<Item>, item: Item): void {
    this.#collected.add(writer, item);
  }

  afterCommit(step: () => void): void {
    this.#afterCommit.push(step);
  }

  /** Writes what was gathered, in one trip: for whoever opened the transaction, and for whoever must see it at once. */
  async flush(): Promise<void> {
    const statements = this.#collected.statements();
    if (statements.length === 0) return;
    const constraints = this.#collected.constraints();
    if (this.#collected.wakes()) this.afterCommit(() => this.runtime.wakeWorker());
    this.#collected.clear();
    await this.#runAll(statements).catch((error: unknown) => {
      const reason = reasonOf(error, constraints);
      throw reason ? new CommitRefused(reason, error) : error;
    });
  }

  /** For whoever opened the transaction: once the commit stands. */
  committed(): void {
    for (const step of this.#afterCommit) step();
  }
}

/** What a business fact changes, to be committed whole, together with the changes of strangers (commit.ts). */
export class Change implements Changes {
  readonly platformId: string;
  readonly now: Date;
  readonly actor: Actor;
  readonly runtime: Runtime;
  readonly collected = new Collection();

  constructor({ platformId, now, actor, runtime }: ReadTx) {
    this.platformId = platformId;
    this.now = now;
    this.actor = actor;
    this.runtime = runtime;
  }

  collect<Item>(writer: Writer<Item>, item: Item): void {
    this.collected.add(writer, item);
  }

  newId(): string {
    return this.runtime.newId();
  }
}
