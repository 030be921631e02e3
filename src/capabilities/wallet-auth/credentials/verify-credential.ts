import { findCredential, lockCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { checkLogin, readLogin, verifyOauth } from '#capabilities/wallet-auth/credentials/oauth.ts';
import { readAssertion, verifyPasskey } from '#capabilities/wallet-auth/credentials/verify-passkey.ts';
import { checkFailures, clearFailures, recordFailure } from '#capabilities/wallet-auth/limits.ts';
import { readOtpBundle, verifyOtp } from '#capabilities/wallet-auth/otp/verify-otp.ts';
import {
  checkWallet,
  credentialNotFound,
  loadWallet,
  type VerifyCall,
  type WalletAuthSettings,
} from '#capabilities/wallet-auth/rules.ts';
import type { AuthCredentialVerifyRequest, AuthSession } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { type Answer, Reply } from '#foundation/http/idempotency/reply.ts';
import { invalidFields, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * Checks a proof of a credential while the credential is locked, so that limits, codes and counters are exact even if
 * many proofs arrive at once. Failures are counted in the same commit.
 */
export async function verifyCredential(
  work: CallWork,
  id: CredentialId,
  call: VerifyCall,
  settings: WalletAuthSettings,
): Promise<Answer<AuthSession>> {
  const { body } = call;
  // The issuer's keys may have to be fetched, and no transaction may wait for that.
  const checked =
    body.type === 'OAUTH'
      ? await work.read(async (tx) =>
          checkLogin(tx, await admit(tx, await findCredential(tx, id), body), body),
        )
      : undefined;
  return work.write(async (tx) => {
    const credential = await admit(tx, await lockCredential(tx, id), body);
    return countingFailures(tx, credential, async () => {
      if (body.type === 'PASSKEY') return verifyPasskey(tx, credential, body.assertion, call, settings);
      if (body.type === 'OAUTH') return verifyOauth(tx, credential, body, checked);
      return verifyOtp(tx, credential, body.encryptedOtpBundle, call);
    });
  });
}

/** wallets.md §6.4.31: makes every refusal that comes before any cryptography, in this order: 404, 400, 409, 429. */
async function admit(
  tx: ReadTx,
  credential: CredentialRow | undefined,
  body: AuthCredentialVerifyRequest,
): Promise<CredentialRow> {
  if (!credential) throw credentialNotFound();
  requireType(credential, body);
  requireWellFormed(tx, body);
  refuseIf(checkWallet(await loadWallet(tx, credential.account_id, 'id')));
  refuseIf(await checkFailures(tx, credential.id));
  return credential;
}

function requireType({ type }: CredentialRow, body: AuthCredentialVerifyRequest): void {
  if (body.type === type) return;
  throw invalidFields([
    { field: 'type', message: `must be ${type}, the credential’s type`, constraint: { enum: [type] } },
  ]);
}

/** wallets.md §6.4.31: malformed input is refused before anything is counted. */
function requireWellFormed(tx: ReadTx, body: AuthCredentialVerifyRequest): void {
  if (body.type === 'PASSKEY') readAssertion(tx, body.assertion);
  else if (body.type === 'OAUTH') readLogin(body);
  else readOtpBundle(body.encryptedOtpBundle);
}

/** wallets.md §6.4.31: every failed proof counts; a proof that gives a session clears the count. */
async function countingFailures(
  tx: Tx,
  { id }: CredentialRow,
  prove: () => Promise<Answer<AuthSession>>,
): Promise<Answer<AuthSession>> {
  try {
    const answer = await prove();
    if (!(answer instanceof Reply) && !(answer instanceof Refusal)) await clearFailures(tx, id);
    return answer;
  } catch (error) {
    if (!(error instanceof RefusedProof)) throw error;
    await recordFailure(tx, id);
    // Returned and not thrown, so that the count is committed.
    return error;
  }
}
