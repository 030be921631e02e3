import type { ListRequestLogsQuery, RequestLogSummary } from '@corridor/client';
import { type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { HttpStatus } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayKey } from './words.ts';

/** Answers: what did my programs call, and what was refused? */
export default function Requests() {
  const filters = useFilters(FIELDS);
  const { from, to, reads, ...values } = filters.values;
  const query = {
    ...values,
    ...(from && { createdAfter: `${from}T00:00:00Z` }),
    ...(to && { createdBefore: `${to}T23:59:59.999Z` }),
    isExcludingConsoleReads: reads === undefined,
    limit: 50,
  } as ListRequestLogsQuery;
  const requests = usePages(
    ['listRequestLogs', query],
    (cursor) => corridor.listRequestLogs({ ...query, ...(cursor && { cursor }) }),
    { live: 'requests' },
  );
  return (
    <Screen title="Requests" answer={answerOf(requests)}>
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Requests"
        what="The requests could not be loaded."
        pages={requests}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<NoRequests isFiltered={filters.isAny} />}
        columns={[
          { title: 'Status', cell: ({ status }) => <HttpStatus code={status} /> },
          { title: 'Operation', isWide: true, cell: (row) => <Operation row={row} /> },
          { title: 'Refusal', cell: ({ code }) => code && <code>{code}</code> },
          {
            title: 'Duration',
            align: 'end',
            cell: ({ durationMs }) => <span class="money">{durationMs} ms</span>,
          },
          { title: 'Idempotency key', cell: ({ idempotency }) => sayKey(idempotency) },
          { title: 'Caller', cell: sayCaller },
          { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
        ]}
      />
    </Screen>
  );
}

/** The newest refusal, because it is what most people look for. */
function answerOf({ rows, isLoading, failure }: Pages<RequestLogSummary>): string | undefined {
  if (isLoading || failure) return undefined;
  const bad = rows.filter(({ status }) => status >= 400);
  const failed = bad.filter(({ status }) => status >= 500).length;
  const refused = bad.length - failed;
  const [newest] = bad;
  if (rows.length === 0) return 'No request matches these filters.';
  if (newest === undefined)
    return rows.length === 1
      ? 'The last request succeeded.'
      : `None of the last ${rows.length} requests was refused or failed.`;
  const what = newest.code === undefined ? `status ${newest.status}` : newest.code;
  const parts = [
    refused > 0 && `${refused} of the last ${rows.length} requests ${refused === 1 ? 'was' : 'were'} refused`,
    failed > 0 && (refused > 0 ? `${failed} failed` : `${failed} of the last ${rows.length} requests failed`),
  ].filter(Boolean);
  return `${parts.join(', and ')}, the latest with ${what}.`;
}

function Operation({ row: { method, route, unknownFields } }: { row: RequestLogSummary }) {
  return (
    <>
      <code>
        {method} {route}
      </code>
      {unknownFields && (
        <span class="requests-note">
          {' '}
          {unknownFields.length === 1 ? '1 unknown field' : `${unknownFields.length} unknown fields`}
        </span>
      )}
    </>
  );
}

function sayCaller({ via, agentId }: RequestLogSummary): string {
  if (agentId !== undefined) return 'Agent';
  return via === undefined ? 'Token' : 'Console';
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No request of the last seven days matches these filters." />;
  return (
    <Empty title="Nobody has called the API yet.">
      <p>
        Every call with one of your tokens appears here within a second, with its reply. You can copy any call
        that the console shows and run it in a shell.
      </p>
    </Empty>
  );
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'statusClass',
    label: 'Result',
    kind: 'select',
    options: ['2XX', '4XX', '5XX'],
    words: { '2XX': 'Succeeded', '4XX': 'Refused', '5XX': 'Failed' },
  },
  { name: 'code', label: 'Refusal', kind: 'text' },
  {
    name: 'method',
    label: 'Method',
    kind: 'select',
    options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    words: { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' },
  },
  { name: 'path', label: 'Path', kind: 'text' },
  { name: 'requestId', label: 'X-Request-Id', kind: 'text' },
  { name: 'from', label: 'From (UTC)', kind: 'date' },
  { name: 'to', label: 'To (UTC)', kind: 'date' },
  {
    name: 'reads',
    label: 'Reads by this console',
    kind: 'select',
    options: ['SHOWN'],
    words: { '': 'Hidden', SHOWN: 'Shown' },
  },
];
