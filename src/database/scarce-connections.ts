import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** Does what may need a connection, again where there was no room for one. */
export type WithRoom = <T>(step: () => Promise<T>) => Promise<T>;

/** PostgreSQL's answer to a connection that it has no room for; what was to run on it has not run. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** How long no further connection is asked for. */
const SHARE_MS = 5_000;
/** Between two attempts of a process that has none at all. */
const PAUSE_MS = 100;

/**
 * Where the server has no room for another connection, callers share those that this process has. Processes of two
 * versions side by side want twice as many: their callers should wait a little, not fail.
 */
export function shareScarce(pool: pg.Pool, waitMaxMs: number): WithRoom {
  const wanted = pool.options.max;
  let isSharing = false;
  const share = (): void => {
    pool.options.max = Math.max(1, pool.totalCount);
    if (isSharing) return;
    isSharing = true;
    setTimeout(() => {
      isSharing = false;
      pool.options.max = wanted;
    }, SHARE_MS).unref();
  };
  return async (step) => {
    for (let giveUpAt: number | undefined; ; ) {
      try {
        return await step();
      } catch (error) {
        giveUpAt ??= performance.now() + waitMaxMs;
        if (!isOutOfRoom(error) || performance.now() > giveUpAt) throw error;
      }
      share();
      if (pool.totalCount === 0) await delay(PAUSE_MS);
    }
  };
}
