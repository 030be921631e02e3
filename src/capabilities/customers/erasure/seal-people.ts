import { findClearCustomers, sealStoredCustomer } from '#capabilities/customers/erasure/seal-people-store.ts';
import { findClearOwners, sealStoredOwner } from '#capabilities/customers/owner-store.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { forgetKeyed } from '#foundation/person-keys/known-store.ts';

const KIND = 'customers.seal-people';
const BATCH = 200;

/**
 * Seals customers and owners that an earlier version stored in clear text, a batch per run, while the service runs. The
 * rows in clear text are the work that is left, so the job stores no progress. The migration that added the columns
 * scheduled this job for every platform (migrations/0061_sealed_people.sql).
 */
export const sealPeopleJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx) {
      const customers = await findClearCustomers(tx, BATCH);
      const owners = customers.length === BATCH ? [] : await findClearOwners(tx, BATCH);
      const { personKeys } = tx.runtime;
      personKeys.requireHeld([...customers.map(({ id }) => id), ...owners.map((owner) => owner.customer_id)]);
      // A restored database may have customers whose keys are destroyed: another job empties them.
      const keptCustomers = customers.filter(({ id }) => !personKeys.isErased(id));
      const keptOwners = owners.filter((owner) => !personKeys.isErased(owner.customer_id));
      if (keptCustomers.length + keptOwners.length === 0) return;
      for (const customer of keptCustomers) await sealStoredCustomer(tx, customer);
      // From now on the sealed row says that the customer has a key.
      await forgetKeyed(
        tx,
        keptCustomers.map(({ id }) => id),
      );
      for (const owner of keptOwners) await sealStoredOwner(tx, owner);
      schedule(tx, { kind: KIND, payload: {}, afterMs: 0 });
    },
  },
};
