import type { Database } from '#database/database.ts';
import { BATCH, setup } from './ledger.ts';
import { type Contestant, callers } from './rounds.ts';
import { PLAIN } from './tpcb-contestant.ts';

export async function ledgerContestants(database: Database): Promise<Contestant[]> {
  const ledger = await setup(database);
  const row = (name: string, call: () => Promise<void>, more: Partial<Contestant> = {}): Contestant => ({
    name,
    unit: 'posting',
    against: PLAIN,
    round: (ms) => callers(32, ms, call),
    ...more,
  });
  return [
    row('ledger, one entry per commit', ledger.postOne, { budget: 1.5 }),
    row('ledger, shared commits', ledger.postShared),
    row('ledger, shared commits, one hot account', ledger.postSharedHot),
    row(`ledger, batches of ${BATCH}`, ledger.postBatch, {
      round: async (ms) => BATCH * (await callers(4, ms, ledger.postBatch)),
    }),
  ];
}
