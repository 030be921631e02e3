import type { Readable } from 'node:stream';

/** Nothing can be put at the moment: the store is full, cannot be written to or cannot be reached. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/**
 * Where content that is too large for a row lies, sealed. A name is written once; who wrote it keeps the key,
 * sealed, with the row that stands for the content.
 */
export interface StoragePort {
  /** Once it resolves, the whole content is kept; when it rejects, the name may have to be removed. */
  put(name: string, key: Uint8Array, content: Readable): Promise<void>;
  /** Breaks off with an error where the stored bytes are not what was put. */
  read(name: string, key: Uint8Array): Promise<Readable>;
  /** Rejects where nothing could be put now, as far as that can be told cheaply. */
  tryPut(): Promise<void>;
  /** Removing what is not there is done already. */
  remove(name: string): Promise<void>;
}
