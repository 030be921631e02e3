import { hash } from 'node:crypto';
import { setSignCount } from '#capabilities/wallet-auth/credential-store.ts';
import {
  PASSKEY_LOGIN,
  type PasskeyLogin,
} from '#capabilities/wallet-auth/credentials/challenge-credential.ts';
import {
  failedProof,
  readClientKey,
  type VerifyCall,
  type WalletAuthSettings,
} from '#capabilities/wallet-auth/rules.ts';
import type { AuthSession, PasskeyAssertion } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { issueServerKeySession, ownerOf } from '#capabilities/wallet-auth/sessions/issue-session.ts';
import {
  checkAssertion,
  type ParsedAssertion,
  parseAssertion,
  type RegisteredPasskey,
} from '#foundation/crypto/webauthn.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { readRequestHeader } from '#foundation/http/signed/signed-retry.ts';
import { findPendingRequest, type PendingRequest, useRequest } from '#foundation/http/signed/store.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** wallets.md §6.4.34–6.4.37: the passkey has signed the challenge, which names the client's key. */
export async function verifyPasskey(
  tx: Tx,
  credential: CredentialRow,
  assertion: PasskeyAssertion,
  { request }: VerifyCall,
  { passkeyOrigins: listed }: WalletAuthSettings,
): Promise<AuthSession> {
  const parsed = readAssertion(tx, assertion);
  const challenge = await findChallenge(tx, credential, readRequestHeader(request, 'Request-Id'));
  if (parsed) {
    const expected = {
      passkey: requirePasskey(credential),
      challenge: hash('sha256', challenge.payload),
      listed,
    };
    const result = await checkAssertion(parsed, expected);
    if ('reason' in result) throw failedProof(credential, result.reason);
    await setSignCount(tx, credential.id, BigInt(result.counter));
  }
  useRequest(tx, challenge);
  const { clientPublicKey } = challenge.context as PasskeyLogin;
  return issueServerKeySession(tx, ownerOf(credential), readClientKey(clientPublicKey));
}

/**
 * wallets.md §6.4.34. Undefined for the sandbox's literal, with which the other members are not checked
 * (wallets.md §7).
 */
export function readAssertion(tx: ReadTx, assertion: PasskeyAssertion): ParsedAssertion | undefined {
  if (tx.ports.walletSignatures.isAlwaysValidAssertion(assertion.signature)) return undefined;
  const parsed = parseAssertion(assertion);
  if ('assertion' in parsed) return parsed.assertion;
  throw invalidFields(parsed.problems.map((one) => ({ ...one, field: `assertion.${one.field}` })));
}

/** wallets.md §6.4.34. */
async function findChallenge(
  tx: Tx,
  credential: CredentialRow,
  requestId: string | undefined,
): Promise<PendingRequest> {
  if (requestId === undefined) {
    const reason = 'The Request-Id header of the challenge is missing.';
    throw failedProof(credential, reason, new Refusal('REQUEST_ID_MISSING', reason));
  }
  const id = parseId('Request', requestId);
  const target = publicId('AuthMethod', credential.id);
  const isExact = id !== undefined && publicId('Request', id) === requestId;
  const request = isExact
    ? await findPendingRequest(tx, id, { operation: PASSKEY_LOGIN, target })
    : undefined;
  if (!request) throw failedProof(credential, 'Request-Id does not match a pending challenge');
  return request;
}

function requirePasskey({ webauthn_id, rp_id, cose_key, sign_count }: CredentialRow): RegisteredPasskey {
  if (!webauthn_id || rp_id === null || !cose_key || sign_count === null)
    throw new Error('a credential of type PASSKEY has no key');
  return {
    credentialId: webauthn_id.toString('base64url'),
    rpId: rp_id,
    publicKey: cose_key,
    counter: Number(sign_count),
  };
}
