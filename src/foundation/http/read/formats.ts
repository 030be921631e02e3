import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isCountry } from '#foundation/lib/countries.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { isDate, isDateTime } from '#foundation/lib/dates.ts';
import { checkUrl } from '#foundation/lib/urls.ts';

/** The formats of platform.md §10.0.2, by the names that error replies use. */
export const FORMATS: Record<string, true | RegExp | ((text: string) => boolean)> = {
  // The file of a form: a schema cannot validate its content.
  binary: true,
  email: fullFormats.email as RegExp,
  date: isDate,
  'date-time': isDateTime,
  uuid: fullFormats.uuid as RegExp,
  url: (text) => checkUrl(text) === undefined,
  tel: /^\+?[0-9 ().-]{5,30}$/,
  'e.164': /^\+[1-9][0-9]{6,14}$/,
  'iso3166-1-alpha-2': isCountry,
  iso4217: isCurrencyCode,
  'bcp47-language-tag': isLanguageTag,
  'us-ssn': /^\d{3}-\d{2}-\d{4}$/,
};

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
