import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Actor, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { StorageUnavailable } from '#foundation/ports/storage.ts';
import { beginContent, discardIncoming, keepContent, type NewContent } from '#foundation/uploads/contents.ts';

/** The file part of a multipart form, while it arrives. */
export interface FilePart {
  readonly fieldName: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<Buffer>;
  /** Whether the content was truncated at the operation's limit; known once it ended. */
  wasTruncated(): boolean;
}

/** A file that was received and stored, but does not belong to a row yet. */
export interface Upload {
  readonly contentId: Id<'Content'>;
  /** The key that encrypts the content. */
  readonly key: Buffer;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly isTooLarge: boolean;
  /** The first bytes, which show the file's type. */
  readonly leading: Buffer;
  /** SHA-256 of the content. */
  readonly hash: string;
  read(): Promise<Readable>;
}

const LEADING_BYTES = 16;

/** Streams a file into storage, encrypted; only its first bytes stay in memory. */
export async function receiveUpload(work: Work, part: FilePart): Promise<Upload> {
  const content = await work.write(beginContent);
  const { storage } = await work.read(async (tx) => tx.ports);
  const measure = new Measure();
  try {
    const measured = Readable.from(measure.pass(part.content), { objectMode: false });
    await storage.put(content.id, content.key, measured);
  } catch (error) {
    await discard(work, content);
    if (measure.hasFailed) throw error;
    throw new StorageUnavailable('a file could not be stored', { cause: error });
  }
  return {
    contentId: content.id,
    key: content.key,
    fileName: part.fileName,
    mediaType: part.mediaType,
    bytes: measure.bytes,
    isTooLarge: part.wasTruncated(),
    leading: measure.leading,
    hash: measure.hash.digest('hex'),
    read: () => storage.read(content.id, content.key),
  };
}

/** Keeps the file; called in the commit of the row that it belongs to, with the people whom the file describes. */
export async function keepUpload(
  tx: Tx,
  { contentId: id, key, bytes }: Upload,
  people?: readonly PersonId[],
): Promise<void> {
  await keepContent(tx, { id, key }, bytes, people);
}

/** Called at the end of a request: discards the files that it did not keep. */
export async function discardUploads(work: Work, uploads: readonly Upload[]): Promise<void> {
  for (const { contentId } of uploads) await discard(work, { id: contentId });
}

async function discard(work: Work, { id }: Pick<NewContent, 'id'>): Promise<void> {
  await work.write((tx) => discardIncoming(tx, id));
}

class Measure {
  readonly hash = createHash('sha256');
  bytes = 0;
  leading = Buffer.alloc(0);
  /** Whether the content broke off: then the sender failed, not the store. */
  hasFailed = false;

  async *pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of content) {
        this.#take(bytes);
        yield bytes;
      }
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  #take(bytes: Buffer): void {
    this.hash.update(bytes);
    this.bytes += bytes.length;
    if (this.leading.length >= LEADING_BYTES) return;
    this.leading = Buffer.concat([this.leading, bytes]).subarray(0, LEADING_BYTES);
  }
}

/** The files of one request: stored as they arrive, and discarded at its end unless they were kept. */
export class RequestUploads {
  readonly #work: Work;
  readonly #uploads: Upload[] = [];

  /** A `Work` of its own: the request's Idempotency-Key covers its effect, not the arrival of a file. */
  constructor(runtime: Runtime, platform: Platform, actor: Actor) {
    this.#work = new Work(runtime, platform, actor);
  }

  async receive(part: FilePart): Promise<Upload> {
    const upload = await receiveUpload(this.#work, part);
    this.#uploads.push(upload);
    return upload;
  }

  /** The request is already answered, so failures are ignored: the sweep finds content that could not be discarded. */
  async end(): Promise<void> {
    await discardUploads(this.#work, this.#uploads).catch(() => undefined);
  }
}
