import type { Agent, ListAgentsQuery } from '@corridor/client';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, placeOf } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { AgentState } from '../../ui/resources.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Approvals, useApprovals } from './approvals.tsx';
import { NewAgent } from './new-agent.tsx';

/** Answers: is an agent waiting for my decision, and what may the agents do? */
export default function Agents() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListAgentsQuery;
  const agents = usePages(
    ['listAgents', query],
    (cursor) => corridor.listAgents({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const approvals = useApprovals();
  return (
    <Screen
      title="Agents"
      answer={sayWaiting(approvals.isLoading, approvals.rows.length, approvals.more !== undefined)}
      actions={<NewAgent />}
    >
      <Section title="Waiting for your approval">
        <Approvals pages={approvals} />
      </Section>
      <Section title="All agents">
        <Filters fields={FIELDS} filters={filters} />
        <PagedTable
          caption="Agents"
          what="The agents could not be loaded."
          pages={agents}
          keyOf={({ id }) => id}
          linkOf={({ id }) => placeOf(id)}
          empty={
            <Empty title={filters.isAny ? 'No agent matches these filters.' : 'There is no agent yet.'}>
              <p>An agent is a program that pays on behalf of a customer, within a policy that you set.</p>
            </Empty>
          }
          columns={[
            { title: 'Agent', cell: ({ name }) => <Text>{name}</Text> },
            { title: 'State', cell: (agent) => <AgentState agent={agent} /> },
            { title: 'Customer', cell: ({ customerId }) => <CustomerId id={customerId} /> },
            { title: 'Used today', align: 'end', cell: UsedToday },
            {
              title: 'Daily limit',
              align: 'end',
              cell: ({ policy: { spendingLimits: limits } }) => (
                <Money amount={limits.dailyLimit ?? undefined} currency={limits.currency} />
              ),
            },
          ]}
        />
      </Section>
    </Screen>
  );
}

function UsedToday({ usage, policy }: Agent) {
  return <Money amount={usage.dailySpend} currency={policy.spendingLimits.currency} />;
}

const YES_NO = { true: 'Yes', false: 'No' };

const FIELDS: readonly FilterField[] = [
  { name: 'customerId', label: 'Customer', kind: 'customer' },
  { name: 'isPaused', label: 'Paused', kind: 'select', options: ['true', 'false'], words: YES_NO },
  { name: 'isConnected', label: 'Connected', kind: 'select', options: ['true', 'false'], words: YES_NO },
];

function sayWaiting(isLoading: boolean, count: number, isMore: boolean): string {
  if (isLoading) return 'Agents, their policies, and the payments that need your approval.';
  if (count === 0) return 'No payment is waiting for your approval.';
  if (count === 1) return 'One payment by an agent is waiting for your approval.';
  return `${isMore ? 'More than ' : ''}${count} payments by agents are waiting for your approval.`;
}
