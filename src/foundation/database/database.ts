import pg from 'pg';
import {
  batchWritesOfTurn,
  connectionConfig,
  destroySocket,
  isTooManyConnections,
  type RetryWhenFull,
  retryingWhenFull,
} from '#foundation/database/connections.ts';
import {
  DatabaseUnavailable,
  nameUnavailable,
  READ_ONLY,
  sqlFailure,
} from '#foundation/database/failures.ts';
import { openLookUps } from '#foundation/database/look-ups.ts';
import { runPipeline } from '#foundation/database/pipeline.ts';
import { runPrepared } from '#foundation/database/prepared-query.ts';
import { isSettled, SETTINGS_OF_COMMIT, settleCommits } from '#foundation/database/session-settings.ts';
import { compile, type Sql, type Statement } from '#foundation/database/sql.ts';
import { Watchdog } from '#foundation/database/watchdog.ts';

/** Runs statements, one at a time, on one connection. */
export type Run = <Row>(piece: Sql) => Promise<Row[]>;
/** Runs the statements of a commit in order, in one round trip. Only an `AnsweredSql` gets its rows. */
export type RunAll = (pieces: readonly Sql[]) => Promise<void>;

export interface Database {
  /** Runs one statement in a transaction of its own. */
  query: Run;
  /** Runs one look-up by key, on a connection that it shares with other look-ups; nothing slow and no write. */
  lookUp: Run;
  /** Runs several statements in one transaction; an exception rolls back. */
  transaction<T>(steps: (run: Run, runAll: RunAll) => Promise<T>): Promise<T>;
  /**
   * Runs a whole transaction whose statements are known beforehand, in one round trip. For a value that cannot be
   * serialized it throws synchronously, instead of returning a promise: nothing was sent then.
   */
  commit: RunAll;
  /** Connections busy and callers waiting for one, for the metrics. */
  load(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  connectionsMax?: number;
  /** How many of them serve commits alone; by default a quarter, and at least two. */
  commitsMax?: number;
  /** A server that answers no caller for this long is treated as down. */
  silenceMaxMs?: number;
  /** Called when a connection was lost. */
  onError?(error: Error): void;
  /** Called when a call failed because the database cannot be used. */
  onUnavailable?(error: DatabaseUnavailable): void;
}

/** Callers of the API get an answer within five seconds, whatever the database does. */
const SILENCE_MAX_MS = 3_500;
/** A single connection may be silent a little longer than the whole server, so that a dead server is noticed first. */
const GRACE_MS = 750;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, silenceMaxMs = SILENCE_MAX_MS, onError, onUnavailable } = options;
  const connectionMaxMs = silenceMaxMs + GRACE_MS;
  const config = {
    ...connectionConfig(url),
    // A statement that outlives its request is useless; a forgotten transaction holds locks.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: connectionMaxMs,
    keepAlive: true,
  };
  const { pool, commits, ...pools } = openPools(config, options);
  const lookUps = openLookUps(config, { answerMaxMs: connectionMaxMs, ...(onError && { onError }) });
  const watchdog = new Watchdog({
    silenceMaxMs,
    probe: (withinMs) => probeServer(config, withinMs),
    dropConnections() {
      pools.dropConnections();
      lookUps.dropConnections();
    },
  });
  const retryWhenFull = retryingWhenFull(pool, connectionMaxMs);
  const callServer = callingServer(watchdog, onUnavailable);
  return {
    query: (piece) => callServer(() => retryWhenFull(() => runOn(pool, piece))),
    lookUp: (piece) =>
      callServer(() =>
        lookUps.run<never>(piece).catch((error) => {
          if (isTooManyConnections(error)) return retryWhenFull(() => runOn<never>(pool, piece));
          throw error;
        }),
      ),
    transaction: (steps) => transaction(pool, { retryWhenFull, callServer, onError }, steps),
    commit(pieces) {
      const statements = pieces.map(compile);
      return callServer(() =>
        commit(commits, statements).catch((error) => {
          if (isTooManyConnections(error)) return retryWhenFull(() => commit(pool, statements));
          throw error;
        }),
      );
    },
    load: pools.load,
    close: async () => {
      await Promise.all([pool.end(), commits.end(), lookUps.close()]);
    },
  };
}

