import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { isDateTime, parseDateTime } from '#foundation/lib/dates.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { compare, type Fraction, parseDecimal } from '#foundation/lib/money.ts';

/** A document of a rate source that passed its checks; docs/providers.md describes it. */
export interface RateDocument {
  readonly asOf: Date;
  /** Plain decimals per US dollar, for the known currencies except USD. */
  readonly perUsd: ReadonlyMap<string, string>;
}

/** Why a document is not accepted, one line per problem. */
export type Problems = readonly string[];

/** Accepts the whole document or nothing: a source that is wrong about one currency may be wrong about any. */
export function parseRateDocument(
  text: string,
  { now, ageMaxMs }: { readonly now: Date; readonly ageMaxMs: number },
): RateDocument | { readonly problems: Problems } {
  const document = parse(text);
  if (!isObject(document)) return { problems: ['the answer is not a complete JSON object'] };
  const problems: string[] = [];
  if (document.base !== 'USD') problems.push('base must be "USD"');
  const asOf = parseTime(document.timestamp);
  problems.push(...timeProblems(asOf, now, ageMaxMs));
  const perUsd = new Map<string, string>();
  for (const [code, value] of Object.entries(isObject(document.rates) ? document.rates : {})) {
    // A source may know more currencies than we do.
    if (!isCurrencyCode(code)) continue;
    const problem = rateProblem(code, value);
    if (problem !== undefined) problems.push(`rates.${code} ${problem}`);
    else if (code !== 'USD') perUsd.set(code, value as string);
  }
  for (const code of NEEDED) {
    if (!isObject(document.rates) || !Object.hasOwn(document.rates, code)) {
      problems.push(`rates.${code} is missing: nothing can be priced without it`);
    }
  }
  return asOf && problems.length === 0 ? { asOf, perUsd } : { problems };
}

/** Every price needs these (`canPrice` in src/capabilities/pricing/rates.ts). */
const NEEDED = ['EUR', 'BTC'];

/** The source's clock may be a little ahead. */
const AHEAD_MAX_MS = 5 * 60_000;

function timeProblems(asOf: Date | undefined, now: Date, ageMaxMs: number): string[] {
  if (!asOf) return ['timestamp must be a time such as "2026-03-02T10:05:00Z"'];
  const ageMs = now.getTime() - asOf.getTime();
  if (ageMs >= ageMaxMs)
    return [`timestamp is ${asOf.toISOString()}: older than RATES_MAX_AGE_MINUTES allows`];
  if (ageMs < -AHEAD_MAX_MS) return [`timestamp is ${asOf.toISOString()}: in the future`];
  return [];
}

const RATE_MIN = parseDecimal('0.000000001');
const RATE_MAX = parseDecimal('1000000000');

/** Returns the problem with a rate from the source or the operator; the value may be of any type. */
export function rateProblem(code: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be in quotes, such as "0.92": a JSON number is not exact';
  if (!/^[0-9]{1,10}(\.[0-9]{1,30})?$/.test(value)) return 'must be a plain decimal, such as 0.92';
  const rate = parseDecimal(value);
  if (code === 'USD') return isOne(rate) ? undefined : 'must be "1": it is the unit';
  const isMoney = compare(rate, RATE_MIN) >= 0 && compare(rate, RATE_MAX) <= 0;
  return isMoney ? undefined : 'must be from 0.000000001 to 1000000000';
}

function isOne({ numerator, denominator }: Fraction): boolean {
  return numerator === denominator;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseTime(value: unknown): Date | undefined {
  return typeof value === 'string' && isDateTime(value) ? parseDateTime(value) : undefined;
}
