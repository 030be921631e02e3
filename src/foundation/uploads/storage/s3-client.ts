import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '#foundation/lib/clock.ts';

/** Requests to an S3-compatible server, each with its body signed (Signature Version 4). */

export interface S3Settings {
  /** `https://s3.eu-central-1.amazonaws.com`, or that of a compatible server. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The prefix of every name, for a bucket with other objects; ends with a slash unless it is empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Call {
  readonly method: 'PUT' | 'GET' | 'HEAD' | 'DELETE';
  /** The path below the prefix; empty for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly length: number; readonly hash: string; read(): Readable | Buffer };
  readonly accepted: readonly number[];
}

const EMPTY_HASH = createHash('sha256').digest('hex');
const TIMEOUT_MS = 30_000;

export async function sendSigned(
  settings: S3Settings,
  clock: Clock,
  retryAfterMs: readonly number[],
  call: S3Call,
): Promise<Dispatcher.ResponseData> {
  for (let attempt = 0; ; attempt++) {
    const reply = await sendOnce(settings, clock, call).catch((error: Error) => error);
    if (!(reply instanceof Error) && call.accepted.includes(reply.statusCode)) return reply;
    const failure = reply instanceof Error ? reply : await replyError(reply, call);
    const waitMs = retryAfterMs[attempt];
    if (waitMs === undefined || (!(reply instanceof Error) && !mayPass(reply.statusCode))) throw failure;
    await pause(waitMs);
  }
}

function urlOf({ endpoint, bucket, prefix }: S3Settings, { name, query }: S3Call): string {
  const path = name === '' ? '' : `/${prefix}${name.split('/').map(encodeURIComponent).join('/')}`;
  return `${endpoint}/${bucket}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
}

async function sendOnce(settings: S3Settings, clock: Clock, call: S3Call): Promise<Dispatcher.ResponseData> {
  const { method, url, headers } = await new AwsV4Signer({
    method: call.method,
    url: urlOf(settings, call),
    headers: { ...call.headers, 'x-amz-content-sha256': call.body?.hash ?? EMPTY_HASH },
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    region: settings.region,
    service: 's3',
    datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign();
  return request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...Object.fromEntries(headers),
      ...(call.body && {
        'content-length': String(call.body.length),
        'content-type': 'application/octet-stream',
      }),
    },
    body: call.body?.read() ?? null,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
}

function mayPass(status: number): boolean {
  return status >= 500 || status === 429;
}

/** Names the status of the store's answer, but not its body, which may repeat the sent data. */
async function replyError(reply: Dispatcher.ResponseData, { method }: S3Call): Promise<Error> {
  await discardBody(reply);
  return new Error(`the document store answered ${method} with ${reply.statusCode}`);
}

export async function discardBody(reply: Dispatcher.ResponseData): Promise<void> {
  await reply.body.dump();
}
