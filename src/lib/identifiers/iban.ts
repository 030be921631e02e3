import { composeIBAN, countrySpecs, isSEPACountry, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

/**
 * accounts.md §4.1, IBAN✓: mod-97 and the country's length and structure. National digits inside the
 * account part are the bank's own affair and do not decide. With a country, the IBAN must be of it.
 */
export function isIban(value: string, country?: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/.test(value)) return false;
  if (country !== undefined && ibanCountry(value) !== country) return false;
  const { errorCodes } = validateIBAN(value.toUpperCase());
  return errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
}

/** accounts.md §4.2, EUR_ACCOUNT: an IBAN of a country inside the SEPA area. */
export function isSepaIban(value: string): boolean {
  return isIban(value) && isSepaCountry(ibanCountry(value));
}

export function isSepaCountry(country: string): boolean {
  return isSEPACountry(country) || JOINED_SEPA_LATELY.includes(country);
}

/** accounts.md §4.2, SWIFT_ACCOUNT: a country of the IBAN registry can be reached by IBAN only. */
export function requiresIban(country: string): boolean {
  return Object.hasOwn(countrySpecs, country) && countrySpecs[country]?.IBANRegistry === true;
}

function ibanCountry(iban: string): string {
  return iban.slice(0, 2);
}

/** The IBAN of a country with this account part. */
export function ibanNumber(country: string, bban: string): string {
  const iban = composeIBAN({ countryCode: country, bban });
  if (iban === null) throw new RangeError(`No IBAN of ${country} has an account part of this form`);
  return iban;
}

/** Admitted by the European Payments Council in 2024 and 2025, after the library's table was made. */
const JOINED_SEPA_LATELY = ['AL', 'MD', 'ME', 'MK', 'RS'];
