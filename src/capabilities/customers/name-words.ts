import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { listsOf } from '#foundation/database/known-hashes.ts';
import type { Sql } from '#foundation/database/sql.ts';

/** More words than a name has; further ones are not found. */
const WORDS_MAX = 40;

/**
 * Returns the words by which a name is found: without letter case, accents and punctuation, each once. There are none in the
 * profile of an erased customer.
 */
export function nameWords(name: string | undefined): string[] {
  const plain = (name ?? '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].toSorted().slice(0, WORDS_MAX);
}

interface Hashing {
  readonly vault: Pick<Vault, 'hash'>;
  readonly platformId: PlatformId;
}

/** Returns the keyed hash of a word. The same word has another hash on another platform. */
function hashWord({ vault, platformId }: Hashing, word: string): KeyedHash {
  return vault.hash(`${platformId} ${word}`, 'customers.name');
}

/** Returns the hashes of the words in a search text. */
export function hashWords(hashing: Hashing, text: string): KeyedHash[] {
  return nameWords(text).map((word) => hashWord(hashing, word));
}

/** Returns the hashes of these words, once for each version that a stored name may have. */
export function hashWordsToFind(hashing: Hashing, words: readonly string[]): Sql[] {
  return listsOf(words.map((word) => hashWord(hashing, word)));
}

/** Returns the words of a customer's name, a person's or a business's. */
export function profileWords(profile: object): string[] {
  const { fullName, legalName } = profile as { fullName?: string; legalName?: string };
  return nameWords(fullName ?? legalName);
}

/** Returns the hashes by which a customer's name is found, a person's or a business's. */
export function hashName(hashing: Hashing, profile: object): Buffer[] {
  return profileWords(profile).map((word) => hashWord(hashing, word).toStore);
}
