import type { TSchema } from 'typebox';
import { belongsToRelyingParty } from '#foundation/crypto/webauthn.ts';
import { isPlainHost } from '#foundation/http/html-page.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { isKnownCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import {
  type Environment,
  effectiveSettings,
  type Platform,
  PlatformSettings,
} from '#foundation/lib/platform.ts';
import { isFiat } from '#foundation/lib/rails-by-currency.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** Settings that the operator made: only those that differ from the environment's defaults. */
export type ExplicitSettings = Readonly<Record<string, unknown>>;

/** Merges a change into the settings, group by group; `null` resets a setting to its default. */
export function mergeSettings(current: ExplicitSettings, change: ExplicitSettings): ExplicitSettings {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (isGroup(value)) merged.set(name, mergeSettings(groupOf(merged.get(name)), value));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Refuses invalid settings and names each of them (platform.md §3.3). */
export function requireValidSettings(
  { environment, ownCurrencies }: Pick<Platform, 'environment' | 'ownCurrencies'>,
  explicit: ExplicitSettings,
): void {
  if (Object.keys(explicit).length === 0) return;
  const errors = [...checkNames(PlatformSettings, explicit, ''), ...checkShape(environment, explicit)];
  // These checks rely on valid types.
  if (errors.length === 0) {
    errors.push(...checkMeaning(environment, effectiveSettings(environment, explicit), ownCurrencies));
  }
  if (errors.length > 0) throw invalidFields(errors);
}

function checkShape(environment: Environment, explicit: ExplicitSettings): FieldError[] {
  try {
    validate(PlatformSettings, effectiveSettings(environment, explicit));
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.details?.errors ?? []) as FieldError[];
  }
}

/** Refuses unknown names, because a misspelt setting would be ignored silently. */
export function checkNames(schema: TSchema, sent: ExplicitSettings, path: string): FieldError[] {
  const { properties = {}, patternProperties = {} } = schema as SchemaOfGroup;
  // A group with arbitrary names, such as currencies, has one schema for all of them.
  const [ofAnyName] = Object.values(patternProperties);
  return Object.entries(sent).flatMap(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : ofAnyName;
    if (!property) return [{ field: path + name, message: 'is not a setting' }];
    return isGroup(value) ? checkNames(property, value, `${path}${name}.`) : [];
  });
}

interface SchemaOfGroup {
  readonly properties?: Record<string, TSchema>;
  readonly patternProperties?: Record<string, TSchema>;
}

function checkMeaning(
  environment: Environment,
  settings: PlatformSettings,
  own: OwnCurrencies,
): FieldError[] {
  const { fees, limits, frameOrigins, sca, allowedUmaProviders } = settings;
  const errors: FieldError[] = [
    ...checkCurrencyCodes('fees.fixed', Object.keys(fees.fixed), own),
    ...checkCurrencyCodes('fees.counterpartyFixed', Object.keys(fees.counterpartyFixed), own),
    ...Object.keys(fees.withdrawal).flatMap((code) =>
      isKnownCurrency(code, own) && !isFiat(code) ? [] : [withdrawalCurrencyProblem(code)],
    ),
    ...checkLimits('limits.default', limits.default),
    ...Object.entries(limits.corridors).flatMap(([key, own]) =>
      checkLimits(`limits.corridors.${key}`, { ...limits.default, ...own }),
    ),
    ...Object.keys(limits.corridors).flatMap((key) => checkCorridor(key, own)),
  ];
  errors.push(...checkOrigins('frameOrigins', frameOrigins), ...checkPasskeyOrigins(sca));
  allowedUmaProviders?.forEach((domain, i) => {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) {
      errors.push({ field: `allowedUmaProviders.${i}`, message: 'must be a domain in lower case' });
    }
  });
  for (const field of ['skipVerificationPaperwork', 'requestLogBodies'] as const) {
    if (environment === 'PRODUCTION' && settings[field])
      errors.push({ field, message: 'exists in the sandbox only' });
  }
  return errors;
}

/** Some of these origins are written into content security policies. */
function checkOrigins(field: string, origins: readonly string[]): FieldError[] {
  return origins.flatMap((origin, i) =>
    new URL(origin).origin === origin && isPlainHost(new URL(origin).hostname)
      ? []
      : [{ field: `${field}.${i}`, message: 'must be an origin, such as https://app.example.com' }],
  );
}

/** Browsers create and use the platform's passkeys only on pages of the RP id (customers.md §7.2). */
function checkPasskeyOrigins({ rpId, origins }: PlatformSettings['sca']): FieldError[] {
  const malformed = checkOrigins('sca.origins', origins);
  if (malformed.length > 0) return malformed;
  return origins.flatMap((origin, i) =>
    belongsToRelyingParty(origin, rpId)
      ? []
      : [{ field: `sca.origins.${i}`, message: `must be https, and on sca.rpId (${rpId}) or below it` }],
  );
}

/** With a minimum above the maximum, every payment would be refused. */
function checkLimits(
  field: string,
  { minUsdCents = 0, maxUsdCents }: PlatformSettings['limits']['default'],
): FieldError[] {
  const isCrossed = maxUsdCents !== undefined && minUsdCents > maxUsdCents;
  return isCrossed ? [{ field: `${field}.minUsdCents`, message: 'must not be above maxUsdCents' }] : [];
}

/** Takes `USD-EUR`, or `USD` for payments within one currency; any other key would never be read. */
function checkCorridor(key: string, own: OwnCurrencies): FieldError[] {
  const field = `limits.corridors.${key}`;
  const [from = '', to, ...more] = key.split('-');
  if (![from, to ?? from].every((code) => isKnownCurrency(code, own)) || more.length > 0)
    return [{ field, message: 'must be a pair such as USD-EUR, or one currency' }];
  if (from !== to) return [];
  return [{ field, message: `is not read: within one currency the key is ${from}` }];
}

function withdrawalCurrencyProblem(code: string): FieldError {
  return {
    field: `fees.withdrawal.${code}`,
    message: 'is not a currency that can be withdrawn over a network',
  };
}

export function checkCurrencyCodes(
  field: string,
  codes: readonly string[],
  own: OwnCurrencies,
): FieldError[] {
  return codes
    .filter((code) => !isKnownCurrency(code, own))
    .map((code) => ({ field: field === '' ? code : `${field}.${code}`, message: 'is not a currency' }));
}

function isGroup(value: unknown): value is ExplicitSettings {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function groupOf(value: unknown): ExplicitSettings {
  return isGroup(value) ? value : {};
}
