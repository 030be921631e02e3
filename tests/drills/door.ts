import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Door {
  readonly port: number;
  open(to: number): void;
  /** Closes all connections, and refuses new ones. */
  shut(): void;
  close(): void;
}

/** A fixed address for a server whose own address changes with every start. */
export async function openDoor(firstTo: number): Promise<Door> {
  const inside = new Set<Socket>();
  let to: number | undefined = firstTo;
  const server = createServer((socket) => {
    if (to === undefined) return void socket.resetAndDestroy();
    const onward = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      inside.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          inside.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    to = undefined;
    for (const socket of inside) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    open: (port) => {
      to = port;
    },
    shut,
    close: () => {
      shut();
      server.close();
    },
  };
}
