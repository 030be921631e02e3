import { sql } from '#foundation/database/sql.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';

/**
 * What `ledger verify` checks for agents: started movements are counted, and each waiting payment has one waiting
 * action.
 */

/** Each movement that an agent started, on the day of its start: the commit that starts it approves its action. */
const STARTED = sql`
  select a.platform_id, a.agent_id, (a.updated_at at time zone 'UTC')::date as day, t.sending_amount as amount,
         t.sending_currency as currency
    from agent_actions a
    left join transactions t on t.platform_id = a.platform_id and t.id = a.transaction_id
   where a.status = 'APPROVED'`;

/** Counters of one kind, with the parts of their names. */
const countersNamed = (kind: 'AGENT_COUNT' | 'AGENT_DAY' | 'AGENT_MONTH') => sql`
  select c.platform_id, split_part(c.name, ':', 2)::uuid as agent_id, nullif(split_part(c.name, ':', 3), '') as no,
         c.period as day, trim_scale(c.numerator / c.denominator) as used
    from counters c
   where starts_with(c.name, ${`${kind}:`}::text)`;

const usageOfAgent = sql`format('agent %s of platform %s, %s: %s is counted, but %s was started',
  r.agent_id, r.platform_id, r.day, coalesce(r.used, 0), coalesce(r.started, 0))`;

const startsAreCounted = checkRows(
  'the movements counted for an agent and a day are those that it started',
  'agents.md §4.7',
  sql`select *, coalesce(used, 0) = coalesce(started, 0) as ok
        from (${countersNamed('AGENT_COUNT')}) counted
        full join (
          select platform_id, agent_id, day, count(*) as started
            from (${STARTED}) s
           group by platform_id, agent_id, day) started using (platform_id, agent_id, day)`,
  usageOfAgent,
);

/**
 * Only for agents whose limits never changed their currency and whose movements are all in it, so that nothing was
 * converted.
 */
const amountsAreCounted = checkRows(
  'the amount counted for an agent and a day is the sum of its started movements',
  'agents.md §4.7',
  sql`select *, coalesce(used, 0) = coalesce(started, 0) as ok
        from (${countersNamed('AGENT_DAY')}) counted
        full join (
          select platform_id, agent_id, day, sum(amount) as started, array_agg(distinct currency) as currencies
            from (${STARTED}) s
           group by platform_id, agent_id, day) started using (platform_id, agent_id, day)
        join (
          select platform_id, id as agent_id, policy->'spendingLimits'->>'currency' as limited
            from agents
           where usage_no = 1) agent using (platform_id, agent_id)
       where currencies = array[limited] or currencies is null`,
  usageOfAgent,
);

/** If the limits changed their currency in that month, the month began with more than the sum of its later days. */
const monthsAddUp = checkRows(
  'the amount counted for an agent and a month is the sum of its days',
  'agents.md §4.7',
  sql`select platform_id, agent_id, no, month.day, month.used, days.used as started,
             case no when '1' then month.used = days.used else month.used >= days.used end as ok
        from (${countersNamed('AGENT_MONTH')}) month
        full join (
          select platform_id, agent_id, no, date_trunc('month', day)::date as day, sum(used) as used
            from (${countersNamed('AGENT_DAY')}) d
           group by platform_id, agent_id, no, date_trunc('month', day)) days using (platform_id, agent_id, no, day)`,
  sql`format('agent %s of platform %s, the month of %s: %s is counted, but its days add up to %s',
             r.agent_id, r.platform_id, r.day, r.used, r.started)`,
);

const waitingHasOneAction = checkRows(
  'a transaction that waits for approval is PENDING, and one action of its agent waits for it',
  'agents.md §4.5, §5.3',
  sql`select t.platform_id, t.id, t.status, waiting.count,
             t.status = 'PENDING' and t.executed_at is null and waiting.count = 1 as ok
        from transactions t
       cross join lateral (
         select count(*) from agent_actions a
          where a.platform_id = t.platform_id and a.transaction_id = t.id and a.agent_id = t.agent_id
            and a.status = 'PENDING_APPROVAL') waiting
       where t.approve_by is not null`,
  sql`format('transaction %s of platform %s: %s, with %s actions', r.id, r.platform_id, r.status, r.count)`,
);

/**
 * A quote outlives a decision against it (agents.md §5.21, §5.22), and a transfer that could not start has no
 * transaction.
 */
const actionsEndTransactions = checkRows(
  'when an action ends, its waiting transaction ends as well',
  'agents.md §5.3',
  sql`select a.platform_id, a.id, a.type, a.status, t.status as transaction_status,
             t.agent_id = a.agent_id and t.customer_id = a.customer_id and case
               when a.status = 'APPROVED' then t.approve_by is null and t.status <> 'REJECTED'
               when a.status = 'PENDING_APPROVAL' and t.approve_by is not null then t.status = 'PENDING'
               when a.type = 'EXECUTE_QUOTE' then a.status <> 'PENDING_APPROVAL' or t.status = 'EXPIRED'
               when a.status <> 'REJECTED' then t.status = 'FAILED'
               when a.type = 'TRANSFER_IN' then t.status = 'REJECTED'
               else t.status = 'EXPIRED'
             end as ok
        from agent_actions a
        left join transactions t on t.platform_id = a.platform_id and t.id = a.transaction_id
       where a.transaction_id is not null`,
  sql`format('action %s of platform %s: %s is %s, and its transaction %s', r.id, r.platform_id, r.type, r.status,
             coalesce(r.transaction_status, 'gone'))`,
);

export const AGENT_CHECKS: readonly LedgerCheck[] = [
  startsAreCounted,
  amountsAreCounted,
  monthsAddUp,
  waitingHasOneAction,
  actionsEndTransactions,
];
