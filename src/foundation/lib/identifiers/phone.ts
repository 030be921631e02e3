import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** accounts.md §4.1, PH. */
export const PHONE_FORMAT = /^\+[0-9]{6,14}$/;

/** accounts.md §4.1, PH✓: a number that can exist in that country's plan. */
export function isPhoneOfCountry(phone: string, country: string): boolean {
  if (!PHONE_FORMAT.test(phone)) return false;
  const parsed = parsePhoneNumberFromString(phone, { extract: false });
  return parsed?.isValid() === true && parsed.country === country;
}

/** Returns the E.164 form of a number as people write it: without spaces and punctuation, and with `+` instead of `00`. */
export function plainPhoneNumber(text: string): string {
  return text.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
}
