import type { KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';
import { derivePublicKey, importPrivateKey, type PublicKey, signBytes } from '#foundation/crypto/p256.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';

/** The only key with which the service signs data for wallets' clients (wallets.md §5.17). */
export interface ServiceKey {
  readonly publicKey: PublicKey;
  /** For libraries that sign themselves. */
  readonly privateKey: KeyObject;
  /** ECDSA over SHA-256, DER. */
  sign(bytes: string | Uint8Array): Promise<Buffer>;
}

/** The key of a private scalar of 32 bytes. */
export function deriveServiceKey(privateKey: Uint8Array): ServiceKey {
  const key = importPrivateKey(privateKey);
  return {
    publicKey: derivePublicKey(privateKey),
    privateKey: key,
    sign: (bytes) => signBytes(key, bytes),
  };
}

const ENVELOPE_VERSION = 'v1.0.0';

/**
 * `data` as JSON in an envelope that clients verify before they use it (wallets.md §5.17); its members keep their
 * order.
 */
export async function signedEnvelope(key: ServiceKey, data: object): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(data));
  const signature = await key.sign(bytes);
  return envelope(bytes, signature.toString('hex'), key.publicKey.uncompressed);
}

/** The same envelope without a signature. */
export function unsignedEnvelope(data: object): string {
  return envelope(Buffer.from(JSON.stringify(data)), '', '');
}

function envelope(data: Buffer, dataSignature: string, enclaveQuorumPublic: string): string {
  return JSON.stringify({
    version: ENVELOPE_VERSION,
    data: data.toString('hex'),
    dataSignature,
    enclaveQuorumPublic,
  });
}

/**
 * The key to which a client seals its code, signed (wallets.md §5.18). Uncompressed: clients use the bytes unchanged.
 */
export function otpTargetBundle(
  key: ServiceKey,
  targetPublic: PublicKey,
  organizationId: string,
): Promise<string> {
  return signedEnvelope(key, { targetPublic: targetPublic.uncompressed, organizationId });
}

/** The claims of a verification token (wallets.md §5.19); all strings, under the names that clients know. */
export interface VerificationClaims {
  readonly id: string;
  readonly verification_type: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS';
  readonly contact: string;
  readonly organization_id: string;
  /** The client's key, compressed. */
  readonly public_key: string;
  /** Milliseconds since the epoch, as decimal digits. */
  readonly exp: string;
}

/** The ES256 JWT that a client stamps to finish an OTP login (wallets.md §5.19). */
export function verificationToken(key: ServiceKey, claims: VerificationClaims): Promise<string> {
  return new CompactSign(Buffer.from(canonicalJson(claims)))
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .sign(key.privateKey);
}
