import { hostname } from 'node:os';
import type { Duplex, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ClientConfig } from 'pg';
import { VERSION } from '#foundation/lib/version.ts';

/**
 * Settings that the code relies on in every session, whatever the defaults of the server, the database or the role: dates
 * are sent as ISO text, in UTC. A pooler such as PgBouncer tracks these two for each client; the migration runner checks
 * all other requirements.
 */
const OPTIONS = '-c timezone=UTC -c datestyle=ISO';

/** How to connect to a database; the options of its URL, or else of PGOPTIONS, are kept. */
export function connectionConfig(url: string): ClientConfig {
  return { ...addressConfig(url), application_name: PROCESS_NAME };
}

/** The name for `pg_stat_activity`, at most 63 bytes. It shows operators which processes and versions run. */
const PROCESS_NAME = `corridor/${VERSION} ${hostname().slice(0, 30)}:${process.pid}`;

function addressConfig(url: string): ClientConfig {
  const address = new URL(url);
  // The driver reads PGOPTIONS only if it is given no options: a search path or role in it must not be lost.
  const own = address.searchParams.get('options') ?? process.env.PGOPTIONS;
  if (own === undefined) return { connectionString: url, options: OPTIONS };
  address.searchParams.delete('options');
  return { connectionString: address.toString(), options: `${own} ${OPTIONS}` };
}

/**
 * Collects everything that is written to the connection in this turn of the event loop and sends it at once at the end of
 * the turn. With many statements in flight this saves most wake-ups of both sides; with one it costs nothing.
 */
export function batchWritesOfTurn(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** Runs a step that needs a connection, and repeats it while the server has no connection to spare. */
export type RetryWhenFull = <T>(step: () => Promise<T>) => Promise<T>;

/** PostgreSQL's answer when its connections are used up; the statement has not run. */
export function isTooManyConnections(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** How long the pool waits before it tries to grow again. */
const SHARE_MS = 5_000;
/** The pause between two attempts of a process that has no connection at all. */
const PAUSE_MS = 100;

/**
 * While the server has no connection to spare, callers share those that this process has. During an upgrade the
 * processes of two versions need twice as many: their callers should wait a little, not fail.
 */
export function retryingWhenFull(pool: pg.Pool, waitMaxMs: number): RetryWhenFull {
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
        if (!isTooManyConnections(error) || performance.now() > giveUpAt) throw error;
      }
      share();
      if (pool.totalCount === 0) await delay(PAUSE_MS);
    }
  };
}

/** Closes a connection at once, without a termination message, which a dead server would not answer. */
export function destroySocket(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy();
}
