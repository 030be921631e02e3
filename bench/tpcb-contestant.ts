import type { Database } from '#database/database.ts';
import type { CpuMeter } from './cpu.ts';
import { type Contestant, callers } from './rounds.ts';
import { setup } from './tpcb.ts';

export const PLAIN = 'plain-SQL transfer';

/** The yardstick: TPC-B shaped, 32 connections. */
export async function plainTransfer(database: Database, cpu: CpuMeter): Promise<Contestant> {
  const plain = await setup(database);
  return { name: PLAIN, unit: 'transfer', cpu, round: (ms) => callers(32, ms, plain.transfer) };
}
