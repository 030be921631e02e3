import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
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
  write: (items) => [lockCustomers(inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`))],
};

const lockCustomers = statementOver<LockedCustomer>(
  {
    platform_id: ['uuid', (item) => item.platformId],
    id: ['uuid', (item) => item.id],
    must_be_live: ['boolean', (item) => item.mustBeLive],
  },
  ({ rows }) => `
    with locked as materialized (
      select r.must_be_live, customer.deleted_at
        from ${rows}
       cross join lateral (
          select c.deleted_at from customers c
           where c.platform_id = r.platform_id and c.id = r.id
             for key share) customer)
    select refuse_commit('stale') from locked where locked.must_be_live and locked.deleted_at is not null`,
);
