import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** The bytes of one connection. */
export interface Sending {
  /** A description for the report. */
  readonly what: string;
  /** Each is written in a turn of its own. */
  readonly pieces: readonly Buffer[];
  /** `wait`: until the server ends the connection, after an answer; otherwise no answer is required. */
  readonly end: 'wait' | 'half-close' | 'destroy';
}

/** The time after which an answer counts as missing. */
const PATIENCE_MS = 45_000;

/** Everything that came back. */
export async function exchange(port: number, { pieces, end }: Sending): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const received = collect(socket);
  for (const piece of pieces) {
    socket.write(piece);
    await turn();
  }
  if (end === 'half-close') socket.end();
  if (end === 'destroy') socket.destroy();
  return received;
}

function collect(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    // The other side may end it before all was sent.
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
  });
}

export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z][A-Za-z -]*\r\n/g)].map(([, status]) =>
    Number(status),
  );
}
