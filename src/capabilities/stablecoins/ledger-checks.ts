import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';

/** What `ledger verify` checks for coins: issued coins exist, and are covered (stablecoins.md §7). */

/** Each coin with its amounts in the books, in its smallest units; the reserve in cents. */
const COINS = sql`
  select c.platform_id, c.id, c.symbol, c.decimals, coalesce(i.balance, 0) as issued,
         coalesce(r.balance, 0) as reserve
    from stablecoins c
    left join ledger_balances i
      on i.platform_id = c.platform_id and i.account = 'ISSUED:' || c.id and i.currency = c.symbol
    left join ledger_balances r
      on r.platform_id = c.platform_id and r.account = 'RESERVE:' || c.id and r.currency = 'USD'
   where c.issuance_status not in ('REJECTED', 'FAILED')`;

/** The net amount of a line `l`, credits positive. */
const net = sql`case l.side when 'CREDIT' then l.amount else -l.amount end`;

const named = sql`format('stablecoin %s (%s) of platform %s', r.id, r.symbol, r.platform_id)`;

const issuedByOperations = checkRows(
  'the issued amount of a coin is its opening supply plus completed mints, less completed burns',
  'money.md §12.12',
  sql`select c.*, done.amount,
             c.issued = case s.issuance_status when 'PROVISIONED' then s.opening_supply else 0 end + done.amount as ok
        from (${COINS}) c
        join stablecoins s on s.platform_id = c.platform_id and s.id = c.id
       cross join lateral (
         select coalesce(sum(case o.operation_type when 'MINT' then o.amount else -o.amount end), 0) as amount
           from stablecoin_operations o
          where o.platform_id = c.platform_id and o.stablecoin_id = c.id and o.status = 'COMPLETED') done`,
  sql`${named} || format(': %s is issued, and mints less burns are %s', r.issued, r.amount)`,
);

const issuedIsSomewhere = checkRows(
  'all other accounts in a coin add up to its issued amount',
  'money.md §12.13',
  sql`select c.*, coalesce(held.amount, 0) as amount, coalesce(held.amount, 0) = c.issued as ok
        from (${COINS}) c
        left join (
          select l.platform_id, l.currency, sum(${net}) as amount
            from ledger_lines l
           where not starts_with(l.account, 'ISSUED:')
           group by l.platform_id, l.currency) held
          on held.platform_id = c.platform_id and held.currency = c.symbol`,
  sql`${named} || format(': %s is issued, and %s is held', r.issued, r.amount)`,
);

const outsideIsNotOverdrawn = checkRows(
  'no more coins came in from outside than were outside',
  'money.md §12.14',
  sql`select c.*, coalesce(outside.amount, 0) as amount, coalesce(outside.amount, 0) >= 0 as ok
        from (${COINS}) c
        left join (
          select l.platform_id, l.currency, sum(${net}) as amount
            from ledger_lines l
           where l.account = 'RAIL:SPARK:' || l.currency
           group by l.platform_id, l.currency) outside
          on outside.platform_id = c.platform_id and outside.currency = c.symbol`,
  sql`${named} || format(': %s are outside', r.amount)`,
);

const coinsAreCovered = checkRows(
  'the reserve of a coin equals its issued amount, to the cent',
  'money.md §12.15',
  sql`select c.*, c.reserve * power(10::numeric, c.decimals - 2) = c.issued as ok from (${COINS}) c`,
  sql`${named} || format(': %s is issued, and the reserve is %s cents', r.issued, r.reserve)`,
);

/** An operation has the entries of its status, each kind once. */
const operationsArePosted = checkRows(
  'a mint or burn has posted the entries of its status, once',
  'stablecoins.md §7, money.md §11.L26–11.L28',
  sql`select o.platform_id, o.id, o.status,
             p.steps is not distinct from nullif(concat_ws(' ',
               case when o.source_internal is not null then 'L26#0' end,
               case when o.source_internal is not null and o.status in ('FAILED', 'EXPIRED', 'REFUSED') then 'L26#1' end,
               case when o.status = 'COMPLETED' then case o.operation_type when 'MINT' then 'L27#0' else 'L28#0' end end),
               '') as ok
        from stablecoin_operations o
        left join lateral (
          select string_agg(e.step, ' ' order by e.step) as steps
            from ledger_entries e
           where e.platform_id = o.platform_id and e.transaction_id = o.id and ledger_kind(e.kind) <> 'receipt.suspended') p on true`,
  sql`format('operation %s of platform %s: %s', r.id, r.platform_id, r.status)`,
);

export const STABLECOIN_CHECKS: readonly LedgerCheck[] = [
  issuedByOperations,
  issuedIsSomewhere,
  outsideIsNotOverdrawn,
  coinsAreCovered,
  operationsArePosted,
];
