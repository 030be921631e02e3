import { type Attempted, findDecidingAttempt, recordAttempt } from '#foundation/codes/limit-store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type AttemptLimit, waitAfter } from '#foundation/lib/code-kinds.ts';
import { type Refusal, rateLimited, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * Returns a 429 refusal with the longest waiting time if a limit is reached. Counts are exact across processes while
 * the owner is locked, and use the platform's clock.
 */
export async function checkAttempts(
  tx: ReadTx,
  attempted: Attempted,
  limits: readonly AttemptLimit[],
  reasonFor: (seconds: number) => string,
): Promise<Refusal | undefined> {
  let waitMs = 0;
  for (const limit of limits.filter(isOn)) {
    const at = await findDecidingAttempt(tx, attempted, limit);
    if (at) waitMs = Math.max(waitMs, waitAfter(at.getTime(), limit, tx.now.getTime()));
  }
  return waitMs > 0 ? rateLimited(waitMs, reasonFor) : undefined;
}

/** Counts one more attempt, or refuses it. The caller has locked the owner. */
export async function takeAttempt(
  tx: Tx,
  attempted: Attempted,
  limits: readonly AttemptLimit[],
  reasonFor: (seconds: number) => string,
): Promise<void> {
  refuseIf(await checkAttempts(tx, attempted, limits, reasonFor));
  if (limits.some(isOn)) await recordAttempt(tx, attempted);
}

function isOn({ max, withinMs }: AttemptLimit): boolean {
  return max > 0 && withinMs > 0;
}
