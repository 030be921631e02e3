import { hash } from 'node:crypto';
import { presentInternalAccount } from '#accounts/present.ts';
import type { InternalAccount } from '#accounts/schemas.ts';
import { lockAccount, setPrivateEnabled } from '#accounts/store.ts';
import { throwStale } from '#database/reasons.ts';
import type { ReadTx } from '#database/tx.ts';
import type { ChallengePlan, OwnPlan } from '#http/plan.ts';
import type { SignedTarget } from '#http/signed-retry.ts';
import type { PendingRequest } from '#http/signed-retry-store.ts';
import { canonicalJson } from '#lib/canonical-json.ts';
import { publicId } from '#lib/ids.ts';
import { invalidFields, refuseIf } from '#lib/refusals.ts';
import { type Activity, opaqueId, payloadToSign } from '#wallet-auth/activity.ts';
import { checkWallet, loadWallet, walletTarget } from '#wallet-auth/rules.ts';
import type { InternalAccountUpdateRequest } from '#wallet-auth/schemas.ts';

/** W47: nothing to change is a mistake of the caller. */
export async function updateTarget(
  tx: ReadTx,
  accountId: string,
  { privateEnabled }: InternalAccountUpdateRequest,
): Promise<SignedTarget> {
  const wallet = await loadWallet(tx, accountId, 'id');
  if (privateEnabled === undefined) {
    throw invalidFields([{ field: 'privateEnabled', message: 'is missing: there is nothing to change' }]);
  }
  return walletTarget(wallet);
}

export async function prepareWalletUpdate(
  tx: ReadTx,
  accountId: string,
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

/** W8: what is signed is the digest of the account and its new setting. */
function privacyChange(accountId: string, privateEnabled: boolean): Activity {
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
