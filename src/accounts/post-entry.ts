import { availOf } from '#accounts/ledger-accounts.ts';
import type { Writer } from '#database/changes.ts';
import { sql } from '#database/sql.ts';
import type { Changes } from '#database/tx.ts';
import type { Account } from '#ledger/accounts.ts';
import type { Entry } from '#ledger/entries.ts';
import { ACCOUNT_KINDS, type AccountKindName } from '#ledger/kinds.ts';
import { post } from '#ledger/post.ts';
import { effectOf } from '#ledger/writer.ts';

/**
 * Posts an entry and tells of each internal account whose balance or total it changed (money.md §10.4, IA-23): the one
 * way to move money in and out of internal accounts.
 */
export function postEntry(changes: Changes, entry: Entry): void {
  const moved = movedAccounts(entry);
  // Whoever moves what is on hold or pending holds AVAIL too, so that balances told together belong together.
  const alsoHeld = moved
    .filter(({ touchesAvailable }) => !touchesAvailable)
    .map(({ id, currency }) => ({ account: availOf(id), currency }));
  post(changes, alsoHeld.length > 0 ? { ...entry, alsoHeld } : entry);
  const { platformId, now } = changes;
  for (const { id, available, total } of moved) {
    changes.collect(BALANCES, { platformId, now, id, available, total, mustBeActive: false });
  }
}

/** Ends the commit with `stale` where the account, whose money an entry of it moves, is closed or frozen by then. */
export function requireActive(changes: Changes, id: string): void {
  const { platformId, now } = changes;
  changes.collect(BALANCES, { platformId, now, id, available: 0n, total: 0n, mustBeActive: true });
}

/** What an entry does to one internal account. */
interface Moved {
  readonly id: string;
  readonly currency: string;
  available: bigint;
  total: bigint;
  touchesAvailable: boolean;
}

function movedAccounts(entry: Entry): Moved[] {
  const moved = new Map<string, Moved>();
  for (const line of entry.lines) {
    const id = internalAccountOf(line.account);
    if (id === undefined) continue;
    const { currency } = line;
    const known = moved.get(id) ?? { id, currency, available: 0n, total: 0n, touchesAvailable: false };
    moved.set(id, known);
    known.total += effectOf(line);
    if (line.account !== availOf(id)) continue;
    known.available += effectOf(line);
    known.touchesAvailable = true;
  }
  return [...moved.values()];
}

/** The internal account that a ledger account belongs to, if it does. */
function internalAccountOf(account: Account): string | undefined {
  const [kind = '', id] = account.split(':');
  return ACCOUNT_KINDS[kind as AccountKindName].owner === 'internal account' ? id : undefined;
}

interface BalanceNews {
  readonly platformId: string;
  readonly now: Date;
  readonly id: string;
  /** What the entry added. */
  readonly available: bigint;
  readonly total: bigint;
  readonly mustBeActive: boolean;
}

/**
 * Writes INTERNAL_ACCOUNT.BALANCE_UPDATED with the figures right after its entry. The balances after the whole set are
 * in the table by now, and what came later in the set is known. Closing an account locks its ledger accounts, so what is
 * seen here, after they were locked, stays.
 */
const BALANCES: Writer<BalanceNews> = {
  name: 'balance events',
  stage: 'balances',
  wakes: () => true,
  write(news) {
    const behind = whatComesLater(news);
    return [
      sql`
        insert into events (platform_id, type, resource_id, facts, created_at)
        select b.platform_id, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:' || b.id,
               internal_account_facts(account, (money.available - b.available_behind)::bigint,
                                      (money.total - b.total_behind)::bigint, b.now),
               b.now
          from unnest(
                 ${news.map((item) => item.platformId)}::uuid[], ${news.map((item) => item.id)}::uuid[],
                 ${news.map((item) => item.now)}::timestamptz[], ${behind.map((item) => item.available)}::bigint[],
                 ${behind.map((item) => item.total)}::bigint[],
                 ${news.map((item) => item.available !== 0n || item.total !== 0n)}::boolean[],
                 ${news.map((item) => item.mustBeActive)}::boolean[])
                 as b (platform_id, id, now, available_behind, total_behind, has_changed, must_be_active)
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

/** For each item what those after it add to the same account. */
function whatComesLater(news: readonly BalanceNews[]): { available: bigint; total: bigint }[] {
  const later = new Map<string, { available: bigint; total: bigint }>();
  return news
    .toReversed()
    .map(({ platformId, id, available, total }) => {
      const name = `${platformId} ${id}`;
      const behind = later.get(name) ?? { available: 0n, total: 0n };
      later.set(name, { available: behind.available + available, total: behind.total + total });
      return behind;
    })
    .toReversed();
}
