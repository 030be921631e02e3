import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';

/** Stores opaque bytes under names. */
export interface ObjectStore {
  /** Atomic: all bytes are stored under the name, or none. */
  put(name: string, bytes: Readable): Promise<void>;
  /** Rejects if there is nothing under the name. */
  get(name: string): Promise<Readable>;
  /** Rejects if nothing could be stored now, as far as that can be checked cheaply. */
  checkWritable(): Promise<void>;
  /** Succeeds if there is nothing under the name. */
  remove(name: string): Promise<void>;
}

/** Names are ids that we generated; other names could lead out of the folder or bucket. */
export function requireObjectName(name: string): void {
  assert.match(name, /^[0-9a-f-]{2,64}$/, 'not the name of an object');
}
