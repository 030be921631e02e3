import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes } from '#foundation/database/tx.ts';

/**
 * Locks a customer during the commit, so that it cannot be deleted meanwhile. `mustBeLive` is set when a payment
 * begins: the commit then ends as `stale` if the customer has already been deleted.
 */
export function lockCustomerAgainstDeletion(changes: Changes, id: CustomerId, mustBeLive: boolean): void {
  changes.collect(LOCKED_CUSTOMERS, { platformId: changes.platformId, id, mustBeLive });
}

interface LockedCustomer {
  readonly platformId: PlatformId;
  readonly id: CustomerId;
  readonly mustBeLive: boolean;
}

const LOCKED_CUSTOMERS: Writer<LockedCustomer> = {
  name: 'locked customers',
  stage: 'customers',
  write(items) {
    const locked = inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`);
    return [
      sql`
        with locked as materialized (
          select wanted.must_be_live, customer.deleted_at
            from unnest(${locked.map((item) => item.platformId)}::uuid[], ${locked.map((item) => item.id)}::uuid[],
                        ${locked.map((item) => item.mustBeLive)}::boolean[]) as wanted (platform_id, id, must_be_live)
           cross join lateral (
              select c.deleted_at from customers c
               where c.platform_id = wanted.platform_id and c.id = wanted.id
                 for key share) customer)
        select refuse_commit('stale') from locked where locked.must_be_live and locked.deleted_at is not null`,
    ];
  },
};
