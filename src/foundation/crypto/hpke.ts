import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { decodeHex, parseJsonObject } from '#foundation/crypto/encodings.ts';
import { type PublicKey, parsePublicKey } from '#foundation/crypto/p256.ts';
import { type ServiceKey, signedEnvelope, unsignedEnvelope } from '#foundation/crypto/service-key.ts';

/** One message sealed to a public key (RFC 9180, mode base; wallets.md §5.15). */
export interface Sealed {
  /** The sender's ephemeral key, 65 bytes. */
  readonly encappedPublic: Buffer;
  /** Includes its tag of 16 bytes at the end. */
  readonly ciphertext: Buffer;
}

/** A message that a client sealed to us, as it was sent. */
export interface OtpBundle {
  /** The client's ephemeral key, of 65 bytes or compressed to 33. */
  readonly encapped: Buffer;
  readonly ciphertext: Buffer;
}

const SUITE = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
/** A constant of the existing clients. */
const INFO = Buffer.from('turnkey_hpke');

export async function sealTo(recipient: PublicKey, plaintext: Uint8Array): Promise<Sealed> {
  const recipientPublic = Buffer.from(recipient.uncompressed, 'hex');
  const recipientPublicKey = await SUITE.kem.deserializePublicKey(recipientPublic);
  const sender = await SUITE.createSenderContext({ recipientPublicKey, info: INFO });
  const encappedPublic = Buffer.from(sender.enc);
  const ciphertext = await sender.seal(plaintext, Buffer.concat([encappedPublic, recipientPublic]));
  return { encappedPublic, ciphertext: Buffer.from(ciphertext) };
}

/** Undefined if the message was sealed to another key, was changed, or was never sealed. */
export async function openSealed(
  privateKey: Uint8Array,
  recipient: PublicKey,
  encapped: Uint8Array,
  ciphertext: Uint8Array,
): Promise<Buffer | undefined> {
  // The library, the key's context and the authenticated data use the uncompressed form only (wallets.md §5.16).
  const sender = parsePublicKey(Buffer.from(encapped).toString('hex'));
  if (!sender) return undefined;
  const enc = Buffer.from(sender.uncompressed, 'hex');
  const recipientPublic = Buffer.from(recipient.uncompressed, 'hex');
  try {
    const recipientKey = {
      privateKey: await SUITE.kem.deserializePrivateKey(privateKey),
      publicKey: await SUITE.kem.deserializePublicKey(recipientPublic),
    };
    const context = await SUITE.createRecipientContext({ recipientKey, enc, info: INFO });
    return Buffer.from(await context.open(ciphertext, Buffer.concat([enc, recipientPublic])));
  } catch {
    return undefined;
  }
}

/** A bundle is some 400 characters. */
const OTP_BUNDLE_LENGTH_MAX = 4_096;

/**
 * Parses `encryptedOtpBundle`, also if a client encoded the JSON twice (wallets.md §5.16). Undefined if it is not JSON
 * or not hex; whether the key is on the curve is checked when the bundle is opened.
 */
export function parseOtpBundle(text: string): OtpBundle | undefined {
  if (text.length > OTP_BUNDLE_LENGTH_MAX) return undefined;
  const members = parseJsonObject(text) ?? parseJsonObject(parseJsonText(text) ?? '');
  if (typeof members?.encappedPublic !== 'string' || typeof members.ciphertext !== 'string') return undefined;
  const encapped = decodeHex(members.encappedPublic);
  const ciphertext = decodeHex(members.ciphertext);
  return encapped && ciphertext && { encapped, ciphertext };
}

function parseJsonText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const base58check = createBase58check(sha256);

/** `encryptedSessionSigningKey`: a private scalar for the client alone (wallets.md §5.15). */
export async function sessionKeyBundle(recipient: PublicKey, privateKey: Uint8Array): Promise<string> {
  const { encappedPublic, ciphertext } = await sealTo(recipient, privateKey);
  const sender = parsePublicKey(encappedPublic.toString('hex'));
  if (!sender) throw new Error('the ephemeral key of a sealed message is not a point of the curve');
  return base58check.encode(Buffer.concat([Buffer.from(sender.compressed, 'hex'), ciphertext]));
}

/** `encryptedWalletCredentials`: the mnemonic for the client alone, signed if a key is given (wallets.md §5.15). */
export async function walletCredentialsEnvelope(
  recipient: PublicKey,
  mnemonic: string,
  organizationId: string,
  key?: ServiceKey,
): Promise<string> {
  const { encappedPublic, ciphertext } = await sealTo(recipient, Buffer.from(mnemonic));
  const data = {
    encappedPublic: encappedPublic.toString('hex'),
    ciphertext: ciphertext.toString('hex'),
    organizationId,
  };
  return key ? signedEnvelope(key, data) : unsignedEnvelope(data);
}
