import pg from 'pg';
import { holdWritesForTurn } from '#database/hold-writes.ts';
import { openLookUps } from '#database/look-ups.ts';
import { isOutOfRoom, shareScarce, type WithRoom } from '#database/scarce-connections.ts';
import { sessionAt } from '#database/session.ts';
import { compile, type Sql } from '#database/sql.ts';

/** Runs statements, one at a time, on one connection. */
export type Run = <Row>(piece: Sql) => Promise<Row[]>;

export interface Database {
  /** One statement in a transaction of its own. */
  query: Run;
  /** One look-up by key, on a connection that it shares with other look-ups; nothing slow and no write. */
  lookUp: Run;
  /** Several statements in one transaction; a throw rolls back. */
  transaction<T>(steps: (run: Run) => Promise<T>): Promise<T>;
  /** Connections busy and callers waiting for one, for the metrics. */
  load(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  connectionsMax?: number;
  onError?(error: Error): void;
}

export function openDatabase({ url, connectionsMax = 12, onError }: DatabaseOptions): Database {
  const config = {
    ...sessionAt(url),
    // A statement that outlives its request helps nobody; a forgotten transaction holds locks.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser },
  };
  // A server that fell silent cannot end its statements; whoever waits for one is told a little later.
  const pool = new pg.Pool({ ...config, query_timeout: 70_000, max: connectionsMax });
  pool.on('acquire', holdWritesForTurn);
  const lookUps = openLookUps(config, { answerMaxMs: 30_000, ...(onError && { onError }) });
  // An idle connection that dies is replaced on next use; unhandled it would end the process.
  pool.on('error', (error) => onError?.(error));
  const withRoom = shareScarce(pool);
  const query: Run = (piece) => withRoom(() => runOn(pool, piece));
  return {
    query,
    lookUp: (piece) =>
      lookUps.run<never>(piece).catch((error) => {
        if (isOutOfRoom(error)) return query<never>(piece);
        throw error;
      }),
    transaction: (steps) => transaction(pool, withRoom, steps, onError),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), lookUps.close()]);
    },
  };
}

async function runOn<Row>(target: pg.Pool | pg.PoolClient, piece: Sql): Promise<Row[]> {
  const result = await target.query(compile(piece));
  return result.rows as Row[];
}

async function transaction<T>(
  pool: pg.Pool,
  withRoom: WithRoom,
  steps: (run: Run) => Promise<T>,
  onError: DatabaseOptions['onError'],
): Promise<T> {
  const client = await withRoom(() => pool.connect());
  let broken: Error | undefined;
  // A connection may die between two statements, when nobody waits for an answer; unheard, that would end
  // the process. The next statement fails on its own.
  const hear = (error: Error): void => {
    broken = error;
    onError?.(error);
  };
  client.on('error', hear);
  try {
    await client.query('begin');
    const result = await steps((piece) => runOn(client, piece));
    const { command } = await client.query('commit');
    // PostgreSQL's answer to the commit of a transaction in which a statement failed, whoever caught that.
    if (command === 'ROLLBACK')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    if (sqlFailure(error)?.code === READ_ONLY) broken = error as Error;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off('error', hear);
    client.release(broken);
  }
}

/**
 * A standby, or a primary that became one: kept, the connection would go on failing, while the address may lead to
 * another server by now. (A statement by itself that fails costs its connection anyway.)
 */
export const READ_ONLY = '25006';

const INT8 = 20;

/** `int8` is money or a sequence: a bigint, never a rounded number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8) return BigInt;
  return pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown;
}

/** The SQLSTATE and constraint of a failed statement, where it is one. */
export function sqlFailure(error: unknown): { code: string; constraint?: string } | undefined {
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    return { code: error.code, ...(error.constraint !== undefined && { constraint: error.constraint }) };
  }
  return undefined;
}

export function violates(error: unknown, constraint: string): boolean {
  return sqlFailure(error)?.constraint === constraint;
}
