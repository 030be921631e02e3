import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { parseJsonObject } from '#foundation/crypto/encodings.ts';
import { isDateTime, parseDateTime } from '#foundation/lib/dates.ts';
import { isUuid } from '#foundation/lib/ids.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

/** Signatures of requests and answers: HMAC-SHA256 with a secret that both sides know (connectors.md §2). */

export const SECRET_BYTES = 32;

/** connectors.md §2.4: how far the clocks of both sides may differ. */
export const SKEW_MAX_MS = 5 * 60_000;

const KEY_PREFIX = 'ConnectorKey:';

export interface ConnectorKey {
  /** `ConnectorKey:<uuid>`. */
  readonly id: string;
  readonly secret: Buffer;
}

export interface SignedRequest {
  readonly method: string;
  /** The path with its query, below the configured URL. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly requestId: string;
  readonly at: Date;
}

export interface SignedAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly store: string;
  readonly body: Uint8Array;
  readonly at: Date;
}

/** The names of the protocol's headers, in lower case as Node.js receives them. */
export function connectorHeaders({ word, signatureHeader, signatureKeyIdHeader }: WireNames) {
  return {
    requestId: `X-${word}-Request-Id`.toLowerCase(),
    keyId: signatureKeyIdHeader.toLowerCase(),
    signature: signatureHeader.toLowerCase(),
    store: `X-${word}-Store`.toLowerCase(),
  };
}

export type HeaderNames = ReturnType<typeof connectorHeaders>;

/** The headers of a signed request. A nudge is signed with `nudge` as its first line. */
export function signRequest(
  key: ConnectorKey,
  request: SignedRequest,
  names: HeaderNames,
  word: 'request' | 'nudge' = 'request',
): Record<string, string> {
  const t = timeText(request.at);
  return {
    [names.requestId]: request.requestId,
    [names.keyId]: key.id,
    [names.signature]: signatureText(t, mac(key.secret, requestLines(request, t, word)).toString('base64')),
  };
}

export function signAnswer(
  key: ConnectorKey,
  answer: SignedAnswer,
  names: HeaderNames,
): Record<string, string> {
  const t = timeText(answer.at);
  return {
    [names.store]: answer.store,
    [names.signature]: signatureText(t, mac(key.secret, answerLines(answer, t)).toString('base64')),
  };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Received {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Returns the key that a request was signed with; undefined if its signature is not good. */
export function verifyRequest(
  keys: readonly ConnectorKey[],
  { headers, body, method, path }: Received & Pick<SignedRequest, 'method' | 'path'>,
  names: HeaderNames,
  now: Date,
  word: 'request' | 'nudge' = 'request',
): ConnectorKey | undefined {
  const requestId = headers[names.requestId];
  const signature = parseSignature(headers[names.signature], now);
  const key = keys.find(({ id }) => id === headers[names.keyId]);
  if (typeof requestId !== 'string' || !isUuid(requestId) || !signature || !key) return undefined;
  const expected = mac(key.secret, requestLines({ method, path, body, requestId }, signature.t, word));
  return timingSafeEqual(expected, signature.s) ? key : undefined;
}

export type VerifiedAnswer = { readonly store: string } | { readonly problem: string };

/** Verifies an answer: during a rotation either secret counts. Says what is wrong with a bad one. */
export function verifyAnswer(
  keys: readonly ConnectorKey[],
  answer: Received & Pick<SignedAnswer, 'requestId' | 'status'>,
  names: HeaderNames,
  now: Date,
): VerifiedAnswer {
  const store = answer.headers[names.store];
  if (typeof store !== 'string' || store === '') return { problem: `the answer has no ${names.store}` };
  const sent = answer.headers[names.signature];
  if (sent === undefined) return { problem: `the answer has no ${names.signature}` };
  const signature = parseSignature(sent, now);
  if (!signature) return { problem: `${names.signature} is malformed, or its time is over five minutes off` };
  const lines = answerLines({ ...answer, store }, signature.t);
  const isGood = keys.some(({ secret }) => timingSafeEqual(mac(secret, lines), signature.s));
  return isGood ? { store } : { problem: 'the signature of the answer is wrong' };
}

function requestLines(
  { method, path, requestId, body }: Omit<SignedRequest, 'at'>,
  t: string,
  word: 'request' | 'nudge',
): string {
  return [word, method, path, requestId, t, sha256(body)].join('\n');
}

function answerLines({ requestId, status, store, body }: Omit<SignedAnswer, 'at'>, t: string): string {
  return ['answer', requestId, status, store, t, sha256(body)].join('\n');
}

function sha256(body: Uint8Array): string {
  return hash('sha256', body, 'hex');
}

function mac(secret: Buffer, lines: string): Buffer {
  return createHmac('sha256', secret).update(lines).digest();
}

function signatureText(t: string, s: string): string {
  return JSON.stringify({ v: '2', t, s });
}

/** Without fractions of a second, as in the protocol's examples. */
function timeText(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Reads `{"v":"2","t":"<time>","s":"<base64>"}`; undefined if it is malformed or too old or too new. */
function parseSignature(
  text: string | readonly string[] | undefined,
  now: Date,
): { t: string; s: Buffer } | undefined {
  const { v, t, s } = (typeof text === 'string' ? parseJsonObject(text) : undefined) ?? {};
  if (v !== '2' || typeof t !== 'string' || typeof s !== 'string' || !isDateTime(t)) return undefined;
  if (Math.abs(now.getTime() - parseDateTime(t).getTime()) > SKEW_MAX_MS) return undefined;
  const bytes = Buffer.from(s, 'base64');
  return bytes.length === SECRET_BYTES && bytes.toString('base64') === s ? { t, s: bytes } : undefined;
}

/** One line of a file of secrets: the id of the key and its secret in base64. */
export function keyLine({ id, secret }: ConnectorKey): string {
  return `${id} ${secret.toString('base64')}`;
}

/** Reads a file of secrets: one key, or both during a rotation. Undefined if a line is not one. */
export function parseKeys(text: string): readonly ConnectorKey[] | undefined {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parseKeyLine);
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
}

function parseKeyLine(line: string): ConnectorKey | undefined {
  const [id = '', encoded = '', ...rest] = line.split(/\s+/);
  const secret = Buffer.from(encoded, 'base64');
  const isKey = id.startsWith(KEY_PREFIX) && isUuid(id.slice(KEY_PREFIX.length)) && rest.length === 0;
  return isKey && secret.length === SECRET_BYTES ? { id, secret } : undefined;
}
