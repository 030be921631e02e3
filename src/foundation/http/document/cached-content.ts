import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Content that is the same for every visitor: compressed once in each supported coding, and always sent from the same
 * buffers. A client that requests it and does not read holds on to the buffer, so there is no copy for each client.
 */
export interface CachedContent {
  readonly body: Buffer;
  readonly compressed: Readonly<Record<Coding, Buffer>>;
  /** Changes only when the content changes. */
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** In order of preference. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Higher qualities take 2 to 40 times as long and save a tenth at most, while the first visitor waits. */
const BROTLI_QUALITY = 5;

export async function cacheContent(
  body: Buffer | string,
  headers: Readonly<Record<string, string>>,
): Promise<CachedContent> {
  const bytes = Buffer.from(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)]);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { body: bytes, compressed: { br, gzip: gz }, hash, headers };
}

/** Sends the content in a coding that the client accepts, or 304 if the client already has it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  content: CachedContent,
): FastifyReply {
  const { body, compressed, hash, headers } = content;
  // A weak tag: it identifies the content in every coding.
  const tag = `W/"${hash}"`;
  reply.headers({ 'cache-control': 'no-cache', ...headers, etag: tag, vary: 'accept-encoding' });
  if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  const coding = acceptedCoding(request.headers['accept-encoding']);
  if (coding === undefined) return reply.send(body);
  return reply.header('content-encoding', coding).send(compressed[coding]);
}

/** Serves a document in JSON, which is made at its first request. */
export function registerJsonDocument(
  app: FastifyInstance,
  url: string,
  describe: () => Record<string, unknown>,
): void {
  let document: Promise<CachedContent> | undefined;
  app.get(url, async (request, reply) => {
    document ??= cacheContent(JSON.stringify(describe()), {
      'content-type': 'application/json; charset=utf-8',
    });
    return sendCached(request, reply, await document);
  });
}

function hasTag(known: string | undefined, tag: string): boolean {
  const tags = known?.split(',').map((one) => one.trim()) ?? [];
  return tags.includes('*') || tags.includes(tag);
}

function acceptedCoding(accepted: string | string[] | undefined): Coding | undefined {
  const taken = [accepted]
    .join()
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.replace(/;.*/, '').trim());
  return CODINGS.find((coding) => taken.includes(coding));
}
