// lane: waits — leases of killed processes run out by real time

import { describe, it } from 'node:test';
import { cardDrill } from '#tests/drills/card-drill.ts';
import { coinDrill } from '#tests/drills/coin-drill.ts';
import { depositDrill } from '#tests/drills/deposit-drill.ts';
import { briefly } from '#tests/drills/frame/briefly.ts';
import { mixDrill } from '#tests/drills/mix-drill.ts';
import { paymentDrill } from '#tests/drills/payment-drill.ts';
import { proposalDrill } from '#tests/drills/proposal-drill.ts';

// Side by side: much of their time is waiting for the leases of killed processes to run out. Each kills the server and its
// database; `npm run drill` kills more often.
describe('kill -9', { concurrency: true }, () => {
  it('of server and database under load: nothing acknowledged is lost, nothing counted twice', (t) =>
    briefly(t, depositDrill));

  it('money.md §12.2, §12.11: under payments of all kinds, also those that wait for authorization, ends with the balances and events of an undisturbed run', (t) =>
    briefly(t, paymentDrill));

  it('cards.md §8.1, §6.10: while the card network is simulated: accepted messages take effect once, in order', (t) =>
    briefly(t, cardDrill));

  it('stablecoins.md §6.2, §2: while coins are minted and burned: each accepted operation is executed once', (t) =>
    briefly(t, coinDrill));

  it('of APIs, workers and PostgreSQL while all areas are under load: each area ends as its model', (t) =>
    briefly(t, mixDrill));

  it('operator.md §10.2, §5.4: between a proposal, its approval and the effect: performed once, with the same answer when repeated', (t) =>
    briefly(t, proposalDrill));
});
