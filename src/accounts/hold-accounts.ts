import { inLockOrder, type Writer } from '#database/changes.ts';
import { sql } from '#database/sql.ts';
import type { Changes } from '#database/tx.ts';

/** How an internal account must be at the moment of the commit: able to move money, or at least not closed. */
export type MustBe = 'active' | 'open';

/** Holds an account as it is, where no entry of the commit locks its ledger accounts; `stale` where it is otherwise. */
export function holdAccount(changes: Changes, id: string, mustBe: MustBe): void {
  changes.collect(HELD_ACCOUNTS, { platformId: changes.platformId, id, mustBe });
}

interface HeldAccount {
  readonly platformId: string;
  readonly id: string;
  readonly mustBe: MustBe;
}

const HELD_ACCOUNTS: Writer<HeldAccount> = {
  name: 'held accounts',
  stage: 'accounts',
  write(items) {
    const held = inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`);
    return [
      sql`
        with held as materialized (
          select wanted.must_be, account.status
            from unnest(${held.map((item) => item.platformId)}::uuid[], ${held.map((item) => item.id)}::uuid[],
                        ${held.map((item) => item.mustBe)}::text[]) as wanted (platform_id, id, must_be)
           cross join lateral (
              select i.status from internal_accounts i
               where i.platform_id = wanted.platform_id and i.id = wanted.id
                 for share) account)
        select refuse_commit('stale') from held
         where held.status = 'CLOSED' or (held.must_be = 'active' and held.status <> 'ACTIVE')`,
    ];
  },
};
