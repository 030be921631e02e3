import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  currencyRule,
  effectiveProxySubdomain,
  effectiveUmaDomain,
  isEnabled,
  otpRules,
  type PlatformConfig,
  platformFee,
} from '#capabilities/platform/config.ts';

const config: PlatformConfig = {
  id: '019542f5-b3e7-7d02-8000-000000000099' as Id<never>,
  supportedCurrencies: [
    rule('USD', 100n, 5000n, ['INCOMING', 'OUTGOING']),
    rule('EUR', 1n, 9n, ['INCOMING']),
  ],
  feeConfigs: [
    {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      fixedFee: { amount: 50, currency: 'USD' },
    },
  ],
  embeddedWalletConfig: {},
  cardTokenization2faConfig: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

function rule(
  currencyCode: string,
  minAmount: bigint,
  maxAmount: bigint,
  types: ('INCOMING' | 'OUTGOING')[],
) {
  return {
    currencyCode,
    minAmount,
    maxAmount,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: types,
    providerRequiredCustomerFields: [],
    providerRequiredCounterpartyCustomerFields: [],
  };
}

describe('platform configuration', () => {
  it('platform.md §3.2.4: each direction is enabled separately', () => {
    assert.equal(isEnabled(config, 'EUR', 'INCOMING'), true);
    assert.equal(isEnabled(config, 'EUR', 'OUTGOING'), false);
    assert.equal(isEnabled(config, 'GBP', 'INCOMING'), false);
    assert.equal(isEnabled(config, 'toString', 'OUTGOING'), false);
    assert.equal(currencyRule(config, 'GBP'), undefined);
  });

  it('platform.md §3.2.6a: an omitted component counts as 0', () => {
    assert.deepEqual(platformFee(config, 'USD'), { variableBps: 0, fixed: 50n });
    assert.equal(platformFee(config, 'USDC'), undefined);
  });

  it('platform.md §3.2.7: by default one-time codes have 6 digits, are valid for 300 s and come from "Notifications"', () => {
    assert.deepEqual(otpRules(config), {
      length: 6,
      alphanumeric: false,
      expirationSeconds: 300,
      senderName: 'Notifications',
    });
    const set = { otpLength: 8, alphanumeric: true, expirationSeconds: 60, sendFromEmailSenderName: 'Acme' };
    assert.deepEqual(otpRules({ ...config, embeddedWalletConfig: set }), {
      length: 8,
      alphanumeric: true,
      expirationSeconds: 60,
      senderName: 'Acme',
    });
  });

  it('platform.md §3.1: the service domain is used until a domain is set', () => {
    assert.equal(effectiveUmaDomain(config, 'uma.example'), 'uma.example');
    assert.equal(effectiveProxySubdomain(config, 'uma.example'), 'uma');
    const own = { ...config, umaDomain: 'pay.acme.example', proxyUmaSubdomain: 'pay-2' };
    assert.equal(effectiveUmaDomain(own, 'uma.example'), 'pay.acme.example');
    assert.equal(effectiveProxySubdomain(own, 'uma.example'), 'pay-2');
  });
});
