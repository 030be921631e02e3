import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corridorServiceFees, feeSchedule } from '#capabilities/pricing/fees.ts';
import { priceReceiving, priceSending } from '#capabilities/pricing/price.ts';
import { buildCorridor, rateTable } from '#capabilities/pricing/rates.ts';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import { currencyOf } from '#foundation/lib/currencies.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';

/** The same for every pair. */
const DEFAULT_SERVICE_FEES = corridorServiceFees(DEFAULT_SETTINGS.PRODUCTION, { from: 'USD', to: 'EUR' });

describe('sandbox rates', () => {
  const table = rateTable(SANDBOX_RATES);

  it('money.md §1.3: the table holds USD and forty more, all of them known currencies with a rate above zero', () => {
    assert.equal(table.size, 41);
  });

  it('money.md §1.3: decimals are 2, except for the named currencies', () => {
    const special = { RWF: 0, UGX: 0, VND: 0, XAF: 0, XOF: 0, BTC: 8, USDC: 6, USDT: 6, USDB: 6 };
    const named = new Map<string, number>(Object.entries(special));
    for (const code of table.keys()) assert.equal(currencyOf(code).decimals, named.get(code) ?? 2, code);
  });

  it('money.md §1.11: the constant table gives the stated amounts', () => {
    const amounts = (from: string, to: string, amount: bigint, side = priceSending) => {
      const corridor = buildCorridor(table, from, to);
      const price = side(amount, corridor, feeSchedule(corridor, DEFAULT_SERVICE_FEES, {}));
      assert(price !== 'AMOUNT_OUT_OF_RANGE');
      return [price.totalSendingAmount, price.feesIncluded, price.totalReceivingAmount, price.exchangeRate];
    };
    assert.deepEqual(amounts('USD', 'EUR', 25_000n), [25_000n, 125n, 22_885n, 1.08695652]);
    assert.deepEqual(amounts('USD', 'EUR', 10_000n, priceReceiving), [10_925n, 55n, 10_000n, 1.08695652]);
    assert.deepEqual(amounts('USD', 'BTC', 40_000n), [40_000n, 200n, 331_534n, 120_048.01920768]);
    assert.deepEqual(amounts('BTC', 'USD', 1_000_000n), [1_000_000n, 5000n, 119_447n, 0.00000833]);
    assert.deepEqual(amounts('USD', 'UGX', 100n), [100n, 1n, 3663n, 0.00027027]);
    assert.deepEqual(amounts('USDC', 'MXN', 2_500_000n), [2_500_000n, 12_500n, 4290n, 0.05797101]);
  });

  it('platform.md §6.3: USD→INR is about 0.012', () => {
    const corridor = buildCorridor(table, 'USD', 'INR');
    const price = priceSending(10_000n, corridor, feeSchedule(corridor, DEFAULT_SERVICE_FEES, {}));
    assert(price !== 'AMOUNT_OUT_OF_RANGE');
    assert.equal(price.exchangeRate, 0.01212121);
  });
});
