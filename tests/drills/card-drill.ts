import { openCards } from '#tests/drills/areas/cards.ts';
import type { Drill } from '#tests/drills/frame/drill.ts';
import { killSite } from '#tests/drills/kill-site.ts';

export const cardDrill: Drill = {
  name: 'cards',
  proves:
    'Under kills of the server and its database, every accepted message of the card network takes effect once, in order, and the ledger verifies.',
  amounts: {
    kills: { says: 'kills of the server and of its database, in turn', usual: 20, brief: 2 },
    cards: { says: 'cards of one account, each with a merchant of its own', usual: 6, brief: 3 },
  },
  work: 'kills',
  run: (run) =>
    killSite(run, {
      open: (site) => openCards(site, run.random, run.amount('cards')),
      ...{ coursesMax: 12, waitsForLeases: true },
    }),
};
