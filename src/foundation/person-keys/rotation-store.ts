import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { NewPersonKey, WrappedPersonKey } from '#foundation/person-keys/key-store.ts';
import { countDeletion } from '#foundation/person-keys/shred-store.ts';

type Store = Pick<Database, 'query'>;

/** The position of a pass over all keys. */
export type KeyPosition = Pick<WrappedPersonKey, 'person_id' | 'generation'>;

/** Bytes two to five of a wrapped key are the id of the data key that wraps it. */
function idBytes(dataKeyId: number): Buffer {
  const id = Buffer.alloc(4);
  id.writeUInt32BE(dataKeyId);
  return id;
}

export async function hasOldWraps(store: Store, dataKeyId: number): Promise<boolean> {
  const found = await store.query(sql`
    select 1 from person_keys where substring(wrapped from 2 for 4) <> ${idBytes(dataKeyId)} limit 1`);
  return found.length > 0;
}

/** Finds the next keys of people that an older data key wraps. */
export function findOldWraps(
  store: Store,
  { dataKeyId, after, limit }: { dataKeyId: number; after: KeyPosition | undefined; limit: number },
): Promise<WrappedPersonKey[]> {
  const bound = after
    ? sql`and (k.person_id, k.generation) > (${after.person_id}, ${after.generation})`
    : sql``;
  return store.query<WrappedPersonKey>(sql`
    select k.person_id, p.platform_id, k.generation, k.wrapped
      from person_keys k join people p on p.person_id = k.person_id
     where substring(k.wrapped from 2 for 4) <> ${idBytes(dataKeyId)} ${bound}
     order by k.person_id, k.generation limit ${limit}`);
}

/** Stores the keys as wrapped again. A key that was destroyed meanwhile stays destroyed. */
export async function replaceWraps(
  store: Store,
  keys: readonly (WrappedPersonKey & { readonly rewrapped: Buffer })[],
): Promise<number> {
  const changed = await store.query(sql`
    update person_keys k set wrapped = new.rewrapped
      from unnest(${keys.map((key) => key.person_id)}::uuid[], ${keys.map((key) => key.generation)}::smallint[],
                  ${keys.map((key) => key.wrapped)}::bytea[], ${keys.map((key) => key.rewrapped)}::bytea[])
           as new(person_id, generation, wrapped, rewrapped)
     where k.person_id = new.person_id and k.generation = new.generation and k.wrapped = new.wrapped
    returning 1`);
  return changed.length;
}

/** Begins a rotation, unless one is in progress. Returns whether it began. */
export async function beginRotation(store: Store): Promise<boolean> {
  const begun = await store.query(sql`
    insert into rotation default values on conflict (is_only) do nothing returning 1`);
  return begun.length > 0;
}

export async function endRotation(store: Store): Promise<void> {
  await store.query(sql`delete from rotation`);
}

/** How far rotations of people's keys have come. Two equal states: none deleted a key in between. */
export interface RotationState {
  readonly begun_at: Date | null;
  /** The number of keys that the rotation has to replace. */
  readonly old_keys: bigint;
  /** Every rotation raises it. */
  readonly generation: number;
}

export async function findRotationState(store: Store): Promise<RotationState | undefined> {
  const [state] = await store.query<RotationState>(sql`
    select r.begun_at, count(*) filter (where k.created_at < r.begun_at) as old_keys,
           coalesce(max(k.generation), 1) as generation
      from (select max(begun_at) as begun_at from rotation) r left join person_keys k on true
     group by r.begun_at`);
  return state;
}

/** A person whose newest key is older than the rotation. */
export interface RotatedPerson {
  readonly person_id: PersonId;
  readonly platform_id: PlatformId;
  readonly generation: number;
}

export function findUnrotated(
  store: Store,
  { after, limit }: { after: PersonId | undefined; limit: number },
): Promise<RotatedPerson[]> {
  const bound = after ? sql`and k.person_id > ${after}` : sql``;
  return store.query<RotatedPerson>(sql`
    select k.person_id, p.platform_id, max(k.generation) as generation
      from person_keys k join people p on p.person_id = k.person_id
     where p.erased_at is null ${bound}
     group by k.person_id, p.platform_id
    having max(k.created_at) < (select begun_at from rotation)
     order by k.person_id limit ${limit}`);
}

/** Adds the next generations of people's keys; people who were erased meanwhile get none. */
export async function insertGenerations(store: Store, keys: readonly NewPersonKey[]): Promise<number> {
  const added = await store.query(sql`
    insert into person_keys (person_id, generation, wrapped)
    select p.person_id, new.generation, new.wrapped
      from unnest(${keys.map((key) => key.person_id)}::uuid[], ${keys.map((key) => key.generation)}::smallint[],
                  ${keys.map((key) => key.wrapped)}::bytea[]) as new(person_id, generation, wrapped)
      join (select person_id from people
             where person_id = any(${keys.map((key) => key.person_id)}::uuid[]) and erased_at is null
             order by person_id for share) p on p.person_id = new.person_id
    on conflict (person_id, generation) do nothing
    returning 1`);
  return added.length;
}

/** Finds the next people who have a key of the rotation and older ones. */
export async function findReplaced(
  store: Store,
  { after, limit }: { after: PersonId | undefined; limit: number },
): Promise<PersonId[]> {
  const bound = after ? sql`where person_id > ${after}` : sql``;
  const rows = await store.query<{ person_id: PersonId }>(sql`
    select person_id from person_keys ${bound}
     group by person_id
    having count(*) > 1 and max(created_at) >= (select begun_at from rotation)
     order by person_id limit ${limit}`);
  return rows.map(({ person_id }) => person_id);
}

/** Deletes all keys of these people except their newest. */
export function deleteOlder(
  store: Pick<Database, 'transaction'>,
  people: readonly PersonId[],
): Promise<number> {
  return store.transaction(async (run) => {
    const deleted = await run(sql`
      delete from person_keys k
       where k.person_id = any(${people}::uuid[])
         and exists (select from person_keys n
                      where n.person_id = k.person_id and n.generation > k.generation
                        and n.created_at >= (select begun_at from rotation))
      returning 1`);
    await run(countDeletion);
    return deleted.length;
  });
}
