import type { Keyring } from '#foundation/crypto/keyring.ts';
import type { Database } from '#foundation/database/database.ts';
import type { KeyedPerson } from '#foundation/database/person-key-source.ts';
import { findNewestSealed, findStoreId, tieStore } from '#foundation/person-keys/agreement-store.ts';
import {
  findLastErasure,
  findOutermostKeys,
  findPeople,
  type WrappedPersonKey,
  wrapContext,
} from '#foundation/person-keys/key-store.ts';

/** Thrown if the two databases do not belong together. The message says what to do. */
export class KeyStoreDisagrees extends Error {
  override name = 'KeyStoreDisagrees';
}

/**
 * Refuses a database of keys that belongs to another database, or is older than this one. An older one lacks the keys
 * of new people, and still has the keys of people who were erased since. Also refuses keys that a later data key wraps,
 * which this database does not have.
 */
export async function requireAgreement(
  database: Database,
  store: Database,
  keyring: Pick<Keyring, 'vault' | 'refresh'>,
): Promise<void> {
  const storeId = await findStoreId(store);
  const known = await tieStore(database, storeId);
  if (known.store_id !== storeId) {
    throw new KeyStoreDisagrees(
      `PERSON_KEYS_URL names the database of keys ${storeId}, but the values in this database were sealed with keys of ${known.store_id}. Nothing was changed. Set PERSON_KEYS_URL to that one, or restore it from its backup.`,
    );
  }
  const lastErasure = await findLastErasure(store);
  if (lastErasure < known.last_erasure) throw older('it still has the keys of people who were erased since');
  const newest = await findNewestSealed(database);
  const missing = (await findLost(store, newest)).length;
  if (missing > 0) throw older(`it lacks the keys of ${missing} of the ${newest.length} newest customers`);
  await requireOpenable(store, newest, keyring);
}

/**
 * Unwraps a few keys of each platform: those of its newest customers, those that were added last, and the oldest, which
 * a rotation wraps again first.
 */
async function requireOpenable(
  store: Database,
  newest: readonly KeyedPerson[],
  { vault, refresh }: Pick<Keyring, 'vault' | 'refresh'>,
): Promise<void> {
  const people = await findPeople(
    store,
    newest.map(({ id }) => id),
  );
  const platforms = new Set(newest.map(({ platform_id }) => platform_id));
  const keys = people.flatMap((person) => person?.keys ?? []);
  keys.push(...(await findOutermostKeys(store, [...platforms])));
  // Read after the wrapped keys: a rotation adds its data key before it wraps anything.
  await refresh();
  if (keys.every((key) => canUnwrap(vault, key))) return;
  throw new KeyStoreDisagrees(
    'The keys of people are wrapped with a data key that this database does not have: it was restored from a backup that is older than the last "corridor keys rotate". Nothing was changed. Restore a newer backup of this database, or the backup of the keys of people that was made together with this one, before that rotation.',
  );
}

function canUnwrap(vault: Keyring['vault'], key: WrappedPersonKey): boolean {
  const { platform_id, person_id, generation, wrapped } = key;
  try {
    vault.ofPlatform(platform_id).open(wrapped, wrapContext(person_id, generation));
    return true;
  } catch {
    return false;
  }
}

/** Finds the people among these whose key is missing although it was not destroyed. */
export async function findLost(
  store: Pick<Database, 'query'>,
  people: readonly KeyedPerson[],
): Promise<KeyedPerson[]> {
  const stored = await findPeople(
    store,
    people.map(({ id }) => id),
  );
  return people.filter(({ generation }, i) => {
    const person = stored[i];
    return !person?.isErased && !person?.keys.some((key) => [key.generation, null].includes(generation));
  });
}

function older(what: string): KeyStoreDisagrees {
  return new KeyStoreDisagrees(
    `The database of keys is older than this database: ${what}. Nothing was changed. Restore its newest backup, or promote the replica that is up to date, and start again. If nothing newer exists, "corridor person-keys repair" shows which keys are lost and repairs the database of keys.`,
  );
}
