import type { ProposalSummary } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { usePages } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Actor, shortId } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { sayOperation } from '../../ui/operator/words.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type View = 'TO_CHECK' | 'MINE' | 'DECIDED' | 'ALL';

const AGAIN_MS = 10_000;

/** Answers: what do others propose that I may decide, and what became of my own? */
export default function Proposals() {
  const filters = useFilters(FIELDS);
  const view = (filters.values.view ?? 'TO_CHECK') as View;
  const proposals = usePages(
    ['listProposals', view],
    (cursor) => operator.listProposals({ view, limit: 50, ...(cursor && { cursor }) }),
    { everyMs: AGAIN_MS },
  );
  return (
    <Screen title="Proposals" answer={ANSWERS[view]}>
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Proposals"
        what="The proposals could not be loaded."
        pages={proposals}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/console/operator/proposals/${id}`}
        empty={
          <Empty title={EMPTY[view]}>
            <p>
              An operation that moves money or cannot be undone is proposed by one operator, and performed
              when another one approves it.
            </p>
          </Empty>
        }
        columns={[
          { title: 'Operation', cell: ({ operation }) => sayOperation(operation) },
          { title: 'About', cell: sayAbout },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Proposed by', cell: ({ madeBy }) => <Actor by={madeBy} /> },
          { title: 'Proposed', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
          { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} clock="real" /> },
        ]}
      />
    </Screen>
  );
}

function sayAbout({ resource }: ProposalSummary) {
  return resource === undefined ? 'The installation' : <code title={resource}>{shortId(resource)}</code>;
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'view',
    label: 'Show',
    kind: 'select',
    options: ['MINE', 'DECIDED', 'ALL'],
    words: { '': 'To check', MINE: 'Mine', DECIDED: 'Decided', ALL: 'All' },
  },
];

const ANSWERS: Readonly<Record<View, string>> = {
  TO_CHECK: 'Proposals of others that your roles may decide.',
  MINE: 'Proposals that you have made.',
  DECIDED: 'Proposals that were approved, rejected or withdrawn, or that have expired.',
  ALL: 'All proposals.',
};

const EMPTY: Readonly<Record<View, string>> = {
  TO_CHECK: 'Nothing waits for you.',
  MINE: 'You have proposed nothing.',
  DECIDED: 'Nothing has been decided yet.',
  ALL: 'There is no proposal yet.',
};
