import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import type { KeyedPerson } from '#foundation/database/person-key-source.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/**
 * The knowledge of the service's database about people who must have a key: a customer whose row is sealed has one, and
 * so has everybody in `keyed_people`.
 */

/** A person who is known to have had a key, and the platform of the person. */
export interface KnownPerson {
  readonly id: PersonId;
  readonly platformId: PlatformId;
  readonly isErased: boolean;
}

/**
 * Finds the people among these who are known to have had a key. They are looked up across platforms. A customer whom an
 * earlier version erased never had one: the upgrade makes it, seals the values that were left, and destroys it.
 */
export function findKnown(
  database: Pick<Database, 'query'>,
  people: readonly PersonId[],
): Promise<KnownPerson[]> {
  // Months are no customers; they are left out because each platform needs one once a month.
  const customers = people.filter((person) => !isMonth(person));
  return database.query<KnownPerson>(sql`
    select k.person_id as id, k.platform_id as "platformId", false as "isErased"
      from keyed_people k where k.person_id = any(${people}::uuid[])
    union all
    select c.id, c.platform_id, c.erased_at is not null
      from unnest(${customers}::uuid[]) as wanted(id)
     cross join platforms p
      join customers c on c.platform_id = p.id and c.id = wanted.id
     where c.person is not null
        or c.erased_at is not null and not exists (
             select from jobs j where j.platform_id = c.platform_id and j.kind = 'people.seal-stored')`);
}

/** People who stand for a month have ids of UUID version 8 (`strangersOf`), which no customer has. */
export function isMonth(person: PersonId): boolean {
  return person[14] === '8';
}

/** Records people whose first key is stored. */
export async function recordKeyed(
  database: Pick<Database, 'query'>,
  platformId: PlatformId,
  people: readonly PersonId[],
): Promise<void> {
  await database.query(sql`
    insert into keyed_people (person_id, platform_id)
    select person_id, ${platformId} from unnest(${people}::uuid[]) as new(person_id) order by 1
    on conflict (person_id) do nothing`);
}

/** Removes people for whom a sealed row speaks by now, or whose key was destroyed. */
export async function forgetKeyed(tx: Tx, people: readonly PersonId[]): Promise<void> {
  await tx.sql`delete from keyed_people where person_id = any(${people}::uuid[])`;
}

/** Finds the platform's next people who must have a key, in the order of their ids. */
export function findNextKeyed(
  tx: ReadTx,
  after: PersonId | undefined,
  limit: number,
): Promise<KeyedPerson[]> {
  const [platformId, from] = [tx.platformId, after ?? FIRST];
  // Byte 19 of a value that is sealed for one person is the generation of the key.
  return tx.sql<KeyedPerson>`
    (select c.id, c.platform_id, get_byte(c.person, 18) as generation from customers c
      where c.platform_id = ${platformId} and c.id > ${from} and c.person is not null and c.erased_at is null
      order by c.id limit ${limit})
    union all
    (select k.person_id, k.platform_id, null from keyed_people k
      where k.platform_id = ${platformId} and k.person_id > ${from}
      order by k.person_id limit ${limit})
    order by id limit ${limit}`;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Records people whose key is missing, for the operator. Their own platform is named if it is known. */
export async function recordLost(
  database: Pick<Database, 'query'>,
  platformId: PlatformId,
  people: readonly PersonId[],
): Promise<void> {
  await database.query(sql`
    insert into lost_person_keys (person_id, platform_id)
    select lost.id, coalesce(
             (select c.platform_id from platforms p
                join customers c on c.platform_id = p.id and c.id = lost.id limit 1), ${platformId})
      from unnest(${people}::uuid[]) as lost(id) order by 1
    on conflict (person_id) do nothing`);
}

/** Removes people whose key was found again, or who were erased. */
export async function forgetLost(tx: Tx, people: readonly PersonId[]): Promise<void> {
  await tx.sql`delete from lost_person_keys where person_id = any(${people}::uuid[])`;
}
