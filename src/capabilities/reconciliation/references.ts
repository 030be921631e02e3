import type { Vault } from '#foundation/crypto/vault.ts';

const SHORTEST = 6;

/**
 * Keyed hashes of references, compared without case and without everything but letters and digits: banks cut and regroup
 * them. Words that stand in the place of a reference name nothing.
 */
export function hashReferences(vault: Pick<Vault, 'hash'>, references: readonly string[]): Buffer[] {
  const plain = references.map((one) => one.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const naming = [...new Set(plain)].filter((one) => one.length >= SHORTEST && one !== 'notprovided');
  return naming.map((one) => vault.hash(one, 'bank reference').toStore);
}
