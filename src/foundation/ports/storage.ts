import type { Readable } from 'node:stream';

/** Nothing can be stored at the moment: the store is full, read-only or cannot be reached. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/**
 * Stores content that is too large for a row, encrypted. A name is written once; the caller keeps the key, sealed, in
 * the row that represents the content.
 */
export interface StoragePort {
  /** Once it resolves, the whole content is stored; if it rejects, the name may have to be removed. */
  put(name: string, key: Uint8Array, content: Readable): Promise<void>;
  /** The stream fails if the stored bytes differ from those that were put. */
  read(name: string, key: Uint8Array): Promise<Readable>;
  /** Rejects if nothing could be stored now, as far as that can be checked cheaply. */
  checkWritable(): Promise<void>;
  /** Succeeds if there is nothing under the name. */
  remove(name: string): Promise<void>;
}
