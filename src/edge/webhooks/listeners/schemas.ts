import Type, { type Static } from 'typebox';
import { component, dateTime, idOf } from '#foundation/http/schema.ts';
import { RESPONSE_MAX_BYTES } from '#foundation/outbound/outbound.ts';

export const FeedQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 5_000,
      description:
        'The `cursor` of the answer before. Absent: from now on. Opaque. One that is ahead of the database, as after a ' +
        'restore from a backup, is refused: begin without one.',
    }),
  ),
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 20,
      default: 0,
      description: 'How long the call waits for an event where there is none yet.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'How many events an answer holds at most.',
    }),
  ),
  answersQuestions: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'The listener answers approval questions within their five seconds. Without an endpoint they then wait for ' +
        'its answer. Takes TRANSACT, too.',
    }),
  ),
});
export type FeedQuery = Static<typeof FeedQuery>;

const HeardEvent = component(
  'HeardEvent',
  {
    id: idOf('Webhook', {
      description: 'Id of the event, by which a listener knows a repetition, together with `resentAt`.',
    }),
    resentAt: Type.Optional(
      dateTime({
        description:
          'When somebody asked for the event to be sent again, in real time. Absent the first time.',
      }),
    ),
    isQuestion: Type.Boolean({ description: 'Whether the answer decides something.' }),
    answerBy: Type.Optional(
      dateTime({
        description:
          'Of a question that a listener may answer: until when, in real time. Absent where the endpoint is asked, and ' +
          'where it is too late.',
      }),
    ),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The headers of the webhook, its signature among them.',
    }),
    body: Type.String({ description: 'The exact body of the webhook, over which the signature is made.' }),
  },
  { description: 'An event as the webhook that an endpoint would be sent now.' },
);
export type HeardEvent = Static<typeof HeardEvent>;

export const EventFeed = component(
  'EventFeed',
  {
    events: Type.Array(HeardEvent, { description: 'The events, those of one resource in their order.' }),
    cursor: Type.String({ description: 'Hand this in with the next call.' }),
  },
  { description: 'What happened since the cursor.' },
);
export type EventFeed = Static<typeof EventFeed>;

export const EventAnswer = component(
  'EventAnswer',
  {
    status: Type.Integer({
      minimum: 200,
      maximum: 999,
      description: 'The HTTP status that the listener’s receiver answered the question with.',
      examples: [200],
    }),
    body: Type.Optional(
      Type.String({
        maxLength: RESPONSE_MAX_BYTES,
        description: `The body of that answer as text, at most ${RESPONSE_MAX_BYTES / 1024} KiB in UTF-8.`,
        examples: ['{"receiverCustomerInfo":{"FULL_NAME":"Ada Lovelace"}}'],
      }),
    ),
  },
  { description: 'What a listener’s receiver answered to a question.' },
);
export type EventAnswer = Static<typeof EventAnswer>;
