import { hash } from 'node:crypto';
import { type Activity, opaqueId } from '#capabilities/wallet-auth/activity.ts';
import { isChallengeUsed, useChallenge } from '#capabilities/wallet-auth/credential-store.ts';
import type { Candidate, CredentialOwner } from '#capabilities/wallet-auth/rules.ts';
import type { PasskeyCredentialCreateRequest } from '#capabilities/wallet-auth/schemas.ts';
import { decodeBase64url } from '#foundation/crypto/encodings.ts';
import { checkRegistration, type ListedOrigin } from '#foundation/crypto/webauthn.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';

const NICKNAME = /^[\p{L}\p{M}\p{Nd} ._\-'()]{1,100}$/u;

/**
 * wallets.md §6.1.23, §6.1.24: a passkey that was just created for this challenge, by an authenticator with the user
 * present.
 */
export async function preparePasskey(
  tx: ReadTx,
  { account, customer, held }: CredentialOwner,
  { nickname: sentName, challenge, attestation }: PasskeyCredentialCreateRequest,
  origins: readonly ListedOrigin[],
): Promise<Candidate> {
  const nickname = sentName.trim().normalize('NFC');
  const registered = await checkRegistration(attestation, challenge, origins);
  const problems = [
    ...checkNickname(nickname),
    ...('problems' in registered ? prefixAttestationFields(registered.problems) : []),
  ];
  if ('problems' in registered || problems.length > 0) throw invalidFields(problems);
  const { rpId, publicKey, counter } = registered.passkey;
  const credentialId = Buffer.from(registered.passkey.credentialId, 'base64url');
  if (held.some(({ webauthn_id }) => webauthn_id?.equals(credentialId))) {
    refuse('PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'This passkey is already a credential of the wallet.');
  }
  const challengeHash = hash('sha256', decodeBase64url(challenge) ?? Buffer.alloc(0), 'buffer');
  if (await isChallengeUsed(tx, account.id, challengeHash)) {
    throw invalidFields([
      { field: 'challenge', message: 'was already used for another passkey of the wallet' },
    ]);
  }
  return {
    credential: {
      nickname,
      webauthn_id: credentialId,
      rp_id: rpId,
      cose_key: Buffer.from(publicKey),
      sign_count: BigInt(counter),
    },
    activity: registration({ nickname, challenge, attestation }, customer.id),
    alsoStore: (tx) => useChallenge(tx, account.id, challengeHash),
  };
}

/** wallets.md §3.8. */
function registration(
  {
    nickname,
    challenge,
    attestation,
  }: Pick<PasskeyCredentialCreateRequest, 'nickname' | 'challenge' | 'attestation'>,
  customerId: CustomerId,
): Activity {
  const { attestationObject, clientDataJson, credentialId, transports = [] } = attestation;
  const authenticator = {
    attestation: { attestationObject, clientDataJson, credentialId },
    authenticatorName: nickname,
    challenge,
    transports,
  };
  const parameters = { authenticators: [authenticator], userId: opaqueId('user', customerId) };
  return { type: 'CREATE_AUTHENTICATORS_V2', parameters };
}

/** Maps the fields to their names in the request. */
function prefixAttestationFields(problems: readonly FieldError[]): FieldError[] {
  return problems.map((problem) => {
    const { field } = problem;
    return { ...problem, field: field === 'challenge' ? field : `attestation.${field}` };
  });
}

function checkNickname(nickname: string): FieldError[] {
  if (NICKNAME.test(nickname)) return [];
  const message = "must be 1 to 100 letters, digits, spaces and . _ - ' ( )";
  return [{ field: 'nickname', message, constraint: { minLength: 1, maxLength: 100 } }];
}
