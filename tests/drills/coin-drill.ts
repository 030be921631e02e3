import { openCoins } from '#tests/drills/areas/coins.ts';
import type { Drill } from '#tests/drills/frame/drill.ts';
import { killSite } from '#tests/drills/kill-site.ts';

export const coinDrill: Drill = {
  name: 'coins',
  proves:
    'Under kills of the server and its database, every accepted mint or burn exists once and is executed once, and the ledger verifies.',
  amounts: {
    kills: { says: 'kills of the server and of its database, in turn', usual: 20, brief: 2 },
    callers: { says: 'callers that mint and burn at the same time', usual: 4, brief: 3 },
  },
  work: 'kills',
  run: (run) =>
    killSite(run, {
      open: (site) => openCoins(site, run.random, run.amount('callers')),
      // The lease of a call is longer than a person waits.
      ...{ coursesMax: 15, waitsForLeases: false },
    }),
};
