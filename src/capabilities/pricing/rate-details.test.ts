import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corridorServiceFees, type FeeSchedule, feeSchedule } from '#capabilities/pricing/fees.ts';
import { priceSending } from '#capabilities/pricing/price.ts';
import { rateDetails } from '#capabilities/pricing/rate-details.ts';
import { buildCorridor, rateTable } from '#capabilities/pricing/rates.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';

/** The same for every pair. */
const DEFAULT_SERVICE_FEES = corridorServiceFees(DEFAULT_SETTINGS.PRODUCTION, { from: 'USD', to: 'EUR' });

const table = rateTable({ USD: '1', EUR: '0.92', INR: '82.5', USDC: '1', VND: '25000', BTC: '0.00000833' });

describe('rateDetails', () => {
  it('money.md §1.9: rates and fees of a default USD→EUR price', () => {
    assert.deepEqual(buildRateDetails('USD', 'EUR', 25_000n), {
      // 1 mSAT is 0.92 ÷ 0.00000833 euro ÷ 10^11, in cents: 0.000110444177671068…
      counterpartyMultiplier: 0.000110444177671,
      counterpartyFixedFee: 0n,
      // 1 US cent is 8330 mSAT, less half a percent.
      svcApiMultiplier: 8288.35,
      svcApiFixedFee: 0n,
      svcApiVariableFeeRate: 0.005,
      svcApiVariableFeeAmount: 125n,
    });
  });

  it('money.md §1.9: each fee is in its own currency, and no field includes the platform fee', () => {
    const schedule: FeeSchedule = {
      service: { variableBps: 75, fixed: 20n },
      platform: { variableBps: 30, fixed: 50n },
      counterpartyFixedFee: 100n,
    };
    const details = buildRateDetails('USD', 'INR', 10_000n, schedule);
    assert.equal(details?.counterpartyFixedFee, 100n);
    assert.equal(details?.svcApiFixedFee, 20n);
    assert.equal(details?.svcApiVariableFeeRate, 0.0075);
    // 100 paise are 2 US cents after rounding up: base 10000 − 72 = 9928, and 74.46 rounds to 74.
    assert.equal(details?.svcApiVariableFeeAmount, 74n);
  });

  it('money.md §1.9: multipliers have twelve significant digits at any size and respect both currencies’ decimals', () => {
    // 1 unit of USDC is 0.833 mSAT; 1 mSAT is 25000 ÷ 0.00000833 ÷ 10^11 dong.
    const details = buildRateDetails('USDC', 'VND', 5_000_000n);
    assert.equal(details?.svcApiMultiplier, 0.828835);
    assert.equal(details?.counterpartyMultiplier, 0.0300120048019);
    const bitcoin = buildRateDetails('BTC', 'USD', 1_000_000n);
    assert.equal(bitcoin?.svcApiMultiplier, 995);
    assert.equal(bitcoin?.counterpartyMultiplier, 0.000120048019208);
    assert.equal(buildRateDetails('USD', 'BTC', 40_000n)?.counterpartyMultiplier, 0.001);
  });

  it('money.md §1.9: a same-currency price has no rate details', () => {
    assert.equal(buildRateDetails('USD', 'USD', 100n), undefined);
  });
});

function buildRateDetails(from: string, to: string, amount: bigint, given?: FeeSchedule) {
  const corridor = buildCorridor(table, from, to);
  const schedule = given ?? feeSchedule(corridor, DEFAULT_SERVICE_FEES, {});
  const price = priceSending(amount, corridor, schedule);
  assert(price !== 'AMOUNT_OUT_OF_RANGE');
  return rateDetails(price, schedule, table);
}
