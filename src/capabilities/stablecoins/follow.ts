import type { Changes } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

/** The job that asks the provider for the status of a mint or burn. */
export const FOLLOW_OPERATION = 'stablecoins.follow';

export function scheduleFollow(
  changes: Changes,
  operationId: Id<'StablecoinOperation'>,
  afterMs: number,
): void {
  const payload = { id: operationId };
  schedule(changes, { kind: FOLLOW_OPERATION, key: operationId, payload, afterMs });
}
