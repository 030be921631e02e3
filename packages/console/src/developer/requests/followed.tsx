import type { EventSummary, RequestLog } from '@corridor/client';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Delivery } from '../../ui/delivery.tsx';
import { Id, placeOf } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const RESOURCES_MAX = 8;
const EVENTS_MAX = 10;
const SLACK_MS = 1_000;

/** The events of what the request created or changed, since it was made. */
export function Followed({ request, ids }: { request: RequestLog; ids: readonly string[] }) {
  // The clock of a sandbox is never behind real time, so no event of this request is missed.
  const began = Date.parse(request.createdAt) - request.durationMs - SLACK_MS;
  const createdAfter = new Date(began).toISOString();
  const asked = ids.slice(0, RESOURCES_MAX);
  const events = useQuery(['listEvents', 'followed', ...asked], () => listAll(asked, createdAfter), {
    live: 'events',
  });
  return (
    <Section title="What followed" hint="The events, since the request, of the resources that it names.">
      <Loaded read={events} what="The events could not be loaded.">
        {(found) =>
          found.length === 0 ? (
            <Empty title="No event followed." />
          ) : (
            <Table
              caption="Events that followed"
              rows={found}
              keyOf={({ id }) => id}
              linkOf={({ id }) => placeOf(id)}
              columns={[
                { title: 'Event', isWide: true, cell: ({ type }) => <code>{type}</code> },
                { title: 'Delivery', cell: (event) => <Delivery event={event} /> },
                { title: 'Resource', cell: ({ resourceId }) => <Id id={resourceId} /> },
                { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} isMixed /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

async function listAll(ids: readonly string[], createdAfter: string): Promise<EventSummary[]> {
  const lists = await Promise.all(
    ids.map(
      async (resourceId) => (await corridor.listEvents({ resourceId, createdAfter, limit: EVENTS_MAX })).data,
    ),
  );
  return lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}
