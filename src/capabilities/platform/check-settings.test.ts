import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ExplicitSettings,
  mergeSettings,
  requireValidSettings,
} from '#capabilities/platform/check-settings.ts';
import { DEFAULT_SETTINGS, effectiveSettings } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

describe('operator settings', () => {
  const badFields = (explicit: ExplicitSettings, environment: 'SANDBOX' | 'PRODUCTION' = 'PRODUCTION') => {
    try {
      requireValidSettings({ environment, ownCurrencies: {} }, explicit);
      return [];
    } catch (error) {
      assert.ok(error instanceof Refusal);
      const { errors } = error.details as { errors: { field: string }[] };
      return errors.map(({ field }) => field);
    }
  };

  it('platform.md §3.3: a setting that was not made has its default, at every depth', () => {
    const { limits, fees } = effectiveSettings('PRODUCTION', {
      limits: { default: { minUsdCents: 500 } },
      fees: { fixed: { USD: 25 } },
    });
    const usual = DEFAULT_SETTINGS.PRODUCTION;
    assert.deepEqual(limits, { ...usual.limits, default: { ...usual.limits.default, minUsdCents: 500 } });
    assert.deepEqual(fees, { ...usual.fees, fixed: { USD: 25 } });
    assert.equal(DEFAULT_SETTINGS.PRODUCTION.limits.default.minUsdCents, undefined);
  });

  it('platform.md §9, §3.3: by default the sandbox has no rate limit and production allows 100/s with burst 200', () => {
    const [sandbox, production] = [effectiveSettings('SANDBOX', {}), effectiveSettings('PRODUCTION', {})];
    assert.equal(sandbox.requestRate.perSecond, 0);
    assert.deepEqual(production.requestRate, { perSecond: 100, burst: 200 });
    assert.deepEqual([sandbox.invitationsConfigured, production.invitationsConfigured], [true, false]);
    for (const settings of [sandbox, production]) {
      assert.equal(settings.isRegulatedFinancialInstitution, false);
      assert.equal(settings.skipVerificationPaperwork, false);
      assert.equal(settings.allowedUmaProviders, null);
    }
  });

  it('platform.md §3.3: null resets one setting to its default and leaves the others', () => {
    const before = { fees: { crossCurrencyBps: 10, fixed: { USD: 5, EUR: 6 } }, frameOrigins: [] };
    assert.deepEqual(mergeSettings(before, { fees: { fixed: { USD: null } } }), {
      fees: { crossCurrencyBps: 10, fixed: { EUR: 6 } },
      frameOrigins: [],
    });
  });

  it('platform.md §3.3: invalid settings are refused, and each is named', () => {
    assert.deepEqual(badFields({ misspelt: 1, fees: { misspelt: 2 } }), ['misspelt', 'fees.misspelt']);
    assert.deepEqual(badFields({ __proto__: null, constructor: 1 }), ['constructor']);
    assert.deepEqual(badFields({ fees: { fixed: { XXX: 1 }, withdrawal: { usd: 1 } } }), [
      'fees.fixed.XXX',
      'fees.withdrawal.usd',
    ]);
    assert.deepEqual(badFields({ requestRate: { perSecond: -1, burst: 0 } }), [
      'requestRate.perSecond',
      'requestRate.burst',
    ]);
    assert.deepEqual(badFields({ skipVerificationPaperwork: true }), ['skipVerificationPaperwork']);
    assert.deepEqual(badFields({ skipVerificationPaperwork: true }, 'SANDBOX'), []);
    const origins = [
      'https://a.example/path',
      'https://a.example',
      'https://*.example',
      'https://a;b.example',
    ];
    assert.deepEqual(
      badFields({ frameOrigins: origins }),
      [0, 2, 3].map((i) => `frameOrigins.${i}`),
    );
    assert.deepEqual(badFields({ allowedUmaProviders: ['Upper.example'] }), ['allowedUmaProviders.0']);
  });

  it('platform.md §3.3, customers.md §7.2: a passkey origin must be https and on the RP id or below it', () => {
    const rpId = 'bank.example';
    const origins = (...each: string[]) => badFields({ sca: { rpId, origins: each } });
    assert.deepEqual(origins('https://bank.example', 'https://app.bank.example:8443'), []);
    assert.deepEqual(
      origins('http://bank.example', 'https://bank.example', 'https://notbank.example', 'https://example'),
      ['sca.origins.0', 'sca.origins.2', 'sca.origins.3'],
    );
    assert.deepEqual(origins('https://bank.example/path'), ['sca.origins.0']);
    assert.deepEqual(badFields({ sca: { origins: ['https://bank.example'] } }), ['sca.origins.0'], 'no rpId');
    assert.deepEqual(badFields({ sca: { origins: ['http://localhost:8080'] } }, 'SANDBOX'), []);
  });

  it('platform.md §3.3: an unread key is refused at every depth, and the message names the right key', () => {
    const corridors = { 'USD-USD': { maxUsdCents: 1 }, 'USD-EUR': { maxUsd: 1 }, USD: { maxUsdCents: 1 } };
    const refused = { limits: { corridors, default: { max: 1 } }, fees: { fixed: { USD: { a: 1 } } } };
    assert.deepEqual(badFields({ limits: { corridors: { 'USD-USD': { maxUsdCents: 1 } } } }), [
      'limits.corridors.USD-USD',
    ]);
    assert.throws(
      () =>
        requireValidSettings(
          { environment: 'SANDBOX', ownCurrencies: {} },
          { limits: { corridors: { 'USD-USD': {} } } },
        ),
      {
        message: 'limits.corridors.USD-USD: is not read: within one currency the key is USD',
      },
    );
    assert.deepEqual(badFields({ limits: { corridors: { USD: { maxUsdCents: 1 } } } }), []);
    assert.ok(badFields(refused).includes('limits.corridors.USD-EUR.maxUsd'));
    assert.ok(badFields(refused).includes('limits.default.max'));
    assert.ok(badFields(refused).includes('fees.fixed.USD.a'));
    assert.deepEqual(badFields({ limits: { corridors: { 'USD-EUR-GBP': {} } } }), [
      'limits.corridors.USD-EUR-GBP',
    ]);
    assert.deepEqual(badFields({ fees: { withdrawal: { USD: 1, USDC: 1 } } }), ['fees.withdrawal.USD']);
  });

  it('platform.md §3.3: a minimum above the maximum is refused, even if one of them is the default', () => {
    const corridor = (own: object) => badFields({ limits: { corridors: { 'USD-EUR': own } } });
    assert.deepEqual(corridor({ minUsdCents: 500, maxUsdCents: 500 }), []);
    assert.deepEqual(corridor({ minUsdCents: 501, maxUsdCents: 500 }), [
      'limits.corridors.USD-EUR.minUsdCents',
    ]);
    assert.deepEqual(corridor({ minUsdCents: 10_000_001 }), ['limits.corridors.USD-EUR.minUsdCents']);
    assert.deepEqual(badFields({ limits: { default: { maxUsdCents: 1, minUsdCents: 2 } } }), [
      'limits.default.minUsdCents',
    ]);
    assert.deepEqual(badFields({ limits: { corridors: { 'USD-': {} } } }), ['limits.corridors.USD-']);
  });
});
