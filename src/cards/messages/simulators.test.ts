import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenPlatform, toldOf } from '#tests/given-payments.ts';
import { balancesOf, bought, givenCardholder, postedFor, simulated } from '#tests/given-purchases.ts';
import { testWorld } from '#tests/harness.ts';

describe('card messages', () => {
  const world = testWorld();

  it('CM-1, CM-2, CT-1, CT-4, CL-1, CL-2: a purchase is held, and captured when it is cleared', async () => {
    const platform = await givenPlatform(world);
    const { payer, cardId } = await givenCardholder(world, platform, 10_000);
    const row = await bought(world, platform, cardId, 1_250);
    assert.equal(row.status, 'AUTHORIZED');
    assert.deepEqual(await balancesOf(platform, payer), [8_750, 10_000]);
    const cleared = await simulated(world, platform, cardId, 'clearing', {
      cardTransactionId: `Transaction:${row.id}`,
      amount: 1_250,
    });
    assert.equal(cleared.status, 'SETTLED');
    assert.deepEqual(await balancesOf(platform, payer), [8_750, 8_750]);
    assert.deepEqual(await postedFor(platform, row), [
      'L16 AVAIL 1250 → HOLD 1250',
      'L17 HOLD 1250 → RAIL 1250',
    ]);
    assert.deepEqual(await toldOf(platform, `Transaction:${row.id}`), ['AUTHORIZED', 'SETTLED']);
  });
});
