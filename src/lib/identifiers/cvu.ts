import { checkDigit } from '#lib/identifiers/check-digit.ts';

const INSTITUTION_WEIGHTS = [7, 1, 3, 9];
const ACCOUNT_WEIGHTS = [3, 9, 7, 1];

/** An Argentine CVU (accounts.md §2.4): 22 digits in two blocks, each closed by its own check digit. */
export function isCvu(value: string): boolean {
  return /^[0-9]{22}$/.test(value) && cvuNumber(value.slice(0, 7), value.slice(8, 21)) === value;
}

/** Seven digits of institution and thirteen of account, each followed by its check digit. */
export function cvuNumber(institution: string, account: string): string {
  const first = institution + checkDigit(institution, INSTITUTION_WEIGHTS);
  return first + account + checkDigit(account, ACCOUNT_WEIGHTS);
}
