import { lockAccount } from '#capabilities/accounts/store.ts';
import { type Activity, opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { deleteCredential, listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { credentialNotFound, loadCredential } from '#capabilities/wallet-auth/rules.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { revokeCredentialSessions } from '#capabilities/wallet-auth/session-store.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ChallengePlan, OwnPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import { type PendingRequest, voidRequests } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/**
 * wallets.md §6.6.39: a session of another credential has to sign, so that no owner is locked out with only a lost
 * credential.
 */
export async function credentialTarget(tx: ReadTx, id: CredentialId): Promise<SignedTarget> {
  const { account_id, customer_id } = await loadCredential(tx, id);
  return {
    name: publicId('AuthMethod', id),
    signingWallets: [account_id],
    allowsSession: (session) => session.credentialId !== id,
    customerId: publicId('Customer', customer_id),
  };
}

export async function prepareRevocation(
  tx: ReadTx,
  id: CredentialId,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | OwnPlan<never>> {
  const credential = await loadCredential(tx, id);
  const { account_id: accountId, type } = credential;
  const held = await listCredentials(tx, accountId);
  // Another request may have revoked it since it was found.
  if (!held.some((one) => one.id === id)) throw credentialNotFound();
  if (held.length < 2) throw soleCredential();
  if (!signed) {
    return {
      toSign: { payload: await payloadToSign(tx, accountId, revocation(credential)), extraFields: { type } },
    };
  }
  return {
    async commit(tx) {
      await lockAccount(tx, accountId);
      const held = await listCredentials(tx, accountId);
      if (held.length < 2 || !held.some((one) => one.id === id)) throwStale();
      await revokeCredentialSessions(tx, id, accountId);
      await voidRequests(tx, publicId('AuthMethod', id), signed);
      await deleteCredential(tx, id);
      return undefined as never;
    },
  };
}

function soleCredential(): Refusal {
  return new Refusal('INVALID_INPUT', 'This is the only credential of the wallet; add another one first.');
}

/** wallets.md §3.8. */
function revocation({ id, type, customer_id }: CredentialRow): Activity {
  const userId = opaqueId('user', customer_id);
  switch (type) {
    case 'PASSKEY':
      return {
        type: 'DELETE_AUTHENTICATORS',
        parameters: { authenticatorIds: [opaqueId('authenticator', id)], userId },
      };
    case 'OAUTH':
      return {
        type: 'DELETE_OAUTH_PROVIDERS',
        parameters: { providerIds: [opaqueId('provider', id)], userId },
      };
    case 'EMAIL_OTP':
      return { type: 'UPDATE_USER_EMAIL', parameters: { userEmail: '', userId } };
    case 'SMS_OTP':
      return { type: 'UPDATE_USER_PHONE_NUMBER', parameters: { userId, userPhoneNumber: '' } };
  }
}
