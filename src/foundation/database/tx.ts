import type { PersonId, PersonKeysMissing } from '#foundation/crypto/person-seal.ts';
import type { ServiceKey } from '#foundation/crypto/service-key.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { CollectedItems, type Writer } from '#foundation/database/changes.ts';
import type { Commit } from '#foundation/database/commit.ts';
import type { Database, Run, RunAll } from '#foundation/database/database.ts';
import { heldKeysOf } from '#foundation/database/held-keys.ts';
import type { Outbox } from '#foundation/database/outbox.ts';
import { CommitRefused, readReason } from '#foundation/database/reasons.ts';
import { type Sql, sql, tellCommitted } from '#foundation/database/sql.ts';
import { type Clock, platformTime } from '#foundation/lib/clock.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
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

/** A person who has a key. */
export interface KeyedPerson {
  readonly id: PersonId;
  readonly platform_id: PlatformId;
  /** The generation of the key that seals the person's row; null: the person has no sealed row. */
  readonly generation: number | null;
}

/** Where the keys of people come from (src/foundation/person-keys). */
export interface PersonKeySource {
  /** Fetches missing keys, and creates those that are needed to seal. */
  provide(platformId: PlatformId, missing: PersonKeysMissing): Promise<void>;
  /** Returns the id of a new person, whose key is already durable. */
  newPerson(platformId: PlatformId): PersonId;
  /** Takes back such an id, if no customer got it. */
  takeBack(platformId: PlatformId, person: PersonId): void;
  /** Requires this many such ids at once, for a transaction that adds many people. */
  requireNew(platformId: PlatformId, count: number): void;
  /**
   * Requires that this process holds the keys of these people, except of those who were erased. A first key is wrapped
   * for the platform, which is the caller's own unless it is named.
   */
  requireHeld(people: readonly PersonId[], platformId?: PlatformId): void;
  /** Requires that this process holds the keys that open these values, except of people who were erased. */
  requireOpenable(sealed: readonly (Uint8Array | null | undefined)[]): void;
  /** Destroys the keys of people for good. Returns the number of the last erasure. */
  erase(platformId: PlatformId, people: readonly PersonId[]): Promise<bigint>;
  /** Finds the erasures after a known one, in their order. */
  findErasures(
    after: bigint,
  ): Promise<
    readonly { readonly person: PersonId; readonly platformId: PlatformId; readonly erasure: bigint }[]
  >;
  /** Finds the people among these whose key is missing although it was not destroyed. */
  findLost(people: readonly KeyedPerson[]): Promise<readonly KeyedPerson[]>;
  /** Finds keys of months whose data is no longer kept: after `RETENTION_YEARS`, and five years at least. */
  findOldMonths(platformId: PlatformId): Promise<PersonId[]>;
  /**
   * Fetches the keys of these people, and creates a key for each who never had one: it is durable when this returns.
   * Erased people get none. Refuses if a key is lost.
   */
  ensure(platformId: PlatformId, people: readonly PersonId[]): Promise<void>;
  /** Fetches the keys of these people, and returns the people without any. */
  load(people: readonly PersonId[]): Promise<PersonId[]>;
  /** Whether this process knows that the keys of this person were destroyed; it does after `load`. */
  isErased(person: PersonId): boolean;
  /**
   * Fetches the keys that open these values in one trip, before the values are opened one by one. Values that no
   * person's key sealed are skipped.
   */
  loadFor(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void>;
  /**
   * The same for one page of a search through values of any number of people, more than a process can hold keys of. It
   * is the only call for which a transaction may wait: its locks must be on rows that nobody else needs.
   */
  loadPage(sealed: readonly (Uint8Array | null | undefined)[]): Promise<void>;
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
  ports(environment: Environment): Ports;
  /**
   * The reactions of later folders to announcements of earlier ones (src/foundation/events/reactions.ts), by the announcement's name.
   */
  readonly reactions: ReadonlyMap<string, readonly ((tx: Tx, news: never) => Promise<void>)[]>;
  /** Gets the events that this process commits and sends itself. */
  readonly outbox: Outbox;
  /** Called after a commit that created work for the worker, so that it does not wait for its next poll. */
  wakeWorker(): void;
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
    if (this.#collected.wakes(taker)) this.afterCommit(() => this.runtime.wakeWorker());
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
