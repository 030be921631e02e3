import type { ServiceKey } from '#foundation/crypto/service-key.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { CollectedItems, type WorkName, type Writer } from '#foundation/database/changes.ts';
import type { Commit } from '#foundation/database/commit.ts';
import type { Database, Run, RunAll } from '#foundation/database/database.ts';
import { heldKeysOf } from '#foundation/database/held-keys.ts';
import type { Outbox } from '#foundation/database/outbox.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { CommitRefused, readReason } from '#foundation/database/reasons.ts';
import { type Sql, sql, tellCommitted } from '#foundation/database/sql.ts';
import { type Clock, platformTime } from '#foundation/lib/clock.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import type { KeptTimes } from '#foundation/lib/kept-times.ts';
import type { Environment, Platform } from '#foundation/lib/platform.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** The actor in every audit row: an API token, an agent, the operator, the worker, a visitor of a page. */
export interface Actor {
  readonly kind: 'token' | 'agent' | 'operator' | 'worker' | 'page';
  readonly id: string;
  /** What every audit row of an operator's call says about it: the roles used, the session, the proposal. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Built once in src/app/app.ts, and carried by every transaction. */
export interface Runtime {
  readonly database: Database;
  /** Commits a change together with those of concurrent callers. */
  readonly commit: Commit;
  readonly clock: Clock;
  readonly newId: IdSource;
  /** The source of ids for new customers, instead of those in reserve; their keys are already stored. */
  readonly customerIds?: IdSource;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
  /** Signs data for the clients of embedded wallets. */
  readonly serviceKey: ServiceKey;
  /** The service's own name, for references and pages that contain it. */
  readonly names: WireNames;
  /** How long data is kept. Unset: for the shortest times that the rules allow. */
  readonly kept?: KeptTimes | undefined;
  ports(environment: Environment): Ports;
  /**
   * The reactions of later folders to announcements of earlier ones (src/foundation/events/reactions.ts), by the announcement's name.
   */
  readonly reactions: ReadonlyMap<string, readonly ((tx: Tx, news: never) => Promise<void>)[]>;
  /** Gets the events that this process commits and sends itself. */
  readonly outbox: Outbox;
  /**
   * Called after a commit that created work, so that the worker does not wait for its next poll. Without names, all
   * sources of the worker look for work.
   */
  wakeWorker(names?: readonly WorkName[]): void;
}

/** Collects the changes of one business fact: a transaction (`Tx`), or a `Change` that is committed with others'. */
export interface Changes {
  readonly platformId: PlatformId;
  readonly environment: Environment;
  /** The platform's business time, the same for the whole fact. */
  readonly now: Date;
  readonly actor: Actor;
  readonly runtime: Runtime;
  readonly newId: IdSource;
  collect<Item>(writer: Writer<Item>, item: Item): void;
}

/** How the statements of a transaction are run: one at a time, or several in one round trip. */
export interface Statements {
  readonly run: Run;
  readonly runAll: RunAll;
}

/**
 * One platform's data, for reading. It cannot emit, schedule or audit: these must be committed, with a `Tx` or a
 * `Change`.
 */
export class ReadTx {
  readonly platform: Platform;
  readonly platformId: PlatformId;
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

  get environment(): Environment {
    return this.platform.environment;
  }

  get ports(): Ports {
    return this.runtime.ports(this.environment);
  }

  get vault(): PersonVault {
    return this.runtime.vault;
  }

