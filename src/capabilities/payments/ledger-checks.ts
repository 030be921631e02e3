import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';

/**
 * The invariants of money.md §12 between transactions, ledger and events. `corridor ledger verify` checks them for
 * payments.
 */

/** The sums of each transaction's entries, credits positive. */
const SUMS = sql`
  select t.platform_id, t.id, t.type, t.kind, t.status, t.refund_status, t.sending_amount, t.receiving_amount,
         t.service_fee, t.platform_fee, t.refund_amount, t.taken_at, t.source_type, t.refund_account,
         t.sending_currency <> t.receiving_currency as is_cross_currency,
         t.inflight_sent, t.inflight_sent_no, t.inflight_received, t.inflight_received_no, t.refund_payable,
         t.refund_payable_no, s.*
    from transactions t
    left join lateral (
      select coalesce(sum(l.net) filter (where l.part = 'INFLIGHT' and l.currency = t.sending_currency), 0) as sent,
             count(*) filter (where l.part = 'INFLIGHT' and l.currency = t.sending_currency) as sent_no,
             coalesce(sum(l.net) filter (where l.part = 'INFLIGHT' and l.currency <> t.sending_currency), 0) as received,
             count(*) filter (where l.part = 'INFLIGHT' and l.currency <> t.sending_currency) as received_no,
             coalesce(sum(l.net) filter (where l.part = 'REFUND_PAYABLE'), 0) as payable,
             count(*) filter (where l.part = 'REFUND_PAYABLE') as payable_no,
             coalesce(sum(l.net) filter (where l.part = 'FEES'), 0) as fees,
             coalesce(sum(l.net) filter (where l.part = 'FX' and l.currency = t.sending_currency), 0) as fx_sent,
             coalesce(sum(l.net) filter (where l.part = 'FX' and l.currency <> t.sending_currency), 0) as fx_received,
             coalesce(sum(l.net) filter (
               where l.kind in ('payment.executed', 'payment.captured', 'payment.funded', 'payment.collected')
                 and l.part = 'INFLIGHT'), 0) as taken,
             coalesce(sum(l.net) filter (where l.kind = 'payment.delivered' and l.part in ('AVAIL', 'RECEIVABLE', 'RAIL')), 0)
               as delivered,
             coalesce(sum(l.net) filter (where l.kind = 'refund.paid' and l.part in ('AVAIL', 'RECEIVABLE', 'RAIL')), 0)
               as paid_back,
             coalesce(sum(l.net) filter (
               where l.kind in ('payment.delivered', 'payment.returned') and l.part in ('AVAIL', 'RECEIVABLE')), 0)
               as given,
             coalesce(sum(l.net) filter (where l.part = 'HOLD'), 0) as held,
             count(*) filter (where l.kind not in ('payment.held', 'payment.released')) as lines
        from (
          select v.kind, v.currency, split_part(v.account, ':', 1) as part,
                 case v.side when 'CREDIT' then v.amount else -v.amount end as net
            from ledger_lines v
           where v.platform_id = t.platform_id and v.transaction_id = t.id) l) s on true`;

const named = sql`format('transaction %s of platform %s: %s', r.id, r.platform_id, r.status)`;

const carriedAgrees = checkRows(
  'a transaction’s running sums equal what its entries left in INFLIGHT and REFUND_PAYABLE',
  'money.md §12.3',
  sql`select s.*, s.inflight_sent = s.sent and s.inflight_sent_no = s.sent_no
             and s.inflight_received = s.received and s.inflight_received_no = s.received_no
             and s.refund_payable = s.payable and s.refund_payable_no = s.payable_no as ok
        from (${SUMS}) s`,
  named,
);

const nothingIsLeftInFlight = checkRows(
  'INFLIGHT is empty unless money is on its way',
  'money.md §12.4',
  sql`select s.*, s.sent = 0 and s.received = 0 or s.status = 'PROCESSING'
             or (s.status = 'PENDING' and s.kind in ('TRANSFER', 'UMA')) as ok
        from (${SUMS}) s`,
  named,
);

