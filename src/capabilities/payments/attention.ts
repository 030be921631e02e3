import {
  type AttentionParts,
  attentionKind,
  BECAUSE,
  type Presented,
} from '#foundation/database/attention.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Suspended } from '#foundation/ledger/open-items-store.ts';
import { type OwnCurrencies, showAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface PaymentRow {
  readonly id: string;
  readonly waits_for: 'collection' | 'payout' | 'refund';
}

/** How long past its rail's settlement time a payment may take before the operator should look at it. */
export const GRACE_SECONDS = 60 * 60;

export const overduePayments = attentionKind<PaymentRow>({
  name: 'payments-overdue',
  title: 'payments more than an hour past their rail’s settlement time',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'platform',
  time: 'business',
  find: ({ now, limit, after }) =>
    unfinishedStatement(limit, after, (since, details) => {
      const allowed = sql`coalesce((${details}->>'settlementSeconds')::integer, 0) + ${GRACE_SECONDS}`;
      return sql`${since} < ${now} - make_interval(secs => ${GRACE_SECONDS})
               and ${since} < ${now} - make_interval(secs => ${allowed})`;
    }),
  present: ({ id, waits_for }, { onPlatform }) =>
    reportable(id, `its ${waits_for} is past its rail’s settlement time`, onPlatform),
});

/** Payments that no job moves forward: their rail takes orders without reporting, or the operator is the rail. */
export const paymentsByHand = attentionKind<PaymentRow>({
  name: 'payments-by-hand',
  title: 'payments whose outcome the operator has to report',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => unfinishedStatement(limit, after, () => NOTHING_SCHEDULED),
  present: ({ id, waits_for }, { onPlatform }) =>
    reportable(id, `no rail reports its ${waits_for}, so the operator has to`, onPlatform),
});

/**
 * `offset 0` makes the planner look up each payment by key. Otherwise it reads all jobs of these kinds for a few
 * payments.
 */
const NOTHING_SCHEDULED = sql`
  not exists (
    select from jobs j
     where j.platform_id = p.id and j.key = t.id::text
       and j.kind in ('payments.pay', 'payments.collect', 'payments.refund', 'payments.cancel', 'payments.receive')
    offset 0)
  and not exists (
    select from jobs j
     where j.platform_id = p.id and j.kind = 'payments.follow'
       and j.key in (t.id || ':pay', t.id || ':collect', t.id || ':refund', t.id || ':receive')
    offset 0)`;

/** Unfinished payments that have started, and pending refunds. A mirror shows another payment and waits for nothing. */
function unfinishedStatement(
  limit: number,
  after: AttentionParts['after'],
  condition: (since: Sql, details: Sql) => Sql,
): Sql {
  return sql`
    select w.since, w.id::text as key, w.id, w.waits_for
      from (
        (select t.executed_at as since, t.id,
                case when t.status = 'PENDING' or t.taken_at is null then 'collection' else 'payout' end as waits_for
           from transactions t
          where t.platform_id = p.id and t.status in ('PENDING', 'PROCESSING') and t.executed_at is not null
            and t.refund_status is null and t.kind <> 'MIRROR' and ${after(sql`t.executed_at`, sql`t.id::text`)}
            and ${condition(sql`t.executed_at`, sql`t.details`)}
          order by t.executed_at, t.id::text limit ${limit})
        union all
        (select t.refund_initiated_at, t.id, 'refund'
           from transactions t
          where t.platform_id = p.id and t.refund_status = 'PENDING'
            and ${after(sql`t.refund_initiated_at`, sql`t.id::text`)}
            and ${condition(sql`t.refund_initiated_at`, sql`t.details`)}
          order by t.refund_initiated_at, t.id::text limit ${limit})) w
     order by w.since, w.id::text limit ${limit}`;
}

function reportable(id: string, why: string, onPlatform: string): Presented {
  const subject = publicId('Transaction', id);
  return {
    subject,
    why,
    commands: [
      `corridor payment show ${subject}${onPlatform}`,
      `corridor payment settle ${subject}${onPlatform} ${BECAUSE}`,
      `corridor payment fail ${subject}${onPlatform} ${BECAUSE}`,
    ],
  };
}

interface MoneyRow {
  readonly id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly own_currencies: OwnCurrencies;
}

export const suspendedMoney = attentionKind<MoneyRow & Pick<Suspended, 'kind'>>({
  name: 'suspense',
  title: 'money that could not be assigned to an account',
  concerns: 'money',
  roles: ['finance'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select o.created_at as since, o.entry::text as key, o.entry as id, o.kind, o.currency, o.amount, p.own_currencies
      from open_suspense o
     where o.platform_id = p.id and ${after(sql`o.created_at`, sql`o.entry::text`)}
     order by o.created_at, o.entry::text limit ${limit}`,
  present({ id, kind, amount, currency, own_currencies: own }, { onPlatform }) {
    const subject = publicId('JournalEntry', id);
    return {
      subject,
      why: `${showAmount(amount, currency, own)}: ${kind === 'refund.suspended' ? 'a refund could not be paid' : 'money that could not be matched to an account'}`,
      commands: [
        `corridor suspense list${onPlatform}`,
        `corridor suspense resolve ${subject}${onPlatform} --to <internal account> ${BECAUSE}`,
      ],
    };
  },
});

/** Debts of customers and platforms. A card transaction's debt is a card exception and is resolved as one. */
export const debts = attentionKind<MoneyRow & { readonly is_platform: boolean }>({
  name: 'receivables',
  title: 'debts to us that later credits repay',
  concerns: 'money',
  roles: ['finance'],
  workAfterSeconds: 30 * 24 * 60 * 60,
  scope: 'platform',
  time: 'business',
  // `offset 0` keeps the planner from reading all customers for a few debts.
  find: ({ limit, after }) => sql`
    select o.since, o.id || ':' || o.currency as key, o.id, o.currency, o.amount, p.own_currencies, o.id = p.id as is_platform
      from (
        select d.since, split_part(d.account, ':', 2)::uuid as id, d.currency, d.amount
          from open_debts d
         where d.platform_id = p.id) o
     where (o.id = p.id or exists (select from customers c where c.platform_id = p.id and c.id = o.id offset 0))
       and ${after(sql`o.since`, sql`o.id || ':' || o.currency`)}
     order by o.since, o.id || ':' || o.currency limit ${limit}`,
  present({ id, is_platform, amount, currency, own_currencies: own }, { onPlatform }) {
    const subject = publicId(is_platform ? 'Platform' : 'Customer', id);
    return {
      subject,
      why: `owes ${showAmount(amount, currency, own)}, which the next credit repays`,
      commands: [
        `corridor receivable list${onPlatform}`,
        `corridor receivable write-off ${subject} --currency ${currency}${onPlatform} ${BECAUSE}`,
      ],
    };
  },
});
