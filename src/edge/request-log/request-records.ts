import Type from 'typebox';
import { loadRequest, presentRequest } from '#edge/request-log/routes.ts';
import { KEY_VERDICTS, METHODS, STATUS_CLASSES } from '#edge/request-log/schemas.ts';
import { listRequests } from '#edge/request-log/store.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Events';

/** Paths are stored without anything that could be personal (platform.md §11.3), so they are shown whole. */
const SUMMARY = Type.Object({
  id: shown.id('RequestLog', 'The request.'),
  requestId: shown.code('Its `X-Request-Id`.'),
  method: shown.code('Its method.'),
  route: shown.own('The template of its path.'),
  path: shown.own('Its path; parameters that are not ids are `…`.'),
  status: shown.count('The status of the reply.'),
  code: shown.code('The code of the refusal.'),
  durationMs: shown.count('How long it took, in milliseconds.'),
  idempotency: shown.code('The verdict on its `Idempotency-Key`.', KEY_VERDICTS),
  tokenId: shown.id('Token', 'The token of the caller.'),
  agentId: shown.id('Agent', 'The agent that called.'),
  via: shown.code('`CONSOLE` if it came from the console.'),
  createdAt: shown.time('When it was answered, in real time.'),
});

export const REQUEST_LIST = recordList({
  name: 'requests',
  area: AREA,
  summary: 'Requests of platforms',
  hasTimes: true,
  filters: {
    status: Type.Optional(
      stringEnum(STATUS_CLASSES, { description: 'Only replies with a status of this class.' }),
    ),
    method: Type.Optional(stringEnum(METHODS, { description: 'Only this method.' })),
    path: Type.Optional(
      Type.String({ maxLength: 500, description: 'Only this path, as documented or as called.' }),
    ),
    code: Type.Optional(Type.String({ maxLength: 100, description: 'Only refusals with this code.' })),
    request: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only the request with this `X-Request-Id`.' }),
    ),
  },
  item: SUMMARY,
  page(tx, page, { status, request: requestId, ...filters }) {
    const statusClass = status && Number(status.charAt(0));
    return listRequests(
      tx,
      page,
      { filter: { ...filters, statusClass, requestId }, order: 'desc' },
      presentRequest,
    );
  },
});

export const REQUEST_SHOW = recordShow({
  name: 'requests',
  area: AREA,
  summary: 'A request with the stored parts of its bodies',
  type: 'RequestLog',
  item: SUMMARY,
  async load(tx, id: Id<'RequestLog'>) {
    const found = await loadRequest(tx, id);
    if (!found) throw notFound('NOT_FOUND', 'RequestLog');
    return found;
  },
});
