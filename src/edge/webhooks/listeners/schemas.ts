import Type, { type Static } from 'typebox';
import { component, dateTime, idSchema } from '#foundation/http/schema.ts';
import { RESPONSE_MAX_BYTES } from '#foundation/outbound/outbound.ts';

export const FeedQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 5_000,
      description:
        'The opaque `cursor` of the last answer. Absent: from now on. A cursor that is ahead of the database, for example ' +
        'after a restore from a backup, is refused: begin again without one.',
    }),
  ),
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 20,
      default: 0,
      description: 'How long the call waits if there is no event yet.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'The most events in one answer.',
    }),
  ),
  answersQuestions: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the listener answers approval questions within their five seconds. Without an endpoint, they then wait ' +
        'for its answer. Also requires the TRANSACT permission.',
    }),
  ),
});
export type FeedQuery = Static<typeof FeedQuery>;

const HeardEvent = component('HeardEvent', 'An event as the webhook that an endpoint would get now.', {
  id: idSchema('Webhook', {
    description: 'Id of the event. Together with `resentAt` it identifies a repetition.',
  }),
  resentAt: Type.Optional(
    dateTime({
      description: 'When the event was resent, in real time. Absent the first time.',
    }),
  ),
  isQuestion: Type.Boolean({ description: 'Whether the event asks for a decision.' }),
  answerBy: Type.Optional(
    dateTime({
      description:
        'The deadline, in real time, for a listener’s answer to a question. Absent if the endpoint answers it, and after the ' +
        'deadline.',
    }),
  ),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers of the webhook, its signature among them.',
  }),
  body: Type.String({ description: 'The exact body of the webhook, which the signature covers.' }),
});
export type HeardEvent = Static<typeof HeardEvent>;

export const EventFeed = component('EventFeed', 'The events since the cursor.', {
  events: Type.Array(HeardEvent, { description: 'The events; those of one resource are in order.' }),
  cursor: Type.String({ description: 'Send it with the next call.' }),
});
export type EventFeed = Static<typeof EventFeed>;

export const EventAnswer = component('EventAnswer', 'The answer of a listener’s receiver to a question.', {
  status: Type.Integer({
    minimum: 200,
    maximum: 999,
    description: 'The HTTP status of the receiver’s answer.',
    examples: [200],
  }),
  body: Type.Optional(
    Type.String({
      maxLength: RESPONSE_MAX_BYTES,
      description: `The body of that answer as text, at most ${RESPONSE_MAX_BYTES / 1024} KiB in UTF-8.`,
      examples: ['{"receiverCustomerInfo":{"FULL_NAME":"Ada Lovelace"}}'],
    }),
  ),
});
export type EventAnswer = Static<typeof EventAnswer>;
