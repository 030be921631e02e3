import type { Changes } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

/** Scheduled work: asks the provider how far a mint or burn is. */
export const FOLLOW_OPERATION = 'stablecoins.follow';

export function scheduleFollow(changes: Changes, operationId: string, afterMs: number): void {
  const payload = { id: operationId };
  schedule(changes, { kind: FOLLOW_OPERATION, key: operationId, payload, afterMs });
}
