import type { Database } from '#database/database.ts';
import type { CpuMeter } from './cpu.ts';
import { type Contestant, callers } from './rounds.ts';
import { setup } from './tpcb.ts';

export const PLAIN = 'plain-SQL transfer';

const CALLERS = 32;

/** The yardstick: TPC-B shaped, 32 connections. */
export async function plainTransfer(database: Database, cpu: CpuMeter): Promise<Contestant> {
  const plain = await setup(database);
  const transfers = async (each: number) => {
    const loop = async () => {
      for (let done = 0; done < each; done++) await plain.transfer();
    };
    await Promise.all(Array.from({ length: CALLERS }, loop));
  };
  // By count: while a machine is busy few are done in a time, and the first ones of each connection are dear.
  await transfers(200);
  return {
    name: PLAIN,
    unit: 'transfer',
    cpu,
    // Connections that idled for long were closed.
    prepare: () => transfers(10),
    round: (ms) => callers(CALLERS, ms, plain.transfer),
  };
}
