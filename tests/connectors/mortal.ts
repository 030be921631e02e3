import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';

/** The runtime of a process that a test can kill: from then on nothing that it does reaches the database. */
export interface MortalProcess {
  readonly runtime: Runtime;
  isDead(): boolean;
  /** What it has committed stays, what it has begun is rolled back, and no answer reaches it. */
  kill(): void;
}

export function mortalProcess(runtime: Runtime): MortalProcess {
  let isDead = false;
  const requireAlive = () => {
    if (isDead) throw new Error('this process was killed');
  };
  const guarded =
    <Given extends unknown[], Result>(step: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      requireAlive();
      const result = await step(...given);
      requireAlive();
      return result;
    };
  const { database } = runtime;
  return {
    runtime: {
      ...runtime,
      database: {
        ...database,
        query: guarded(database.query) as Run,
        lookUp: guarded(database.lookUp) as Run,
        commit: guarded(database.commit),
        transaction: guarded((steps) =>
          database.transaction(async (run, runAll) => {
            const result = await steps(guarded(run) as Run, guarded(runAll));
            requireAlive();
            return result;
          }),
        ) as typeof database.transaction,
      },
    },
    isDead: () => isDead,
    kill() {
      isDead = true;
    },
  };
}
