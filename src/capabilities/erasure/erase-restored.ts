import { deleteUnreadable, eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { findUnerased } from '#capabilities/erasure/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { findLastRecorded, recordErasure } from '#foundation/person-keys/agreement-store.ts';

const KIND = 'customer.erase-restored';

/**
 * Schedules another erasure of the customers whom a restored backup has brought back. Their keys are destroyed, so that
 * no value of theirs can be opened; the jobs empty their rows. While a customer has money or a live card, the job is
 * retried, and operators see it. The database of keys numbers its erasures, and the service's database records the last
 * one that ended here.
 */
export async function eraseRestored(runtime: Runtime): Promise<void> {
  for (;;) {
    const last = await findLastRecorded(runtime.database);
    const erasures = last === undefined ? [] : await runtime.personKeys.findErasures(last);
    const end = erasures.at(-1)?.erasure;
    if (end === undefined) return;
    for (const [platformId, own] of Map.groupBy(erasures, (one) => one.platformId)) {
      const people = own.map(({ person }) => person);
      await scheduleErasures(runtime, platformId, people);
    }
    await recordErasure(runtime.database, end);
  }
}

async function scheduleErasures(
  runtime: Runtime,
  platformId: PlatformId,
  people: readonly PersonId[],
): Promise<void> {
  const platform = await findPlatform(runtime.database.query, platformId);
  // The restored database does not have platforms that were created after the backup.
  if (!platform) return;
  const work = new Work(runtime, platform, { kind: 'worker', id: KIND });
  await work.write(async (tx) => {
    for (const id of await findUnerased(tx, people)) {
      schedule(tx, { kind: KIND, key: id, payload: { customerId: id }, afterMs: 0 });
    }
  });
}

export const eraseRestoredJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx, { payload }) {
      const { customerId } = payload as { customerId: CustomerId };
      await deleteUnreadable(tx, customerId);
      await eraseCustomer(tx, customerId, 'the customer had been erased before this database was restored');
    },
  },
};
