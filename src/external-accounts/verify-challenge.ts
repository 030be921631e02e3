import { RefusedProof } from '#audit/failed-proof.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { textOf } from '#external-accounts/account-info.ts';
import {
  type Challenge,
  closeChallenges,
  openChallengeOf,
  openMessage,
} from '#external-accounts/challenge-store.ts';
import { changeStatus, missingAccount } from '#external-accounts/change-status.ts';
import { verifyOwnership } from '#external-accounts/ownership/verify-ownership.ts';
import type { OwnershipVerifyRequest } from '#external-accounts/schemas.ts';
import {
  assertStored,
  type ExternalAccountRow,
  lockAccount,
  openDetails,
  type Scope,
} from '#external-accounts/store.ts';
import { publicId } from '#lib/ids.ts';
import { type FieldError, invalidFields, type Refusal, refuse } from '#lib/refusals.ts';

/**
 * Judges a wallet's signature, in the order of OW-20: the account comes before the body's shape, which is why
 * `broken` is handed in. A signature that fails is a refusal that keeps what it did: the account is
 * `UNVERIFIED` and the challenge spent (OW-23).
 */
export async function verifyChallenge(
  tx: Tx,
  accountId: string,
  scope: Scope,
  request: OwnershipVerifyRequest,
  broken: readonly FieldError[],
): Promise<ExternalAccountRow | Refusal> {
  const account = await lockAccount(tx, accountId, scope);
  if (!account) throw missingAccount();
  if (broken.length > 0) throw invalidFields(broken);
  const challenge = await openChallengeOf(tx, account.id);
  if (challenge?.method !== 'WALLET_SIGNATURE') {
    refuse('CONFLICT', 'No signature is outstanding. Request a challenge first.', { status: account.status });
  }
  const fault = faultOf(tx, account, challenge, request);
  await closeChallenges(tx, account.id);
  const from = [account.status];
  const moved = await changeStatus(tx, account.id, from, fault === undefined ? 'ACTIVE' : 'UNVERIFIED');
  return fault === undefined ? assertStored(moved) : refused(account, fault);
}

function refused({ id, customer_id: customer }: ExternalAccountRow, reason: string): RefusedProof {
  return new RefusedProof(invalidFields([{ field: 'signature', message: reason }]), {
    proof: 'WALLET_SIGNATURE',
    resource: publicId('ExternalAccount', id),
    reason,
    ...(customer !== null && { customerId: publicId('Customer', customer) }),
  });
}

function faultOf(
  tx: ReadTx,
  account: ExternalAccountRow,
  challenge: Challenge,
  { signature, signatureScheme }: OwnershipVerifyRequest,
): string | undefined {
  if (challenge.expires_at <= tx.now) return 'came after the challenge had expired';
  const isOwner = verifyOwnership({
    accountType: account.account_type,
    address: textOf(openDetails(tx, account).info, 'address') ?? '',
    message: openMessage(tx, challenge),
    signature,
    signatureScheme,
  });
  return isOwner ? undefined : 'does not prove that the wallet’s key signed the challenge';
}
