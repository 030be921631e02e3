import {
  createPrivateKey,
  createPublicKey,
  ECDH,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

/** A point of NIST P-256 in both of its encodings (SEC 1), as lowercase hex. */
export interface PublicKey {
  /** 33 bytes: `02` or `03`, then x. */
  readonly compressed: string;
  /** 65 bytes: `04`, then x and y. */
  readonly uncompressed: string;
  /** Which encoding was given: in some places it shows who keeps the private key (wallets.md §6.4.33). */
  readonly isCompressed: boolean;
}

export interface KeyPair {
  /** The scalar: 32 bytes, big-endian. */
  readonly privateKey: Buffer;
  readonly publicKey: PublicKey;
}

const CURVE = 'prime256v1';
const ENCODED = /^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i;

/** Parses a key in either encoding and either case; undefined if it is not a point on the curve. */
export function parsePublicKey(hex: string): PublicKey | undefined {
  if (!ENCODED.test(hex)) return undefined;
  try {
    const given = hex.toLowerCase();
    const isCompressed = !given.startsWith('04');
    const other = ECDH.convertKey(given, CURVE, 'hex', 'hex', isCompressed ? 'uncompressed' : 'compressed');
    return isCompressed
      ? { compressed: given, uncompressed: String(other), isCompressed }
      : { compressed: String(other), uncompressed: given, isCompressed };
  } catch {
    return undefined;
  }
}

export function generateKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return {
    privateKey: privateKey.export({ format: 'raw-private' }),
    publicKey: encodePublicKey(publicKey),
  };
}

/** The public half of a private scalar of 32 bytes. */
export function derivePublicKey(privateKey: Uint8Array): PublicKey {
  return encodePublicKey(createPublicKey(importPrivateKey(privateKey)));
}

export function importPrivateKey(privateKey: Uint8Array): KeyObject {
  const key = Buffer.from(privateKey);
  return createPrivateKey({ key, format: 'raw-private', asymmetricKeyType: 'ec', namedCurve: CURVE });
}

/** ECDSA over SHA-256, as DER; computed off the event loop. */
export function signBytes(key: KeyObject, message: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(message), key, (error, der) => (error ? reject(error) : resolve(der)));
  });
}

/**
 * ECDSA over SHA-256, checked off the event loop. High and low S are both valid (wallets.md §4.12): systems, browsers
 * and Node.js sign without normalising it. Returns false for a malformed key or signature.
 */
export async function verifySignature(
  compressed: string,
  message: string | Uint8Array,
  der: Uint8Array,
): Promise<boolean> {
  const key = importPublicKey(compressed);
  if (!key) return false;
  return new Promise((resolve) => {
    verify('sha256', Buffer.from(message), key, der, (error, isValid) => resolve(!error && isValid));
  });
}

/** Whether these bytes are the DER of two numbers in [1, n − 1], in the only form that DER allows. */
export function isDerSignature(der: Uint8Array): boolean {
  try {
    return Buffer.from(p256.Signature.fromBytes(der, 'der').toBytes('der')).equals(der);
  } catch {
    return false;
  }
}

function importPublicKey(compressed: string): KeyObject | undefined {
  try {
    const key = Buffer.from(compressed, 'hex');
    return createPublicKey({ key, format: 'raw-public', asymmetricKeyType: 'ec', namedCurve: CURVE });
  } catch {
    return undefined;
  }
}

function encodePublicKey(key: KeyObject): PublicKey {
  const encode = (type: 'compressed' | 'uncompressed') =>
    key.export({ format: 'raw-public', type }).toString('hex');
  return {
    compressed: encode('compressed'),
    uncompressed: encode('uncompressed'),
    isCompressed: false,
  };
}