/** A share of the connections serves commits alone, so that their sessions keep the settings of commits. */
function openPools(
  config: pg.PoolConfig,
  { connectionsMax = 12, commitsMax = Math.max(2, Math.floor(connectionsMax / 4)), onError }: DatabaseOptions,
) {
  const open = new Set<pg.PoolClient>();
  const openPool = (options: pg.PoolConfig): pg.Pool =>
    // A server that never received the statement cannot time it out; this limit of ours then ends the wait.
    new pg.Pool({ ...config, query_timeout: 70_000, ...options })
      // The pool hears errors only while a connection is idle, and a caller from its first statement on. In between, a
      // server that stops would end the process. The caller's statement fails anyway.
      .on('connect', (client) => void open.add(client.on('error', () => undefined)))
      .on('remove', (client) => void open.delete(client))
      .on('acquire', batchWritesOfTurn)
      // An idle connection that dies is replaced on next use; unhandled it would end the process.
      .on('error', (error) => onError?.(error));
  // A transaction may need a second connection beside its own.
  const pool = openPool({ max: Math.max(2, connectionsMax - commitsMax) });
  const commits = openPool({ max: commitsMax, onConnect: settleCommits });
  return {
    pool,
    commits,
    dropConnections() {
      for (const client of open) destroySocket(client);
    },
    load: () => ({
      total: pool.totalCount + commits.totalCount,
      idle: pool.idleCount + commits.idleCount,
      waiting: pool.waitingCount + commits.waitingCount,
    }),
  };
}

const FIRST = compile(SETTINGS_OF_COMMIT);

/** Runs a step that needs the server under the watchdog, and names the failures that mean the server cannot be used. */
type CallServer = <T>(step: () => Promise<T>) => Promise<T>;

function callingServer(watchdog: Watchdog, onUnavailable: DatabaseOptions['onUnavailable']): CallServer {
  return async (step) => {
    try {
      return await watchdog.watch(step);
    } catch (error) {
      const named = nameUnavailable(error);
      if (named instanceof DatabaseUnavailable) onUnavailable?.(named);
      throw named;
    }
  };
}

async function probeServer(config: pg.ClientConfig, withinMs: number): Promise<void> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    destroySocket(client);
  }
}

/** Runs one statement on a connection of the pool. */
function runOn<Row>(pool: pg.Pool, piece: Sql): Promise<Row[]> {
  const statement = compile(piece);
  return onConnection(pool, (client) => runPrepared<Row>(client, statement));
}

function commit(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  return onConnection(pool, (client) =>
    runPipeline(client, isSettled(client) ? statements : [FIRST, ...statements]),
  );
}

/**
 * Whether the connection can be used again. After a failure that the server did not report itself, its state is unknown;
 * after a fatal one, the server closes it.
 */
function isUsableAfter(error: unknown): boolean {
  const failure = sqlFailure(error);
  return failure !== undefined && failure.code !== READ_ONLY && !CLOSED.test(failure.code);
}

/** The server closes the connection: it is shut down, or a limit on idle sessions has passed. */
const CLOSED = /^(57P|25P03)/;

async function onConnection<T>(pool: pg.Pool, step: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const hear = (error: Error): void => {
    broken = error;
  };
  // As in a transaction: the caller that waits for the answer gets the error.
  client.on('error', hear);
  try {
    return await step(client);
  } catch (error) {
    if (!isUsableAfter(error)) broken = error as Error;
    throw error;
  } finally {
    client.off('error', hear);
    client.release(broken);
  }
}

async function transaction<T>(
  pool: pg.Pool,
  {
    retryWhenFull,
    callServer,
    onError,
  }: { retryWhenFull: RetryWhenFull; callServer: CallServer; onError: DatabaseOptions['onError'] },
  steps: (run: Run, runAll: RunAll) => Promise<T>,
): Promise<T> {
  const client = await callServer(() => retryWhenFull(() => pool.connect()));
  let broken: Error | undefined;
  // A connection may die between two statements, when no caller waits for an answer; an unhandled error event would end
  // the process. The next statement fails anyway.
  const hear = (error: Error): void => {
    broken = error;
    onError?.(error);
  };
  client.on('error', hear);
  try {
    await callServer(() => client.query('begin'));
    const result = await steps(
      (piece) => callServer(() => runPrepared(client, compile(piece))),
      (pieces) => callServer(() => runPipeline(client, [FIRST, ...pieces.map(compile)])),
    );
    const { command } = await callServer(() => client.query('commit'));
    // PostgreSQL answers COMMIT with ROLLBACK after a failed statement, even if the code caught that failure.
    if (command === 'ROLLBACK')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    if (sqlFailure(error)?.code === READ_ONLY) broken = error as Error;
    // If the connection is gone, the server has rolled back by itself, or has committed.
    await callServer(() => client.query('rollback')).catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off('error', hear);
    client.release(broken);
  }
}
