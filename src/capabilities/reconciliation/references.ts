import type { Vault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

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

/**
 * Whether a rotation of the hashes' key is under way, so that lines have hashes of two versions and cannot be compared
 * (decision 0056). The answer holds until the end of the transaction.
 */
export async function areHashesMixed(run: Run): Promise<boolean> {
  const [row] = await run<{ is_mixed: boolean }>(sql`
    select coalesce(v.written = v.next, false) as is_mixed from held_hash_versions() v`);
  return row?.is_mixed === true;
}
