/** The characters that a bank takes (bank-files.md §3.3). */

export const CHARACTER_SETS = ['basic', 'utf8'] as const;
export type CharacterSet = (typeof CHARACTER_SETS)[number];

/** Letters that do not decompose into a plain one and a mark, or whose plain form has two letters. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', ẞ: 'SS' },
  ...{ æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', å: 'a', Å: 'A', þ: 'th', Þ: 'Th' },
  ...{ ð: 'd', Ð: 'D', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', ħ: 'h', Ħ: 'H', ı: 'i', ŋ: 'n', Ŋ: 'N' },
};

const BASIC = /^[a-zA-Z0-9/\-?:().,'+ ]*$/;
/** Not allowed in XML, or a change of line. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g;

/** A text as it is written into a file, with at most this many characters; it may be empty. */
export function writeText(text: string, characters: CharacterSet, charactersMax: number): string {
  const plain = text.toWellFormed().replace(UNPRINTABLE, ' ');
  return characters === 'utf8' ? cut(plain, charactersMax).trim() : writeBasic(plain, charactersMax);
}

function writeBasic(text: string, charactersMax: number): string {
  const plain = BASIC.test(text) ? text : Array.from(text.normalize('NFC'), plainOf).join('');
  const single = plain.replace(/ +/g, ' ').replace(/\/+/g, '/');
  return trimSlashes(cut(trimSlashes(single), charactersMax));
}

function plainOf(character: string): string {
  const mapped = PLAIN[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  // A mark that stands by itself belongs to the letter before it.
  return Array.from(mapped, (each) => (BASIC.test(each) ? each : '.')).join('');
}

function trimSlashes(text: string): string {
  return text.replace(/^[/ ]+|[/ ]+$/g, '');
}

function cut(text: string, charactersMax: number): string {
  const all = Array.from(text);
  return all.length <= charactersMax ? text : all.slice(0, charactersMax).join('');
}

/** Whether anything of a name is left that a bank can compare. */
export function hasName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
