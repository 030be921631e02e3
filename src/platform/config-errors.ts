import { isKnownCurrency, type OwnCurrencies } from '#lib/currencies.ts';
import type { FieldError } from '#lib/refusals.ts';
import { feeKey, type GivenCurrency, type ServiceDomains } from '#platform/change-config.ts';
import type { FeeConfig, PlatformConfigUpdateRequest } from '#platform/schemas.ts';
import { type EndpointPolicy, endpointProblem } from '#platform/webhook-endpoint.ts';

export interface ConfigRules {
  readonly domains: ServiceDomains;
  readonly endpoints: EndpointPolicy;
  readonly ownCurrencies: OwnCurrencies;
}

/**
 * What a schema cannot say about a change (platform.md §3.2.2–3.2.6), without a look at other platforms.
 * `problems` are the schema's findings: whatever they touch is not looked at again, for it may be anything.
 */
export function configErrors(
  change: PlatformConfigUpdateRequest,
  problems: readonly FieldError[],
  rules: ConfigRules,
): FieldError[] {
  const { umaDomain, webhookEndpoint, supportedCurrencies, feeConfigs } = change;
  return [
    ...(isSound('umaDomain', problems) ? domainErrors(umaDomain, rules.domains) : []),
    ...(isSound('webhookEndpoint', problems) ? endpointErrors(webhookEndpoint, rules.endpoints) : []),
    ...codeErrors(placed('supportedCurrencies', supportedCurrencies, problems), rules.ownCurrencies),
    ...currencyErrors(soundEntries('supportedCurrencies', supportedCurrencies, problems)),
    ...feeErrors(soundEntries('feeConfigs', feeConfigs, problems)),
  ];
}

/** Whether the schema found nothing wrong at this place or below it. */
export function isSound(path: string, problems: readonly FieldError[]): boolean {
  return !problems.some(({ field }) => field === path || field.startsWith(`${path}.`));
}

/** Each entry with its place in the request. */
type Placed<Entry> = readonly [at: string, entry: Entry];

function placed<Entry>(
  field: string,
  list: readonly Entry[] | undefined,
  problems: readonly FieldError[],
): Placed<Entry>[] {
  // Something is wrong with the list itself: it may not even be one.
  if (list === undefined || problems.some((problem) => problem.field === field)) return [];
  return list.map((entry, i) => [`${field}.${i}`, entry]);
}

function soundEntries<Entry>(
  field: string,
  list: readonly Entry[] | undefined,
  problems: readonly FieldError[],
): Placed<Entry>[] {
  return placed(field, list, problems).filter(([at]) => isSound(at, problems));
}

function domainErrors(given: string | undefined, domains: ServiceDomains): FieldError[] {
  const isReserved = given !== undefined && domains.sandboxUmaDomains.includes(given.toLowerCase());
  return isReserved ? [{ field: 'umaDomain', message: 'is reserved for the service' }] : [];
}

function endpointErrors(given: string | null | undefined, policy: EndpointPolicy): FieldError[] {
  const problem = given === undefined || given === null ? undefined : endpointProblem(given, policy);
  return problem ? [{ field: 'webhookEndpoint', constraint: { format: 'url' }, message: problem }] : [];
}

/** Which codes there are depends on the platform, so the schema says nothing of them, whatever else it finds. */
function codeErrors(
  list: readonly Placed<Partial<GivenCurrency> | null>[],
  own: OwnCurrencies,
): FieldError[] {
  return list.flatMap(([at, given]) => {
    const code: unknown = given?.currencyCode;
    if (typeof code !== 'string' || isKnownCurrency(code, own)) return [];
    return [{ field: `${at}.currencyCode`, constraint: { format: 'iso4217' }, message: 'is not a currency' }];
  });
}

function currencyErrors(list: readonly Placed<GivenCurrency>[]): FieldError[] {
  const codes = list.map(([, given]) => given.currencyCode);
  return list.flatMap(([at, given], i) => [
    ...(codes.indexOf(given.currencyCode) < i
      ? [{ field: `${at}.currencyCode`, message: 'is listed twice' }]
      : []),
    ...(given.minAmount > given.maxAmount
      ? [{ field: `${at}.minAmount`, message: 'must not be greater than maxAmount' }]
      : []),
    ...fieldNameErrors(given, at),
  ]);
}

function fieldNameErrors(given: GivenCurrency, at: string): FieldError[] {
  const names = given.requiredCounterpartyFields.map((field) => field.name);
  return names.flatMap((name, i) =>
    names.indexOf(name) < i
      ? [{ field: `${at}.requiredCounterpartyFields.${i}.name`, message: 'is listed twice' }]
      : [],
  );
}

function feeErrors(list: readonly Placed<FeeConfig>[]): FieldError[] {
  const keys = list.map(([, fee]) => feeKey(fee));
  return list.flatMap(([field], i) =>
    keys.indexOf(keys[i] ?? '') < i
      ? [{ field, message: 'has the same fee type and source currency as another entry' }]
      : [],
  );
}
