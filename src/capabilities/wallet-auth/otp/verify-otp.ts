import assert from 'node:assert/strict';
import { opaqueId } from '#capabilities/wallet-auth/activity.ts';
import { otpOf } from '#capabilities/wallet-auth/otp/send-otp.ts';
import { failedProof, type VerifyCall } from '#capabilities/wallet-auth/rules.ts';
import type { AuthSession } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { issueClientKeySession, ownerOf } from '#capabilities/wallet-auth/sessions/issue-session.ts';
import { checkUsable, isRightCode } from '#foundation/codes/codes.ts';
import { countWrongTry, deleteCodes, findCode } from '#foundation/codes/store.ts';
import { parseJsonObject } from '#foundation/crypto/encodings.ts';
import { type OtpBundle, openSealed, parseOtpBundle } from '#foundation/crypto/hpke.ts';
import { type KeyPair, type PublicKey, parsePublicKey } from '#foundation/crypto/p256.ts';
import { verificationToken } from '#foundation/crypto/service-key.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import {
  challengeReply,
  requestExpiry,
  type SignedCall,
  verifyRetry,
} from '#foundation/http/signed/signed-retry.ts';
import { useRequest } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/**
 * wallets.md §6.4.32: the code comes sealed, together with a new key of the client. The right code is used up, and the
 * reply is a token that names the key. When the client returns the token signed by that key, the key becomes the
 * session's.
 */
export async function verifyOtp(
  tx: Tx,
  credential: CredentialRow,
  encryptedOtpBundle: string,
  { body, request }: VerifyCall,
): Promise<Answer<AuthSession>> {
  const call = signedCall(credential, { body, request });
  const bundle = readOtpBundle(encryptedOtpBundle);
  const signed = await verifyRetry(tx, call, async () => []);
  if (signed) {
    useRequest(tx, signed);
    assert(signed.signerKey, 'the first leg has named the client’s key');
    return issueClientKeySession(tx, ownerOf(credential), signed.signerKey);
  }
  const clientKey = await verifyCode(tx, credential, bundle);
  await deleteCodes(tx, ['WALLET'], [credential.id]);
  const expiresAt = requestExpiry(tx);
  const payload = await verificationToken(tx.runtime.serviceKey, {
    id: tx.newId(),
    verification_type: credential.type === 'EMAIL_OTP' ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS',
    contact: credential.nickname,
    organization_id: opaqueId('org', credential.account_id),
    public_key: clientKey.compressed,
    exp: String(expiresAt.getTime()),
  });
  const challenge = {
    payload,
    expiresAt,
    signerKey: clientKey.compressed,
    extraFields: { type: credential.type },
  };
  return challengeReply(tx, call, challenge) as unknown as Answer<AuthSession>;
}

/** Refuses a text that is not a sealed code. */
export function readOtpBundle(text: string): OtpBundle {
  const bundle = parseOtpBundle(text);
  if (bundle) return bundle;
  const message = 'must be JSON text with encappedPublic and ciphertext in hexadecimal';
  throw invalidFields([{ field: 'encryptedOtpBundle', message }]);
}

function signedCall(credential: CredentialRow, { body, request }: VerifyCall): SignedCall {
  const target = {
    name: publicId('AuthMethod', credential.id),
    signingWallets: 'request',
    customerId: publicId('Customer', credential.customer_id),
  } as const;
  return { operation: 'verifyAuthCredential', target, body, request };
}

/** The client's key, if the code next to it is right. */
async function verifyCode(tx: Tx, credential: CredentialRow, bundle: OtpBundle): Promise<PublicKey> {
  const place = otpOf(credential.id);
  const otp = await findCode(tx, place);
  if (!otp?.target || checkUsable(otp, tx.now))
    throw failedProof(credential, 'No pending OTP for this credential');
  const { code, publicKey } = await openBundle(credential, otp.target, bundle);
  const key = parsePublicKey(publicKey);
  if (!key) throw failedProof(credential, 'Invalid OTP public key');
  if (code === undefined || !isRightCode(tx, place, otp, code)) {
    await countWrongTry(tx, place);
    throw failedProof(credential, 'Invalid OTP code');
  }
  return key;
}

async function openBundle(credential: CredentialRow, target: KeyPair, { encapped, ciphertext }: OtpBundle) {
  const opened = await openSealed(target.privateKey, target.publicKey, encapped, ciphertext);
  if (!opened) throw failedProof(credential, 'Unable to decrypt OTP bundle');
  const { otp_code: code, public_key: publicKey } = parseJsonObject(opened) ?? {};
  if (typeof publicKey !== 'string') throw failedProof(credential, 'Invalid OTP public key');
  return { code: typeof code === 'string' ? code : undefined, publicKey };
}
