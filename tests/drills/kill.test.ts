// lane: waits — leases of killed processes run out by real time

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardDrill } from '#tests/drills/card-drill.ts';
import { coinDrill } from '#tests/drills/coin-drill.ts';
import { killDrill } from '#tests/drills/kill-drill.ts';
import { paymentDrill } from '#tests/drills/payment-drill.ts';

// Side by side: much of their time is waiting for the leases of killed processes to run out. Each kills the server and its
// database; `npm run drill` kills more often.
describe('kill -9', { concurrency: true }, () => {
  it('of server and database under load: nothing acknowledged is lost, nothing counted twice', async (t) => {
    await killDrill({ rounds: 2, callers: 4, say: (line) => t.diagnostic(line) });
  });

  it('money.md §12.2, §12.11: under payments of all kinds, also those that wait for authorization, ends with the balances and events of an undisturbed run', async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const report = await paymentDrill({ rounds: 2, clients: 4, seed, say: (line) => t.diagnostic(line) });
    assert.ok(report.payments > 20);
    assert.ok(
      Object.keys(report.ends).some((end) => end.includes('waited')),
      'some waited for authorization',
    );
  });

  it('cards.md §8.1, §6.10: while the card network is simulated: accepted messages take effect once, in order', async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const report = await cardDrill({ rounds: 2, cards: 3, seed, say: (line) => t.diagnostic(line) });
    assert.ok(report.messages > 20);
  });

  it('stablecoins.md §6.2, §2: while coins are minted and burned: each accepted operation is executed once', async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const report = await coinDrill({ rounds: 2, callers: 3, seed, say: (line) => t.diagnostic(line) });
    assert.ok(report.operations > 15);
  });
});
