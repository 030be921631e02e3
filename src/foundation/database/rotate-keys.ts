import { addKey, KEY_NOTICE_MS, KEY_REFRESH_MS, newestVault, rewrap } from '#foundation/crypto/keyring.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import { hasOldSeals, type ResealProgress, resealAll } from '#foundation/database/reseal.ts';

export interface RotateOptions {
  /** Whether servers run on this database: they need time to load the new key before it seals. */
  readonly isShared: boolean;
  report(line: string): void;
  wait(ms: number): Promise<void>;
  onBatch?(progress: ResealProgress): void | Promise<void>;
  /** The keys of people, which are in their own database. A data key wraps them. */
  readonly people?: WrappedByDataKey;
}

export interface WrappedByDataKey {
  /** Whether an older data key still wraps any of them. */
  hasOld(dataKeyId: number): Promise<boolean>;
  /** Wraps these keys again with the newest data key, while servers run, and returns their number. */
  rewrap(vault: Vault): Promise<number>;
}

export interface Rotation {
  readonly keyId: number;
  /** An earlier rotation was interrupted, and this one finished it. */
  readonly wasContinued: boolean;
  readonly resealed: number;
  /** The number of people's keys that were wrapped again. */
  readonly rewrapped: number;
}

/**
 * Creates a new data key, seals every value again with it, and wraps the keys of people again, while servers keep
 * running. No data key is ever deleted: backups, and processes that have read an older row, still need it. The values
 * themselves show the progress, so an interrupted rotation is continued by running it again.
 */
export async function rotateDataKey(
  database: Database,
  keys: OpenedKeyring,
  options: RotateOptions,
): Promise<Rotation> {
  const newest = (await newestVault(keys.store, keys.masters)).currentKeyId;
  const hasOld = async (id: number): Promise<boolean> =>
    (await hasOldSeals(database, id)) || (await options.people?.hasOld(id)) === true;
  const wasContinued = await hasOld(newest);
  const keyId = wasContinued ? newest : await addDataKey(keys, options);
  if (options.isShared) await giveNotice(keys, keyId, options);
  const vault = await newestVault(keys.store, keys.masters);
  let resealed = await resealAll(database, vault, options.onBatch);
  let rewrapped = (await options.people?.rewrap(vault)) ?? 0;
  // A write that was in progress when its column was processed may have used the previous key.
  while (await hasOld(keyId)) {
    await options.wait(KEY_REFRESH_MS);
    resealed += await resealAll(database, vault, options.onBatch);
    rewrapped += (await options.people?.rewrap(vault)) ?? 0;
  }
  return { keyId, wasContinued, resealed, rewrapped };
}

async function addDataKey(keys: OpenedKeyring, { isShared, report }: RotateOptions): Promise<number> {
  const noticeMs = isShared ? KEY_NOTICE_MS : 0;
  const keyId = await addKey(keys.store, keys.masters, { purpose: 'data', noticeMs });
  report(`Data key ${keyId} was made.`);
  return keyId;
}

/** Waits until every server has loaded the key and uses it. */
export async function giveNotice(
  keys: OpenedKeyring,
  keyId: number,
  { report, wait }: Pick<RotateOptions, 'report' | 'wait'>,
): Promise<void> {
  const isSealing = (await keys.store.load()).some((key) => key.id === keyId && key.seals);
  if (isSealing) return;
  const waitMs = KEY_NOTICE_MS + 2 * KEY_REFRESH_MS;
  report(`Giving running servers ${waitMs / 1000} s to learn it …`);
  await wait(waitMs);
}

/** Wraps all keys with another master key, in one transaction; servers keep working with the keys they have opened. */
export async function changeMaster(keys: OpenedKeyring, next: Buffer): Promise<void> {
  for (;;) {
    const known = await keys.store.load();
    // Keys that another rotation added in between are read and wrapped too.
    if (await keys.store.replace(known, rewrap(known, await keys.masters(), next))) return;
  }
}
