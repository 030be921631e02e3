import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '#foundation/lib/clock.ts';
import { type ObjectStore, requireObjectName } from '#foundation/uploads/storage/object-store.ts';
import {
  discardBody,
  type S3Call,
  type S3Settings,
  sendSigned,
} from '#foundation/uploads/storage/s3-client.ts';

export interface S3Options {
  /** Real time, which signatures contain. */
  readonly clock: Clock;
  /** The pause before each retry of a failed request. */
  readonly retryAfterMs?: readonly number[];
}

/** Stores objects in a bucket, addressed by path; every request and body is signed (Signature Version 4). */
export function s3Store(
  settings: S3Settings,
  { clock, retryAfterMs = [200, 1_000] }: S3Options,
): ObjectStore {
  const send = (call: S3Call) => {
    requireObjectName(call.name);
    return sendSigned(settings, clock, retryAfterMs, call);
  };
  return {
    async put(name, bytes) {
      await using spool = await openSpool(bytes);
      const body = { length: spool.length, hash: spool.hash, read: spool.read };
      await discardBody(await send({ method: 'PUT', name, body, accepted: [200, 201, 204] }));
    },
    async get(name) {
      return (await send({ method: 'GET', name, accepted: [200] })).body;
    },
    // A check would cost as much as storing. A bucket is never full, and an unavailable one fails when it is used.
    checkWritable: () => Promise.resolve(),
    async remove(name) {
      await discardBody(await send({ method: 'DELETE', name, accepted: [200, 204, 404] }));
    },
  };
}

interface Spool extends AsyncDisposable {
  readonly length: number;
  readonly hash: string;
  /** Reads the bytes from the beginning, as often as needed. */
  read(): Readable;
}

/**
 * The store needs length and hash before the first byte. So the bytes, which are already sealed, wait in an unlinked
 * file: however the process ends, nothing of it stays.
 */
async function openSpool(bytes: Readable): Promise<Spool> {
  const file = await namelessFile();
  try {
    const hash = createHash('sha256');
    let length = 0;
    for await (const chunk of bytes) {
      hash.update(chunk as Buffer);
      await writeWhole(file, chunk as Buffer);
      length += (chunk as Buffer).length;
    }
    return {
      length,
      hash: hash.digest('hex'),
      read: () => Readable.from(readBytes(file, length), { objectMode: false }),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `corridor-${crypto.randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeWhole(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

async function* readBytes(file: FileHandle, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, at);
    assert.ok(bytesRead > 0, 'the spooled file is shorter than the written bytes');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