  get newId(): IdSource {
    return this.runtime.newId;
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
  readonly #statements: Statements;
  readonly #collected = new CollectedItems();
  readonly #afterCommit: (() => void)[] = [];
  readonly #newCustomers: CustomerId[] = [];

  constructor(runtime: Runtime, platform: Platform, actor: Actor, statements: Statements) {
    super({ ...runtime, personKeys: heldKeysOf(runtime.personKeys) }, platform, actor, statements.run);
    this.#statements = statements;
  }

  /** A transaction like this one, on another platform. */
  protected alike(platform: Platform, statements: Statements): Tx {
    return new Tx(this.runtime, platform, this.actor, statements);
  }

  /** Runs steps on another platform in the same transaction: an operator's call may create that platform. */
  async onPlatform<T>(platform: Platform, steps: (tx: Tx) => Promise<T>): Promise<T> {
    const tx = this.alike(platform, this.#statements);
    const value = await steps(tx);
    await tx.flush();
    this.afterCommit(() => tx.committed());
    return value;
  }

  /** All items of one transaction are written together, at the latest just before the commit. */
  collect<Item>(writer: Writer<Item>, item: Item): void {
    this.#collected.add(writer, item);
  }

  /** Commits the items of a prepared change in this transaction, instead of sharing a commit with other callers. */
  adopt({ collected }: Change): void {
    for (const { writer, items } of collected.listOwn()) for (const item of items) this.collect(writer, item);
  }

  /**
   * Runs a part of this transaction as a `Tx` of its own: for another actor, or with another runtime. Its items are
   * written at its end. If it throws, its writes are undone, and this transaction can continue.
   */
  async within<Part extends Tx, T>(
    open: (statements: Statements) => Part,
    steps: (part: Part) => Promise<T>,
  ): Promise<T> {
    await this.flush();
    const part = open(this.#statements);
    await this.#statements.run(sql`savepoint part`);
    try {
      const value = await steps(part);
      await part.flush();
      await this.#statements.run(sql`release savepoint part`);
      this.afterCommit(() => part.committed());
      return value;
    } catch (error) {
      await this.#statements.run(sql`rollback to savepoint part`);
      throw error;
    }
  }

  afterCommit(step: () => void): void {
    this.#afterCommit.push(step);
  }

  /** Returns the id of a new customer, whose key is already stored. */
  newCustomerId(): CustomerId {
    const { customerIds, personKeys } = this.runtime;
    if (customerIds) return customerIds('Customer');
    const id = personKeys.newPerson(this.platformId) as CustomerId;
    this.#newCustomers.push(id);
    return id;
  }

  /**
   * Writes the collected items in one round trip. Called before the commit, and by code that must read them back earlier.
   */
  async flush(): Promise<void> {
    const { taker } = this.runtime.outbox;
    const statements = this.#collected.statements(taker);
    if (statements.length === 0) return;
    const constraints = this.#collected.constraints();
    this.afterCommit(() => tellCommitted(statements));
    const woken = this.#collected.wakes(taker);
    if (woken.length > 0) this.afterCommit(() => this.runtime.wakeWorker(woken));
    this.#collected.clear();
    await this.#statements.runAll(statements).catch((error: unknown) => {
      const reason = readReason(error, constraints);
      throw reason ? new CommitRefused(reason, error) : error;
    });
  }

  /** Called by the code that opened the transaction, once it is committed. */
  committed(): void {
    for (const step of this.#afterCommit) step();
  }

  /** Called by the code that opened the transaction, once it is certain that nothing was committed. */
  rolledBack(): void {
    for (const id of this.#newCustomers) this.runtime.personKeys.takeBack(this.platformId, id);
  }
}

/**
 * Collects the changes to another platform in the same commit, by that platform's clock. A call belongs to one platform;
 * if it changes a resource that two platforms share (an invitation), the other one is notified.
 */
export function onPlatform(changes: Changes, { id, environment, clockOffsetMs }: Platform): Changes {
  const { actor, runtime } = changes;
  return {
    platformId: id,
    environment,
    now: platformTime(runtime.clock, clockOffsetMs),
    actor,
    runtime,
    newId: changes.newId,
    collect: (writer, item) => changes.collect(writer, item),
  };
}

/** The changes of one business fact, committed all or nothing, together with the changes of other callers (commit.ts). */
export class Change implements Changes {
  readonly platformId: PlatformId;
  readonly environment: Environment;
  readonly now: Date;
  readonly actor: Actor;
  readonly runtime: Runtime;
  readonly collected = new CollectedItems();

  constructor({ platformId, environment, now, actor, runtime }: ReadTx) {
    this.platformId = platformId;
    this.environment = environment;
    this.now = now;
    this.actor = actor;
    this.runtime = runtime;
  }

  collect<Item>(writer: Writer<Item>, item: Item): void {
    this.collected.add(writer, item);
  }

  get newId(): IdSource {
    return this.runtime.newId;
  }
}
