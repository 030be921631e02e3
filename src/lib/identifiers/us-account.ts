import { checkDigit, weightedSum } from '#lib/identifiers/check-digit.ts';

const WEIGHTS = [3, 7, 1];

/** accounts.md §4.3, ABA: the weighted sum is a multiple of ten and the first two digits are in use. */
export function isAbaRoutingNumber(value: string): boolean {
  return /^[0-9]{9}$/.test(value) && isFederalReserveRange(value) && weightedSum(value, WEIGHTS) % 10 === 0;
}

/** The routing number that starts with these eight digits. */
export function abaRoutingNumber(firstEight: string): string {
  return firstEight + checkDigit(firstEight, WEIGHTS);
}

/** accounts.md §4.2: what a US bank account number looks like. */
export function isUsAccountNumber(value: string): boolean {
  return /^[0-9]{4,17}$/.test(value);
}

function isFederalReserveRange(value: string): boolean {
  const prefix = Number(value.slice(0, 2));
  return prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
}
