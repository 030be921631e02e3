import type { EventSummary, ListEventsQuery } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAgain } from '../../api/again.ts';
import { EVENT_TYPES } from '../../api/event-types.ts';
import { type Pages, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Delivery, hasFailed, STATE_WORDS } from '../../ui/delivery.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Id, placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ResendFailed, SendTest } from './resend.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { isNews } from './words.ts';

/** Answers: which events did my endpoint not receive? */
export default function Events() {
  const filters = useFilters(FIELDS);
  const { from, to, ...values } = filters.values;
  const query = {
    ...values,
    ...(from && { createdAfter: `${from}T00:00:00Z` }),
    ...(to && { createdBefore: `${to}T23:59:59.999Z` }),
    limit: 50,
  } as ListEventsQuery;
  const events = usePages(
    ['listEvents', query],
    (cursor) => corridor.listEvents({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  useAgain(
    events.rows.some(({ state }) => state === 'PENDING'),
    events.retry,
  );
  const config = useQuery(['getPlatformConfig'], () => corridor.getPlatformConfig());
  const hasEndpoint = config.data && config.data.webhookEndpoint !== undefined;
  return (
    <Screen
      title="Events"
      answer={hasEndpoint === undefined ? undefined : answerOf(events, hasEndpoint)}
      actions={
        <>
          <ResendFailed events={events.rows} />
          {hasEndpoint && <SendTest />}
          <Check />
        </>
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Events"
        what="The events could not be loaded."
        pages={events}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<NoEvents isFiltered={filters.isAny} />}
        columns={[
          { title: 'Event', isWide: true, cell: ({ type }) => <code>{type}</code> },
          { title: 'Delivery', cell: (event) => <Delivery event={event} /> },
          { title: 'Resource', cell: ({ resourceId }) => <Id id={resourceId} /> },
          {
            title: 'Attempts',
            align: 'end',
            cell: ({ attemptCount }) => <span class="money">{attemptCount}</span>,
          },
          { title: 'Happened', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Screen>
  );
}

/** `?check=signature` opens it, for links from other pages. */
function Check() {
  const [isOpen, setOpen] = useState(useLocation().query.check !== undefined);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Check a signature…
      </button>
      <Dialog title="Check a signature" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          Paste a webhook that your endpoint received. Your browser checks it with the published keys, and
          nothing leaves this page.
        </p>
        <SignatureCheck />
      </Dialog>
    </>
  );
}

function answerOf({ rows: all, isLoading }: Pages<EventSummary>, hasEndpoint: boolean) {
  if (isLoading) return undefined;
  const rows = all.filter(isNews);
  const tests = all.length - rows.length;
  const rest =
    tests === 0 ? '' : ` ${tests === 1 ? 'One test is' : `${tests} tests are`} listed, but not counted.`;
  if (!hasEndpoint) {
    return (
      <>
        Your platform has no webhook endpoint, so events are not sent. <a href="/console/settings">Set one</a>
        .
      </>
    );
  }
  if (rows.length === 0) return tests > 0 ? rest.trim() : 'No event matches these filters.';
  const failed = rows.filter(hasFailed).length;
  const skipped = rows.filter(({ state }) => state === 'SKIPPED').length;
  if (failed === 0 && skipped === 0)
    return rows.length === 1
      ? `Your endpoint received the last event.${rest}`
      : `Your endpoint received the last ${rows.length} events.${rest}`;
  const parts = [
    failed > 0 && `${failed} of the last ${rows.length} events did not reach your endpoint`,
    skipped > 0 && `${skipped} happened while there was no endpoint`,
  ].filter(Boolean);
  return `${parts.join(', and ')}.${rest}`;
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No event matches these filters." />;
  return (
    <Empty title="Nothing has happened yet.">
      <p>
        Every change of a payment, a customer, a card or an account creates an event, which appears here at
        once. <a href="/console/triggers">Triggers</a> can cause any of them.
      </p>
    </Empty>
  );
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'type',
    label: 'Type',
    kind: 'select',
    options: EVENT_TYPES,
    words: Object.fromEntries(EVENT_TYPES.map((type) => [type, type])),
  },
  {
    name: 'state',
    label: 'Delivery',
    kind: 'select',
    options: Object.keys(STATE_WORDS),
    words: STATE_WORDS,
  },
  { name: 'resourceId', label: 'Resource', kind: 'text' },
  { name: 'from', label: 'From (UTC)', kind: 'date' },
  { name: 'to', label: 'To (UTC)', kind: 'date' },
];
