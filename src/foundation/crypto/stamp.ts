import { decodeBase64url, decodeHex, parseJsonObject } from '#foundation/crypto/encodings.ts';
import { isDerSignature, parsePublicKey, verifySignature } from '#foundation/crypto/p256.ts';

/** A signature of a wallet's session key, as it travels in a header (wallets.md §4). */
export interface Stamp {
  /** Compressed, lowercase hex. */
  readonly publicKey: string;
  /** DER. */
  readonly signature: Buffer;
}

const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256';
/** A stamp has some 350 characters. Unknown members are ignored, but only up to this length. */
const LENGTH_MAX = 4_096;

/** The reason why a header is not a stamp, for people. */
export interface MalformedStamp {
  readonly fault: string;
}

/** Parses a stamp, or returns its error (wallets.md §4.13); nothing is verified yet. */
export function parseStamp(header: string): Stamp | MalformedStamp {
  if (header.length > LENGTH_MAX) return { fault: `it has more than ${LENGTH_MAX} characters` };
  const bytes = decodeBase64url(header);
  if (!bytes || bytes.length === 0) return { fault: 'it is not base64url' };
  const members = parseJsonObject(bytes);
  if (!members) return { fault: 'it does not contain a JSON object in UTF-8' };
  const { publicKey, scheme, signature } = members;
  if (typeof publicKey !== 'string') return { fault: 'publicKey is missing, or not a string' };
  if (scheme !== SCHEME) return { fault: `scheme is not ${SCHEME}` };
  if (typeof signature !== 'string') return { fault: 'signature is missing, or not a string' };
  return parseMembers(publicKey, signature);
}

function parseMembers(publicKey: string, signature: string): Stamp | MalformedStamp {
  const key = parsePublicKey(publicKey);
  if (!key) return { fault: 'publicKey is not a point on P-256 in hexadecimal' };
  if (!key.isCompressed) return { fault: 'publicKey is not compressed: 66 digits that begin with 02 or 03' };
  const der = decodeHex(signature);
  if (!der) return { fault: 'signature is not hexadecimal' };
  if (!isDerSignature(der)) return { fault: 'signature is not the DER of an ECDSA signature on P-256' };
  return { publicKey: key.compressed, signature: der };
}

/** Whether the stamp's key signed the UTF-8 bytes of this payload (wallets.md §4.11). */
export function verifyStamp({ publicKey, signature }: Stamp, payload: string): Promise<boolean> {
  return verifySignature(publicKey, payload, signature);
}
