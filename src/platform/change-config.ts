import { isCurrencyCode } from '#lib/currencies.ts';
import type { FieldError } from '#lib/refusals.ts';
import { mergeClearing } from '#platform/merge-clearing.ts';
import {
  CardTokenization2FAConfig,
  EmbeddedWalletConfig,
  type FeeConfig,
  type PlatformConfigUpdateRequest,
} from '#platform/schemas.ts';
import type { ConfigValues, StoredCurrency } from '#platform/store.ts';
import { type EndpointPolicy, endpointProblem } from '#platform/webhook-endpoint.ts';

/** UMA domains that belong to the service itself. */
export interface ServiceDomains {
  readonly defaultUmaDomain: string;
  readonly sandboxUmaDomain: string;
}

export interface ChangeRules {
  readonly domains: ServiceDomains;
  readonly endpoints: EndpointPolicy;
}

export interface ConfigChange {
  readonly values: ConfigValues;
  /** Every field that is wrong, in document order; the values count only if there is none. */
  readonly errors: FieldError[];
}

/** The configuration after a PATCH (platform.md §3.2), judged without looking at other platforms. */
export function changeConfig(
  current: ConfigValues,
  change: PlatformConfigUpdateRequest,
  rules: ChangeRules,
): ConfigChange {
  return {
    values: {
      umaDomain: domainAfter(current.umaDomain, change.umaDomain, rules.domains),
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
    },
    errors: [
      ...domainErrors(change.umaDomain, rules.domains),
      ...endpointErrors(change.webhookEndpoint, rules.endpoints),
      ...currencyErrors(change.supportedCurrencies ?? []),
      ...feeErrors(change.feeConfigs ?? []),
    ],
  };
}

/** A fee in another currency than the dollar is a feature we do not have (§3.2.6). */
export function isUnsupportedFee({ sourceCurrency, fixedFee }: FeeConfig): boolean {
  return sourceCurrency !== 'USD' || (fixedFee !== undefined && fixedFee.currency !== sourceCurrency);
}

/** The service's domain is the same as having set none, so that GET → PATCH changes nothing. */
function domainAfter(current: string | undefined, given: string | undefined, domains: ServiceDomains) {
  if (given === undefined) return current;
  const domain = given.toLowerCase();
  return domain === domains.defaultUmaDomain ? undefined : domain;
}

function domainErrors(given: string | undefined, domains: ServiceDomains): FieldError[] {
  const isReserved = given?.toLowerCase() === domains.sandboxUmaDomain;
  return isReserved ? [{ field: 'umaDomain', message: 'belongs to the service' }] : [];
}

function endpointAfter(current: string | undefined, given: string | null | undefined): string | undefined {
  if (given === undefined) return current;
  return given ?? undefined;
}

function endpointErrors(given: string | null | undefined, policy: EndpointPolicy): FieldError[] {
  const problem = given === undefined || given === null ? undefined : endpointProblem(given, policy);
  return problem ? [{ field: 'webhookEndpoint', constraint: { format: 'url' }, message: problem }] : [];
}

type GivenCurrency = NonNullable<PlatformConfigUpdateRequest['supportedCurrencies']>[number];

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

function currencyErrors(list: readonly GivenCurrency[]): FieldError[] {
  const seen = new Set<string>();
  return list.flatMap((given, i) => {
    const at = `supportedCurrencies.${i}`;
    const errors: FieldError[] = [];
    if (!isCurrencyCode(given.currencyCode)) {
      errors.push({
        field: `${at}.currencyCode`,
        constraint: { format: 'iso4217' },
        message: 'is not a currency',
      });
    } else if (seen.has(given.currencyCode)) {
      errors.push({ field: `${at}.currencyCode`, message: 'is listed twice' });
    }
    seen.add(given.currencyCode);
    if (given.minAmount > given.maxAmount) {
      errors.push({ field: `${at}.minAmount`, message: 'must not be greater than maxAmount' });
    }
    return [...errors, ...fieldNameErrors(given, at)];
  });
}

function fieldNameErrors(given: GivenCurrency, at: string): FieldError[] {
  const names = given.requiredCounterpartyFields.map((field) => field.name);
  return names.flatMap((name, i) =>
    names.indexOf(name) < i
      ? [{ field: `${at}.requiredCounterpartyFields.${i}.name`, message: 'is listed twice' }]
      : [],
  );
}

function feeErrors(list: readonly FeeConfig[]): FieldError[] {
  const keys = list.map(keyOf);
  return keys.flatMap((key, i) =>
    keys.indexOf(key) < i
      ? [
          {
            field: `feeConfigs.${i}`,
            message: 'names the same fee type and source currency as another entry',
          },
        ]
      : [],
  );
}

/** Upsert by key; an entry whose components are both 0, or left out, goes (§3.2.6, §3.2.6a). */
function feesAfter(current: readonly FeeConfig[], given: readonly FeeConfig[]): FeeConfig[] {
  const fees = new Map(current.map((fee) => [keyOf(fee), fee]));
  for (const fee of given) {
    if ((fee.variableFeeBps ?? 0) === 0 && (fee.fixedFee?.amount ?? 0) === 0) fees.delete(keyOf(fee));
    else fees.set(keyOf(fee), storedFee(fee));
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

function keyOf(fee: FeeConfig): string {
  return `${fee.feeType} ${fee.sourceCurrency}`;
}
