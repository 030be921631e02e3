import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Sixteen digits as people and programs write them: with one character between any two of them, or none. */
const WRITTEN = /(?<![0-9])[0-9](?:[^0-9A-Za-z]?[0-9]){15}(?![0-9])/g;

/** The given card numbers that occur in the bytes, in any form in which they could have been stored or sent. */
export function numbersIn(bytes: Buffer, numbers: readonly string[]): string[] {
  const text = bytes.toString('latin1');
  const written = new Set(text.match(WRITTEN)?.map((match) => match.replaceAll(/[^0-9]/g, '')));
  return numbers.filter(
    (number) => written.has(number) || encodingsOf(number).some((encoded) => bytes.includes(encoded)),
  );
}

/** The findings in the files of a folder, by their paths. */
export async function searchFiles(
  folder: string,
  find: (bytes: Buffer) => string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const here = find(written(await readFile(path)));
    if (here.length > 0) found.set(path.slice(folder.length + 1), here);
  }
  return found;
}

const EMPTY_PAGE = Buffer.alloc(8_192);

/** The part of a file before the pages that were never written: PostgreSQL makes its log in large files of zeros. */
function written(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end >= EMPTY_PAGE.length && EMPTY_PAGE.equals(bytes.subarray(end - EMPTY_PAGE.length, end)))
    end -= EMPTY_PAGE.length;
  return bytes.subarray(0, end);
}

/** Encoded texts, packed digits, and numbers as PostgreSQL and other programs keep them. */
function encodingsOf(number: string): Buffer[] {
  const ascii = Buffer.from(number);
  const big = Buffer.alloc(8);
  big.writeBigUInt64BE(BigInt(number));
  // `numeric` has two bytes for four digits.
  const words = number.match(/.{4}/g)?.map(Number) ?? [];
  return [
    Buffer.from(number.split('').join('\0')),
    Buffer.from(ascii.toString('hex')),
    Buffer.from(ascii.toString('hex').toUpperCase()),
    ...base64Cores(ascii),
    Buffer.from(number, 'hex'),
    big,
    Buffer.from(big).reverse(),
    Buffer.from(Uint16Array.from(words).buffer),
  ];
}

/** Wherever the text begins, and whatever surrounds it, its base64 contains one of these. */
export function base64Cores(text: Buffer): Buffer[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), text]).toString('base64');
    const [skipped, rest] = [Math.ceil((before * 8) / 6), (before + text.length) % 3];
    return Buffer.from(encoded.slice(skipped, rest === 0 ? undefined : -4));
  });
}
