import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';

/** Keeps opaque bytes under names; knows nothing of what they mean. */
export interface ObjectStore {
  /** A name holds all bytes or none: never a part of them. */
  put(name: string, bytes: Readable): Promise<void>;
  /** Rejects when nothing lies under the name. */
  get(name: string): Promise<Readable>;
  /** Rejects where nothing could be put now, as far as that can be told cheaply. */
  tryPut(): Promise<void>;
  /** Removing what is not there is done already. */
  remove(name: string): Promise<void>;
}

/** Names are ids of our own making; anything else would be a way out of the folder or bucket. */
export function checkObjectName(name: string): void {
  assert.match(name, /^[0-9a-f-]{2,64}$/, 'not the name of an object');
}
