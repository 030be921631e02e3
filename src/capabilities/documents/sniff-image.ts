import { Readable } from 'node:stream';
import { fitsLeadingBytes } from '#capabilities/documents/rules.ts';

export interface Sniffed {
  readonly type: string;
  /** The ending of a file's name. */
  readonly ending: string;
  readonly stream: Readable;
}

/** Pictures that browsers show, and that cannot contain scripts. */
const IMAGES = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const;
const UNKNOWN = ['application/octet-stream', 'bin'] as const;
const BYTES_NEEDED = 8;

/** Reads the first bytes of a file, and says whether it begins like a picture. The stream has the whole file. */
export async function sniffImage(content: Readable): Promise<Sniffed> {
  const chunks = content.iterator();
  let leading = Buffer.alloc(0);
  while (leading.length < BYTES_NEEDED) {
    const next = await chunks.next();
    if (next.done) break;
    leading = Buffer.concat([leading, next.value as Buffer]);
  }
  const images = Object.entries(IMAGES) as [keyof typeof IMAGES, string][];
  const [type, ending] = images.find(([image]) => fitsLeadingBytes(image, leading)) ?? UNKNOWN;
  const stream = Readable.from(join(leading, chunks), { objectMode: false });
  // A reader that leaves before the first byte never starts the generator.
  stream.once('close', () => content.destroy());
  return { type, ending, stream };
}

async function* join(leading: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (leading.length > 0) yield leading;
  yield* rest;
}
