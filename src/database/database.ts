import pg from 'pg';
import { holdWritesForTurn } from '#database/hold-writes.ts';
import { destroySocket, openLookUps } from '#database/look-ups.ts';
import { runPipeline } from '#database/pipeline.ts';
import { Pulse } from '#database/pulse.ts';
import { isOutOfRoom, shareScarce, type WithRoom } from '#database/scarce-connections.ts';
import { sessionAt } from '#database/session.ts';
import { compile, type Sql, type Statement } from '#database/sql.ts';
import { DatabaseUnavailable, nameUnavailable, READ_ONLY } from '#database/unavailable.ts';

/** Runs statements, one at a time, on one connection. */
export type Run = <Row>(piece: Sql) => Promise<Row[]>;
/** Runs statements together, in order and in one trip; their rows are not given back. */
export type RunAll = (pieces: readonly Sql[]) => Promise<void>;

export interface Database {
  /** One statement in a transaction of its own. */
  query: Run;
  /** One look-up by key, on a connection that it shares with other look-ups; nothing slow and no write. */
  lookUp: Run;
  /** Several statements in one transaction; a throw rolls back. */
  transaction<T>(steps: (run: Run, runAll: RunAll) => Promise<T>): Promise<T>;
  /**
   * Statements that are a transaction of their own, all known beforehand: one trip. What it throws at once, without a
   * promise, is a value that cannot be written out: nothing was sent.
   */
  commit: RunAll;
  /** Connections busy and callers waiting for one, for the metrics. */
  load(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  connectionsMax?: number;
  /** A server that says nothing for so long counts as away. */
  silenceMaxMs?: number;
  /** A connection was lost. */
  onError?(error: Error): void;
  /** A call failed because the database is away. */
  onUnavailable?(error: DatabaseUnavailable): void;
}

/** Whoever calls us is answered within five seconds, whatever the database does. */
const SILENCE_MAX_MS = 3_500;
/** How much longer a single connection may take than the server as a whole: the whole is noticed first. */
const GRACE_MS = 750;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, connectionsMax = 12, silenceMaxMs = SILENCE_MAX_MS, onError, onUnavailable } = options;
  const connectionMaxMs = silenceMaxMs + GRACE_MS;
  const config = {
    ...sessionAt(url),
    // A statement that outlives its request helps nobody; a forgotten transaction holds locks.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: connectionMaxMs,
    keepAlive: true,
    types: { getTypeParser },
  };
  // A server that lost a statement cannot end it; whoever waits for that one is told a little later.
  const pool = new pg.Pool({ ...config, query_timeout: 70_000, max: connectionsMax });
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client)).on('remove', (client) => void open.delete(client));
  pool.on('acquire', holdWritesForTurn);
  const lookUps = openLookUps(config, { answerMaxMs: connectionMaxMs, ...(onError && { onError }) });
  // An idle connection that dies is replaced on next use; unhandled it would end the process.
  pool.on('error', (error) => onError?.(error));
  const pulse = new Pulse({
    silenceMaxMs,
    ask: (withinMs) => askOnce({ ...config, connectionTimeoutMillis: withinMs, query_timeout: withinMs }),
    hangUp() {
      for (const client of open) destroySocket(client);
      lookUps.hangUp();
    },
  });
  const withRoom = shareScarce(pool, connectionMaxMs);
  const reach = reachOf(pulse, onUnavailable);
  return {
    query: (piece) => reach(() => withRoom(() => runOn(pool, piece))),
    lookUp: (piece) =>
      reach(() =>
        lookUps.run<never>(piece).catch((error) => {
          if (isOutOfRoom(error)) return withRoom(() => runOn<never>(pool, piece));
          throw error;
        }),
      ),
    transaction: (steps) => transaction(pool, { withRoom, reach, onError }, steps),
    commit(pieces) {
      const statements = pieces.map(compile);
      return reach(() => withRoom(() => commit(pool, statements)));
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), lookUps.close()]);
    },
  };
}

/** Does what needs the server, and tells a server that is away from a statement that failed. */
type Reach = <T>(step: () => Promise<T>) => Promise<T>;

function reachOf(pulse: Pulse, onUnavailable: DatabaseOptions['onUnavailable']): Reach {
  return async (step) => {
    try {
      return await pulse.listen(step);
    } catch (error) {
      const named = nameUnavailable(error);
      if (named instanceof DatabaseUnavailable) onUnavailable?.(named);
      throw named;
    }
  };
}

async function askOnce(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    destroySocket(client);
  }
}

async function runOn<Row>(target: pg.Pool | pg.PoolClient, piece: Sql): Promise<Row[]> {
  const result = await target.query(compile(piece));
  return result.rows as Row[];
}

async function commit(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const hear = (error: Error): void => {
    broken = error;
  };
  // As in a transaction: heard by whoever waits for the answer.
  client.on('error', hear);
  try {
    await runPipeline(client, statements);
  } catch (error) {
    // Only the server's own word leaves the connection as it was.
    if (!sqlFailure(error) || sqlFailure(error)?.code === READ_ONLY) broken = error as Error;
    throw error;
  } finally {
    client.off('error', hear);
    client.release(broken);
  }
}

async function transaction<T>(
  pool: pg.Pool,
  { withRoom, reach, onError }: { withRoom: WithRoom; reach: Reach; onError: DatabaseOptions['onError'] },
  steps: (run: Run, runAll: RunAll) => Promise<T>,
): Promise<T> {
  const client = await reach(() => withRoom(() => pool.connect()));
  let broken: Error | undefined;
  // A connection may die between two statements, when nobody waits for an answer; unheard, that would end
  // the process. The next statement fails on its own.
  const hear = (error: Error): void => {
    broken = error;
    onError?.(error);
  };
  client.on('error', hear);
  try {
    await reach(() => client.query('begin'));
    const result = await steps(
      (piece) => reach(() => runOn(client, piece)),
      (pieces) => reach(() => runPipeline(client, pieces.map(compile))),
    );
    const { command } = await reach(() => client.query('commit'));
    // PostgreSQL's answer to the commit of a transaction in which a statement failed, whoever caught that.
    if (command === 'ROLLBACK')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    if (sqlFailure(error)?.code === READ_ONLY) broken = error as Error;
    // Without its connection it is rolled back already, or its commit stands.
    await reach(() => client.query('rollback')).catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off('error', hear);
    client.release(broken);
  }
}

const INT8 = 20;

/** `int8` is money or a sequence: a bigint, never a rounded number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8) return BigInt;
  return pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown;
}

/** The SQLSTATE and constraint of a failed statement, where it is one. */
export function sqlFailure(error: unknown): { code: string; constraint?: string } | undefined {
  const failure = error instanceof DatabaseUnavailable ? error.cause : error;
  if (failure instanceof pg.DatabaseError && failure.code !== undefined) {
    return {
      code: failure.code,
      ...(failure.constraint !== undefined && { constraint: failure.constraint }),
    };
  }
  return undefined;
}

export function violates(error: unknown, constraint: string): boolean {
  return sqlFailure(error)?.constraint === constraint;
}
