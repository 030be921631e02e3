import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  corridorServiceFees,
  type FeeSchedule,
  feeSchedule,
  feesOn,
  NO_FEE,
} from '#capabilities/pricing/fees.ts';
import type { Corridor } from '#capabilities/pricing/rates.ts';
import { fraction } from '#foundation/lib/money.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';

/** The same for every pair. */
const DEFAULT_SERVICE_FEES = corridorServiceFees(DEFAULT_SETTINGS.PRODUCTION, { from: 'USD', to: 'EUR' });

const usdToEur: Corridor = { from: 'USD', to: 'EUR', rate: fraction(92n, 100n) };
const configured = { variableBps: 30, fixed: 50n };
const override = { variableBps: 0, fixed: 7n };

describe('fees', () => {
  it('money.md §1.4: by default 50 basis points across currencies and nothing within one', () => {
    const none = { platform: NO_FEE, counterpartyFixedFee: 0n };
    assert.deepEqual(feeSchedule({ from: 'USD', to: 'EUR' }, DEFAULT_SERVICE_FEES, {}), {
      ...none,
      service: { variableBps: 50, fixed: 0n },
    });
    assert.deepEqual(feeSchedule({ from: 'USD', to: 'USD' }, DEFAULT_SERVICE_FEES, {}), {
      ...none,
      service: NO_FEE,
    });
  });

  it('money.md §1.5: a fee config applies across currencies only', () => {
    const platformFee = (to: string) =>
      feeSchedule({ from: 'USD', to }, DEFAULT_SERVICE_FEES, { configured }).platform;
    assert.deepEqual(platformFee('EUR'), configured);
    assert.deepEqual(platformFee('USD'), NO_FEE);
  });

  it('money.md §1.5: an override replaces the config entirely, even within one currency', () => {
    for (const to of ['EUR', 'USD']) {
      const pair = { from: 'USD', to };
      assert.deepEqual(feeSchedule(pair, DEFAULT_SERVICE_FEES, { configured, override }).platform, override);
      assert.deepEqual(
        feeSchedule(pair, DEFAULT_SERVICE_FEES, { configured, override: NO_FEE }).platform,
        NO_FEE,
      );
    }
  });

  it('money.md §1.6: the base excludes every fixed fee, and each variable fee is rounded half-up separately', () => {
    const schedule: FeeSchedule = {
      service: { variableBps: 50, fixed: 20n },
      platform: { variableBps: 50, fixed: 50n },
      counterpartyFixedFee: 25n,
    };
    // 25 euro cents are 27.17 US cents, set aside as 28; the base is 1198 − 98 = 1100, and 5.5 rounds to 6 twice.
    assert.deepEqual(feesOn(1198n, usdToEur, schedule), {
      serviceFixed: 20n,
      serviceVariable: 6n,
      platformFixed: 50n,
      platformVariable: 6n,
      counterpartyFixed: 28n,
      fixedFees: 98n,
      serviceFees: 54n,
      platformFeesIncluded: 56n,
      feesIncluded: 110n,
    });
  });

  it('money.md §1.6: a counterparty fee that converts evenly is not rounded', () => {
    const schedule = { service: NO_FEE, platform: NO_FEE, counterpartyFixedFee: 92n };
    assert.equal(feesOn(1000n, usdToEur, schedule).counterpartyFixed, 100n);
  });

  it('money.md §1.6: fees never shrink as the amount grows, and none is negative if fixed fees take everything', () => {
    const bps = fc.integer({ min: 0, max: 10_000 });
    const fixed = fc.bigInt({ min: 0n, max: 10_000n });
    const rate = fc.record({ variableBps: bps, fixed });
    const schedules = fc.record({ service: rate, platform: rate, counterpartyFixedFee: fixed });
    const amounts = fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n });
    fc.assert(
      fc.property(schedules, amounts, fc.bigInt({ min: 0n, max: 1000n }), (schedule, amount, more) => {
        const less = feesOn(amount, usdToEur, schedule);
        const greater = feesOn(amount + more, usdToEur, schedule);
        assert(less.feesIncluded <= greater.feesIncluded);
        assert(less.serviceVariable >= 0n && less.platformVariable >= 0n);
        assert.equal(less.serviceFees + less.platformFeesIncluded, less.feesIncluded);
        assert.equal(less.fixedFees + less.serviceVariable + less.platformVariable, less.feesIncluded);
      }),
    );
    const all = feesOn(10n, usdToEur, { service: configured, platform: NO_FEE, counterpartyFixedFee: 0n });
    assert.deepEqual([all.feesIncluded, all.serviceVariable], [50n, 0n]);
  });

  it('money.md §1.10: a negative or fractional fee never reaches a price', () => {
    const schedule: FeeSchedule = { service: NO_FEE, platform: NO_FEE, counterpartyFixedFee: 0n };
    const wrong: FeeSchedule[] = [
      { ...schedule, service: { variableBps: -1, fixed: 0n } },
      { ...schedule, platform: { variableBps: 0, fixed: -1n } },
      { ...schedule, counterpartyFixedFee: -1n },
    ];
    for (const each of wrong) assert.throws(() => feesOn(100n, usdToEur, each), assert.AssertionError);
    const half = { ...schedule, platform: { variableBps: 0.5, fixed: 0n } };
    assert.throws(() => feesOn(100n, usdToEur, half), RangeError);
  });
});
