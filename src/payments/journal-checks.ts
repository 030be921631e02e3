import { sql } from '#database/sql.ts';
import { checkRows, type LedgerCheck } from '#ledger/checks.ts';

const named = sql`format('transaction %s of platform %s', r.id, r.platform_id)`;

/** Transactions are never deleted; what tells of one that is not there tells of a row that somebody took away. */
const transactionsAreThere = checkRows(
  'every transaction that entries or events tell of is there',
  'money.md §12.9',
  sql`select told.platform_id, told.id, t.id is not null as ok
        from (
          select e.platform_id, e.transaction_id::text as id
            from ledger_entries e
           where e.transaction_id is not null
          union
          select e.platform_id, substr(e.resource_id, length('Transaction:') + 1)
            from events e
           where e.type like 'OUTGOING\\_PAYMENT.%' or e.type like 'INCOMING\\_PAYMENT.%') told
        left join transactions t on t.platform_id = told.platform_id and t.id::text = told.id`,
  sql`${named} || ' is gone'`,
);

/**
 * A mirror posts nothing of its own. Part of what is credited may repay a debt (money.md §11.b), and the platform's
 * fee on a pull is credited beside it.
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
  sql`${named} || format(': %s is shown, %s was credited', r.shown, r.amount)`,
);

/** What the operator's proof asks beyond single transactions: tests of the ledger alone post without them. */
export const JOURNAL_CHECKS: readonly LedgerCheck[] = [transactionsAreThere, incomingAddsUp];
