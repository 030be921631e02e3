import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/*
 * A process that missed a new key of hashes would find nothing, and answer as if there were nothing. So a statement that
 * searches sends the versions that the process knows, and fails if stored hashes may have others (known-hashes.sql). It
 * compares them in the snapshot that the search itself reads, so no rotation can slip in between, and it costs no round trip.
 */

/** Returns a hash to compare with, once for each version that a stored hash may have. */
export function versionsOf({ toFind, known }: KeyedHash): Sql[] {
  return toFind.map((hash) => sql`known_hash(${hash}::bytea, ${known.oldest}, ${known.newest})`);
}

/** Returns the versions of these hashes as one list to compare with. */
export function allVersionsOf(...hashes: readonly KeyedHash[]): Sql {
  return listOf(
    hashes,
    hashes.flatMap(({ toFind }) => toFind),
  );
}

/** Returns a list of these hashes, once for each version: all words of a stored name have the same. */
export function listsOf(hashes: readonly KeyedHash[]): Sql[] {
  return (hashes[0]?.toFind ?? []).map((_, version) =>
    listOf(
      hashes,
      hashes.flatMap(({ toFind }) => toFind[version] ?? []),
    ),
  );
}

/** The lists of hashes in one version, one for each platform of a statement that searches several platforms. */
export interface ListsOfEach {
  /** Each list as a text in PostgreSQL's form, because lists of different lengths cannot be one parameter. */
  readonly lists: readonly string[];
  /** Returns the list to compare with, from a column that has one of these texts. */
  known(text: Sql): Sql;
}

/** Returns the lists of these hashes for each version. */
export function listsOfEach(hashes: readonly (readonly KeyedHash[])[]): ListsOfEach[] {
  const first = hashes[0]?.[0];
  if (!first) return [];
  const { oldest, newest } = first.known;
  const textOf = (list: readonly KeyedHash[], version: number) =>
    `{${list.map(({ toFind }) => `"\\\\x${toFind[version]?.toString('hex')}"`).join(',')}}`;
  return first.toFind.map((_, version) => ({
    lists: hashes.map((list) => textOf(list, version)),
    known: (text) => sql`known_hashes(${text}::bytea[], ${oldest}, ${newest})`,
  }));
}

/** All hashes of one statement are made at once, so that they have the same versions. */
function listOf([first]: readonly KeyedHash[], list: readonly Buffer[]): Sql {
  const { oldest, newest } = first?.known ?? { oldest: 0, newest: 0 };
  return first ? sql`known_hashes(${list}::bytea[], ${oldest}, ${newest})` : sql`'{}'::bytea[]`;
}

/** The first reading may have begun before the key was stored. */
const READS_MAX = 2;

/** Repeats steps that missed a key of hashes, once the keys are read again. The steps had no effect yet. */
export async function knowingVersions<T>(vault: Pick<Vault, 'refresh'>, steps: () => Promise<T>): Promise<T> {
  for (let read = 0; ; read++) {
    try {
      return await steps();
    } catch (error) {
      if (!lacksHashKey(error)) throw error;
      if (read === READS_MAX) throw searchRefused(error);
      await vault.refresh().catch((failure: unknown) => {
        throw searchRefused(failure);
      });
    }
  }
}

const UNKNOWN_VERSION = 'CR002';

/** Whether a search failed because stored hashes may have a version that the process does not know. */
export function lacksHashKey(error: unknown): boolean {
  return sqlFailure(error)?.code === UNKNOWN_VERSION;
}

export function searchRefused(cause: unknown): Refusal {
  const reason =
    'A search needs a key that this server does not have yet; nothing was done. Repeat the call in a moment.';
  return Object.assign(new Refusal('SERVICE_UNAVAILABLE', reason), { cause });
}
