import { iso31661 } from 'iso-3166/1.js';

const ASSIGNED = iso31661.filter(({ state }) => state === 'assigned');

/** By the code of two letters, which is the one that we keep, and by that of three. */
const ALPHA_2: ReadonlyMap<string, string> = new Map(
  ASSIGNED.flatMap(({ alpha2, alpha3 }): [string, string][] => [
    [alpha2, alpha2],
    [alpha3, alpha2],
  ]),
);

/** The two letters of a country that is written as ISO 3166-1 alpha-2 or alpha-3, in any case; undefined: there is none. */
export function alpha2Of(code: string): string | undefined {
  return ALPHA_2.get(code.toUpperCase());
}

/** Whether it is a country's code of two capital letters. */
export function isCountry(text: string): boolean {
  return ALPHA_2.get(text) === text;
}
