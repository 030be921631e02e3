import type { ReadTx, Tx } from '#database/tx.ts';
import { closeChallenges, findChallenge, openChallengeOf } from '#external-accounts/challenge-store.ts';
import { changeStatus } from '#external-accounts/change-status.ts';
import { lockAccount } from '#external-accounts/store.ts';

/** Scheduled work: an outcome that was known when the challenge was made. */
export const SETTLE_LIVENESS = 'external-accounts.settle-liveness';

/**
 * What became of a liveness check (accounts.md §5.2). One whose challenge was replaced, answered or has expired
 * changes nothing: false.
 */
export async function livenessResolved(tx: Tx, challengeId: string, passed: boolean): Promise<boolean> {
  const found = await findChallenge(tx, challengeId);
  const account = found && (await lockAccount(tx, found.account_id));
  if (!account) return false;
  const open = await openChallengeOf(tx, account.id);
  if (open?.id !== challengeId || open.method !== 'LIVENESS' || open.expires_at <= tx.now) return false;
  await closeChallenges(tx, account.id);
  await changeStatus(tx, account.id, ['PENDING_OWNERSHIP_VERIFICATION'], passed ? 'ACTIVE' : 'UNVERIFIED');
  return true;
}

/** Whether somebody can still pass or fail it. */
export async function isLivenessOpen(tx: ReadTx, challengeId: string): Promise<boolean> {
  const challenge = await findChallenge(tx, challengeId);
  return (
    challenge !== undefined &&
    challenge.method === 'LIVENESS' &&
    challenge.closed_at === null &&
    challenge.expires_at > tx.now
  );
}
