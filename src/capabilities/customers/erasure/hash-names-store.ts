import { hashName } from '#capabilities/customers/name-words.ts';
import { openKeptPerson } from '#capabilities/customers/sealed-customer.ts';
import type { Tx } from '#foundation/database/tx.ts';

export interface UnhashedName {
  readonly id: CustomerId;
  readonly person: Buffer;
}

/** Locks sealed customers whose names have no hashes. */
export function findUnhashedNames(tx: Tx, limit: number): Promise<UnhashedName[]> {
  return tx.sql<UnhashedName>`
    select id, person from customers
     where platform_id = ${tx.platformId} and name_hashes is null and person is not null and erased_at is null
     order by id limit ${limit}
       for no key update`;
}

/** A customer whose key is destroyed gets none: a restored database has not emptied the row yet. */
export async function writeNameHashes(tx: Tx, row: UnhashedName): Promise<void> {
  const person = openKeptPerson(tx.vault, row);
  const hashes = person ? hashName(tx, person.profile) : [];
  await tx.sql`
    update customers set name_hashes = ${hashes}::bytea[] where platform_id = ${tx.platformId} and id = ${row.id}`;
}
