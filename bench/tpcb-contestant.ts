import type { Database } from '#database/database.ts';
import type { CpuMeter } from './cpu.ts';
import { type Contestant, callers } from './rounds.ts';
import { setup } from './tpcb.ts';

export const PLAIN = 'plain-SQL transfer';

const WARM_UP = 6_000;

/** The yardstick: TPC-B shaped, 32 connections. */
export async function plainTransfer(database: Database, cpu: CpuMeter): Promise<Contestant> {
  const plain = await setup(database);
  // By count: while a machine is busy too few are done in a time, and the first ones of each connection are dear.
  for (let done = 0; done < WARM_UP; ) done += (await callers(32, 500, plain.transfer)).count;
  return { name: PLAIN, unit: 'transfer', cpu, round: (ms) => callers(32, ms, plain.transfer) };
}
