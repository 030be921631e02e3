import { decodeBase64url, decodeHex, parseJsonObject } from '#crypto/encodings.ts';
import { isDerSignature, parsePublicKey, verifySignature } from '#crypto/p256.ts';

/** A signature of a wallet's session key, as it travels in a header (wallets.md §4). */
export interface Stamp {
  /** Compressed, lowercase hex. */
  readonly publicKey: string;
  /** DER. */
  readonly signature: Buffer;
}

const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256';
/** A stamp has some 350 characters. Members that nobody asked for are ignored, but not at any length. */
const LENGTH_MAX = 4_096;

/** Undefined where it is malformed (wallets.md W13); nothing is verified yet. */
export function parseStamp(header: string): Stamp | undefined {
  if (header.length > LENGTH_MAX) return undefined;
  const bytes = decodeBase64url(header);
  const members = bytes && parseJsonObject(bytes);
  if (typeof members?.publicKey !== 'string' || typeof members.signature !== 'string') return undefined;
  if (members.scheme !== SCHEME) return undefined;
  const key = parsePublicKey(members.publicKey);
  const signature = decodeHex(members.signature);
  if (!key?.isCompressed || !signature || !isDerSignature(signature)) return undefined;
  return { publicKey: key.compressed, signature };
}

/** Whether the stamp's key signed the UTF-8 bytes of this payload (wallets.md W11). */
export function verifyStamp({ publicKey, signature }: Stamp, payload: string): Promise<boolean> {
  return verifySignature(publicKey, payload, signature);
}
