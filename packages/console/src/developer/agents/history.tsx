import type { Agent, AgentAction, ListAgentActionsQuery } from '@corridor/client';
import { usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Id } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Amount, sayPayee } from './approvals.tsx';

const FIELDS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'],
  },
  { name: 'type', label: 'Kind', kind: 'select', options: ['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'] },
];

/** Everything that the agent requested: paid, rejected, or not possible. */
export function History({ agent: { id } }: { agent: Agent }) {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 20 } as ListAgentActionsQuery;
  const actions = usePages(
    ['listAgentActions', id, query],
    (cursor) => corridor.listAgentActions(id, { ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="All actions" hint="Everything that the agent requested, including what could not start.">
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Actions of this agent"
        what="The actions could not be loaded."
        pages={actions}
        keyOf={(action) => action.id}
        empty={
          <Empty
            title={
              filters.isAny ? 'No action matches these filters.' : 'The agent has not requested anything yet.'
            }
          />
        }
        columns={[
          { title: 'Kind', cell: ({ type }) => sayName(type) },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Amount', align: 'end', cell: Amount },
          { title: 'To', cell: (action) => <Text>{sayPayee(action)}</Text> },
          { title: 'Payment', cell: (action) => <Id id={paymentOf(action)} /> },
          { title: 'Reason', isWide: true, cell: (action) => <Text>{reasonOf(action)}</Text> },
          { title: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

function paymentOf({ transaction, quote }: AgentAction): string | undefined {
  return transaction?.id ?? quote?.transactionId;
}

/** Why an action was rejected or failed. */
function reasonOf({ rejectionReason, failure }: AgentAction): string | undefined {
  return rejectionReason ?? failure?.reason;
}
