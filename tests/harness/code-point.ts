import fc from 'fast-check';

/** The surrogates, which are halves of other characters, lie between two ranges of code points. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Generates any character of Unicode, as the unit of a string. The unit `binary` of fast-check has the same characters, but its first
 * use in a process fills a table of all of them: more than a second of processor time and 100 MB.
 */
export const CODE_POINT: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
}

/** Returns the place of a character. Throws for anything else, so that fast-check does not try it. */
function placeOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
  const place = point !== undefined && point > SURROGATES.first ? point - SURROGATES.count : point;
  if (place === undefined || characterAt(place) !== text) throw new Error('not one character');
  return place;
}
