import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
import { EVENTS } from '#foundation/events/emit.ts';
import type { EventRow } from '#foundation/events/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

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
  write: (items) => [lockAccounts(inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`))],
};

const lockAccounts = statementOver<LockedAccountStatus>(
  {
    platform_id: ['uuid', (item) => item.platformId],
    id: ['uuid', (item) => item.id],
    must_be: ['text', (item) => item.required],
  },
  ({ rows }) => `
    with locked as materialized (
      select r.must_be, account.status
        from ${rows}
       cross join lateral (
          select i.status from internal_accounts i
           where i.platform_id = r.platform_id and i.id = r.id
             for share) account)
    select refuse_commit('stale') from locked
     where locked.status = 'CLOSED' or (locked.must_be = 'active' and locked.status <> 'ACTIVE')`,
);

export interface BalanceChange {
  readonly platformId: PlatformId;
  /** As in every event (src/foundation/events/store.ts). */
  readonly isHeard: boolean;
  readonly now: Date;
  readonly eventId: EventId;
  readonly id: AccountId;
  /** The change by the entry. */
  readonly available: bigint;
  readonly total: bigint;
  readonly mustBeActive: boolean;
}

/**
 * Emits INTERNAL_ACCOUNT.BALANCE_UPDATED with the balances right after its entry, which the database reads at the commit
 * (facts.sql), and refuses the commit as `stale` if an account that must be active is not.
 */
export const BALANCE_EVENTS: Writer<BalanceChange> = {
  name: 'balance events',
  stage: 'balances',
  wakes: (_change, taker) => (taker ? undefined : 'webhooks'),
  passOn: (changes) => ({ writer: EVENTS, items: balanceEvents(changes) }),
  /** An account whose balances did not change has no event that would check it. */
  write(changes) {
    const changed = new Set(changes.filter(hasChanged).map(nameOf));
    const unchecked = changes.filter((change) => change.mustBeActive && !changed.has(nameOf(change)));
    return unchecked.length > 0 ? [refuseInactive(unchecked)] : [];
  },
};

function balanceEvents(changes: readonly BalanceChange[]): EventRow[] {
  const later = laterChanges(changes);
  const required = new Set(changes.filter(({ mustBeActive }) => mustBeActive).map(nameOf));
  return changes.flatMap((change, i) => {
    if (!hasChanged(change)) return [];
    const { platformId, isHeard, now: createdAt, eventId: id, id: accountId } = change;
    const { available, total } = later[i] as LaterChange;
    // One check of an account is enough.
    const mustBeActive = required.delete(nameOf(change));
    return {
      ...{ platformId, isHeard, createdAt, id, accountId },
      type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      resourceId: publicId('InternalAccount', accountId),
      once: false,
      decision: null,
      payload: null,
      facts: JSON.stringify({ available: String(available), total: String(total), mustBeActive }),
      traceparent: null,
    };
  });
}

const refuseInactive = statementOver<BalanceChange>(
  { platform_id: ['uuid', (change) => change.platformId], id: ['uuid', (change) => change.id] },
  ({ rows }) => `
    select refuse_commit('stale')
      from ${rows}
      join internal_accounts a on a.platform_id = r.platform_id and a.id = r.id
     where a.status <> 'ACTIVE'`,
);

function hasChanged({ available, total }: BalanceChange): boolean {
  return available !== 0n || total !== 0n;
}

function nameOf({ platformId, id }: BalanceChange): string {
  return `${platformId} ${id}`;
}

type LaterChange = Readonly<Record<'available' | 'total', bigint>>;

/** Returns, for each change, the sum of the later changes to the same account. */
function laterChanges(changes: readonly BalanceChange[]): LaterChange[] {
  const sums = new Map<string, LaterChange>();
  return changes
    .toReversed()
    .map((change) => {
      const { available, total } = change;
      const name = nameOf(change);
      const later = sums.get(name) ?? { available: 0n, total: 0n };
      sums.set(name, { available: later.available + available, total: later.total + total });
      return later;
    })
    .toReversed();
}
