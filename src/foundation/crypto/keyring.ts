import { randomBytes } from 'node:crypto';
import { deriveKey, openVault, sealedKeyId, type Vault, type VaultKeys } from '#foundation/crypto/vault.ts';

/** A key as it is stored in the database: wrapped with the operator's master key. */
export interface WrappedKey {
  readonly id: number;
  /** The fingerprint key makes the first version of keyed hashes, each hash key a later one. */
  readonly purpose: 'data' | 'fingerprint' | 'hash';
  readonly wrapped: Buffer;
  /** A new data key opens values at once, but seals only from a later time on, when every process has loaded it. */
  readonly seals: boolean;
  /** Whether a stored hash may be of this key's version. */
  readonly hashes: boolean;
}

export type NewKey = Pick<WrappedKey, 'id' | 'purpose' | 'wrapped'>;

export interface KeyStore {
  load(): Promise<WrappedKey[]>;
  /** Adds keys that seal after this many milliseconds, if the stored keys are still those that were read. */
  add(keys: readonly NewKey[], known: readonly WrappedKey[], sealsAfterMs: number): Promise<boolean>;
}

/** The master keys to try, the current one first; more than one only while it is being changed. */
export type MasterKeys = () => Promise<readonly Buffer[]>;

export interface Keyring {
  /** Always uses the keys read last. */
  readonly vault: Vault;
  /** Reads the keys again: another process may have added one. */
  refresh(): Promise<void>;
}

export class KeyringError extends Error {
  override name = 'KeyringError';
}

/** How often each process reads the keys again. */
export const KEY_REFRESH_MS = 5_000;
/** A new key seals only after three refresh intervals: by then every running process can open its values. */
export const KEY_NOTICE_MS = 15_000;

/** Opens the data keys of this database; in a new database it creates the first ones. */
export async function loadKeyring(store: KeyStore, masters: MasterKeys): Promise<Keyring> {
  if ((await store.load()).length === 0) await createFirstKeys(store, masters);
  let keys = await readKeys(store, masters);
  let refreshing: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    keys = await readKeys(store, masters);
  };
  const refreshOnce = (): Promise<void> =>
    (refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    }));
  const open = (sealed: Uint8Array, context: string): Buffer => {
    // A process that was disconnected may meet a key that it has not loaded: its next attempt succeeds.
    if (isUnderUnknownKey(sealed, keys.ids)) refreshOnce().catch(() => undefined);
    return keys.opening.open(sealed, context);
  };
  const vault: Vault = {
    get currentKeyId() {
      return keys.sealing.currentKeyId;
    },
    seal: (plain, context) => keys.sealing.seal(plain, context),
    open,
    openText: (sealed, context) => open(sealed, context).toString('utf8'),
    fingerprint: (value, purpose) => keys.sealing.fingerprint(value, purpose),
    hash: (value, purpose) => keys.sealing.hash(value, purpose),
    hashAgain: (stored, version) => keys.sealing.hashAgain(stored, version),
    refresh: refreshOnce,
    ofPlatform: (platformId) => ({
      seal: (plain, context) => keys.sealing.ofPlatform(platformId).seal(plain, context),
      open: (sealed, context) => keys.opening.ofPlatform(platformId).open(sealed, context),
    }),
  };
  return { vault, refresh: refreshOnce };
}

/**
 * Adds a data key or a key of hashes. It is used only after the notice period, so that no process meets a value that it
 * cannot open or find.
 */
export async function addKey(
  store: KeyStore,
  masters: MasterKeys,
  { purpose, noticeMs }: { purpose: 'data' | 'hash'; noticeMs: number },
): Promise<number> {
  const known = await store.load();
  const { master } = unwrapAll(known, await masters());
  const id = Math.max(...known.map((key) => key.id)) + 1;
  const key = wrap({ id, purpose, key: randomBytes(KEY_BYTES) }, master);
  if (await store.add([key], known, noticeMs)) return id;
  throw new KeyringError(
    'Another command changed the encryption keys at the same moment. No key was made. Run this command again.',
  );
}

/** A vault that opens with every key and seals with the newest one, even during its notice period. */
export async function newestVault(store: KeyStore, masters: MasterKeys): Promise<Vault> {
  return openVault(unwrapAll(await store.load(), await masters()));
}

/**
 * Finds the master key with which the keys of this database are wrapped now. After an interrupted change there are two
 * candidates, and either may be the right one. Undefined if another process has changed to a key that is not among them.
 */
export async function findMaster(store: KeyStore, masters: MasterKeys): Promise<Buffer | undefined> {
  const known = await store.load();
  return (await masters()).find((master) => tryUnwrap(known, master));
}

