import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';

/** Writes of commits to internal accounts, apart from their ledger entries. */

/** The status that an internal account must have when the commit happens: `ACTIVE`, or any but `CLOSED`. */
export type RequiredStatus = 'active' | 'open';

export interface LockedAccountStatus {
  readonly platformId: PlatformId;
  readonly id: AccountId;
  readonly required: RequiredStatus;
}

export const LOCKED_ACCOUNTS: Writer<LockedAccountStatus> = {
  name: 'locked accounts',
  stage: 'accounts',
  write(items) {
    const locked = inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`);
    return [
      sql`
        with locked as materialized (
          select wanted.must_be, account.status
            from unnest(${locked.map((item) => item.platformId)}::uuid[], ${locked.map((item) => item.id)}::uuid[],
                        ${locked.map((item) => item.required)}::text[]) as wanted (platform_id, id, must_be)
           cross join lateral (
              select i.status from internal_accounts i
               where i.platform_id = wanted.platform_id and i.id = wanted.id
                 for share) account)
        select refuse_commit('stale') from locked
         where locked.status = 'CLOSED' or (locked.must_be = 'active' and locked.status <> 'ACTIVE')`,
    ];
  },
};

export interface BalanceChange {
  readonly platformId: PlatformId;
  /** As in every event (src/foundation/events/store.ts). */
  readonly isHeard: boolean;
  readonly now: Date;
  readonly id: AccountId;
  /** The change by the entry. */
  readonly available: bigint;
  readonly total: bigint;
  readonly mustBeActive: boolean;
}

/**
 * Writes INTERNAL_ACCOUNT.BALANCE_UPDATED with the balances right after its entry. The table has the balances after
 * the whole set of changes, so the changes of later entries are subtracted. The entries have locked the ledger
 * accounts, and closing an account also locks them, so the status that is read here cannot change any more.
 */
export const BALANCE_EVENTS: Writer<BalanceChange> = {
  name: 'balance events',
  stage: 'balances',
  wakes: () => true,
  write(changes) {
    const later = laterChanges(changes);
    return [
      sql`
        insert into events (platform_id, type, resource_id, facts, created_at, xid)
        select b.platform_id, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:' || b.id,
               internal_account_facts(account, (money.available - b.available_later)::bigint,
                                      (money.total - b.total_later)::bigint, b.now),
               b.now, case when b.is_heard then feed_place() end
          from unnest(
                 ${changes.map((item) => item.platformId)}::uuid[], ${changes.map((item) => item.id)}::uuid[],
                 ${changes.map((item) => item.now)}::timestamptz[], ${later.map((item) => item.available)}::bigint[],
                 ${later.map((item) => item.total)}::bigint[],
                 ${changes.map((item) => item.available !== 0n || item.total !== 0n)}::boolean[],
                 ${changes.map((item) => item.mustBeActive)}::boolean[],
                 ${changes.map((item) => item.isHeard)}::boolean[])
                 as b (platform_id, id, now, available_later, total_later, has_changed, must_be_active, is_heard)
          join internal_accounts account on account.platform_id = b.platform_id and account.id = b.id
         cross join lateral (
               select sum(l.balance) filter (where l.account = 'AVAIL:' || b.id) as available, sum(l.balance) as total
                 from ledger_balances l
                where l.platform_id = account.platform_id and l.currency = account.currency
                  and l.account = any(ledger_accounts_of(b.id))) money
         where case when b.must_be_active and account.status <> 'ACTIVE'
                 then refuse_commit('stale') is null else b.has_changed end`,
    ];
  },
};

/** Returns, for each change, the sum of the later changes to the same account. */
function laterChanges(changes: readonly BalanceChange[]): { available: bigint; total: bigint }[] {
  const sums = new Map<string, { available: bigint; total: bigint }>();
  return changes
    .toReversed()
    .map(({ platformId, id, available, total }) => {
      const name = `${platformId} ${id}`;
      const later = sums.get(name) ?? { available: 0n, total: 0n };
      sums.set(name, { available: later.available + available, total: later.total + total });
      return later;
    })
    .toReversed();
}
