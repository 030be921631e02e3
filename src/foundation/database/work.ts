import { PersonErased } from '#foundation/crypto/person-seal.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { knowingVersions } from '#foundation/database/known-hashes.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import { type Actor, ReadTx, type Runtime, Tx } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/**
 * Gives a handler or a job access to one platform's data: reads, and writes that are one transaction each. A write that
 * throws is rolled back; a write that returns a `Refusal` is committed.
 */
export class Work {
  readonly runtime: Runtime;
  readonly platform: Platform;
  readonly actor: Actor;

  constructor(runtime: Runtime, platform: Platform, actor: Actor) {
    this.runtime = runtime;
    this.platform = platform;
    this.actor = actor;
  }

  /** The adapters of the platform's environment. */
  get ports(): Ports {
    return this.runtime.ports(this.platform.environment);
  }

  /** Reads without a transaction around them; reads that must agree with each other should be one statement. */
  read<T>(steps: (tx: ReadTx) => Promise<T>): Promise<T> {
    const tx = new ReadTx(this.runtime, this.platform, this.actor, this.runtime.database.query);
    return this.#withKeys(() => steps(tx));
  }

  /** The same for look-ups by key, which share connections: nothing slow belongs here. */
  lookUp<T>(steps: (tx: ReadTx) => Promise<T>): Promise<T> {
    const tx = new ReadTx(this.runtime, this.platform, this.actor, this.runtime.database.lookUp);
    return this.#withKeys(() => steps(tx));
  }

  /** Writes one business fact, all or nothing. */
  async write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withKeys(() => this.writeOnce(steps));
      } catch (error) {
        if (!isStale(error) || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  #withKeys<T>(steps: () => Promise<T>): Promise<T> {
    return knowingVersions(this.runtime.vault, () => this.#withPersonKeys(steps));
  }

  /** Repeats steps that missed keys, once the keys are fetched. The steps had no effect yet. */
  async #withPersonKeys<T>(steps: () => Promise<T>): Promise<T> {
    try {
      return await fetchingKeys(this.runtime.personKeys, this.platform.id, steps);
    } catch (error) {
      throw error instanceof PersonErased ? erasedPerson(error) : error;
    }
  }

  /** Does not repeat stale steps: for callers that then prepare everything again. */
  protected async writeOnce<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    let opened: Tx | undefined;
    const result = await this.runtime.database.transaction(async (run, runAll) => {
      const tx = new Tx(this.runtime, this.platform, this.actor, { run, runAll });
      opened = tx;
      try {
        const value = await steps(tx);
        await tx.flush();
        return value;
      } catch (error) {
        tx.rolledBack();
        throw error;
      }
    });
    opened?.committed();
    return result;
  }
}

/**
 * Returns the refusal of a call that needs data of a person whose key is destroyed, and whose rows will be
 * emptied soon.
 */
function erasedPerson(cause: PersonErased): Refusal {
  const reason = 'The data of a customer is being erased. Try again in a moment.';
  return Object.assign(new Refusal('SERVICE_UNAVAILABLE', reason), { cause });
}

const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** Whether a transaction failed because a row had changed since it was read, or because of a concurrent transaction. */
export function isStale(error: unknown): boolean {
  if (error instanceof CommitRefused) return error.reason.name === 'stale';
  const code = error instanceof Refusal ? undefined : sqlFailure(error)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}
