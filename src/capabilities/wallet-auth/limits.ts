import { blockedUntil, recordAttempt, type SlidingLimit } from '#capabilities/wallet-auth/limit-store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type Refusal, rateLimited, refuseIf } from '#foundation/lib/refusals.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Counts one more challenge, or refuses it with 429 (wallets.md §6.3.30). The caller has locked the credential. */
export async function takeChallenge(tx: Tx, credentialId: string): Promise<void> {
  const { challengesPerMinute: max } = tx.platform.settings.wallets;
  refuseIf(await checkLimits(tx, credentialId, [{ kind: 'CHALLENGE', max, withinMs: MINUTE_MS }]));
  await recordAttempt(tx, credentialId, 'CHALLENGE');
}

/** The same for a code that is sent. */
export async function takeSend(tx: Tx, credentialId: string): Promise<void> {
  const { codesPerDay: max } = tx.platform.settings.wallets;
  if (max === 0) return;
  refuseIf(await checkLimits(tx, credentialId, [{ kind: 'SEND', max, withinMs: DAY_MS }]));
  await recordAttempt(tx, credentialId, 'SEND');
}

/**
 * wallets.md §6.4.31: too many proofs of this credential have failed. A success clears the short limit, but not the
 * long one.
 */
export function checkFailures(tx: ReadTx, credentialId: string): Promise<Refusal | undefined> {
  const { failuresPerFiveMinutes, failuresPerDay } = tx.platform.settings.wallets;
  return checkLimits(tx, credentialId, [
    { kind: 'FAILURE', max: failuresPerFiveMinutes, withinMs: 5 * MINUTE_MS, clearedBySuccess: true },
    { kind: 'FAILURE', max: failuresPerDay, withinMs: DAY_MS },
  ]);
}

/** The limit that lasts longest determines the waiting time. */
async function checkLimits(
  tx: ReadTx,
  credentialId: string,
  limits: readonly SlidingLimit[],
): Promise<Refusal | undefined> {
  let waitMs = 0;
  for (const limit of limits) {
    const until = await blockedUntil(tx, credentialId, limit);
    if (until) waitMs = Math.max(waitMs, until.getTime() - tx.now.getTime());
  }
  if (waitMs <= 0) return undefined;
  return rateLimited(
    waitMs,
    (seconds) => `Too many attempts with this credential. Try again in ${seconds} seconds.`,
  );
}
