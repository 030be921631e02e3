import { randomBytes } from 'node:crypto';
import { closeChallenges, insertChallenge } from '#capabilities/external-accounts/challenge-store.ts';
import { openAddress, SETTLE_LIVENESS } from '#capabilities/external-accounts/challenges/verify-challenge.ts';
import { applyStatusChange } from '#capabilities/external-accounts/change-status.ts';
import { canProveOwnership } from '#capabilities/external-accounts/check-create.ts';
import { messageToSign } from '#capabilities/external-accounts/ownership/verify-ownership.ts';
import type { ChallengeMethod, OwnershipChallenge } from '#capabilities/external-accounts/schemas.ts';
import { openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import {
  type ExternalAccountRow,
  externalAccountNotFound,
  findExternalAccount,
  lockExternalAccount,
  type Scope,
} from '#capabilities/external-accounts/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { LivenessSession } from '#foundation/ports/ownership.ts';

export interface ChallengeRequest {
  readonly accountId: ExternalAccountId;
  readonly scope: Scope;
  readonly method: ChallengeMethod;
  /** The service's name in its messages. */
  readonly serviceName: string;
}

/** accounts.md §5.2.14. */
const VALID_MS: Readonly<Record<ChallengeMethod, number>> = {
  WALLET_SIGNATURE: 15 * 60_000,
  LIVENESS: 60 * 60_000,
};

/** Asks the wallet's owner for a proof, and closes earlier challenges (accounts.md §5.2.12). */
export async function startChallenge(work: Work, request: ChallengeRequest): Promise<OwnershipChallenge> {
  return request.method === 'WALLET_SIGNATURE'
    ? work.write((tx) => requestSignature(tx, request))
    : requestLiveness(work, request);
}

async function requestSignature(tx: Tx, request: ChallengeRequest): Promise<OwnershipChallenge> {
  const account = requireProvable(tx, await lockExternalAccount(tx, request.accountId, request.scope));
  const expiresAt = expiry(tx, request);
  const message = messageToSign({
    serviceName: request.serviceName,
    address: openAddress(tx, account),
    accountId: publicId('ExternalAccount', account.id),
    nonce: randomBytes(16),
    expiresAt,
  });
  await replaceChallenge(tx, account, { id: tx.newId(), method: 'WALLET_SIGNATURE', message, expiresAt });
  return { method: 'WALLET_SIGNATURE', messageToSign: message, expiresAt: expiresAt.toISOString() };
}

/**
 * The provider opens its session first, outside any transaction. The session has no effect until the challenge is
 * stored.
 */
async function requestLiveness(work: Work, request: ChallengeRequest): Promise<OwnershipChallenge> {
  const { id, expiresAt, session } = await work.read(async (tx) => {
    const account = requireProvable(tx, await findExternalAccount(tx, request.accountId, request.scope));
    const id = tx.newId<'Challenge'>();
    const expiresAt = expiry(tx, request);
    const session = await tx.ports.ownership.startLiveness({
      reference: id,
      platformId: tx.platformId,
      accountType: account.account_type,
      address: openAddress(tx, account),
      expiresAt,
    });
    return { id, expiresAt, session };
  });
  if (!session)
    refuse('NOT_IMPLEMENTED', 'Liveness checks are not available in this environment. Use WALLET_SIGNATURE.');
  return work.write(async (tx) => {
    const account = requireProvable(tx, await lockExternalAccount(tx, request.accountId, request.scope));
    await replaceChallenge(tx, account, { id, method: 'LIVENESS', expiresAt });
    scheduleOutcome(tx, id, session);
    return {
      method: 'LIVENESS',
      verificationLink: session.verificationLink,
      ...(session.token !== undefined && { token: session.token }),
      expiresAt: expiresAt.toISOString(),
    };
  });
}

async function replaceChallenge(
  tx: Tx,
  account: ExternalAccountRow,
  challenge: { id: Id<'Challenge'>; method: ChallengeMethod; message?: string; expiresAt: Date },
): Promise<void> {
  await closeChallenges(tx, account.id);
  await applyStatusChange(tx, 'new challenge', account.id);
  await insertChallenge(tx, { account, ...challenge });
}

function scheduleOutcome(tx: Tx, challengeId: Id<'Challenge'>, { outcome }: LivenessSession): void {
  if (!outcome) return;
  const { passed, afterMs } = outcome;
  schedule(tx, { kind: SETTLE_LIVENESS, afterMs, payload: { challengeId, passed } });
}

/** accounts.md §5.2.11. */
function requireProvable(tx: ReadTx, account: ExternalAccountRow | undefined): ExternalAccountRow {
  if (!account) throw externalAccountNotFound();
  const { status, ownership_type } = account;
  const isWaiting = status === 'PENDING_OWNERSHIP_VERIFICATION' || status === 'UNVERIFIED';
  if (!isWaiting || !canProveOwnership(openDetails(tx, account).info, ownership_type)) {
    refuse(
      'CONFLICT',
      'Ownership can be proven only for a self-hosted wallet whose proof is still outstanding.',
      {
        status,
      },
    );
  }
  return account;
}

function expiry(tx: ReadTx, { method }: ChallengeRequest): Date {
  return new Date(tx.now.getTime() + VALID_MS[method]);
}
