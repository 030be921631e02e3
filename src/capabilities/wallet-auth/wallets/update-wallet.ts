import { hash } from 'node:crypto';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import { lockAccount, setPrivateEnabled } from '#capabilities/accounts/store.ts';
import { type Activity, opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { checkWallet, loadWallet, walletTarget } from '#capabilities/wallet-auth/rules.ts';
import type { InternalAccountUpdateRequest } from '#capabilities/wallet-auth/schemas.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ChallengePlan, OwnPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, refuseIf } from '#foundation/lib/refusals.ts';

/** wallets.md §6.10.47: a request without a change is refused. */
export async function updateTarget(
  tx: ReadTx,
  accountId: AccountId,
  { privateEnabled }: InternalAccountUpdateRequest,
): Promise<SignedTarget> {
  const wallet = await loadWallet(tx, accountId, 'id');
  if (privateEnabled === undefined) {
    throw invalidFields([{ field: 'privateEnabled', message: 'is missing, so there is nothing to change' }]);
  }
  return walletTarget(wallet);
}

export async function prepareWalletUpdate(
  tx: ReadTx,
  accountId: AccountId,
  { privateEnabled = false }: InternalAccountUpdateRequest,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | OwnPlan<InternalAccount>> {
  refuseIf(checkWallet(await loadWallet(tx, accountId, 'id')));
  if (!signed) {
    return {
      toSign: { payload: await payloadToSign(tx, accountId, privacyChange(accountId, privateEnabled)) },
    };
  }
  return {
    async commit(tx) {
      const { status } = await lockAccount(tx, accountId);
      if (status !== 'ACTIVE') throwStale();
      await setPrivateEnabled(tx, accountId, privateEnabled);
      return presentInternalAccount(tx, await loadWallet(tx, accountId, 'id'));
    },
  };
}

/** wallets.md §3.8: the signed payload is the digest of the account and its new setting. */
function privacyChange(accountId: AccountId, privateEnabled: boolean): Activity {
  const change = canonicalJson({ accountId: publicId('InternalAccount', accountId), privateEnabled });
  return {
    type: 'SIGN_RAW_PAYLOAD_V2',
    parameters: {
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      payload: hash('sha256', change),
      signWith: opaqueId('wallet', accountId),
    },
  };
}
