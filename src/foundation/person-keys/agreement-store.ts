import type { Database } from '#foundation/database/database.ts';
import type { KeyedPerson } from '#foundation/database/person-key-source.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** The service's knowledge about its database of keys. */
export interface KnownStore {
  readonly store_id: string;
  readonly last_erasure: bigint;
}

/**
 * Ties the service's database to this database of keys, unless it is tied to one already. Returns the database of keys
 * to which it is tied.
 */
export async function tieStore(database: Pick<Database, 'query'>, storeId: string): Promise<KnownStore> {
  await database.query(sql`
    insert into person_key_store (store_id) values (${storeId}) on conflict (is_only) do nothing`);
  const [known] = await database.query<KnownStore>(sql`select store_id, last_erasure from person_key_store`);
  if (!known) throw new Error('the service’s database has no row of its database of keys');
  return known;
}

/** Records that an erasure has ended on both sides. */
export async function recordErasure(on: Pick<Database, 'query'> | Tx, erasure: bigint): Promise<void> {
  await on.query(sql`update person_key_store set last_erasure = ${erasure} where last_erasure < ${erasure}`);
}

/** Returns the last erasure that ended here, or undefined while this database is tied to no database of keys. */
export async function findLastRecorded(database: Pick<Database, 'query'>): Promise<bigint | undefined> {
  const [row] = await database.query<{ last_erasure: bigint }>(
    sql`select last_erasure from person_key_store`,
  );
  return row?.last_erasure;
}

/** Byte 19 of a value that is sealed for one person is the generation of the key. */
const GENERATION = rawSql('get_byte(c.person, 18)');

/**
 * Finds the newest sealed customers of each platform: their keys are the first that an older database of keys lacks.
 */
export function findNewestSealed(database: Pick<Database, 'query'>): Promise<KeyedPerson[]> {
  return database.query<KeyedPerson>(sql`
    select newest.id, p.id as platform_id, newest.generation
      from platforms p
     cross join lateral (
       select c.id, ${GENERATION} as generation from customers c
        where c.platform_id = p.id order by c.created_at desc, c.id desc limit 3) newest
     where newest.generation is not null`);
}

/** The position of a pass over all customers. */
export type CustomerPosition = Pick<KeyedPerson, 'id' | 'platform_id'>;

/** Finds the next customers whose values are sealed. */
export function findSealedCustomers(
  database: Pick<Database, 'query'>,
  after: CustomerPosition | undefined,
  limit: number,
): Promise<KeyedPerson[]> {
  return database.query<KeyedPerson>(sql`
    select c.id, c.platform_id, ${GENERATION} as generation from customers c
     where c.person is not null and c.erased_at is null ${beyond(after)}
     order by c.platform_id, c.id limit ${limit}`);
}

/** Finds the next customers who were erased. */
export function findErasedCustomers(
  database: Pick<Database, 'query'>,
  after: CustomerPosition | undefined,
  limit: number,
): Promise<CustomerPosition[]> {
  return database.query<CustomerPosition>(sql`
    select c.id, c.platform_id from customers c
     where c.erased_at is not null ${beyond(after)}
     order by c.platform_id, c.id limit ${limit}`);
}

function beyond(after: CustomerPosition | undefined): Sql {
  return after ? sql`and (c.platform_id, c.id) > (${after.platform_id}, ${after.id})` : sql``;
}

/** Ties the service's database to another database of keys, or corrects the last erasure that it knows. */
export async function retieStore(database: Pick<Database, 'query'>, known: KnownStore): Promise<void> {
  await database.query(sql`
    update person_key_store set store_id = ${known.store_id}, last_erasure = ${known.last_erasure}`);
}

export async function findStoreId(store: Pick<Database, 'query'>): Promise<string> {
  const [row] = await store.query<{ id: string }>(sql`select id from key_store`);
  if (!row) throw new Error('the database of keys has no id');
  return row.id;
}
