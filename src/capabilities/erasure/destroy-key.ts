import { listNamingFiles } from '#capabilities/erasure/files-store.ts';
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
  const record = await destroyKeys(work, customerId);
  await work.write(record);
}

const AGAIN_AFTER_MS = 60 * 60_000;

/**
 * Destroys the key of the customer, and those of the files that name the customer. A file that is still needed, because it is
 * being written or read, is left to a later run of the job.
 */
async function destroyKeys(work: Work, customerId: CustomerId): Promise<(tx: Tx) => Promise<void>> {
  const files = await work.read((tx) => listNamingFiles(tx, customerId));
  const people = [customerId, ...files.filter((file) => !file.is_needed).map(({ id }) => id)];
  const erasure = await work.runtime.personKeys.erase(work.platform.id, people);
  return async (tx) => {
    await recordErasure(tx, erasure);
    await forgetKeyed(tx, people);
    await forgetLost(tx, people);
    if (files.some((file) => file.is_needed))
      schedule(tx, {
        kind: KIND,
        key: `${customerId} files`,
        payload: { customerId },
        afterMs: AGAIN_AFTER_MS,
      });
  };
}

export const destroyKeyJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async call(work, { payload }) {
      const { customerId } = payload as { customerId: CustomerId };
      return destroyKeys(work, customerId);
    },
  },
};