const refundsAreOwed = checkRows(
  'REFUND_PAYABLE holds the refund while it is pending, and nothing else',
  'money.md §12.5',
  sql`select s.*, s.payable = case when s.refund_status = 'PENDING' then s.refund_amount else 0 end as ok
        from (${SUMS}) s`,
  named,
);

const completedAddsUp = checkRows(
  'a completed payment took S, paid Fs and Fp, exchanged N for R and delivered R',
  'money.md §12.6',
  sql`select s.*,
             s.taken = s.sending_amount and s.fees = s.service_fee
             and s.delivered = s.receiving_amount + s.platform_fee
             and s.fx_sent = case when s.is_cross_currency then s.sending_amount - s.service_fee - s.platform_fee else 0 end
             and s.fx_received = case when s.is_cross_currency then -s.receiving_amount else 0 end as ok
        from (${SUMS}) s
       where s.type = 'OUTGOING' and s.status = 'COMPLETED' and s.refund_status is null`,
  named,
);

const refundedIsUndone = checkRows(
  'a refunded payment leaves no service fee, no platform fee and no exchange behind',
  'money.md §12.7',
  sql`select s.*,
             s.fees = 0 and s.fx_sent = 0 and s.fx_received = 0 and s.given = 0
             and s.paid_back = s.refund_amount and s.taken = s.refund_amount as ok
        from (${SUMS}) s
       where s.type = 'OUTGOING' and s.refund_status = 'COMPLETED'`,
  named,
);

export const heldWhileWaiting = checkRows(
  'S is on hold while a payment from an internal account waits for authorization, and nothing otherwise',
  'money.md §12.2',
  sql`select s.*,
             s.held = case when s.status = 'PENDING_AUTHORIZATION' and s.source_type = 'INTERNAL'
                           then s.sending_amount else 0 end as ok
        from (${SUMS}) s`,
  named,
);

const nothingForNothing = checkRows(
  'a payment whose money was never taken has only the entries of its hold',
  'money.md §11.d, §11.e',
  sql`select s.*, s.lines = 0 as ok
        from (${SUMS}) s
       where s.taken_at is null and s.kind <> 'DEPOSIT'`,
  named,
);

const isAvailable = sql`starts_with(l.account, 'AVAIL:')`;

const isOwed = sql`starts_with(l.account, 'RECEIVABLE:')`;

/** Every credit repays the owner's debt first, except the release of a hold. */
const creditsRepay = checkRows(
  'an owner that is credited owes nothing in that currency',
  'money.md §11.b',
  sql`select o.* , o.owed = 0 as ok
        from (
          select l.platform_id, l.seq, l.account, l.side, l.kind,
                 sum(case when not ${isOwed} then 0 when l.side = 'DEBIT' then l.amount else -l.amount end) over (
                   partition by l.platform_id, l.currency,
                                case when ${isOwed} then split_part(l.account, ':', 2)
                                     else coalesce(i.customer_id, i.platform_id)::text end
                   order by l.seq) as owed
            from ledger_lines l
            left join internal_accounts i on i.platform_id = l.platform_id and 'AVAIL:' || i.id = l.account
           where ${isOwed} or i.id is not null) o
       where starts_with(o.account, 'AVAIL:') and o.side = 'CREDIT'
         and o.kind not in ('payment.released', 'card.hold_adjusted', 'coin.hold_adjusted')`,
  sql`format('entry %s of platform %s credits %s, whose owner owes %s', r.seq, r.platform_id, r.account, r.owed)`,
);

const takenFromBalanceFirst = checkRows(
  'a clawback becomes a debt only if the account is empty',
  'money.md §11.b',
  sql`select o.*, o.available = 0 as ok
        from (
          select l.platform_id, l.seq, l.account, back.id,
                 sum(case when not ${isAvailable} then 0 when l.side = 'CREDIT' then l.amount else -l.amount end) over (
                   partition by l.platform_id, case when ${isAvailable} then substr(l.account, 7) else back.id::text end
                   order by l.seq) as available
            from ledger_lines l
            left join lateral (
              -- The debtor's account that should have been debited instead.
              select i.id
                from transactions t
                join internal_accounts i
                  on i.platform_id = t.platform_id and split_part(l.account, ':', 2) = coalesce(i.customer_id, i.platform_id)::text
                     and i.id in (t.fee_account, case when l.kind = 'collection.reversed' and t.type = 'INCOMING'
                                                then t.destination_account end)
               where ${isOwed} and l.side = 'DEBIT'
                 and (l.kind = 'payment.returned' or l.kind = 'collection.reversed' and t.type = 'INCOMING')
                 and t.platform_id = l.platform_id and t.id = l.transaction_id
               limit 1) back on true
           where ${isAvailable} or back.id is not null) o
       where o.id is not null`,
  sql`format('entry %s of platform %s notes a debt while %s is in the account', r.seq, r.platform_id, r.available)`,
);

