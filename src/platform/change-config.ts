import { mergeClearing } from '#platform/merge-clearing.ts';
import {
  CardTokenization2FAConfig,
  EmbeddedWalletConfig,
  type FeeConfig,
  type PlatformConfigUpdateRequest,
} from '#platform/schemas.ts';
import type { ConfigValues, StoredCurrency } from '#platform/store.ts';

/** UMA domains that belong to the service itself. */
export interface ServiceDomains {
  readonly defaultUmaDomain: string;
  /** Those whose addresses play scenarios in the sandbox; the first is the one that is shown. */
  readonly sandboxUmaDomains: readonly string[];
}

/** The configuration after a PATCH whose fields are all sound (platform.md §3.2). */
export function changeConfig(
  current: ConfigValues,
  change: PlatformConfigUpdateRequest,
  domains: ServiceDomains,
): ConfigValues {
  return {
    umaDomain: domainAfter(current.umaDomain, change.umaDomain, domains),
    webhookEndpoint: endpointAfter(current.webhookEndpoint, change.webhookEndpoint),
    supportedCurrencies: change.supportedCurrencies?.map(storedCurrency) ?? current.supportedCurrencies,
    feeConfigs: feesAfter(current.feeConfigs, change.feeConfigs ?? []),
    embeddedWalletConfig: mergeClearing(
      EmbeddedWalletConfig,
      current.embeddedWalletConfig,
      change.embeddedWalletConfig,
    ),
    cardTokenization2faConfig: mergeClearing(
      CardTokenization2FAConfig,
      current.cardTokenization2faConfig,
      change.cardTokenization2faConfig,
    ),
  };
}

/** A fee in another currency than the dollar is a feature we do not have (platform.md §3.2.6). */
export function isUnsupportedFee({ sourceCurrency, fixedFee }: FeeConfig): boolean {
  return sourceCurrency !== 'USD' || (fixedFee !== undefined && fixedFee.currency !== sourceCurrency);
}

/** The service's domain is the same as having set none, so that GET → PATCH changes nothing. */
export function domainAfter(
  current: string | undefined,
  given: string | undefined,
  { defaultUmaDomain }: ServiceDomains,
): string | undefined {
  if (given === undefined) return current;
  const domain = given.toLowerCase();
  return domain === defaultUmaDomain ? undefined : domain;
}

function endpointAfter(current: string | undefined, given: string | null | undefined): string | undefined {
  if (given === undefined) return current;
  return given ?? undefined;
}

export type GivenCurrency = NonNullable<PlatformConfigUpdateRequest['supportedCurrencies']>[number];

/** Known fields only, so that read-only and unknown ones are never stored. */
function storedCurrency(given: GivenCurrency): StoredCurrency {
  return {
    currencyCode: given.currencyCode,
    minAmount: given.minAmount,
    maxAmount: given.maxAmount,
    requiredCounterpartyFields: given.requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes: [...new Set(given.enabledTransactionTypes)],
  };
}

/** Upsert by key; an entry whose components are both 0, or left out, goes (platform.md §3.2.6, §3.2.6a). */
function feesAfter(current: readonly FeeConfig[], given: readonly FeeConfig[]): FeeConfig[] {
  const fees = new Map(current.map((fee) => [feeKey(fee), fee]));
  for (const fee of given) {
    if ((fee.variableFeeBps ?? 0) === 0 && (fee.fixedFee?.amount ?? 0) === 0) fees.delete(feeKey(fee));
    else fees.set(feeKey(fee), storedFee(fee));
  }
  return [...fees.values()];
}

function storedFee({ feeType, sourceCurrency, variableFeeBps, fixedFee }: FeeConfig): FeeConfig {
  return {
    feeType,
    sourceCurrency,
    ...(variableFeeBps !== undefined && { variableFeeBps }),
    ...(fixedFee && { fixedFee: { amount: fixedFee.amount, currency: fixedFee.currency } }),
  };
}

export function feeKey(fee: FeeConfig): string {
  return `${fee.feeType} ${fee.sourceCurrency}`;
}
