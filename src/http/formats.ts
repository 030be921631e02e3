import { fullFormats } from 'ajv-formats/dist/formats.js';
import { iso31661 } from 'iso-3166';
import { isCurrencyCode } from '#lib/currencies.ts';

/** The formats of platform.md §10.0.2, by the names that error replies carry. */
export const FORMATS: Record<string, true | RegExp | ((text: string) => boolean)> = {
  // The file of a form: its content is not for a schema to judge.
  binary: true,
  email: fullFormats.email as RegExp,
  date: isDate,
  'date-time': isDateTime,
  uuid: fullFormats.uuid as RegExp,
  url: isUrl,
  tel: /^\+?[0-9 ().-]{5,30}$/,
  'e.164': /^\+[1-9][0-9]{6,14}$/,
  'iso3166-1-alpha-2': (text) => COUNTRIES.has(text),
  iso4217: isCurrencyCode,
  'bcp47-language-tag': isLanguageTag,
  'us-ssn': /^\d{3}-\d{2}-\d{4}$/,
};

const COUNTRIES: ReadonlySet<string> = new Set(
  iso31661.filter((country) => country.state === 'assigned').map((country) => country.alpha2),
);

export function isCountry(text: string): boolean {
  return COUNTRIES.has(text);
}

/** A real calendar date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** RFC 3339 with an offset (platform.md §1.2.3). Leap seconds are refused: no clock here can hold them. */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (!parts?.[1] || !isDate(parts[1])) return false;
  return !Number.isNaN(readInstant(text).getTime());
}

/** Any form that `isDateTime` takes, in the one that `Date` reads. */
export function readInstant(text: string): Date {
  return new Date(text.replace(' ', 'T').toUpperCase());
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
