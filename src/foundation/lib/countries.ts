import { iso31661 } from 'iso-3166/1.js';

const ASSIGNED = iso31661.filter(({ state }) => state === 'assigned');

/** The two-letter code, which we store, by the two-letter and by the three-letter code. */
const ALPHA_2: ReadonlyMap<string, string> = new Map(
  ASSIGNED.flatMap(({ alpha2, alpha3 }): [string, string][] => [
    [alpha2, alpha2],
    [alpha3, alpha2],
  ]),
);

/** Returns the alpha-2 code for an ISO 3166-1 alpha-2 or alpha-3 code in any case; undefined: there is no such country. */
export function alpha2Of(code: string): string | undefined {
  return ALPHA_2.get(code.toUpperCase());
}

/** Whether the text is a country's alpha-2 code in capitals. */
export function isCountry(text: string): boolean {
  return ALPHA_2.get(text) === text;
}
