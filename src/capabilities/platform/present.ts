import {
  type CurrencyRule,
  effectiveProxySubdomain,
  effectiveUmaDomain,
  type PlatformConfig,
} from '#capabilities/platform/config.ts';
import type { Institution } from '#capabilities/platform/institutions.ts';
import type {
  FeeConfig,
  PlatformConfigReply,
  PlatformCurrencyConfig,
} from '#capabilities/platform/schemas.ts';
import type { ListedProvider } from '#capabilities/platform/uma-providers.ts';
import { NO_OWN_CURRENCIES, presentCurrency } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** GET /config (platform.md §3.1), without fields that were never set. */
export function presentConfig(
  config: PlatformConfig,
  facts: { defaultUmaDomain: string; isRegulatedFinancialInstitution: boolean },
): PlatformConfigReply {
  const { embeddedWalletConfig, cardTokenization2faConfig } = config;
  return {
    id: publicId('PlatformConfig', config.id),
    umaDomain: effectiveUmaDomain(config, facts.defaultUmaDomain),
    proxyUmaSubdomain: effectiveProxySubdomain(config, facts.defaultUmaDomain),
    ...(config.webhookEndpoint !== undefined && { webhookEndpoint: config.webhookEndpoint }),
    supportedCurrencies: config.supportedCurrencies.map(presentRule),
    isRegulatedFinancialInstitution: facts.isRegulatedFinancialInstitution,
    ...(isSet(embeddedWalletConfig) && { embeddedWalletConfig }),
    ...(isSet(cardTokenization2faConfig) && { cardTokenization2faConfig }),
    feeConfigs: config.feeConfigs.map(presentFee),
    createdAt: config.createdAt.toISOString(),
    updatedAt: config.updatedAt.toISOString(),
  };
}

function presentRule(rule: CurrencyRule): PlatformCurrencyConfig {
  const { providerRequiredCustomerFields: customer, providerRequiredCounterpartyCustomerFields: other } =
    rule;
  return {
    currencyCode: rule.currencyCode,
    minAmount: Number(rule.minAmount),
    maxAmount: Number(rule.maxAmount),
    requiredCounterpartyFields: rule.requiredCounterpartyFields,
    ...(customer.length > 0 && { providerRequiredCustomerFields: [...customer] }),
    ...(other.length > 0 && { providerRequiredCounterpartyCustomerFields: [...other] }),
    enabledTransactionTypes: rule.enabledTransactionTypes,
  };
}

function presentFee({ feeType, sourceCurrency, variableFeeBps, fixedFee }: FeeConfig): FeeConfig {
  return {
    feeType,
    sourceCurrency,
    ...(variableFeeBps !== undefined && { variableFeeBps }),
    ...(fixedFee && { fixedFee }),
  };
}

/** Groups are stored with their schema's fields only (`mergeClearing`), so they are shown unfiltered. */
function isSet(group: object): boolean {
  return Object.keys(group).length > 0;
}

export function presentInstitution({ bankName, displayName, country, currency, paymentRails }: Institution) {
  return { bankName, displayName, country, currency, paymentRails: [...paymentRails] };
}

export function presentProvider(provider: ListedProvider) {
  return {
    name: provider.name,
    supportedRegions: [...provider.regions],
    domain: provider.domain,
    supportedCurrencies: provider.currencies.map((code) => presentCurrency(code, NO_OWN_CURRENCIES)),
    allowListStatus: provider.isAllowed,
  };
}
