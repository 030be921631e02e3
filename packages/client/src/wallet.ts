import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, createBase58check, hex } from '@scure/base';
import type { Corridor } from './client.ts';
import type { AuthSession, Quote } from './generated/schemas.ts';
import type { CallOptions } from './operation.ts';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HPKE = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const base58check = createBase58check(sha256);

type Bytes = Uint8Array<ArrayBuffer>;
const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));
const unhex = (digits: string): Bytes => new Uint8Array(hex.decode(digits.toLowerCase()));
const INFO = utf8('turnkey_hpke');

/** A key that signs for a session. It never leaves WebCrypto; a browser can keep it in IndexedDB. */
export interface SigningKey {
  readonly privateKey: CryptoKey;
  /** Compressed, in hexadecimal, as sent in the request for a session. */
  readonly publicKey: string;
}

/** Keys that the service can seal to. */
export interface SealingKeys {
  readonly pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  /** Uncompressed, in hexadecimal. */
  readonly publicKey: string;
}

/** A session, and the key that signs for it. */
export type Login = AuthSession & { readonly key: SigningKey };

export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ECDSA, false, ['sign', 'verify']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  return { privateKey, publicKey: p256.Point.fromBytes(point).toHex(true) };
}

export async function newSealingKeys(): Promise<SealingKeys> {
  const pair = await HPKE.kem.generateKeyPair();
  return { pair, publicKey: hex.encode(new Uint8Array(await HPKE.kem.serializePublicKey(pair.publicKey))) };
}

/** Returns the value of `walletSignature`: this key's signature over the unchanged payload. */
export async function stamp({ privateKey, publicKey }: SigningKey, payload: string): Promise<string> {
  const signed = new Uint8Array(await crypto.subtle.sign(ECDSA, privateKey, utf8(payload)));
  const signature = hex.encode(p256.Signature.fromBytes(signed, 'compact').toBytes('der'));
  return base64urlnopad.encode(
    utf8(JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })),
  );
}

/** The reply to the first request of a signed call. */
interface Challenge {
  readonly payloadToSign: string;
  readonly requestId: string;
}

/**
 * Makes both requests of a signed call: signs the payload that the first returns, and sends the signature with the second.
 *
 *     await signed(login.key, (options) => corridor.revokeAuthSession(login.id, options));
 */
export async function signed<Reply>(
  key: SigningKey,
  call: (options: CallOptions) => Promise<Reply>,
): Promise<Exclude<Reply, Challenge>> {
  const first = await call({});
  if (!isChallenge(first)) return first as Exclude<Reply, Challenge>;
  const options = { walletSignature: await stamp(key, first.payloadToSign), requestId: first.requestId };
  return (await call(options)) as Exclude<Reply, Challenge>;
}

function isChallenge(reply: unknown): reply is Challenge {
  return typeof reply === 'object' && reply !== null && 'payloadToSign' in reply && 'requestId' in reply;
}

/**
 * Logs in with the code that is sent to the wallet's owner. `serviceKey` is the service's `walletPublicKey`, which
 * verifies the key that the code is sealed to. Without it that key is not verified, which is safe in the sandbox only.
 */
export async function logInWithCode(
  corridor: Corridor,
  credentialId: string,
  askForCode: () => Promise<string>,
  serviceKey?: string,
): Promise<Login> {
  const challenge = await corridor.challengeAuthCredential(credentialId);
  if (!('otpEncryptionTargetBundle' in challenge) || challenge.otpEncryptionTargetBundle === undefined)
    throw new Error('This credential sends no codes.');
  const type = challenge.type as 'EMAIL_OTP' | 'SMS_OTP';
  const key = await newSigningKey();
  const code = await askForCode();
  const encryptedOtpBundle = await sealCode(challenge.otpEncryptionTargetBundle, code, key, serviceKey);
  const session = await signed(key, (options) =>
    corridor.verifyAuthCredential(credentialId, { type, encryptedOtpBundle }, options),
  );
  return { ...session, key };
}

