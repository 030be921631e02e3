import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';

/**
 * Whether the journal's entries belong to existing rows. These checks are separate because the ledger's tests post
 * entries without transactions, and these would fail there.
 */

const identified = sql`format('transaction %s of platform %s', r.id, r.platform_id)`;

/** Transactions are never deleted: an entry or event without one shows that a row was deleted by hand. */
const transactionsAreThere = checkRows(
  'every transaction that an entry or event refers to exists',
  'money.md §12.9',
  sql`select named.platform_id, named.id, t.id is not null as ok
        from (
          select e.platform_id, e.transaction_id::text as id
            from ledger_entries e
           where e.transaction_id is not null
          union
          select e.platform_id, substr(e.resource_id, length('Transaction:') + 1)
            from events e
           where e.type like 'OUTGOING\\_PAYMENT.%' or e.type like 'INCOMING\\_PAYMENT.%'
              or e.type like 'CARD\\_TRANSACTION.%') named
        left join (
          select t.platform_id, t.id from transactions t
          union all
          select c.platform_id, c.id from card_transactions c
          union all
          select o.platform_id, o.id from stablecoin_operations o
          union all
          select s.platform_id, s.id from stablecoins s) t
          on t.platform_id = named.platform_id and t.id::text = named.id`,
  sql`${identified} || ' is gone'`,
);

/**
 * Mirrors are left out, because they post nothing. Part of a credit may repay a debt (money.md §11.b), and a pull also
 * credits the platform's fee.
 */
const incomingAddsUp = checkRows(
  'a completed incoming payment credited its receiver with R, and the platform with Fp',
  'money.md §12.6',
  sql`select t.platform_id, t.id, t.receiving_amount as shown, coalesce(credited.amount, 0) as amount,
             coalesce(credited.amount, 0) = t.receiving_amount
               + case when t.sending_currency = t.receiving_currency then t.platform_fee else 0 end as ok
        from transactions t
        left join (
          select l.platform_id, l.transaction_id, l.currency, sum(l.amount) as amount
            from ledger_lines l
           where l.side = 'CREDIT' and split_part(l.account, ':', 1) in ('AVAIL', 'RECEIVABLE', 'RAIL')
           group by l.platform_id, l.transaction_id, l.currency) credited
          on credited.platform_id = t.platform_id and credited.transaction_id = t.id
             and credited.currency = t.receiving_currency
       where t.type = 'INCOMING' and t.status = 'COMPLETED' and t.refund_status is null and t.kind <> 'MIRROR'`,
  sql`${identified} || format(': %s is shown, %s was credited', r.shown, r.amount)`,
);

/**
 * `heldWhileWaiting` checks each payment's own entries, and a check of cards those of each card transaction. This check
 * finds money that is held for no payment, or in the wrong account.
 */
const holdsAreAccountedFor = checkRows(
  'the amount on hold in an account is S of its waiting payments, plus its card holds, open mints and burns',
  'money.md §12.2',
  sql`select h.platform_id, h.account, h.balance as held, coalesce(w.amount, 0) as wanted,
             h.balance = coalesce(w.amount, 0) as ok
        from ledger_balances h
        left join (
          select every.platform_id, every.account, every.currency, sum(every.amount) as amount
            from (
              select t.platform_id, 'HOLD:' || t.source_account as account, t.sending_currency as currency,
                     t.sending_amount as amount
                from transactions t
               where t.status = 'PENDING_AUTHORIZATION' and t.source_type = 'INTERNAL'
              union all
              select c.platform_id, 'HOLD:' || c.account_id, c.account_currency,
                     c.hold * case c.account_currency when 'USDB' then 10000 else 1 end
                from card_transactions c
               where c.hold > 0
              union all
              select o.platform_id, 'HOLD:' || o.source_internal,
                     case o.operation_type when 'MINT' then 'USD' else o.currency end,
                     case o.operation_type when 'MINT' then o.cents else o.amount end
                from stablecoin_operations o
               where o.source_internal is not null
                 and o.status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING')) every
           group by every.platform_id, every.account, every.currency) w
          on w.platform_id = h.platform_id and w.account = h.account and w.currency = h.currency
       where starts_with(h.account, 'HOLD:')`,
  sql`format('%s of platform %s: %s is on hold, and %s should be', r.account, r.platform_id, r.held, r.wanted)`,
);

export const JOURNAL_CHECKS: readonly LedgerCheck[] = [
  transactionsAreThere,
  incomingAddsUp,
  holdsAreAccountedFor,
];
