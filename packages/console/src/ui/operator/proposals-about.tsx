import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Section } from '../layout.tsx';
import { Failed } from '../states.tsx';
import { Status } from '../status.tsx';
import { Table } from '../table.tsx';
import { sayField, sayName } from '../text.tsx';
import { Time } from '../time.tsx';

/** What waits for a second operator, or did (operator.md §5.3). */
export function ProposalsAbout({ id }: { id: string }) {
  const proposals = useQuery(['listProposals', 'ALL', id], () =>
    operator.listProposals({ view: 'ALL', resource: id, limit: 20 }),
  );
  const rows = proposals.data?.data ?? [];
  if (proposals.failure) {
    return (
      <Failed what="Its proposals could not be loaded." failure={proposals.failure} retry={proposals.retry} />
    );
  }
  if (rows.length === 0) return null;
  return (
    <Section title="Proposals about it">
      <Table
        caption="Proposals about it"
        rows={rows}
        keyOf={(row) => row.id}
        linkOf={(row) => `/console/operator/proposals/${row.id}`}
        columns={[
          { title: 'Operation', cell: ({ operation }) => sayName(sayField(operation)) },
          { title: 'Status', cell: (row) => <Status value={row.status} /> },
          { title: 'Proposed', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
        ]}
      />
    </Section>
  );
}
