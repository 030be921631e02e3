import type { Vault } from '#foundation/crypto/vault.ts';

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
  readonly vault: Pick<Vault, 'fingerprint'>;
  readonly platformId: PlatformId;
}

/** Returns the keyed hashes of these words. The same word has another hash on another platform. */
export function hashNameWords({ vault, platformId }: Hashing, words: readonly string[]): Buffer[] {
  return words.map((word) => vault.fingerprint(`${platformId} ${word}`, 'customers.name'));
}

/** Returns the hashes by which a customer's name is found, a person's or a business's. */
export function hashName(hashing: Hashing, profile: object): Buffer[] {
  const { fullName, legalName } = profile as { fullName?: string; legalName?: string };
  return hashNameWords(hashing, nameWords(fullName ?? legalName));
}
