import type { Database } from '#foundation/database/database.ts';
import type { CpuMeter } from './cpu.ts';
import { BATCH, setup } from './ledger.ts';
import { type Contestant, callers } from './rounds.ts';
import type { Size } from './sizes.ts';
import { PLAIN } from './tpcb-contestant.ts';

export interface LedgerParts {
  /** With as many connections as the yardstick has. */
  readonly database: Database;
  readonly cpu: CpuMeter;
  readonly size: Size;
}

export async function ledgerContestants({ database, cpu, size }: LedgerParts): Promise<Contestant[]> {
  const ledger = await setup(database, size.ledgerAccounts);
  const row = (name: string, call: () => Promise<void>, budget?: number): Contestant => ({
    name,
    unit: 'posting',
    cpu,
    against: [{ name: PLAIN, ...(budget !== undefined && { budget }) }],
    round: (ms) => callers(size.clients, ms, call),
  });
  return [
    row('ledger, one entry per commit', ledger.postOne, 1.5),
    row('ledger, shared commits', ledger.postShared),
    row('ledger, shared commits, one hot account', ledger.postSharedHot),
    {
      ...row(`ledger, batches of ${BATCH}`, ledger.postBatch),
      async round(ms) {
        const { count, perSecond } = await callers(Math.min(4, size.clients), ms, ledger.postBatch);
        return { count: BATCH * count, perSecond: BATCH * perSecond };
      },
    },
  ];
}
