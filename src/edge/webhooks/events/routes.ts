import {
  EVENT,
  EVENT_ATTEMPT,
  EVENT_DETAIL,
  OPEN_QUESTION,
  RESENT_EVENT,
} from '#edge/webhooks/events/examples.ts';
import { resendFailed } from '#edge/webhooks/events/resend-failed.ts';
import {
  type EventAttempt,
  EventAttemptListResponse,
  EventAttemptQuery,
  EventDetail,
  EventListResponse,
  EventQuery,
  type EventSummary,
  ResendFailedRequest,
  ResendFailedResponse,
  ResentEvent,
} from '#edge/webhooks/events/schemas.ts';
import {
  type LoggedAttempt,
  type LoggedEvent,
  logged,
  readAttempts,
  readEvent,
  resendEvent,
} from '#edge/webhooks/log.ts';
import { type EventFilter, pageEvents } from '#edge/webhooks/log-store.ts';
import { LISTENER_URL } from '#edge/webhooks/send-event.ts';
import type { Renderers } from '#foundation/events/handlers.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { arrayPage, pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { exampleList } from '#foundation/lib/examples.ts';

const COMMON = { area: 'Events', isBeyondContract: true } as const;
const params = { eventId: { id: 'Webhook', missing: 'NOT_FOUND' } } as const;

/** A platform's own view of the delivery log (platform.md §4.7). */
export function eventOperations({ renderers }: { renderers: Renderers }) {
  return [...listing, ...reading(renderers), ...resending];
}

const listing = [
  operation('listEvents', {
    ...COMMON,
    route: 'GET /events',
    summary: 'List events',
    description: 'Lists events, newest first. An event is kept for 30 days after its delivery ended.',
    access: 'view',
    query: EventQuery,
    reply: EventListResponse,
    codes: ['INVALID_INPUT'],
    examples: {
      'An event of a completed payment': {
        query: { type: 'OUTGOING_PAYMENT.COMPLETED', resourceId: EVENT.resourceId },
        reply: exampleList(EVENT),
      },
      'A question that waits for a listener': {
        query: { resourceId: OPEN_QUESTION.resourceId },
        reply: exampleList(OPEN_QUESTION),
      },
    },
    async read(tx, { query }) {
      requireOrderedBounds(query, [['createdAfter', 'createdBefore']]);
      return pageEvents(tx, pageRequest('listEvents', query), readFilter(query), (row) =>
        presentEvent(logged(row)),
      );
    },
  }),
  operation('listEventAttempts', {
    ...COMMON,
    route: 'GET /events/:eventId/attempts',
    summary: 'List the attempts to deliver an event',
    description: 'Lists the attempts in their order. Each is kept for 30 days.',
    access: 'view',
    params,
    query: EventAttemptQuery,
    reply: EventAttemptListResponse,
    codes: ['NOT_FOUND', 'INVALID_INPUT'],
    examples: {
      'Delivered at once': { params: { eventId: EVENT.id }, reply: exampleList(EVENT_ATTEMPT) },
    },
    async read(tx, { params: { eventId }, query }) {
      const attempts = (await readAttempts(tx, eventId)).map(presentAttempt);
      const request = pageRequest(`listEventAttempts ${eventId}`, query);
      return arrayPage(tx, request, attempts, ({ attempt }) => String(attempt).padStart(10, '0'));
    },
  }),
];

const resending = [
  operation('resendEvent', {
    ...COMMON,
    route: 'POST /events/:eventId/resend',
    summary: 'Send an event again',
    description:
      'Sends the event again under the same id, whatever its state, to the endpoint that is configured now and to listeners. ' +
      'Its retries start again. An event that asked for a decision, or whose content was erased, cannot be resent.',
    access: 'manage',
    params,
    reply: ResentEvent,
    codes: ['NOT_FOUND', 'CONFLICT'],
    examples: { 'A delivered event': { params: { eventId: EVENT.id }, reply: RESENT_EVENT } },
    async write(tx, { params: { eventId } }) {
      const event = await resendEvent(tx, eventId);
      return { ...presentEvent(event), sentTo: [...event.sentTo] };
    },
  }),
  operation('resendFailedEvents', {
    ...COMMON,
    route: 'POST /events/resend',
    summary: 'Send failed events again',
    description:
      'Resends all events since a time that were given up or wait for a retry, for example after an outage of the receiver. ' +
      'If there are very many, the rest follows by itself.',
    access: 'manage',
    body: ResendFailedRequest,
    reply: ResendFailedResponse,
    codes: ['INVALID_INPUT'],
    examples: {
      'Nothing failed': {
        body: { since: '2026-03-02T10:00:00.000Z' },
        reply: { count: 0, hasMore: false, sentTo: ['ENDPOINT'] },
      },
    },
    auditDetails: ({ body }, { count, hasMore }) => ({ since: body.since, count, hasMore }),
    write: (tx, { body: { since, includeSkipped = false } }) =>
      resendFailed(tx, { since: parseDateTime(since), includeSkipped }),
  }),
];

function reading(renderers: Renderers) {
  return [
    operation('getEventById', {
      ...COMMON,
      route: 'GET /events/:eventId',
      summary: 'Read an event',
      description:
        'Returns the event with its payload and the state of its delivery. `data` is empty if a customer that it names was erased.',
      access: 'view',
      params,
      reply: EventDetail,
      codes: ['NOT_FOUND'],
      examples: { 'An event of a completed payment': { params: { eventId: EVENT.id }, reply: EVENT_DETAIL } },
      async read(tx, { params: { eventId } }) {
        const { data, ...event } = await readEvent(tx, renderers, eventId);
        return { ...presentEvent(event), data: data as Record<string, unknown> };
      },
    }),
  ];
}

function readFilter({ type, state, resourceId, createdAfter, createdBefore }: EventQuery): EventFilter {
  return {
    type,
    state,
    resourceId,
    createdAfter: createdAfter === undefined ? undefined : parseDateTime(createdAfter),
    createdBefore: createdBefore === undefined ? undefined : parseDateTime(createdBefore),
  };
}

export function presentEvent(event: LoggedEvent): EventSummary {
  const { id, type, resourceId, state, attempts, createdAt, nextAttemptAt, erasedAt } = event;
  return {
    id,
    type,
    resourceId,
    state,
    attemptCount: attempts,
    createdAt: createdAt.toISOString(),
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(erasedAt && { erasedAt: erasedAt.toISOString() }),
  };
}

function presentAttempt({ at, url, status, error, response, ...attempt }: LoggedAttempt): EventAttempt {
  return {
    attempt: attempt.attempt,
    at: at.toISOString(),
    url: withoutSecrets(url),
    durationMs: attempt.durationMs,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(response !== null && { responseBody: response }),
  };
}

/**
 * A former endpoint may hold secrets that the configuration no longer shows. A listener's attempt has the id of its token
 * in place of a URL.
 */
function withoutSecrets(url: string): string {
  if (url.startsWith(LISTENER_URL)) return url;
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : '';
}
