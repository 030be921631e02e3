import type { ItemRow } from '#capabilities/attention/store.ts';
import type { AttentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** Begins a round, unless another process did so less than a pause ago. */
export async function claimRound(tx: Tx, now: Date, pauseMs: number): Promise<boolean> {
  const claimed = await tx.query(sql`
    update work_rounds r set last_at = ${now}
      from (select id from work_rounds for update skip locked) free
     where r.id = free.id and (r.last_at is null or r.last_at <= ${new Date(now.getTime() - pauseMs)})
    returning 1`);
  return claimed.length > 0;
}

/** Remembers the items of a kind that wait now, and returns those that are new. `isWhole`: there are no others. */
export async function rememberItems(
  tx: Tx,
  { name: kind }: Pick<AttentionKind, 'name'>,
  rows: readonly ItemRow[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<readonly ItemRow[]> {
  const platforms = rows.map(({ platform_id }) => platform_id ?? NIL_ID);
  const keys = rows.map(({ key }) => key);
  if (isWhole)
    await tx.sql`
      delete from work_announced a
       where a.kind = ${kind}
         and not exists (
           select from unnest(${platforms}::uuid[], ${keys}::text[]) as w (platform_id, key)
            where w.platform_id = a.platform_id and w.key = a.key)`;
  const added = await tx.sql<{ platform_id: string; key: string }>`
    insert into work_announced (kind, platform_id, key)
    select ${kind}, w.platform_id, w.key from unnest(${platforms}::uuid[], ${keys}::text[]) as w (platform_id, key)
    on conflict do nothing
    returning platform_id, key`;
  const fresh = new Set(added.map(({ platform_id, key }) => `${platform_id} ${key}`));
  return rows.filter(({ platform_id, key }) => fresh.has(`${platform_id ?? NIL_ID} ${key}`));
}
