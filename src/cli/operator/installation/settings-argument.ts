import { InvalidArgumentError } from 'commander';
import type { TSchema } from 'typebox';
import { PlatformSettings } from '#foundation/lib/platform.ts';

/** Settings given on the command line: `fees.crossCurrencyBps=25`. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** For commander: merges one `name=value` into the settings given before it. Nested names are joined with dots. */
export function settingArgument(text: string, previous: SettingsInput = {}): SettingsInput {
  const separator = text.indexOf('=');
  if (separator < 1)
    throw new InvalidArgumentError('It must be written name=value, such as requestRate.perSecond=50.');
  const path = text.slice(0, separator).split('.');
  return setAt(previous, path, readValue(path, text.slice(separator + 1)));
}

function setAt(into: SettingsInput, [name = '', ...rest]: string[], value: unknown): SettingsInput {
  if (rest.length === 0) return { ...into, [name]: value };
  const group = into[name];
  const inner = group !== null && typeof group === 'object' ? (group as SettingsInput) : {};
  return { ...into, [name]: setAt(inner, rest, value) };
}

/** JSON if it parses; otherwise a comma-separated list if the setting is a list, or else text. */
function readValue(path: readonly string[], text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!isList(path)) return text;
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
}

function isList(path: readonly string[]): boolean {
  let schema: TSchema | undefined = PlatformSettings;
  for (const name of path) schema = (schema as { properties?: Record<string, TSchema> })?.properties?.[name];
  const { type, anyOf = [] } = (schema ?? {}) as { type?: string; anyOf?: { type?: string }[] };
  return type === 'array' || anyOf.some((choice) => choice.type === 'array');
}

export const SETTINGS_HELP = `
Settings (name=value; the value null restores a setting’s default):
  isRegulatedFinancialInstitution        true or false
  skipVerificationPaperwork              true or false; sandbox only
  strictAccountValidation                true or false
  counterpartyRequirements               true or false
  fees.crossCurrencyBps                  service fee in basis points
  fees.sameCurrencyBps                   the same for payments in one currency
  fees.fixed.<CUR>                       fixed fee by sending currency, smallest unit
  fees.counterpartyFixed.<CUR>           counterparty's fixed fee by receiving currency, smallest unit
  fees.withdrawal.<CUR>                  fixed fee of a crypto withdrawal by its currency, smallest unit
  limits.default.<limit>                 minUsdCents, maxUsdCents or dailyUsdCents
  limits.corridors.<CUR-CUR>.<limit>     the same for one corridor, or for payments in one currency: <CUR>
  limits.ownershipThresholdEurCents      above it, the ownership of a wallet must be proven
  cards.enabled                          true or false
  cards.liveMax                          how many cards may be open
  cards.liveMaxPerCardholder             the same for one cardholder; null: no limit
  cards.blockedMccs                      merchant categories that no card pays, separated by commas
  cards.blockedCountries                 the same for countries of merchants
  cards.decisionMs                       time to decide on an authorization, which is declined afterwards
  cards.uncoveredMax                     the most that one account may leave uncovered or owe, in cents; null: no limit
  cards.codesPerDay                      codes for adding one card to a phone; 0: no limit
  stablecoins.automaticLinking           true or false: whether a first mint or burn registers an external account with the provider
  requestRate.perSecond                  requests per second; 0: no limit
  requestRate.burst                      how many may arrive at once
  wallets.<number>                       sessionSeconds, requestSeconds, wrongCodes, challengesPerMinute, codesPerDay,
                                         failuresPerFiveMinutes or failuresPerDay of embedded wallets
  sca.rpId, sca.origins                  relying party of passkeys, and the origins that use them, separated by commas
  sca.codePauseSeconds, sca.codesPerDay  limits on text messages with codes for one customer; 0: none
  imports.rowsMax                        rows of one CSV file with customers, empty ones included
  refuseUnknownFields                    true or false: whether an unknown field is refused, or only reported
  requestLogBodies                       true or false: whether the request log keeps harmless fields; sandbox only
  frameOrigins                           origins that may show hosted pages in a frame, separated by commas
  invitationsConfigured                  true or false: whether customers can invite others to UMA
  allowedUmaProviders                    domains that may be paid, separated by commas; null: all`;
