import { sql } from '#database/sql.ts';
import type { Surroundings } from '#database/tx.ts';
import { gather } from '#lib/gather.ts';
import type { Claimed } from '#webhooks/store.ts';

/** Where a platform's webhooks go and what signs them, as it stands now. */
export type Target = Pick<Claimed, 'endpoint' | 'private_key'>;

/** Events that go out at the same time share one look-up. */
export function createFindTarget({
  database,
}: Pick<Surroundings, 'database'>): (platformId: string) => Promise<Target> {
  return gather(async (platformIds: string[]) => {
    const rows = await database.lookUp<Target & { id: string }>(sql`
      select p.id, p.webhook_private_key as private_key, c.webhook_endpoint as endpoint
        from platforms p left join platform_configs c on c.platform_id = p.id
       where p.id = any(${[...new Set(platformIds)]}::uuid[])`);
    const byId = new Map(rows.map(({ id, endpoint, private_key }) => [id, { endpoint, private_key }]));
    return platformIds.map((id) => byId.get(id) as Target);
  });
}
