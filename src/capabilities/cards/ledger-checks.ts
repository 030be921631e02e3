import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';

/** The checks of `ledger verify` on cards: their rows agree with the books (cards.md §7). */

/** Each row with the sums of its entries, credits positive, and with its amounts in the account's smallest unit. */
const ROWS = sql`
  select t.platform_id, t.id, t.status, t.kind, t.direction, t.entries, t.returned, t.is_reversed, t.original_id,
         t.hold * u.units as hold, t.receivable * u.units as receivable,
         coalesce(t.settled_amount, 0) * u.units as settled, s.held, s.paid, s.entry_count,
         coalesce(b.balance, 0) as owed
    from card_transactions t
   cross join lateral (select case t.account_currency when 'USDB' then 10000 else 1 end as units) u
    left join ledger_balances b
      on b.platform_id = t.platform_id and b.account = 'RECEIVABLE:' || t.id || ':' || t.account_currency
     and b.currency = t.account_currency
    left join lateral (
      select coalesce(sum(l.net) filter (where l.part = 'HOLD'), 0) as held,
             coalesce(sum(l.net) filter (where l.part = 'RAIL'), 0) as paid,
             count(distinct l.seq) as entry_count
        from (
          select v.seq, split_part(v.account, ':', 1) as part,
                 case v.side when 'CREDIT' then v.amount else -v.amount end as net
            from ledger_lines v
           where v.platform_id = t.platform_id and v.transaction_id = t.id) l) s on true`;

const named = sql`format('card transaction %s of platform %s: %s', r.id, r.platform_id, r.status)`;

const holdsAgree = checkRows(
  'the hold of a card transaction equals the sum of its entries',
  'cards.md §7.3',
  sql`select s.*, s.held = s.hold and s.entry_count = s.entries as ok from (${ROWS}) s`,
  named,
);

const networkIsPaid = checkRows(
  'payments to and from the network equal the cleared amounts',
  'cards.md §6.9',
  sql`select s.*, s.paid = case s.direction when 'DEBIT' then s.settled else -s.settled end as ok from (${ROWS}) s`,
  named,
);

const receivablesAgree = checkRows(
  'the debt of a card transaction equals its receivable in the ledger',
  'cards.md §7.1',
  sql`select s.*, s.owed = s.receivable as ok from (${ROWS}) s`,
  named,
);

const returnsAgree = checkRows(
  'the returned amount of a purchase equals its returns that were not reversed',
  'cards.md §8.14, §8.15',
  sql`select p.platform_id, p.id, p.status, p.returned = coalesce(sum(b.settled_amount), 0) as ok
        from card_transactions p
        left join card_transactions b
          on b.platform_id = p.platform_id and b.original_id = p.id and b.kind = 'RETURN' and not b.is_reversed
       group by p.platform_id, p.id, p.status, p.returned`,
  named,
);

const takenBackOnce = checkRows(
  'a return is reversed at most once, and is marked if it is',
  'cards.md §8.15',
  sql`select p.platform_id, p.id, p.status, (count(b.id) = 1) = p.is_reversed and count(b.id) < 2 as ok
        from card_transactions p
        left join card_transactions b
          on b.platform_id = p.platform_id and b.original_id = p.id and b.kind = 'RETURN_REVERSAL'
       where p.kind = 'RETURN'
       group by p.platform_id, p.id, p.status, p.is_reversed`,
  named,
);

/** Old events are deleted, the oldest first. If any is left, the last one has the present state. */
const eventsReplay = checkRows(
  'the events of a card transaction end in its present state',
  'cards.md §6.3',
  sql`select t.platform_id, t.id, t.status, last.status = t.status as ok
        from card_transactions t
        join (
          select distinct on (e.platform_id, e.resource_id) e.platform_id, e.resource_id,
                 split_part(e.type, '.', 2) as status
            from events e
           where e.type like 'CARD\\_TRANSACTION.%'
           order by e.platform_id, e.resource_id, e.seq desc) last
          on last.platform_id = t.platform_id and last.resource_id = 'Transaction:' || t.id`,
  named,
);

const placesAgree = checkRows(
  'the number of places taken equals the number of open cards',
  'cards.md §1.2',
  sql`select p.platform_id, p.owner_id,
             p.taken = (select count(*) from cards c
                         where c.platform_id = p.platform_id and c.status <> 'CLOSED'
                           and p.owner_id in (c.platform_id, c.customer_id)) as ok
        from card_places p`,
  sql`format('cards of %s, platform %s', r.owner_id, r.platform_id)`,
);

export const CARD_CHECKS: readonly LedgerCheck[] = [
  holdsAgree,
  networkIsPaid,
  receivablesAgree,
  returnsAgree,
  takenBackOnce,
  eventsReplay,
  placesAgree,
];
