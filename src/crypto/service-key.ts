import { importPrivateKey, type PublicKey, publicKeyOf, signBytes } from '#crypto/p256.ts';

/** The one key with which the service signs what it hands to wallets' clients (wallets.md W17). */
export interface ServiceKey {
  readonly publicKey: PublicKey;
  /** DER. */
  sign(bytes: string | Uint8Array): Promise<Buffer>;
}

/** The key of a private scalar of 32 bytes. */
export function serviceKeyOf(privateKey: Uint8Array): ServiceKey {
  const key = importPrivateKey(privateKey);
  return { publicKey: publicKeyOf(privateKey), sign: (bytes) => signBytes(key, bytes) };
}

const ENVELOPE_VERSION = 'v1.0.0';

/** `data` as JSON in an envelope that clients verify before they use it (wallets.md W17); its members keep their order. */
export async function signedEnvelope(key: ServiceKey, data: object): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(data));
  const signature = await key.sign(bytes);
  return envelope(bytes, signature.toString('hex'), key.publicKey.uncompressed);
}

/** The same envelope with nobody's signature. */
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

/** The key to which a client seals its code, signed (wallets.md W18). Uncompressed: clients use the bytes as they are. */
export function otpTargetBundle(
  key: ServiceKey,
  targetPublic: PublicKey,
  organizationId: string,
): Promise<string> {
  return signedEnvelope(key, { targetPublic: targetPublic.uncompressed, organizationId });
}
