import { clabe } from 'clabe-validator';

/**
 * accounts.md §4.3, CLABE: only the check digit decides. The library's own verdict also wants a bank and a
 * city that it knows, which would refuse institutions younger than its tables.
 */
export function isClabe(value: string): boolean {
  return /^[0-9]{18}$/.test(value) && clabe.computeChecksum(value) === Number(value[17]);
}

/** The CLABE that starts with these seventeen digits. */
export function clabeNumber(firstSeventeen: string): string {
  return `${firstSeventeen}${clabe.computeChecksum(firstSeventeen)}`;
}
