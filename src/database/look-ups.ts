import type { Duplex } from 'node:stream';
import pg from 'pg';
import { holdWritesForTurn } from '#database/hold-writes.ts';
import { compile, type Sql } from '#database/sql.ts';

export interface LookUps {
  run<Row>(piece: Sql): Promise<Row[]>;
  /** Gives up the connections that there are: whoever waits on one is told that it is lost. */
  hangUp(): void;
  close(): Promise<void>;
}

export interface LookUpOptions {
  /**
   * A connection that is silent for so long after a statement is given up: every other caller would wait on it, for
   * as long as it is silent.
   */
  readonly answerMaxMs: number;
  onError?(error: Error): void;
}

/** One for each turn of the loop, alternating: while one answers, the next turn's statements go over the other. */
const LINES = 2;

/**
 * Connections that many callers use at once: statements are sent without waiting for the answers to those
 * before them, and those of one turn of the loop together. A slow statement holds up all behind it, so only
 * look-ups by key belong here.
 */
export function openLookUps(config: pg.ClientConfig, options: LookUpOptions): LookUps {
  const lines: (Line | undefined)[] = Array.from({ length: LINES });
  let current = 0;
  let isChosen = false;
  let isClosed = false;
  const lineOfTurn = (): Line => {
    if (!isChosen) {
      isChosen = true;
      current = (current + 1) % LINES;
      setImmediate(() => {
        isChosen = false;
      });
    }
    const line = lines[current];
    if (line && !line.isBroken()) return line;
    const fresh = openLine(config, options);
    lines[current] = fresh;
    return fresh;
  };
  return {
    run: async <Row>(piece: Sql) => {
      // A new connection now would stay open for ever.
      if (isClosed) throw new Error('the database is closed');
      const client = await lineOfTurn().client();
      const { rows } = await client.query(compile(piece));
      return rows as Row[];
    },
    hangUp() {
      for (const line of lines) line?.hangUp();
    },
    close: async () => {
      isClosed = true;
      await Promise.all(lines.map((line) => line?.close()));
    },
  };
}

interface Line {
  /** The connection, with what is written to it held back until the end of this turn of the loop. */
  client(): Promise<pg.Client>;
  isBroken(): boolean;
  hangUp(): void;
  close(): Promise<void>;
}

function openLine(config: pg.ClientConfig, { answerMaxMs, onError }: LookUpOptions): Line {
  const client = new pg.Client({ ...config, query_timeout: answerMaxMs, pipeline: true });
  let isBroken = false;
  const markBroken = (error?: Error): void => {
    if (error && !isBroken) onError?.(error);
    isBroken = true;
  };
  // Callers that wait for an answer hear of it from their statements; the next one opens a new line.
  client.on('error', markBroken).on('end', () => markBroken());
  const connected = client.connect();
  connected.catch(() => markBroken());
  return {
    client: async () => {
      await connected;
      holdWritesForTurn(client);
      return client;
    },
    isBroken: () => isBroken,
    hangUp: () => destroySocket(client),
    // Ended in the making, it would leave those who wait for it without an answer.
    close: async () => {
      await connected.catch(() => undefined);
      await client.end();
    },
  };
}

/** Ends a connection at once, without a word to a server that may not hear it. */
export function destroySocket(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy();
}
