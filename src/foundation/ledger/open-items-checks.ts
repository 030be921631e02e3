import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';
import { SUSPENDING } from '#foundation/ledger/open-items-store.ts';

/**
 * Compares the lists of open items, which triggers keep, with the journal: a read of what is open trusts them
 * (money.md §12.17).
 */
const suspenseIsListed = checkRows(
  'the list of money in suspense has exactly the entries that no other entry reverses',
  'money.md §12.17',
  sql`select platform_id, seq, currency, listed.amount as listed, booked.amount as booked,
             listed.amount = booked.amount and listed.entry = booked.entry and listed.kind = booked.kind
             and listed.transaction_id is not distinct from booked.transaction_id
             and listed.created_at = booked.created_at as ok
        from (
          select e.platform_id, e.seq, l.currency, -sum(l.amount) as amount, e.id as entry, ledger_kind(e.kind) as kind,
                 e.transaction_id, e.created_at
            from ledger_entries e
           cross join lateral unnest(e.accounts, e.currencies, e.amounts) as l (account, currency, amount)
           where e.kind in (${SUSPENDING}) and l.amount < 0 and starts_with(l.account, 'SUSPENSE:')
             and not exists (
               select from ledger_entries r where r.platform_id = e.platform_id and r.reverses_seq = e.seq)
           group by e.platform_id, e.seq, l.currency) booked
        full join open_suspense listed using (platform_id, seq, currency)`,
  sql`format('entry %s of platform %s in %s: the list has %s, the journal %s', r.seq, r.platform_id, r.currency,
             coalesce(r.listed::text, 'nothing'), coalesce(r.booked::text, 'nothing'))`,
);

const debtsAreListed = checkRows(
  'the list of debts has exactly the accounts that owe money, with what they owe',
  'money.md §12.17',
  sql`select platform_id, account, currency, listed.amount as listed, owed.amount as owed,
             listed.amount = owed.amount and listed.since = owed.since as ok
        from (
          select l.platform_id, l.account, l.currency,
                 sum(case l.side when 'DEBIT' then l.amount else -l.amount end) as amount,
                 (array_agg(l.created_at order by l.account_no desc))[1] as since
            from ledger_lines l
           where starts_with(l.account, 'RECEIVABLE:')
           group by l.platform_id, l.account, l.currency
          having sum(case l.side when 'DEBIT' then l.amount else -l.amount end) > 0) owed
        full join open_debts listed using (platform_id, account, currency)`,
  sql`format('%s in %s of platform %s: the list has %s, the journal %s', r.account, r.currency, r.platform_id,
             coalesce(r.listed::text, 'nothing'), coalesce(r.owed::text, 'nothing'))`,
);

/** The checks of the lists of open items. */
export const OPEN_ITEM_CHECKS: readonly LedgerCheck[] = [suspenseIsListed, debtsAreListed];
