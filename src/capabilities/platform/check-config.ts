import { feeKey, type SentCurrency, type ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { FeeConfig, PlatformConfigUpdateRequest } from '#capabilities/platform/schemas.ts';
import { checkEndpoint, type EndpointPolicy } from '#capabilities/platform/webhook-endpoint.ts';
import { isKnownCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

export interface ConfigRules {
  readonly domains: ServiceDomains;
  readonly endpoints: EndpointPolicy;
  readonly ownCurrencies: OwnCurrencies;
}

/**
 * Checks the rules that the schema cannot express (platform.md §3.2.2–3.2.6), without looking at other platforms. A
 * field in `problems` already failed the schema and is skipped, because its value may be of any type.
 */
export function checkConfig(
  change: PlatformConfigUpdateRequest,
  problems: readonly FieldError[],
  rules: ConfigRules,
): FieldError[] {
  const { umaDomain, webhookEndpoint, supportedCurrencies, feeConfigs } = change;
  return [
    ...(isValid('umaDomain', problems) ? checkDomain(umaDomain, rules.domains) : []),
    ...(isValid('webhookEndpoint', problems) ? checkWebhookEndpoint(webhookEndpoint, rules.endpoints) : []),
    ...checkCodes(withPaths('supportedCurrencies', supportedCurrencies, problems), rules.ownCurrencies),
    ...checkCurrencies(validEntries('supportedCurrencies', supportedCurrencies, problems)),
    ...checkFees(validEntries('feeConfigs', feeConfigs, problems)),
  ];
}

/** True if the schema found no problem at this path or below it. */
export function isValid(path: string, problems: readonly FieldError[]): boolean {
  return !problems.some(({ field }) => field === path || field.startsWith(`${path}.`));
}

/** An entry with its path in the request. */
type AtPath<Entry> = readonly [at: string, entry: Entry];

function withPaths<Entry>(
  field: string,
  list: readonly Entry[] | undefined,
  problems: readonly FieldError[],
): AtPath<Entry>[] {
  // The list itself is invalid, and may not even be an array.
  if (list === undefined || problems.some((problem) => problem.field === field)) return [];
  return list.map((entry, i) => [`${field}.${i}`, entry]);
}

function validEntries<Entry>(
  field: string,
  list: readonly Entry[] | undefined,
  problems: readonly FieldError[],
): AtPath<Entry>[] {
  return withPaths(field, list, problems).filter(([at]) => isValid(at, problems));
}

function checkDomain(sent: string | undefined, domains: ServiceDomains): FieldError[] {
  const isReserved = sent !== undefined && domains.sandboxUmaDomains.includes(sent.toLowerCase());
  return isReserved ? [{ field: 'umaDomain', message: 'is reserved for the service' }] : [];
}

function checkWebhookEndpoint(sent: string | null | undefined, policy: EndpointPolicy): FieldError[] {
  const problem = sent === undefined || sent === null ? undefined : checkEndpoint(sent, policy);
  return problem ? [{ field: 'webhookEndpoint', constraint: { format: 'url' }, message: problem }] : [];
}

/**
 * The known codes depend on the platform, so the schema does not check them. Entries with other problems are checked as
 * well.
 */
function checkCodes(list: readonly AtPath<Partial<SentCurrency> | null>[], own: OwnCurrencies): FieldError[] {
  return list.flatMap(([at, sent]) => {
    const code: unknown = sent?.currencyCode;
    if (typeof code !== 'string' || isKnownCurrency(code, own)) return [];
    return [{ field: `${at}.currencyCode`, constraint: { format: 'iso4217' }, message: 'is not a currency' }];
  });
}

function checkCurrencies(list: readonly AtPath<SentCurrency>[]): FieldError[] {
  const codes = list.map(([, sent]) => sent.currencyCode);
  return list.flatMap(([at, sent], i) => [
    ...(codes.indexOf(sent.currencyCode) < i
      ? [{ field: `${at}.currencyCode`, message: 'is listed twice' }]
      : []),
    ...(sent.minAmount > sent.maxAmount
      ? [{ field: `${at}.minAmount`, message: 'must not be greater than maxAmount' }]
      : []),
    ...checkFieldNames(sent, at),
  ]);
}

function checkFieldNames(sent: SentCurrency, at: string): FieldError[] {
  const names = sent.requiredCounterpartyFields.map((field) => field.name);
  return names.flatMap((name, i) =>
    names.indexOf(name) < i
      ? [{ field: `${at}.requiredCounterpartyFields.${i}.name`, message: 'is listed twice' }]
      : [],
  );
}

function checkFees(list: readonly AtPath<FeeConfig>[]): FieldError[] {
  const keys = list.map(([, fee]) => feeKey(fee));
  return list.flatMap(([field, fee], i) =>
    keys.indexOf(feeKey(fee)) < i
      ? [{ field, message: 'has the same fee type and source currency as another entry' }]
      : [],
  );
}
