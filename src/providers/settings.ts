import type { RateSourceSettings } from '#providers/rate-source.ts';

/** Whom production has outside; each is used where it is set. */
export interface ProviderSettings {
  readonly rates?: RateSourceSettings | undefined;
}

/** Reads one environment variable; what is wrong with it is told to whoever starts the service. */
export type ReadSetting = <T>(
  name: string,
  parse: (text: string) => T | undefined,
  rule: string,
) => T | undefined;

export function readProviders(read: ReadSetting): ProviderSettings {
  return { rates: readRateSource(read) };
}

const MINUTE_MS = 60_000;
const AGE_MAX_MINUTES = 7 * 24 * 60;

function readRateSource(read: ReadSetting): RateSourceSettings | undefined {
  const url = read('RATES_URL', httpUrl, URL_RULE);
  const minutes = read(
    'RATES_MAX_AGE_MINUTES',
    minutesUpTo(AGE_MAX_MINUTES),
    `must be a whole number from 1 to ${AGE_MAX_MINUTES}`,
  );
  return url === undefined ? undefined : { url, ageMaxMs: (minutes ?? 60) * MINUTE_MS };
}

const URL_RULE = 'must be an https:// URL, or an http:// URL of your own network';

function minutesUpTo(max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    return value >= 1 && value <= max ? value : undefined;
  };
}

function httpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isRight = url && /^https?:$/.test(url.protocol) && url.hash === '' && isDecodable(url);
  return isRight ? url.href : undefined;
}

/** Of credentials: a `%` that begins nothing cannot be meant. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
