import type { Tx } from '#database/tx.ts';
import { voidChallenges } from '#sca/challenges.ts';
import { countFailure, lockedUntilOf } from '#sca/lockout.ts';
import { lockLiveStanding } from '#sca/rules.ts';
import type { RecordSecurityEventResponse, SecurityEvent } from '#sca/schemas.ts';
import { revokeSessions, type Standing, updateStanding } from '#sca/standing-store.ts';

/** Recorded whether the customer is locked or not (customers.md §7.9). */
export async function recordEvent(
  tx: Tx,
  customerId: string,
  eventType: SecurityEvent,
): Promise<RecordSecurityEventResponse> {
  const standing = await lockLiveStanding(tx, customerId);
  const after = await (eventType === 'FAILED_LOGIN_ATTEMPT' ? countFailure : startOver)(tx, standing);
  return {
    eventType,
    suspended: after.isSuspended,
    lockedUntil: lockedUntilOf(after, tx.now)?.toISOString() ?? null,
    failedAttempts: after.failedAttempts,
  };
}

/** Whoever could get in with the old password has nothing left of it. */
async function startOver(tx: Tx, standing: Standing): Promise<Standing> {
  const after = { ...standing, failedAttempts: 0, lockedUntil: null, isSuspended: false };
  await updateStanding(tx, after);
  await revokeSessions(tx, standing.customerId);
  await voidChallenges(tx, standing.customerId);
  return after;
}
