import { p256 } from '@noble/curves/nist.js';
import { WebhookError } from './errors.ts';
import type { WebhookEvent } from './generated/operations.ts';
import { wireNames } from './names.ts';
import type { PublicKey, WebhookKeys } from './webhook-keys.ts';

export interface VerifyOptions {
  /** How old, or how far ahead of the receiver's clock, a webhook may be; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds; this machine's clock by default. */
  readonly now?: number;
  /** The operator's `SERVICE_NAME`, if it was changed. */
  readonly serviceName?: string;
}

/** The headers of a request: from Node.js, from `fetch`, or from `GET /events/feed`; names in upper or lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Keys as PEM, keys as `GET /webhooks/keys` lists them, or a look-up that reads them when needed. */
export type VerifyingKeys = string | readonly (string | PublicKey)[] | WebhookKeys;

/**
 * Returns the event of a webhook, or throws a `WebhookError` if the service did not sign it or if it is stale. `body` is
 * the unchanged bytes: JSON that was parsed and serialized again may differ from what was signed. Two headers matter: the
 * signature and the id of its key. Among keys with ids only the named one is tried; of keys without ids each is tried. The
 * value of `X-Svc-Signature` may replace all headers; then each key is tried.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders | string | null | undefined,
  keys: VerifyingKeys,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Date.now(), serviceName } = options;
  const names = wireNames(serviceName);
  const bytes = new Uint8Array(typeof body === 'string' ? new TextEncoder().encode(body) : body);
  const isWhole = typeof headers === 'object' && headers !== null;
  const signed = parseSignature(isWhole ? readHeader(headers, names.signatureHeader) : headers);
  const keyId = isWhole ? readHeader(headers, names.signatureKeyIdHeader) : undefined;
  const candidates = await keysFor(keys, keyId);
  const verdicts = await Promise.all(candidates.map((pem) => isSignedBy(pem, signed, bytes)));
  if (!verdicts.includes(true)) throw refused('It is not signed by any of these keys.');
  const event: WebhookEvent = JSON.parse(names.incoming(new TextDecoder().decode(bytes)));
  const ageSeconds = Math.abs(now - Date.parse(event.timestamp)) / 1_000;
  if (!(ageSeconds <= toleranceSeconds))
    throw refused(`It was sent at ${event.timestamp}, which is too long ago or in the future.`);
  return event;
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name.toLowerCase());
  const value = found?.[1];
  return typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined;
}

/** Returns the PEM keys that may have signed. */
async function keysFor(given: VerifyingKeys, keyId: string | undefined): Promise<string[]> {
  // For example, a variable was not set. The webhook is not at fault, so this is not a WebhookError.
  if (!given) throw new TypeError('No public key was given to verify webhooks with.');
  const keys = isLookedUp(given) ? await given.find(keyId) : typeof given === 'string' ? [given] : given;
  return keys.flatMap((key) => {
    if (typeof key === 'string') return [key];
    return keyId === undefined || key.id === keyId ? [key.publicKey] : [];
  });
}

function isLookedUp(given: VerifyingKeys): given is WebhookKeys {
  return typeof given !== 'string' && !Array.isArray(given);
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function isSignedBy(
  pem: string,
  signature: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const spki = bytesOfBase64(pem.replace(/-----[^-]+-----|\s/g, ''));
  const key = await crypto.subtle.importKey('spki', spki, ECDSA, false, ['verify']);
  return crypto.subtle.verify(ECDSA, key, signature, bytes);
}

/** Converts `{"v":"1","s":"<base64 of DER>"}` into r ‖ s, which WebCrypto expects. */
function parseSignature(header: string | null | undefined): Uint8Array<ArrayBuffer> {
  if (!header) throw refused('It has no signature.');
  try {
    const { v, s } = JSON.parse(header);
    if (v !== '1') throw refused(`Its signature has the unsupported version ${v}.`);
    return new Uint8Array(p256.Signature.fromBytes(bytesOfBase64(s), 'der').toBytes('compact'));
  } catch (cause) {
    throw cause instanceof WebhookError ? cause : refused('Its signature cannot be read.', cause);
  }
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function refused(reason: string, cause?: unknown): WebhookError {
  return new WebhookError({ code: 'INVALID_WEBHOOK', reason, cause });
}
