import pg from 'pg';
import { batchWritesOfTurn, destroySocket } from '#foundation/database/connections.ts';
import { runPrepared } from '#foundation/database/prepared-query.ts';
import { settleLookUps } from '#foundation/database/session-settings.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';

export interface LookUps {
  run<Row>(piece: Sql): Promise<Row[]>;
  /** Closes all connections: the callers that wait on them get an error. */
  dropConnections(): void;
  close(): Promise<void>;
}

export interface LookUpOptions {
  /** A connection that does not answer for this long is closed, because every other caller would wait on it too. */
  readonly answerMaxMs: number;
  onError?(error: Error): void;
}

/** Turns of the event loop alternate: while one connection answers, the next turn's statements go over the other. */
const CONNECTIONS = 2;

/**
 * Connections that many callers use at once: statements are sent without waiting for earlier answers, and those of one
 * turn of the event loop are sent together. A slow statement delays all behind it, so only look-ups by key belong here.
 */
export function openLookUps(config: pg.ClientConfig, options: LookUpOptions): LookUps {
  const connections: (Connection | undefined)[] = Array.from({ length: CONNECTIONS });
  let current = 0;
  let isChosen = false;
  let isClosed = false;
  const connectionOfTurn = (): Connection => {
    if (!isChosen) {
      isChosen = true;
      current = (current + 1) % CONNECTIONS;
      setImmediate(() => {
        isChosen = false;
      });
    }
    const connection = connections[current];
    if (connection && !connection.isBroken()) return connection;
    const fresh = openConnection(config, options);
    connections[current] = fresh;
    return fresh;
  };
  return {
    run: async <Row>(piece: Sql) => {
      // A connection opened now would never be closed.
      if (isClosed) throw new Error('the database is closed');
      const client = await connectionOfTurn().client();
      return runPrepared<Row>(client, compile(piece));
    },
    dropConnections() {
      for (const connection of connections) connection?.drop();
    },
    close: async () => {
      isClosed = true;
      await Promise.all(connections.map((connection) => connection?.close()));
    },
  };
}

interface Connection {
  /** The driver's client, with its writes batched until the end of this turn of the event loop. */
  client(): Promise<pg.Client>;
  isBroken(): boolean;
  drop(): void;
  close(): Promise<void>;
}

function openConnection(config: pg.ClientConfig, { answerMaxMs, onError }: LookUpOptions): Connection {
  const client = new pg.Client({ ...config, query_timeout: answerMaxMs, pipeline: true });
  let isBroken = false;
  const markBroken = (error?: Error): void => {
    if (error && !isBroken) onError?.(error);
    isBroken = true;
  };
  // Callers that wait for an answer get the error from their statements; the next caller opens a new connection.
  client.on('error', markBroken).on('end', () => markBroken());
  const connected = client.connect().then(() => settleLookUps(client));
  connected.catch(() => markBroken());
  return {
    client: async () => {
      await connected;
      batchWritesOfTurn(client);
      return client;
    },
    isBroken: () => isBroken,
    drop: () => destroySocket(client),
    // If it were closed while it connects, its waiting callers would never get an answer.
    close: async () => {
      await connected.catch(() => undefined);
      await client.end();
    },
  };
}
