import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Database } from '#foundation/database/database.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { cpuMeter } from './cpu.ts';
import { type Contestant, callers, type Round } from './rounds.ts';
import type { Size } from './sizes.ts';
import { setup } from './tpcb.ts';

export const PLAIN = 'plain-SQL transfer';

export interface PlainParts {
  readonly databaseUrl: string;
  /** The server, over a connection whose use is not measured. */
  readonly server: Database;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}

/** The yardstick: TPC-B shaped, each caller with a connection, in a separate process, so that no other code affects its compilation. */
export async function plainTransfer(parts: PlainParts): Promise<Contestant> {
  const { databaseUrl, server, size, closers } = parts;
  const words = ['--plain', databaseUrl, String(size.clients), String(size.plainWarmUp)];
  const child = fork(fileURLToPath(import.meta.url), words);
  closers.push(async () => void child.kill());
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the plain-SQL transfers ended')));
  const answer = async () => ((await Promise.race([once(child, 'message'), ended])) as [Round])[0];
  await answer();
  return {
    name: PLAIN,
    unit: 'transfer',
    cpu: cpuMeter(server, child.pid as number, databaseUrl),
    async prepare() {
      // Connections that were idle for long were closed.
      child.send({ each: 2 * size.runIn });
      await answer();
    },
    async round(ms) {
      child.send({ ms });
      return answer();
    },
  };
}

type Order = { readonly each: number } | { readonly ms: number };

async function transfers(url: string, connections: number, warmUp: number): Promise<void> {
  const plain = await setup(openDatabase({ url, connectionsMax: connections + 1, commitsMax: 1 }));
  const carryOut = async (order: Order) => {
    if ('ms' in order) return callers(connections, order.ms, plain.transfer);
    const loop = async () => {
      for (let done = 0; done < order.each; done++) await plain.transfer();
    };
    await Promise.all(Array.from({ length: connections }, loop));
    return {};
  };
  process.on('message', (order: Order) => void carryOut(order).then((done) => process.send?.(done)));
  // By count, not by time: on a busy machine few are done in a time, and the first ones of each connection are expensive.
  process.send?.(await carryOut({ each: warmUp }));
}

const [word, url, connections, warmUp] = process.argv.slice(2);
if (word === '--plain' && url !== undefined) await transfers(url, Number(connections), Number(warmUp));
