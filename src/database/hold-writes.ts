import type { Writable } from 'node:stream';
import type pg from 'pg';

/**
 * What is written to the connection in this turn of the loop goes out at its end, in one piece. With many statements
 * under way that saves a wake-up of either side for most of them; with one it costs nothing.
 */
export function holdWritesForTurn(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
