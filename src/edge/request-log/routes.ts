import type { Static } from 'typebox';
import { REQUEST, REQUEST_SUMMARY } from '#edge/request-log/examples.ts';
import type { RequestRecorder } from '#edge/request-log/recorder.ts';
import {
  type KEY_VERDICTS,
  RequestLog,
  RequestLogListResponse,
  RequestLogQuery,
  type RequestLogSummary,
} from '#edge/request-log/schemas.ts';
import {
  findRequest,
  listRequests,
  type RequestLogFilter,
  type RequestLogRow,
} from '#edge/request-log/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import type { BareQuery } from '#foundation/http/schema.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { exampleList } from '#foundation/lib/examples.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const shared = { area: 'Request Log', access: 'view', isBeyondContract: true } as const;

/** Reading first flushes this process's waiting rows, so that a developer sees the latest request. */
export function requestLogOperations(recorder: Pick<RequestRecorder, 'flush'>) {
  return [
    operation('listRequestLogs', {
      ...shared,
      route: 'GET /request-logs',
      summary: 'List the requests of the platform',
      description:
        'The latest requests of this platform, newest first. Requests that failed to authenticate and ' +
        'requests for the log itself are not included; under load, some requests may be missing.',
      query: RequestLogQuery,
      reply: RequestLogListResponse,
      codes: ['INVALID_INPUT'],
      examples: {
        'Requests that created tokens': {
          query: { method: 'POST', path: '/tokens' },
          reply: exampleList(REQUEST_SUMMARY),
        },
      },
      async handle(work, { query }) {
        requireOrderedBounds(query, [['createdAfter', 'createdBefore']]);
        await recorder.flush();
        const order = query.sortOrder ?? 'desc';
        const asked = pageRequest('listRequestLogs', query);
        return work.read((tx) =>
          listRequests(tx, asked, { filter: readFilter(query), order }, presentRequest),
        );
      },
    }),
    operation('getRequestLogById', {
      ...shared,
      route: 'GET /request-logs/:requestLogId',
      summary: 'Get one request',
      description:
        'In the sandbox it includes the stored parts of request and reply: values that can be neither personal nor secret.',
      params: { requestLogId: { id: 'RequestLog', missing: 'NOT_FOUND' } },
      reply: RequestLog,
      codes: ['NOT_FOUND'],
      examples: {
        'A request that created a token': { params: { requestLogId: REQUEST.id }, reply: REQUEST },
      },
      async handle(work, { params: { requestLogId } }) {
        await recorder.flush();
        const found = await work.read((tx) => loadRequest(tx, requestLogId));
        return found ?? notFound('NOT_FOUND', 'RequestLog');
      },
    }),
  ];
}

function readFilter(query: BareQuery<Static<typeof RequestLogQuery>>): RequestLogFilter {
  const { statusClass, method, path, code, requestId, createdAfter, createdBefore, after } = query;
  return {
    statusClass: statusClass && Number(statusClass.charAt(0)),
    method,
    path,
    code,
    isExcludingConsoleReads: query.isExcludingConsoleReads,
    requestId,
    createdAfter: createdAfter === undefined ? undefined : parseDateTime(createdAfter),
    createdBefore: createdBefore === undefined ? undefined : parseDateTime(createdBefore),
    afterId: after,
  };
}

export async function loadRequest(
  tx: ReadTx,
  id: Id<'RequestLog'>,
): Promise<Static<typeof RequestLog> | undefined> {
  const row = await findRequest(tx, id);
  if (!row) return undefined;
  return { ...presentRequest(row), ...(row.bodies as object | null) };
}

export function presentRequest(row: RequestLogRow): Static<typeof RequestLogSummary> {
  return {
    id: publicId('RequestLog', row.id),
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    ...(row.code !== null && { code: row.code }),
    durationMs: row.duration_ms,
    idempotency: row.key_verdict.toUpperCase() as (typeof KEY_VERDICTS)[number],
    ...(row.caller_kind === 'agent'
      ? { agentId: publicId('Agent', row.caller_id) }
      : { tokenId: publicId('Token', row.caller_id) }),
    ...(row.via !== null && { via: 'CONSOLE' as const }),
    ...(row.unknown_fields && { unknownFields: row.unknown_fields }),
  };
}
