import { createPublicKey, verify } from 'node:crypto';
import type { TokenCaller } from '#http/caller.ts';
import { Refusal } from '#lib/refusals.ts';

/**
 * A request need not be signed; one that is must verify with the platform's key over the exact body bytes
 * (platform.md §4.5). The header has the form of our own webhooks: `{"v":"1","s":"<base64 DER>"}`.
 */
export function checkRequestSignature(
  header: string | string[] | undefined,
  body: Buffer | undefined,
  { webhookPublicKey }: TokenCaller,
): void {
  if (header === undefined) return;
  const signature = typeof header === 'string' ? readSignature(header) : undefined;
  const key = createPublicKey(webhookPublicKey);
  if (!signature || !verify('sha256', body ?? Buffer.alloc(0), key, signature)) {
    throw new Refusal(
      'INVALID_SIGNATURE',
      'The request signature is malformed or does not match the request body.',
    );
  }
}

function readSignature(header: string): Buffer | undefined {
  try {
    const { v, s } = JSON.parse(header) as { v?: unknown; s?: unknown };
    return v === '1' && typeof s === 'string' ? Buffer.from(s, 'base64') : undefined;
  } catch {
    return undefined;
  }
}
