import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3StandIn {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** The requests: method and path. */
  readonly requests: string[];
  /** Statuses for the next requests, one each, before they are checked. */
  readonly failures: number[];
  close(): Promise<void>;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/**
 * A store that verifies everything: it computes Signature Version 4 and the body's hash itself, requires a Content-Length
 * as the real one does, and answers 403 to any difference.
 */
export async function startS3StandIn(keys: S3Keys, now: () => number): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const failures: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const status = failures.shift() ?? answerTo(request, body);
    const content = path.includes('?list-type=2') ? listObjects(path) : objects.get(path);
    response.writeHead(status);
    response.end(status === 200 && request.method === 'GET' ? content : undefined);
  });

  /** Two names on a page, so that a reader has to ask for the next one. */
  function listObjects(path: string): string {
    const { pathname, searchParams } = new URL(path, 'http://s3');
    const prefix = searchParams.get('prefix') ?? '';
    const from = Number(searchParams.get('continuation-token') ?? '0');
    const names = [...objects.keys()]
      .map((key) => decodeURIComponent(key.slice(pathname.length + 1)))
      .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'));
    const at = new Date(now()).toISOString();
    const page = names
      .slice(from, from + 2)
      .map((key) => `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`);
    const more = from + 2 < names.length;
    const token = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
    return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${page.join('')}${token}</ListBucketResult>`;
  }

  function answerTo(request: IncomingMessage, body: Buffer): number {
    const path = request.url ?? '';
    if (!isSigned(request, body, keys, now())) return 403;
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return 411;
      if (request.headers['if-none-match'] === '*' && objects.has(path)) return 412;
      objects.set(path, body);
      return 200;
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return 204;
    }
    return objects.has(path) || path.includes('?list-type=2') ? 200 : 404;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    failures,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
const SKEW_MAX_MS = 15 * 60_000;

function isSigned(request: IncomingMessage, body: Buffer, keys: S3Keys, now: number): boolean {
  const [, credential = '', signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
  const stamp = String(request.headers['x-amz-date'] ?? '');
  const day = stamp.slice(0, 8);
  const scope = `${day}/${keys.region}/s3/aws4_request`;
  if (credential !== `${keys.accessKeyId}/${scope}`) return false;
  if (Math.abs(parseTime(stamp) - now) > SKEW_MAX_MS) return false;
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const names = signedHeaders.split(';');
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.includes(needed)) return false;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, keys.region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (derived, part) => createHmac('sha256', derived).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}

function parseTime(stamp: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp);
  assert.ok(parts, 'a time in basic form');
  const [, year, month, date, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
