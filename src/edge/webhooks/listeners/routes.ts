import { ANSWERED_QUESTION } from '#edge/webhooks/events/examples.ts';
import { presentEvent } from '#edge/webhooks/events/routes.ts';
import { EventSummary } from '#edge/webhooks/events/schemas.ts';
import { answerByListener } from '#edge/webhooks/listeners/answer.ts';
import type { Feed } from '#edge/webhooks/listeners/feed.ts';
import { EventAnswer, EventFeed, FeedQuery } from '#edge/webhooks/listeners/schemas.ts';
import type { Decisions } from '#foundation/events/handlers.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const COMMON = { area: 'Events', isBeyondContract: true, sandboxOnly: true } as const;

export interface ListenerParts {
  readonly feed: Feed;
  readonly decisions: Decisions;
}

/** Lets programs without a public address receive events and answer questions (platform.md §4.8). */
export function listenerOperations({ feed, decisions }: ListenerParts) {
  return [
    operation('listenToEvents', {
      ...COMMON,
      route: 'GET /events/feed',
      summary: 'Listen to events',
      description:
        'Returns every event of the platform as the signed webhook that an endpoint would get, whether an endpoint is ' +
        'configured or not. Call again with the `cursor` of the last answer: no event is lost, whichever server answers.',
      access: 'view',
      query: FeedQuery,
      reply: EventFeed,
      codes: ['INVALID_INPUT'],
      examples: {
        'From now on': { query: { waitSeconds: 0 }, reply: { events: [], cursor: '74012.3051' } },
        'As a listener that answers questions': {
          query: { waitSeconds: 0, answersQuestions: true },
          reply: { events: [], cursor: '74058.3079' },
        },
      },
      async handle(work, { query, caller, request }) {
        if (query.answersQuestions) requireTransact(caller);
        return feed.listen(work, query, request);
      },
    }),
    operation('answerEvent', {
      ...COMMON,
      route: 'POST /events/:eventId/answer',
      summary: 'Answer a question as a listener',
      description:
        'Passes on the answer of a listener’s receiver to an approval question. Without a webhook endpoint, this answer ' +
        'decides like an endpoint’s, within five seconds of the event; the first answer counts.',
      access: 'transact',
      params: { eventId: { id: 'Webhook', missing: 'NOT_FOUND' } },
      body: EventAnswer,
      reply: EventSummary,
      codes: ['NOT_FOUND', 'INVALID_INPUT', 'CONFLICT'],
      examples: {
        'An accepted payment': {
          params: { eventId: ANSWERED_QUESTION.id },
          body: { status: 200 },
          reply: ANSWERED_QUESTION,
        },
      },
      auditDetails: ({ body: { status } }) => ({ status }),
      write: async (tx, { params: { eventId }, body }) =>
        presentEvent(await answerByListener(tx, { ...feed.answering, decisions }, eventId, body)),
    }),
  ];
}

function requireTransact(caller: Caller): void {
  if (caller.kind !== 'token' || caller.permissions.includes('TRANSACT')) return;
  throw new Refusal(
    'FORBIDDEN',
    'Answers decide about money: answersQuestions needs the TRANSACT permission, too.',
  );
}
