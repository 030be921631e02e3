import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * What is the same for every visitor: compressed once, in every coding that clients take, and sent again and again out of
 * the same memory. Clients that ask and do not read keep what is sent to them, so nothing is made for each of them.
 */
export interface KeptContent {
  readonly body: Buffer;
  readonly compressed: Readonly<Record<Coding, Buffer>>;
  /** The same as long as the content is. */
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The best one first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Higher ones take twice to forty times as long for a tenth less at most, and somebody waits for the first visit. */
const BROTLI_QUALITY = 5;

export async function keepContent(
  body: Buffer | string,
  headers: Readonly<Record<string, string>>,
): Promise<KeptContent> {
  const bytes = Buffer.from(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)]);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { body: bytes, compressed: { br, gzip: gz }, hash, headers };
}

/** As the client takes it; or only that it is what the client has already. */
export function sendKept(request: FastifyRequest, reply: FastifyReply, content: KeptContent): FastifyReply {
  const { body, compressed, hash, headers } = content;
  // Weak: it names the content, in whatever coding that comes.
  const tag = `W/"${hash}"`;
  reply.headers({ 'cache-control': 'no-cache', ...headers, etag: tag, vary: 'accept-encoding' });
  if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  const coding = takenCoding(request.headers['accept-encoding']);
  if (coding === undefined) return reply.send(body);
  return reply.header('content-encoding', coding).send(compressed[coding]);
}

function hasTag(known: string | undefined, tag: string): boolean {
  const tags = (known ?? '').split(',').map((one) => one.trim());
  return tags.includes('*') || tags.includes(tag);
}

function takenCoding(accepted: string | string[] | undefined): Coding | undefined {
  const taken = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.replace(/;.*/, '').trim());
  return CODINGS.find((coding) => taken.includes(coding));
}
