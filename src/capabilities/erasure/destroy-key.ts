import type { Changes, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { recordErasure } from '#foundation/person-keys/agreement-store.ts';
import { forgetKeyed, forgetLost } from '#foundation/person-keys/known-store.ts';

const KIND = 'customer.destroy-key';

/**
 * Schedules the second step of an erasure. The first step is a commit that empties the customer's rows and schedules
 * this job. The job then destroys the key, which is in a database of its own. If a process dies in between, the job is
 * left, and another process ends the erasure. The other order would leave rows that no key opens and no job empties.
 */
export function scheduleKeyDestruction(changes: Changes, customerId: CustomerId): void {
  schedule(changes, { kind: KIND, key: customerId, payload: { customerId }, afterMs: 0 });
}

/**
 * Destroys the key at once, for a command that reports the end of the erasure. The job that does it again does no harm.
 */
export async function destroyKey(work: Work, customerId: CustomerId): Promise<void> {
  const erasure = await work.runtime.personKeys.erase(work.platform.id, [customerId]);
  await work.write((tx) => recordDestroyed(tx, customerId, erasure));
}

async function recordDestroyed(tx: Tx, customerId: CustomerId, erasure: bigint): Promise<void> {
  await recordErasure(tx, erasure);
  await forgetKeyed(tx, [customerId]);
  await forgetLost(tx, [customerId]);
}

export const destroyKeyJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work, { payload }) {
      const { customerId } = payload as { customerId: CustomerId };
      const erasure = await work.runtime.personKeys.erase(work.platform.id, [customerId]);
      return (tx) => recordDestroyed(tx, customerId, erasure);
    },
  },
};
