import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before PostgreSQL that counts traffic, and can fail in every way in which a database can. */
export interface DatabaseProxy {
  readonly url: string;
  /** The traffic so far: executed statements, and round trips, each of which ends with a wait for the answers. */
  readonly passed: { statements: number; trips: number };
  /** Open connections stay open and new ones are accepted, but no data passes any more. */
  fallSilent(): void;
  /** No byte passes in either direction, until `release` lets all of them pass in their order. */
  hold(): void;
  release(): void;
  /** Resolves when a client next sends something that does not pass, because the proxy is silent or holds it. */
  untilAsked(): Promise<void>;
  /** Every connection ends, and so does each new one. */
  refuse(): void;
  /** The next commit reaches the server, but its connection ends before the answer arrives. */
  loseNextCommit(): void;
  /** New connections pass again. */
  recover(): void;
  close(): Promise<void>;
}

type Mode = 'passing' | 'silent' | 'held' | 'refusing';

export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url);
  const pairs = new Map<Socket, Socket>();
  let mode: Mode = 'passing';
  let isCommitLost = false;
  const held: (() => void)[] = [];
  const passed = { statements: 0, trips: 0 };
  let onAsked: (() => void) | undefined;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    pairs.set(near, far);
    const end = () => {
      pairs.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', () => undefined).on('close', end);
    if (mode === 'refusing') end();
    let isCut = false;
    const count = messageCounter(passed);
    near.on('data', (bytes: Buffer) => {
      if (mode === 'held') held.push(() => pass(bytes));
      if (mode !== 'passing') return onAsked?.();
      pass(bytes);
    });
    const pass = (bytes: Buffer) => {
      count(bytes);
      if (isCommitLost && bytes.includes('commit\0')) {
        isCommitLost = false;
        isCut = true;
      }
      far.write(bytes);
    };
    far.on('data', (bytes) => {
      if (isCut) end();
      else if (mode === 'passing') near.write(bytes);
      else if (mode === 'held') held.push(() => near.write(bytes));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  const endAll = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: proxied.toString(),
    passed,
    fallSilent: () => {
      mode = 'silent';
    },
    hold: () => {
      mode = 'held';
    },
    release() {
      mode = 'passing';
      for (const step of held.splice(0)) step();
    },
    untilAsked: () =>
      new Promise((resolve) => {
        onAsked = resolve;
      }),
    refuse() {
      mode = 'refusing';
      endAll();
    },
    loseNextCommit: () => {
      isCommitLost = true;
    },
    recover() {
      endAll();
      mode = 'passing';
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Parses a client's messages: each is a letter, its length and its content; the first has no letter. */
function messageCounter(passed: DatabaseProxy['passed']): (bytes: Buffer) => void {
  let isStarted = false;
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      const length = rest.length >= head + 4 ? head + rest.readUInt32BE(head) : Number.POSITIVE_INFINITY;
      if (rest.length < length) return;
      const letter = isStarted ? String.fromCharCode(rest[0] ?? 0) : '';
      if (letter === 'E' || letter === 'Q') passed.statements += 1;
      if (letter === 'S' || letter === 'Q') passed.trips += 1;
      isStarted = true;
      rest = rest.subarray(length);
    }
  };
}