/** Seals the code and the session's public key to the key in the challenge's bundle, as `encryptedOtpBundle`. */
export async function sealCode(
  bundle: string,
  code: string,
  { publicKey }: Pick<SigningKey, 'publicKey'>,
  serviceKey?: string,
): Promise<string> {
  const target = unhex(String((await openEnvelope(bundle, serviceKey)).targetPublic));
  const recipientPublicKey = await HPKE.kem.deserializePublicKey(target);
  const sender = await HPKE.createSenderContext({ recipientPublicKey, info: INFO });
  const encapped = new Uint8Array(sender.enc);
  const message = utf8(JSON.stringify({ otp_code: code, public_key: publicKey }));
  const ciphertext = await sender.seal(message, new Uint8Array([...encapped, ...target]));
  return JSON.stringify({
    encappedPublic: hex.encode(encapped),
    ciphertext: hex.encode(new Uint8Array(ciphertext)),
  });
}

/** Executes a quote that is paid out of a wallet, signed with the key of a session of the wallet. */
export async function executeSigned(
  corridor: Corridor,
  key: SigningKey,
  quote: Quote,
  options: CallOptions = {},
) {
  const infos = (quote.paymentInstructions ?? []).map(({ accountOrWalletInfo }) => accountOrWalletInfo);
  const payload = infos.flatMap((info) => ('payloadToSign' in info ? [info.payloadToSign] : []))[0];
  if (payload === undefined) throw new Error('This quote has nothing to sign.');
  return corridor.executeQuote(quote.id, undefined, {
    ...options,
    walletSignature: await stamp(key, payload),
  });
}

/** Returns the words that restore a wallet anywhere. Show them to its owner, and do not store them. */
export async function exportWords(
  corridor: Corridor,
  key: SigningKey,
  accountId: string,
  serviceKey?: string,
): Promise<string> {
  const keys = await newSealingKeys();
  const body = { clientPublicKey: keys.publicKey };
  const reply = await signed(key, (options) => corridor.exportInternalAccount(accountId, body, options));
  const sealed = await openEnvelope(reply.encryptedWalletCredentials, serviceKey);
  const words = await unseal(keys, unhex(String(sealed.encappedPublic)), unhex(String(sealed.ciphertext)));
  return new TextDecoder().decode(words);
}

/** Opens the signing key that the service made for a session that was requested with the public key of `keys`. */
export async function openSessionKey(
  { encryptedSessionSigningKey }: Pick<AuthSession, 'encryptedSessionSigningKey'>,
  keys: SealingKeys,
): Promise<SigningKey> {
  const sealed = base58check.decode(encryptedSessionSigningKey ?? '');
  const encapped = p256.Point.fromBytes(sealed.slice(0, 33)).toBytes(false);
  const scalar = await unseal(keys, new Uint8Array(encapped), new Uint8Array(sealed.slice(33)));
  const point = p256.getPublicKey(scalar, false);
  const text = (bytes: Uint8Array) => base64urlnopad.encode(bytes);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: text(scalar),
    x: text(point.slice(1, 33)),
    y: text(point.slice(33)),
  };
  const privateKey = await crypto.subtle.importKey('jwk', jwk, ECDSA, false, ['sign']);
  return { privateKey, publicKey: p256.Point.fromBytes(point).toHex(true) };
}

async function unseal({ pair, publicKey }: SealingKeys, encapped: Bytes, ciphertext: Bytes): Promise<Bytes> {
  const recipient = await HPKE.createRecipientContext({ recipientKey: pair, enc: encapped, info: INFO });
  return new Uint8Array(await recipient.open(ciphertext, new Uint8Array([...encapped, ...unhex(publicKey)])));
}

/** Returns the content of an envelope, after verifying the service's signature if `serviceKey` is given. */
async function openEnvelope(
  envelope: string,
  serviceKey: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { data, dataSignature } = JSON.parse(envelope) as { data: string; dataSignature: string };
  if (serviceKey !== undefined) {
    const key = await crypto.subtle.importKey('raw', unhex(serviceKey), ECDSA, false, ['verify']);
    const signature = p256.Signature.fromBytes(unhex(dataSignature), 'der').toBytes('compact');
    if (!(await crypto.subtle.verify(ECDSA, key, new Uint8Array(signature), unhex(data))))
      throw new Error('The envelope is not signed by the service.');
  }
  return JSON.parse(new TextDecoder().decode(unhex(data)));
}
