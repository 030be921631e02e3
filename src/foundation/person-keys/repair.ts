import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { findLost, KeyStoreDisagrees } from '#foundation/person-keys/agreement.ts';
import {
  type CustomerPosition,
  findErasedCustomers,
  findSealedCustomers,
  findStoreId,
  retieStore,
  tieStore,
} from '#foundation/person-keys/agreement-store.ts';
import {
  eraseKeys,
  findLastErasure,
  findPeople,
  hasPeople,
  skipErasures,
} from '#foundation/person-keys/key-store.ts';

export interface RepairOptions {
  readonly database: Database;
  readonly store: Database;
  /** Whether customers whose keys are lost are recorded as erased. */
  readonly acceptsLoss: boolean;
  onBatch?(done: number): void;
}

export interface Repair {
  /** The number of erased customers whose keys were back, or unknown, and were destroyed again. */
  readonly erasedAgain: number;
  /** The number of customers whose keys do not exist. */
  readonly lost: number;
  readonly firstLost: readonly PersonId[];
}

const BATCH = 1_000;
const SHOWN = 20;

/**
 * Repairs a database of keys that is older than the service's database. It destroys again the keys of customers who
 * were erased since. The keys of customers who were added since are lost: if the operator accepts the loss, these
 * customers are recorded as erased, and jobs empty their rows after the next start. The repair may be repeated.
 */
export async function repairKeys(options: RepairOptions): Promise<Repair> {
  const { database, store } = options;
  const known = await requireOwn(options);
  await skipErasures(store, known);
  const erasedAgain = await eraseAgain(options);
  const { lost, firstLost } = await findAllLost(options);
  const last = await findLastErasure(store);
  if (last < known) await retieStore(database, { store_id: await findStoreId(store), last_erasure: last });
  return { erasedAgain, lost, firstLost };
}

/**
 * Returns the last known erasure. Accepts another database of keys only if it is new and the operator accepts the loss,
 * because then all keys are lost.
 */
async function requireOwn({ database, store, acceptsLoss }: RepairOptions): Promise<bigint> {
  const storeId = await findStoreId(store);
  const known = await tieStore(database, storeId);
  if (known.store_id === storeId) return known.last_erasure;
  if (!acceptsLoss || (await hasPeople(store))) {
    throw new KeyStoreDisagrees(
      `The database of keys is ${storeId}, but the values in this database were sealed with keys of ${known.store_id}. Nothing was changed. If those keys are lost for good, use a new, empty database of keys and --accept-loss.`,
    );
  }
  await retieStore(database, { store_id: storeId, last_erasure: 0n });
  return known.last_erasure;
}

async function eraseAgain({ database, store, onBatch }: RepairOptions): Promise<number> {
  let erased = 0;
  for (let after: CustomerPosition | undefined; ; ) {
    const batch = await findErasedCustomers(database, after, BATCH);
    if (batch.length === 0) return erased;
    const people = await findPeople(
      store,
      batch.map(({ id }) => id),
    );
    const back = batch.filter((_, i) => !people[i]?.isErased);
    await eraseBatch(store, back);
    erased += back.length;
    onBatch?.(erased);
    after = batch.at(-1);
  }
}

async function findAllLost({
  database,
  store,
  acceptsLoss,
}: RepairOptions): Promise<Pick<Repair, 'lost' | 'firstLost'>> {
  let lost = 0;
  const firstLost: PersonId[] = [];
  for (let after: CustomerPosition | undefined; ; ) {
    const batch = await findSealedCustomers(database, after, BATCH);
    if (batch.length === 0) return { lost, firstLost };
    const missing = await findLost(store, batch);
    if (acceptsLoss) await eraseBatch(store, missing);
    lost += missing.length;
    firstLost.push(...missing.slice(0, SHOWN - firstLost.length).map(({ id }) => id));
    after = batch.at(-1);
  }
}

async function eraseBatch(store: Database, people: readonly CustomerPosition[]): Promise<void> {
  for (const [platformId, own] of Map.groupBy(people, (person) => person.platform_id)) {
    const ids = own.map(({ id }) => id);
    await eraseKeys(store, platformId, ids);
  }
}
