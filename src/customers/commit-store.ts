import { inLockOrder, type Writer } from '#database/changes.ts';
import { sql } from '#database/sql.ts';
import type { Changes } from '#database/tx.ts';

/**
 * Holds a customer until the commit, so that it is not deleted before; where money would begin for one that is gone
 * (`mustLive`), the commit ends with `stale`.
 */
export function holdLive(changes: Changes, id: string, mustLive: boolean): void {
  changes.collect(HELD_CUSTOMERS, { platformId: changes.platformId, id, mustLive });
}

interface HeldCustomer {
  readonly platformId: string;
  readonly id: string;
  readonly mustLive: boolean;
}

const HELD_CUSTOMERS: Writer<HeldCustomer> = {
  name: 'held customers',
  stage: 'customers',
  write(items) {
    const held = inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`);
    return [
      sql`
        with held as materialized (
          select wanted.must_live, customer.deleted_at
            from unnest(${held.map((item) => item.platformId)}::uuid[], ${held.map((item) => item.id)}::uuid[],
                        ${held.map((item) => item.mustLive)}::boolean[]) as wanted (platform_id, id, must_live)
           cross join lateral (
              select c.deleted_at from customers c
               where c.platform_id = wanted.platform_id and c.id = wanted.id
                 for key share) customer)
        select refuse_commit('stale') from held where held.must_live and held.deleted_at is not null`,
    ];
  },
};
