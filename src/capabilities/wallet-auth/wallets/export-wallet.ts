import { lockAccountStatus } from '#capabilities/accounts/post-entry.ts';
import { notProvisioned, opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { checkWallet, loadWallet, readClientKey, walletTarget } from '#capabilities/wallet-auth/rules.ts';
import type { InternalAccountExportResponse } from '#capabilities/wallet-auth/schemas.ts';
import { findWalletKey, type WalletKey } from '#capabilities/wallet-auth/wallet-store.ts';
import { walletCredentialsEnvelope } from '#foundation/crypto/hpke.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import type { ChallengePlan, SharedPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuseIf } from '#foundation/lib/refusals.ts';

export async function exportTarget(
  tx: ReadTx,
  accountId: AccountId,
  clientPublicKey: string,
): Promise<SignedTarget> {
  const wallet = await loadWallet(tx, accountId, 'id');
  readClientKey(clientPublicKey);
  return walletTarget(wallet);
}

/**
 * wallets.md §6.9.46: the words of the wallet, sealed to this key. Nothing changes; the next export has the same words.
 */
export async function prepareExport(
  tx: ReadTx,
  accountId: AccountId,
  clientPublicKey: string,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | SharedPlan<InternalAccountExportResponse>> {
  refuseIf(checkWallet(await loadWallet(tx, accountId, 'id')));
  if (!signed) {
    const parameters = { targetPublicKey: clientPublicKey, walletId: opaqueId('wallet', accountId) };
    return { toSign: { payload: await payloadToSign(tx, accountId, { type: 'EXPORT_WALLET', parameters }) } };
  }
  const key = await findWalletKey(tx, accountId);
  if (!key) throw notProvisioned();
  const change = new Change(tx);
  lockAccountStatus(change, accountId, 'active');
  const answer = {
    id: publicId('InternalAccount', accountId),
    encryptedWalletCredentials: await sealedWords(tx, key, clientPublicKey),
    derivationPath: key.derivationPath,
  };
  return { change, answer };
}

function sealedWords(
  { runtime, ports }: ReadTx,
  { mnemonic, accountId }: WalletKey,
  clientPublicKey: string,
): Promise<string> {
  return walletCredentialsEnvelope(
    readClientKey(clientPublicKey),
    mnemonic,
    opaqueId('org', accountId),
    ports.custody.signsExports ? runtime.serviceKey : undefined,
  );
}
