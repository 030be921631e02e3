import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports below those that systems give to connections, and to servers that take any port. */
const OWN: PortRange = { first: 20_000, last: 29_999 };

interface PortRange {
  readonly first: number;
  readonly last: number;
}

const given = new Set<number>();

/**
 * Returns a port for a program that is killed and started again. Nothing else in this process gets it. Other tests on the
 * machine do not get it either: they take any port, which is never in this range. Parallel drills begin to look at different
 * places.
 */
export async function ownPort({ first, last }: PortRange = OWN): Promise<number> {
  const count = last - first + 1;
  const begin = Math.floor(Math.random() * count);
  for (let i = 0; i < count; i++) {
    const port = first + ((begin + i) % count);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no port from ${first} to ${last} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
