import {
  type Keyring,
  KeyringError,
  type KeyStore,
  loadKeyring,
  type MasterKeys,
  type WrappedKey,
} from '#foundation/crypto/keyring.ts';
import { type MasterKeyFile, masterKeyFile } from '#foundation/crypto/master-key.ts';
import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

export interface KeySettings {
  /** ENCRYPTION_KEY; absent with an embedded database, which keeps its own in the data folder. */
  readonly encryptionKey: Buffer | undefined;
  /** ENCRYPTION_KEY_NEXT: tried too, so that servers keep running during the change from one to the other. */
  readonly encryptionKeyNext: Buffer | undefined;
  readonly dataDir: string;
}

export interface OpenedKeyring extends Keyring {
  readonly store: DatabaseKeyStore;
  readonly masters: MasterKeys;
  /** The key's file, if the key is in the data folder. */
  readonly file: MasterKeyFile | undefined;
}

/** Opens the keys of a database with the operator's key, or with the one beside an embedded database. */
export async function openKeyring(database: Database, settings: KeySettings): Promise<OpenedKeyring> {
  const store = keyStore(database);
  const { encryptionKey: given, encryptionKeyNext: next } = settings;
  if (given) {
    const masters: MasterKeys = async () => (next ? [given, next] : [given]);
    return { ...(await loadKeyring(store, masters)), store, masters, file: undefined };
  }
  const file = masterKeyFile(settings.dataDir);
  const masters: MasterKeys = () => file.read();
  await provideKeyFile(file, store);
  return { ...(await loadKeyring(store, masters)), store, masters, file };
}

/** A key is generated for a new database only: an existing database was encrypted with another key. */
async function provideKeyFile(file: MasterKeyFile, store: DatabaseKeyStore): Promise<void> {
  if ((await file.read()).length > 0) return;
  if ((await store.load()).length > 0) {
    throw new KeyringError(
      `${file.path} is missing: restore it from a backup, or give the key as ENCRYPTION_KEY.`,
    );
  }
  await file.create();
}

export interface DatabaseKeyStore extends KeyStore {
  /** Replaces all wrapped keys at once, if they are still the ones that were read. */
  replace(
    known: readonly WrappedKey[],
    rewrapped: readonly Pick<WrappedKey, 'id' | 'wrapped'>[],
  ): Promise<boolean>;
}

/**
 * The wrapped keys in `encryption_keys`; `created_at` is the moment from which a key seals. Every process
 * compares it with the database's clock, the only one they share.
 */
export function keyStore(database: Pick<Database, 'query' | 'transaction'>): DatabaseKeyStore {
  /** Returns whether the statement changed a row. Two changes at once take turns. */
  const change = (statement: Sql): Promise<boolean> =>
    database.transaction(async (run) => {
      await run(sql`lock table encryption_keys in share row exclusive mode`);
      return (await run(statement)).length > 0;
    });
  return {
    load: () =>
      database.query<WrappedKey>(sql`
        select id, purpose, wrapped, created_at <= now() as seals, id >= (select oldest from hash_versions) as hashes
          from encryption_keys order by id`),
    add: (keys, known, sealsAfterMs) =>
      change(sql`
        insert into encryption_keys (id, purpose, wrapped, created_at)
        select id, purpose, wrapped, now() + ${sealsAfterMs} * interval '1 millisecond'
          from unnest(${keys.map((key) => key.id)}::int[], ${keys.map((key) => key.purpose)}::text[],
                      ${keys.map((key) => key.wrapped)}::bytea[]) as new(id, purpose, wrapped)
         where ${isUnchanged(known)}
         order by id
        returning id`),
    replace: (known, rewrapped) =>
      change(sql`
        update encryption_keys k set wrapped = new.wrapped
          from unnest(${rewrapped.map((key) => key.id)}::int[],
                      ${rewrapped.map((key) => key.wrapped)}::bytea[]) as new(id, wrapped)
         where k.id = new.id and ${isUnchanged(known)}
        returning k.id`),
  };
}

/** The condition that exactly these keys are stored. */
function isUnchanged(known: readonly WrappedKey[]): Sql {
  return sql`(select coalesce(array_agg(wrapped order by id), '{}') from encryption_keys) = ${known.map((key) => key.wrapped)}::bytea[]`;
}
