import { hash } from 'node:crypto';
import { payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { lockCredential, touchCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { takeChallenge } from '#capabilities/wallet-auth/limits.ts';
import { issueOtp } from '#capabilities/wallet-auth/otp/send-otp.ts';
import { presentCredential } from '#capabilities/wallet-auth/present.ts';
import {
  checkWallet,
  credentialNotFound,
  loadWallet,
  readClientKey,
} from '#capabilities/wallet-auth/rules.ts';
import type {
  AuthCredentialChallengeRequest,
  AuthCredentialResponse,
  OtpType,
} from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { requestExpiry } from '#foundation/http/signed/signed-retry.ts';
import { openRequest } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, refuseIf } from '#foundation/lib/refusals.ts';

/** The body, and its schema violations: an OTP credential ignores both (wallets.md §6.3.27). */
export interface ChallengeInput {
  readonly body: AuthCredentialChallengeRequest;
  readonly problems: readonly FieldError[];
}

/** Creates the challenge that the owner answers to prove a credential (wallets.md §6.3.27–6.3.30). */
export async function challengeCredential(
  tx: Tx,
  id: CredentialId,
  sent: ChallengeInput,
): Promise<AuthCredentialResponse> {
  const credential = await lockCredential(tx, id);
  if (!credential) throw credentialNotFound();
  const isOtp = credential.type === 'EMAIL_OTP' || credential.type === 'SMS_OTP';
  const clientKey = isOtp ? undefined : readChallengeKey(credential, sent);
  refuseIf(checkWallet(await loadWallet(tx, credential.account_id, 'id')));
  await takeChallenge(tx, id);
  if (credential.type === 'PASSKEY' && clientKey) return challengePasskey(tx, credential, clientKey);
  if (!isOtp) return presentCredential(credential) as AuthCredentialResponse;
  const otpEncryptionTargetBundle = await issueOtp(tx, { ...credential, type: credential.type as OtpType });
  const shown = presentCredential(await touchCredential(tx, id));
  return { ...shown, otpEncryptionTargetBundle } as AuthCredentialResponse;
}

/** wallets.md §6.3.28, §6.3.29: a passkey requires a key, OAuth may have one; each must be on the curve. */
function readChallengeKey({ type }: CredentialRow, { body, problems }: ChallengeInput): string | undefined {
  if (problems.length > 0) throw invalidFields(problems);
  if (body.clientPublicKey !== undefined) readClientKey(body.clientPublicKey);
  else if (type === 'PASSKEY') throw invalidFields([{ field: 'clientPublicKey', message: 'is required' }]);
  return body.clientPublicKey;
}

/** The operation to which a passkey's challenge is bound, together with the passkey. */
export const PASSKEY_LOGIN = 'passkey login';

export interface PasskeyLogin {
  readonly clientPublicKey: string;
}

/** The digest of a payload that names the key, so that the passkey signs for this key only (wallets.md §6.3.28). */
async function challengePasskey(
  tx: Tx,
  credential: CredentialRow,
  clientPublicKey: string,
): Promise<AuthCredentialResponse> {
  const parameters = { targetPublicKey: clientPublicKey };
  const payload = await payloadToSign(tx, credential.account_id, {
    type: 'CREATE_READ_WRITE_SESSION_V2',
    parameters,
  });
  const id = tx.newId<'Request'>();
  const expiresAt = requestExpiry(tx);
  const context: PasskeyLogin = { clientPublicKey };
  openRequest(tx, {
    ...{ id, operation: PASSKEY_LOGIN, target: publicId('AuthMethod', credential.id), payload, context },
    ...{ bodyDigest: Buffer.alloc(0), signerKey: null, expiresAt, customerId: credential.customer_id },
  });
  return {
    ...presentCredential(credential),
    challenge: hash('sha256', payload),
    requestId: publicId('Request', id),
    expiresAt: expiresAt.toISOString(),
  } as AuthCredentialResponse;
}
