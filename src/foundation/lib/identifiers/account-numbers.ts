import { clabe } from 'clabe-validator';
import { composeIBAN, countrySpecs, isSEPACountry, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

/**
 * accounts.md §4.1, IBAN✓: mod-97 and the country's length and structure. National check digits inside the
 * account part are left to the bank. If a country is given, the IBAN must be of it.
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
  return isSEPACountry(country) || JOINED_SEPA_RECENTLY.includes(country);
}

/** accounts.md §4.2, SWIFT_ACCOUNT: accounts in a country of the IBAN registry can be paid by IBAN only. */
export function requiresIban(country: string): boolean {
  return Object.hasOwn(countrySpecs, country) && countrySpecs[country]?.IBANRegistry === true;
}

function ibanCountry(iban: string): string {
  return iban.slice(0, 2);
}

/** The IBAN of a country with this account part. */
export function buildIban(country: string, bban: string): string {
  const iban = composeIBAN({ countryCode: country, bban });
  if (iban === null) throw new RangeError(`No IBAN of ${country} has an account part of this form`);
  return iban;
}

/** Admitted by the European Payments Council in 2024 and 2025, after the library's table was made. */
const JOINED_SEPA_RECENTLY = ['AL', 'MD', 'ME', 'MK', 'RS'];

/**
 * accounts.md §4.1, BIC: four letters for the bank, two for the country, two characters for the place, three for the
 * branch.
 */
export const BIC_FORMAT = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** accounts.md §4.2, BIC country: the fifth and sixth letters. */
export function isBicOfCountry(bic: string, country: string): boolean {
  return BIC_FORMAT.test(bic) && bic.slice(4, 6) === country;
}

/**
 * accounts.md §4.3, CLABE: only the check digit decides. The library's own check also requires a bank and a city
 * that it knows, which would refuse institutions newer than its tables.
 */
export function isClabe(value: string): boolean {
  return /^[0-9]{18}$/.test(value) && clabe.computeChecksum(value) === Number(value[17]);
}

/** The CLABE that starts with these seventeen digits. */
export function buildClabe(firstSeventeen: string): string {
  return `${firstSeventeen}${clabe.computeChecksum(firstSeventeen)}`;
}

const INSTITUTION_WEIGHTS = [7, 1, 3, 9];
const ACCOUNT_WEIGHTS = [3, 9, 7, 1];

/** An Argentine CVU (accounts.md §2.4): 22 digits in two blocks, each closed by its own check digit. */
export function isCvu(value: string): boolean {
  return /^[0-9]{22}$/.test(value) && buildCvu(value.slice(0, 7), value.slice(8, 21)) === value;
}

/** Seven digits of institution and thirteen of account, each followed by its check digit. */
export function buildCvu(institution: string, account: string): string {
  const first = institution + checkDigit(institution, INSTITUTION_WEIGHTS);
  return first + account + checkDigit(account, ACCOUNT_WEIGHTS);
}

const NUBAN_WEIGHTS = [3, 7, 3];

/**
 * accounts.md §4.3, NUBAN: the tenth digit is the check digit of bank code and serial number. If the directory has no
 * three-digit code for the bank, it cannot be computed, and the check is skipped.
 */
export function isNuban(accountNumber: string, bankCode?: string): boolean {
  if (!/^[0-9]{10}$/.test(accountNumber)) return false;
  if (bankCode === undefined || !/^[0-9]{3}$/.test(bankCode)) return true;
  return buildNuban(bankCode, accountNumber.slice(0, 9)) === accountNumber;
}

/** The account number with this nine-digit serial at this bank. */
export function buildNuban(bankCode: string, serial: string): string {
  return serial + checkDigit(bankCode + serial, NUBAN_WEIGHTS);
}

const ABA_WEIGHTS = [3, 7, 1];

/** accounts.md §4.3, ABA: the weighted sum is a multiple of ten and the first two digits are in use. */
export function isAbaRoutingNumber(value: string): boolean {
  return (
    /^[0-9]{9}$/.test(value) && isFederalReserveRange(value) && weightedSum(value, ABA_WEIGHTS) % 10 === 0
  );
}

/** The routing number that starts with these eight digits. */
export function buildAbaRoutingNumber(firstEight: string): string {
  return firstEight + checkDigit(firstEight, ABA_WEIGHTS);
}

/** accounts.md §4.2: the form of a US bank account number. */
export function isUsAccountNumber(value: string): boolean {
  return /^[0-9]{4,17}$/.test(value);
}

function isFederalReserveRange(value: string): boolean {
  const prefix = Number(value.slice(0, 2));
  return prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
}

/** The digit that brings a weighted sum of decimal digits up to a multiple of ten. */
export function checkDigit(digits: string, weights: readonly number[]): string {
  return String((10 - (weightedSum(digits, weights) % 10)) % 10);
}

/** Each digit times its weight; the weights repeat when there are fewer of them than digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    sum += Number(digits[at]) * (weights[at % weights.length] ?? 0);
  }
  return sum;
}
