import { type Keyring, KeyringError, loadKeyring, type MasterKeys } from '#crypto/keyring.ts';
import { type MasterKeyFile, masterKeyFile } from '#crypto/master-key.ts';
import type { Database } from '#database/database.ts';
import { type DatabaseKeyStore, keyStore } from '#database/key-store.ts';

export interface KeySettings {
  /** ENCRYPTION_KEY; absent with an embedded database, which keeps its own in the data folder. */
  readonly encryptionKey: Buffer | undefined;
  /** ENCRYPTION_KEY_NEXT: tried too, so that servers outlive the change from one to the other. */
  readonly encryptionKeyNext: Buffer | undefined;
  readonly dataDir: string;
}

export interface OpenedKeyring extends Keyring {
  readonly store: DatabaseKeyStore;
  readonly masters: MasterKeys;
  /** The key's file, where it lives in the data folder. */
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

/** A key is made for a new database only: beside an old one it could open nothing. */
async function provideKeyFile(file: MasterKeyFile, store: DatabaseKeyStore): Promise<void> {
  if ((await file.read()).length > 0) return;
  if ((await store.load()).length > 0) {
    throw new KeyringError(
      `${file.path} is missing: restore it from a backup, or give the key as ENCRYPTION_KEY.`,
    );
  }
  await file.create();
}
