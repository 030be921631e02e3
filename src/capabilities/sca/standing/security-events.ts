import { voidChallenges } from '#capabilities/sca/challenges/challenges.ts';
import type { RecordSecurityEventResponse, SecurityEvent } from '#capabilities/sca/schemas.ts';
import { activeLockUntil, countFailure } from '#capabilities/sca/standing/lockout.ts';
import { lockLiveStanding } from '#capabilities/sca/standing/rules.ts';
import { revokeSessions, type Standing, updateStanding } from '#capabilities/sca/standing/store.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** Records the event even if the customer is locked (customers.md §7.9). */
export async function recordEvent(
  tx: Tx,
  customerId: CustomerId,
  eventType: SecurityEvent,
): Promise<RecordSecurityEventResponse> {
  const standing = await lockLiveStanding(tx, customerId);
  const after = await (eventType === 'FAILED_LOGIN_ATTEMPT' ? countFailure : startOver)(tx, standing);
  return {
    eventType,
    suspended: after.isSuspended,
    lockedUntil: activeLockUntil(after, tx.now)?.toISOString() ?? null,
    failedAttempts: after.failedAttempts,
  };
}

/** Ends all access that an attacker may have gained with the old password. */
async function startOver(tx: Tx, standing: Standing): Promise<Standing> {
  const after = { ...standing, failedAttempts: 0, lockedUntil: null, isSuspended: false };
  await updateStanding(tx, after);
  await revokeSessions(tx, standing.customerId);
  await voidChallenges(tx, standing.customerId);
  return after;
}
