import { ERASED_UMA } from '#capabilities/customers/customer-row.ts';
import {
  hashReference,
  hashUma,
  openPrivate,
  type Private,
  peopleOf,
  sealPrivate,
} from '#capabilities/payments/details.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import {
  type ClearPayment,
  findClearPayments,
  findErasedAmong,
  MADE_UP,
  replaceClear,
  type SealedPayment,
} from '#capabilities/payments/seal-stored-store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { ListKey } from '#foundation/http/paging.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KIND = 'payments.seal-stored';
const BATCH = 200;

/**
 * Seals a batch of payments per run, while the service runs. The job's payload is its position. A migration scheduled
 * the job for every platform.
 */
export const sealStoredJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx, { payload }) {
      const { after } = payload as { after?: ListKey };
      const last = await sealStoredPayments(tx, after, BATCH);
      if (last) schedule(tx, { kind: KIND, payload: { after: last }, afterMs: 0 });
    },
  },
};

/**
 * Seals payments that an earlier version stored in clear text, or sealed with a data key, the oldest first. Returns the
 * position of the last one, from which the next call continues, or undefined if there was none.
 */
export async function sealStoredPayments(
  tx: Tx,
  after: ListKey | undefined,
  limit: number,
): Promise<ListKey | undefined> {
  const rows = await findClearPayments(tx, after, limit);
  const named = [...new Set(rows.flatMap(peopleOf))];
  const erased = await findErasedAmong(tx, named);
  const { personKeys } = tx.runtime;
  personKeys.requireHeld(named.filter((person) => !erased.has(person)));
  // A restored database may have customers whose keys are destroyed and who are not emptied yet.
  const isKept = (person: PersonId) => !erased.has(person) && !personKeys.isErased(person);
  for (const row of rows) await replaceClear(tx, row, sealStored(tx, row, peopleOf(row).filter(isKept)));
  const last = rows.at(-1);
  return last && [last.created_at.toISOString(), last.id];
}

function sealStored({ vault, runtime }: Tx, row: ClearPayment, people: readonly PersonId[]): SealedPayment {
  const isStated =
    row.kind === 'DEPOSIT' && row.reference?.startsWith(runtime.names.referencePrefix) === false;
  const stated = isStated ? row.reference : null;
  const facts: Private = { ...openPrivate(vault, row), ...clearFacts(row, stated) };
  // The erasure of the owner has already emptied the private facts and replaced the addresses.
  const isErased = row.customer_id !== null && !people.includes(row.customer_id);
  const hash = (address: string) => hashUma(vault, isErased ? ERASED_UMA : address).toStore;
  return {
    private: isErased ? null : sealPrivate(vault, row, facts, people),
    source_uma_hash: facts.sourceUma === undefined ? row.source_uma_hash : hash(facts.sourceUma),
    destination_uma_hash:
      facts.destinationUma === undefined ? row.destination_uma_hash : hash(facts.destinationUma),
    reference: isStated ? null : row.reference,
    reference_hash: stated === null || isErased ? row.reference_hash : hashReference(vault, stated).toStore,
  };
}

function clearFacts(row: ClearPayment, stated: string | null): Private {
  const { details, source_uma, destination_uma } = row;
  const { platformCustomerId } = details as TransactionRow['details'];
  const receiverPlatformCustomerId = details.receiver?.platformCustomerId;
  return {
    ...(platformCustomerId !== undefined && { platformCustomerId }),
    ...(receiverPlatformCustomerId !== undefined && { receiverPlatformCustomerId }),
    ...(source_uma !== null && { sourceUma: source_uma }),
    ...(destination_uma !== null && !isMadeUp(destination_uma) && { destinationUma: destination_uma }),
    ...(stated !== null && { statedReference: stated }),
  };
}

/** Whether an erasure wrote this address in place of the customer's own. */
function isMadeUp(address: string): boolean {
  return address.startsWith(MADE_UP);
}
