import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Door {
  readonly port: number;
  open(to: number): void;
  /** Closes all connections, and refuses new ones. */
  shut(): void;
  /**
   * Connections stay open and new ones are accepted, but no byte passes until the door is opened again, as in a network that
   * loses everything.
   */
  fallSilent(): void;
  close(): void;
}

/** A fixed address for a server whose own address changes with every start. */
export async function openDoor(firstTo: number): Promise<Door> {
  const inside = new Set<Socket>();
  const waiting: Socket[] = [];
  let [to, isSilent]: [number | undefined, boolean] = [firstTo, false];
  const admit = (socket: Socket) => {
    if (socket.destroyed) return;
    if (to === undefined) return void socket.resetAndDestroy();
    const onward = enter(connect(to, '127.0.0.1'), inside);
    forward(socket, onward, () => isSilent);
    forward(onward, socket, () => isSilent);
  };
  const server = createServer((socket) => {
    enter(socket, inside);
    if (!isSilent) return admit(socket);
    socket.pause();
    waiting.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const open = (port: number) => {
    [to, isSilent] = [port, false];
    for (const socket of inside) socket.resume();
    for (const socket of waiting.splice(0)) admit(socket);
  };
  const shut = () => {
    [to, isSilent] = [undefined, false];
    for (const socket of inside) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    ...{ open, shut },
    fallSilent: () => {
      isSilent = true;
      for (const socket of inside) socket.pause();
    },
    close: () => {
      shut();
      server.close();
    },
  };
}

function enter(socket: Socket, inside: Set<Socket>): Socket {
  inside.add(socket);
  return socket.on('error', () => undefined).on('close', () => inside.delete(socket));
}

/** Passes on the bytes of one end, no faster than the other end takes them. */
function forward(from: Socket, onto: Socket, isSilent: () => boolean): void {
  from.on('data', (bytes) => {
    if (!onto.write(bytes)) from.pause();
  });
  onto.on('drain', () => {
    if (!isSilent()) from.resume();
  });
  from.on('close', (hadError) => (hadError ? onto.destroy() : onto.destroySoon()));
}
