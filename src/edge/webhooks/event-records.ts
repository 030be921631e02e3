import Type from 'typebox';
import { type LoggedEvent, logged, showEvent } from '#edge/webhooks/log.ts';
import { EVENT_STATES, pageEvents } from '#edge/webhooks/log-store.ts';
import type { Renderers } from '#foundation/events/handlers.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Events';

export const EVENT_LIST = recordList({
  name: 'webhooks',
  area: AREA,
  summary: 'Events and the state of their delivery',
  hasTimes: true,
  filters: {
    state: Type.Optional(stringEnum(EVENT_STATES, { description: 'Only events in this state.' })),
    type: Type.Optional(stringEnum(EVENT_TYPES, { description: 'Only events of this type.' })),
    resource: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only events about this resource, by its id.' }),
    ),
  },
  item: Type.Object({
    id: shown.id('Webhook', 'The event.'),
    type: shown.code('Its type.'),
    resourceId: shown.code('The resource that it is about.'),
    state: shown.code('The state of its delivery.', EVENT_STATES),
    attempts: shown.count('How often it was sent.'),
    createdAt: shown.time('When it happened, in the platform’s business time.'),
    nextAttemptAt: shown.time('When it is sent next.'),
    erasedAt: shown.time('When its content was erased, with the customer whom it named.'),
  }),
  page: (tx, request, { resource: resourceId, ...filter }) =>
    pageEvents<LoggedEvent>(tx, request, { ...filter, resourceId }, logged),
});

/** The payload is that of the webhook; the addresses of receivers may have secrets in them, so nobody sees them. */
export function eventShow(renderers: Renderers) {
  return recordShow({
    name: 'webhooks',
    area: AREA,
    summary: 'An event with its payload and the attempts to deliver it',
    type: 'Webhook',
    load: (tx, id: EventId) => showEvent(tx, renderers, id),
  });
}
