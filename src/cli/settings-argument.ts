import { InvalidArgumentError } from 'commander';
import type { TSchema } from 'typebox';
import { PlatformSettings } from '#lib/platform.ts';

/** Settings as they are written on the command line: `fees.crossCurrencyBps=25`. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/** For commander: one more `name=value` laid over those before it. Names of groups are joined with dots. */
export function settingArgument(text: string, before: GivenSettings = {}): GivenSettings {
  const mark = text.indexOf('=');
  if (mark < 1)
    throw new InvalidArgumentError('It must be written name=value, such as requestRate.perSecond=50.');
  const path = text.slice(0, mark).split('.');
  return placed(before, path, readValue(path, text.slice(mark + 1)));
}

function placed(into: GivenSettings, [name = '', ...rest]: string[], value: unknown): GivenSettings {
  if (rest.length === 0) return { ...into, [name]: value };
  const group = into[name];
  const inner = group !== null && typeof group === 'object' ? (group as GivenSettings) : {};
  return { ...into, [name]: placed(inner, rest, value) };
}

/** JSON where it is JSON; a list without brackets where the setting is a list; otherwise text. */
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
Settings (name=value; a value of null takes a setting back to its default):
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
  limits.corridors.<CUR-CUR>.<limit>     the same for one corridor; for what stays in one currency, <CUR>
  limits.ownershipThresholdEurCents      above it a wallet must be proved to be owned
  cards.liveMax                          how many cards may be open
  cards.liveMaxPerCardholder             the same for one cardholder; null: no limit
  requestRate.perSecond                  requests per second; 0: no limit
  requestRate.burst                      how many may come at once
  frameOrigins                           origins that may show hosted pages in a frame, separated by commas
  invitationsConfigured                  true or false
  allowedUmaProviders                    domains that may be paid, separated by commas; null: all`;
