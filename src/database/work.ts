import { sqlFailure } from '#database/database.ts';
import { CommitRefused } from '#database/reasons.ts';
import { type Actor, ReadTx, type Runtime, Tx } from '#database/tx.ts';
import type { Platform } from '#lib/platform.ts';
import { Refusal } from '#lib/refusals.ts';
import type { Ports } from '#rails/ports.ts';

/**
 * What a handler or a job does its work through: reads, and writes that are one transaction each. A write
 * that throws leaves nothing; one that returns a `Refusal` keeps what it wrote.
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

  /** Statements without a transaction around them; what belongs together should be one statement. */
  read<T>(steps: (tx: ReadTx) => Promise<T>): Promise<T> {
    return steps(new ReadTx(this.runtime, this.platform, this.actor, this.runtime.database.query));
  }

  /** The same for look-ups by key of one resource; they share connections, so nothing slow belongs here. */
  lookUp<T>(steps: (tx: ReadTx) => Promise<T>): Promise<T> {
    return steps(new ReadTx(this.runtime, this.platform, this.actor, this.runtime.database.lookUp));
  }

  /** One business fact, committed whole or not at all. */
  async write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.writeOnce(steps);
      } catch (error) {
        if (!isStale(error) || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  /** The same for whoever looks at everything again where something is stale, instead of only taking the steps again. */
  protected async writeOnce<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    let opened: Tx | undefined;
    const result = await this.runtime.database.transaction(async (run, runAll) => {
      const tx = new Tx(this.runtime, this.platform, this.actor, { run, runAll });
      opened = tx;
      const value = await steps(tx);
      await tx.flush();
      return value;
    });
    opened?.committed();
    return result;
  }
}

const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** Whether a transaction of one's own could not be because something was not as it was seen, or others were in the way. */
export function isStale(error: unknown): boolean {
  if (error instanceof CommitRefused) return error.reason.name === 'stale';
  const code = error instanceof Refusal ? undefined : sqlFailure(error)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}
