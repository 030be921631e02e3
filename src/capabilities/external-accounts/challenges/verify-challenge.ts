import assert from 'node:assert/strict';
import {
  type Challenge,
  closeChallenges,
  findChallenge,
  findOpenChallenge,
  openMessage,
} from '#capabilities/external-accounts/challenge-store.ts';
import { applyStatusChange } from '#capabilities/external-accounts/change-status.ts';
import { verifyOwnership } from '#capabilities/external-accounts/ownership/verify-ownership.ts';
import type { OwnershipVerifyRequest } from '#capabilities/external-accounts/schemas.ts';
import { openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import {
  assertStored,
  type ExternalAccountRow,
  externalAccountNotFound,
  lockExternalAccount,
  type Scope,
} from '#capabilities/external-accounts/store.ts';
import { readTextField } from '#capabilities/external-accounts/types/account-fields.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, type Refusal, refuse } from '#foundation/lib/refusals.ts';

/**
 * Verifies a wallet's signature, in the order of accounts.md §5.3.20: the account is checked before the body, so
 * `schemaProblems` are passed in. A wrong signature is refused, and the refusal is committed: the account becomes
 * `UNVERIFIED` and the challenge is closed (accounts.md §5.3.23).
 */
export async function verifyChallenge(
  tx: Tx,
  accountId: ExternalAccountId,
  scope: Scope,
  request: OwnershipVerifyRequest,
  schemaProblems: readonly FieldError[],
): Promise<ExternalAccountRow | Refusal> {
  const account = await lockExternalAccount(tx, accountId, scope);
  if (!account) throw externalAccountNotFound();
  if (schemaProblems.length > 0) throw invalidFields(schemaProblems);
  const challenge = await findOpenChallenge(tx, account.id);
  if (challenge?.method !== 'WALLET_SIGNATURE') {
    refuse('CONFLICT', 'No signature is outstanding. Request a challenge first.', { status: account.status });
  }
  const problem = findSignatureProblem(tx, account, challenge, request);
  await closeChallenges(tx, account.id);
  const change = problem === undefined ? 'ownership proven' : 'proof failed';
  const moved = await applyStatusChange(tx, change, account.id);
  return problem === undefined ? assertStored(moved) : refusedProof(account, problem);
}

function refusedProof({ id, customer_id: customer }: ExternalAccountRow, reason: string): RefusedProof {
  return new RefusedProof(invalidFields([{ field: 'signature', message: reason }]), {
    proof: 'WALLET_SIGNATURE',
    resource: publicId('ExternalAccount', id),
    reason,
    ...(customer !== null && { customerId: publicId('Customer', customer) }),
  });
}

function findSignatureProblem(
  tx: ReadTx,
  account: ExternalAccountRow,
  challenge: Challenge,
  { signature, signatureScheme }: OwnershipVerifyRequest,
): string | undefined {
  if (challenge.expires_at <= tx.now) return 'arrived after the challenge had expired';
  const isOwner = verifyOwnership({
    accountType: account.account_type,
    address: openAddress(tx, account),
    message: openMessage(tx, challenge),
    signature,
    signatureScheme,
  });
  return isOwner ? undefined : 'does not prove that the wallet’s key signed the challenge';
}

/** The job that applies the outcome of a liveness check, if it was known when the challenge was created. */
export const SETTLE_LIVENESS = 'external-accounts.settle-liveness';

/**
 * Records the outcome of a liveness check (accounts.md §5.2). Returns false and changes nothing if its challenge was
 * replaced or answered, or has expired.
 */
export async function resolveLiveness(
  tx: Tx,
  challengeId: Id<'Challenge'>,
  passed: boolean,
): Promise<boolean> {
  const found = await findChallenge(tx, challengeId);
  const account = found && (await lockExternalAccount(tx, found.account_id));
  if (!account) return false;
  const open = await findOpenChallenge(tx, account.id);
  if (open?.id !== challengeId || open.method !== 'LIVENESS' || open.expires_at <= tx.now) return false;
  await closeChallenges(tx, account.id);
  await applyStatusChange(tx, passed ? 'ownership proven' : 'proof failed', account.id);
  return true;
}

/** Whether the liveness check can still be passed or failed. */
export async function isLivenessOpen(tx: ReadTx, challengeId: Id<'Challenge'>): Promise<boolean> {
  const challenge = await findChallenge(tx, challengeId);
  return (
    challenge !== undefined &&
    challenge.method === 'LIVENESS' &&
    challenge.closed_at === null &&
    challenge.expires_at > tx.now
  );
}

/** The address of a wallet; no other account is proved in this way. */
export function openAddress(tx: ReadTx, account: ExternalAccountRow): string {
  const address = readTextField(openDetails(tx, account).info, 'address');
  assert(address !== undefined, `account ${account.id} is not a wallet`);
  return address;
}
