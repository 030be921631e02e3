import type { EventSummary, RequestLogSummary } from '@corridor/client';
import type { Read } from '../../api/query.ts';
import { Delivery } from '../../ui/delivery.tsx';
import { placeOf, Sentence } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HttpStatus } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

export function LastRequests({ requests }: { requests: Read<readonly RequestLogSummary[]> }) {
  return (
    <Section
      title="Latest requests"
      actions={
        <a class="button" href="/console/requests">
          All requests
        </a>
      }
    >
      <Loaded read={requests} what="The requests could not be loaded." lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nobody has called the API yet.">
              <p>Every call from your programs appears here, with the reason if it was refused.</p>
            </Empty>
          ) : (
            <Table
              caption="Latest requests"
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => placeOf(id)}
              columns={[
                { title: 'Status', cell: ({ status }) => <HttpStatus code={status} /> },
                {
                  title: 'Request',
                  isWide: true,
                  cell: ({ method, route, code }) => (
                    <>
                      <code>
                        {method} {route}
                      </code>
                      {code !== undefined && (
                        <>
                          {' '}
                          <code class="home-code">{code}</code>
                        </>
                      )}
                    </>
                  ),
                },
                { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

export function LastEvents({ events }: { events: Read<readonly EventSummary[]> }) {
  return (
    <Section
      title="Latest events"
      actions={
        <a class="button" href="/console/events">
          All events
        </a>
      }
    >
      <Loaded read={events} what="The events could not be loaded." lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing has happened yet.">
              <p>
                When a payment or a customer changes, the service creates an event and sends it to your
                endpoint.
              </p>
            </Empty>
          ) : (
            <Table
              caption="Latest events"
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => placeOf(id)}
              columns={[
                { title: 'Delivery', cell: (event) => <Delivery event={event} /> },
                {
                  title: 'Event',
                  isWide: true,
                  cell: ({ type, resourceId }) => (
                    <>
                      <Text>{type}</Text> <Sentence text={resourceId} />
                    </>
                  ),
                },
                { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} isMixed /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
