import { checkDigit } from '#lib/identifiers/check-digit.ts';

const WEIGHTS = [3, 7, 3];

/**
 * accounts.md §4.3, NUBAN: the tenth digit closes bank code and serial number. Where the directory gives no
 * three-digit code for the bank there is nothing to compute with, and the check is skipped.
 */
export function isNuban(accountNumber: string, bankCode?: string): boolean {
  if (!/^[0-9]{10}$/.test(accountNumber)) return false;
  if (bankCode === undefined || !/^[0-9]{3}$/.test(bankCode)) return true;
  return nubanNumber(bankCode, accountNumber.slice(0, 9)) === accountNumber;
}

/** The account number with this nine-digit serial at this bank. */
export function nubanNumber(bankCode: string, serial: string): string {
  return serial + checkDigit(bankCode + serial, WEIGHTS);
}