/** Wraps the same keys with another master key. */
export function rewrap(known: readonly WrappedKey[], masters: readonly Buffer[], next: Buffer): NewKey[] {
  const { data, fingerprint, hashing } = unwrapAll(known, masters);
  const byPurpose = { data, fingerprint: new Map([[FINGERPRINT_ID, fingerprint]]), hash: hashing.keys };
  return known.map(({ id, purpose }) => {
    const key = byPurpose[purpose].get(id);
    if (!key) throw new KeyringError(`Key ${id} is missing.`);
    return wrap({ id, purpose, key }, next);
  });
}

const KEY_BYTES = 32;
const FINGERPRINT_ID = 0;
const FIRST_DATA_ID = 1;

async function createFirstKeys(store: KeyStore, masters: MasterKeys): Promise<void> {
  const [master] = await masters();
  if (!master) throw new KeyringError('There is no encryption key with which to set up this database.');
  const keys = [
    wrap({ id: FINGERPRINT_ID, purpose: 'fingerprint', key: randomBytes(KEY_BYTES) }, master),
    wrap({ id: FIRST_DATA_ID, purpose: 'data', key: randomBytes(KEY_BYTES) }, master),
  ];
  // If it adds none, another process that starts at the same time has made them.
  await store.add(keys, [], 0);
}

interface OpenKeys {
  readonly ids: ReadonlySet<number>;
  readonly opening: Vault;
  readonly sealing: Vault;
}

async function readKeys(store: KeyStore, masters: MasterKeys): Promise<OpenKeys> {
  const known = await store.load();
  const { data, ...others } = unwrapAll(known, await masters());
  const waiting = new Set(known.filter((key) => !key.seals).map((key) => key.id));
  const sealing = new Map([...data].filter(([id]) => !waiting.has(id)));
  return {
    ids: new Set(data.keys()),
    opening: openVault({ data, ...others }),
    // If the clock was set back, every key may be in its notice period; then all of them may seal.
    sealing: openVault({ data: sealing.size > 0 ? sealing : data, ...others }),
  };
}

const HEADER_BYTES = 5;

function isUnderUnknownKey(sealed: Uint8Array, known: ReadonlySet<number>): boolean {
  return sealed.length >= HEADER_BYTES && !known.has(sealedKeyId(sealed));
}

interface UnwrappedKeys extends VaultKeys {
  readonly data: ReadonlyMap<number, Buffer>;
  readonly fingerprint: Buffer;
  readonly hashing: { readonly keys: ReadonlyMap<number, Buffer>; readonly oldest: number };
  /** The master key that opened them. */
  readonly master: Buffer;
}

function unwrapAll(known: readonly WrappedKey[], masters: readonly Buffer[]): UnwrappedKeys {
  for (const master of masters) {
    const keys = tryUnwrap(known, master);
    if (keys) return keys;
  }
  throw new KeyringError(
    'ENCRYPTION_KEY is not the key with which this database was set up; nothing was changed. Set the right key.',
  );
}

/** All keys are wrapped with one master key: it is changed for all of them in one transaction. */
function tryUnwrap(known: readonly WrappedKey[], master: Buffer): UnwrappedKeys | undefined {
  const wrapping = wrappingVault(master);
  const opened: { id: number; purpose: WrappedKey['purpose']; key: Buffer }[] = [];
  for (const row of known) {
    try {
      opened.push({ ...row, key: wrapping.open(row.wrapped, contextOf(row)) });
    } catch {
      return undefined;
    }
  }
  const ofPurpose = (purpose: WrappedKey['purpose']) =>
    new Map(opened.filter((row) => row.purpose === purpose).map(({ id, key }) => [id, key]));
  const data = ofPurpose('data');
  const fingerprint = ofPurpose('fingerprint').get(FINGERPRINT_ID);
  if (!fingerprint || data.size === 0) throw new KeyringError('The table of encryption keys is damaged.');
  const hashing = { keys: ofPurpose('hash'), oldest: oldestVersion(known) };
  return { data, fingerprint, hashing, master };
}

function oldestVersion(known: readonly WrappedKey[]): number {
  const inUse = known.filter(({ purpose, hashes }) => purpose !== 'data' && hashes);
  return Math.min(...inUse.map(({ id }) => id));
}

function wrap(
  { id, purpose, key }: { id: number; purpose: WrappedKey['purpose']; key: Buffer },
  master: Buffer,
): NewKey {
  return { id, purpose, wrapped: wrappingVault(master).seal(key, contextOf({ id, purpose })) };
}

/** Wrapping is sealing with a separate key that is derived from the master key. */
function wrappingVault(master: Buffer): Vault {
  return openVault({ data: new Map([[1, deriveKey(master, 'wrap')]]), fingerprint: new Uint8Array() });
}

function contextOf({ id, purpose }: Pick<WrappedKey, 'id' | 'purpose'>): string {
  return `encryption_keys.wrapped:${purpose}:${id}`;
}