const reversedIsUndone = checkRows(
  'after a reversed pull every owner has returned what it received',
  'money.md §11.b',
  sql`select p.platform_id, p.id, p.status, sum(p.net) = 0 as ok
        from (
          select t.platform_id, t.id, t.status, case l.side when 'CREDIT' then l.amount else -l.amount end as net,
                 case when ${isOwed} then split_part(l.account, ':', 2)
                      when ${isAvailable} then coalesce(i.customer_id, i.platform_id)::text
                      else l.account end as whose
            from ledger_entries e
            join transactions t on t.platform_id = e.platform_id and t.id = e.transaction_id and t.type = 'INCOMING'
            join ledger_lines l on l.platform_id = t.platform_id and l.transaction_id = t.id
            left join internal_accounts i on i.platform_id = l.platform_id and 'AVAIL:' || i.id = l.account
           where ledger_kind(e.kind) = 'collection.reversed') p
       group by p.platform_id, p.id, p.status, p.whose`,
  named,
);

const mirrorsAgree = checkRows(
  'a mirror has the status and amounts of the payment that it shows',
  'money.md §4',
  sql`select m.platform_id, m.id, m.status,
             t.status = m.status and t.receiving_amount = m.receiving_amount
             and t.receiving_currency = m.receiving_currency
             and m.details->'sent'
                 = jsonb_build_object('amount', t.sending_amount::text, 'currency', t.sending_currency) as ok
        from transactions m
        left join transactions t on t.platform_id = m.platform_id and t.id = (m.details->>'mirrorOf')::uuid
       where m.kind = 'MIRROR'`,
  named,
);

const EVENTS = sql`
  select e.platform_id, e.resource_id, e.seq, split_part(e.type, '.', 2) as name
    from events e
   where e.type like 'OUTGOING\\_PAYMENT.%' or e.type like 'INCOMING\\_PAYMENT.%'`;

/** customers.md §7.48: a real-time quote that was authorized is `PENDING` again, without an event. */
const isAuthorizedForFunding = sql`t.status = 'PENDING' and t.source_type = 'REALTIME' and t.authorize_by is null`;

/** Events are deleted oldest first. If any is left, the last one has the current state. */
const eventsReplay = checkRows(
  'the events of a transaction end in its current state',
  'money.md §12.9',
  sql`select t.platform_id, t.id, t.status,
             (last.status is null or last.status = case t.status when 'REJECTED' then 'FAILED' else t.status end
              or last.status = 'PENDING_AUTHORIZATION' and ${isAuthorizedForFunding})
             and last.refund is not distinct from 'REFUND_' || t.refund_status as ok
        from transactions t
        join (
          select e.platform_id, e.resource_id,
                 (array_agg(e.name order by e.seq desc) filter (where e.name not like 'REFUND%'))[1] as status,
                 (array_agg(e.name order by e.seq desc) filter (where e.name like 'REFUND%'))[1] as refund
            from (${EVENTS}) e
           group by e.platform_id, e.resource_id) last
          on last.platform_id = t.platform_id and last.resource_id = 'Transaction:' || t.id`,
  named,
);

export const PAYMENT_CHECKS: readonly LedgerCheck[] = [
  carriedAgrees,
  nothingIsLeftInFlight,
  refundsAreOwed,
  completedAddsUp,
  refundedIsUndone,
  heldWhileWaiting,
  nothingForNothing,
  creditsRepay,
  takenFromBalanceFirst,
  reversedIsUndone,
  mirrorsAgree,
  eventsReplay,
];
