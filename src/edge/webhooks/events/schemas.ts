import Type, { type Static } from 'typebox';
import { RECEIVERS } from '#capabilities/platform/listener-store.ts';
import { EVENT_STATES } from '#edge/webhooks/log-store.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';

const EventState = namedEnum(
  'EventState',
  'PENDING: waits for its first attempt or a retry. DELIVERED: answered with a 2xx. ACKED_DUPLICATE: answered with ' +
    '409. EXHAUSTED: given up. SKIPPED: there was no endpoint when it was due, or it was erased before it was sent.',
  EVENT_STATES,
);

const SUMMARY = {
  id: idSchema('Webhook', {
    description: 'Id of the event: the `id` of the webhook, the same on every attempt.',
  }),
  type: Type.Unsafe<string>({
    type: 'string',
    description: 'The event type.',
    examples: ['OUTGOING_PAYMENT.COMPLETED'],
  }),
  resourceId: Type.String({
    description: 'The resource that the event is about: `data.id` of the webhook.',
    examples: ['Transaction:019542f5-b3e7-7d02-8000-000000000030'],
  }),
  state: EventState,
  attemptCount: Type.Integer({
    minimum: 0,
    description: 'The number of delivery attempts.',
    examples: [1],
  }),
  createdAt: dateTime({ description: 'When the event happened.' }),
  nextAttemptAt: Type.Optional(
    dateTime({ description: 'When the next retry is due; absent before the first attempt.' }),
  ),
  erasedAt: Type.Optional(
    dateTime({
      description:
        'When its content was erased, together with a customer that it named. It is not sent after that.',
    }),
  ),
};

export const EventSummary = component('EventSummary', 'An event and the state of its delivery.', SUMMARY);
export type EventSummary = Static<typeof EventSummary>;

const sentTo = Type.Array(stringEnum(RECEIVERS), {
  description:
    'The current receivers. ENDPOINT: the webhook endpoint. LISTENERS: at least one listener receives it again. Empty: no ' +
    'receiver, unless an earlier listener returns.',
  examples: [['ENDPOINT']],
});

export const ResentEvent = component('ResentEvent', 'An event that is sent again, with its receivers.', {
  ...SUMMARY,
  sentTo,
});

export const EventDetail = component('EventDetail', 'An event with its payload.', {
  ...SUMMARY,
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The `data` of the webhook, sent or to be sent; empty after it was erased.',
  }),
});

export const EventQuery = pageQuery({
  type: Type.Optional(stringEnum(EVENT_TYPES, { description: 'Only events of this type.' })),
  state: Type.Optional(EventState),
  resourceId: Type.Optional(text(1, 255, { description: 'Only events of the resource with this id.' })),
  createdAfter: Type.Optional(dateTime({ description: 'Created at this time or later.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Created at this time or earlier.' })),
});
export type EventQuery = Static<typeof EventQuery>;

export const EventListResponse = page('EventListResponse', EventSummary);

const EventAttempt = component('EventAttempt', 'One attempt to deliver an event.', {
  attempt: Type.Integer({ minimum: 1, description: 'Its number, from 1.', examples: [1] }),
  at: dateTime({ description: 'When it was sent, in real time, as in the webhook’s `timestamp`.' }),
  url: Type.String({
    description:
      'The address of the attempt, without user name, query and fragment, which may hold secrets; `listener:` and the id of ' +
      'a token if a listener with that token answered.',
    examples: ['https://app.example.com/hooks'],
  }),
  durationMs: Type.Integer({
    minimum: 0,
    description: 'How long it took, in milliseconds.',
    examples: [48],
  }),
  status: Type.Optional(Type.Integer({ description: 'The HTTP status of the answer.', examples: [200] })),
  error: Type.Optional(Type.String({ description: 'The reason why there was no answer.' })),
  responseBody: Type.Optional(Type.String({ description: 'The first 10 KiB of the answer.' })),
});
export type EventAttempt = Static<typeof EventAttempt>;

export const EventAttemptQuery = pageQuery({});
export const EventAttemptListResponse = page('EventAttemptListResponse', EventAttempt);

export const ResendFailedRequest = component(
  'ResendFailedEventsRequest',
  'The selection of events to send again.',
  {
    since: dateTime({
      description: 'Only events created at this time or later.',
      examples: ['2026-03-02T10:00:00.000Z'],
    }),
    includeSkipped: Type.Optional(
      Type.Boolean({
        description: 'Whether to include events that were skipped because there was no endpoint.',
      }),
    ),
  },
);

export const ResendFailedResponse = component('ResendFailedEventsResponse', 'The result of a resend.', {
  count: Type.Integer({
    minimum: 0,
    description: 'How many events this call sends again.',
    examples: [3],
  }),
  hasMore: Type.Boolean({ description: 'Whether there are more; they follow without another call.' }),
  sentTo,
});
