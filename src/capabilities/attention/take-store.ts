import type { Tx } from '#foundation/database/tx.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';

/** The key of an item of work; its platform is the nil id for the installation. */
export interface ItemName {
  readonly kind: string;
  readonly platformId: PlatformId;
  readonly key: string;
}

export interface TakeRow {
  readonly id: Id<'WorkTake'>;
  /** The public id of the waiting resource, or its name. */
  readonly subject: string;
  readonly operator: Id<'Operator'>;
  readonly taken_at: Date;
  readonly note: Buffer | null;
}

/** Takes an item, also from another operator if that is allowed. Undefined: another operator has it. */
export async function upsertTake(
  tx: Tx,
  item: ItemName & { readonly subject: string },
  take: { readonly operator: Id<'Operator'>; readonly at: Date; readonly isTakeover: boolean },
): Promise<TakeRow | undefined> {
  const { kind, platformId, key, subject } = item;
  const { operator, at, isTakeover } = take;
  const [row] = await tx.sql<TakeRow>`
    insert into work_takes as t (id, kind, platform_id, key, subject, operator, taken_at, changed_at)
    values (${tx.newId<'WorkTake'>()}, ${kind}, ${platformId}, ${key}, ${subject}, ${operator}, ${at}, ${at})
    on conflict (kind, platform_id, key) do update
       set operator = excluded.operator, changed_at = excluded.changed_at,
           taken_at = case when t.operator = excluded.operator then t.taken_at else excluded.taken_at end
     where t.operator = excluded.operator or ${isTakeover}
    returning t.id, t.subject, t.operator, t.taken_at, t.note`;
  return row;
}

export async function lockTake(tx: Tx, { kind, platformId, key }: ItemName): Promise<TakeRow | undefined> {
  const [row] = await tx.sql<TakeRow>`
    select t.id, t.subject, t.operator, t.taken_at, t.note from work_takes t
     where t.kind = ${kind} and t.platform_id = ${platformId} and t.key = ${key} for no key update`;
  return row;
}

export async function deleteTake(tx: Tx, id: TakeRow['id']): Promise<void> {
  await tx.sql`delete from work_takes where id = ${id}`;
}

export async function updateNote(tx: Tx, id: TakeRow['id'], note: Buffer | null, at: Date): Promise<void> {
  await tx.sql`update work_takes set note = ${note}, changed_at = ${at} where id = ${id}`;
}

/** Deletes takes of items about an erased customer, with their notes. */
export async function eraseTakes(tx: Tx, { resources }: Pick<Traces, 'resources'>): Promise<void> {
  await tx.sql`
    delete from work_takes where platform_id = ${tx.platformId} and subject = any(${[...resources]}::text[])`;
}

const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes takes that nobody touched for a long time: their items have ended. One run does it for all platforms. */
export async function purgeTakes(tx: Tx, rowsMax: number): Promise<number> {
  const oldest = new Date(tx.runtime.clock.now() - KEPT_DAYS * DAY_MS);
  const deleted = await tx.sql`
    with old as materialized (
      select id from work_takes where changed_at < ${oldest} order by changed_at limit ${rowsMax} for update skip locked)
    delete from work_takes t using old where t.id = old.id
    returning 1`;
  return deleted.length;
}
