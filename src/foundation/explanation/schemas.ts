import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, ITEM_KINDS } from '#foundation/explanation/explanation.ts';
import { component, dateTime, namedEnum, stringEnum } from '#foundation/http/schema.ts';

const PATH = { description: 'The path, without the base path.', examples: ['/quotes/{quoteId}/execute'] };

const ExplanationActorKind = namedEnum(
  'ExplanationActorKind',
  'The actor. TOKEN: a program of the platform. RAIL: a bank, network or other provider that moves money. PROVIDER: the ' +
    'issuer of a stablecoin. NETWORK: the card network. RECEIVER: the webhook endpoint. SERVICE: the service itself, by a ' +
    'timer or a rule. VISITOR: somebody on a hosted page.',
  ACTOR_KINDS,
);

const ExplanationActor = component('ExplanationActor', 'The actor of an item.', {
  kind: ExplanationActorKind,
  actorId: Type.Optional(
    Type.String({
      description: 'Id of the token or agent.',
      examples: ['Token:019542f5-b3e7-7d02-8000-000000000012'],
    }),
  ),
});

const ExplanationWay = component('ExplanationWay', 'How somebody can move a waiting transaction forward.', {
  who: ExplanationActorKind,
  how: Type.String({ description: 'What to do.', examples: ['Execute the quote.'] }),
  call: Type.Optional(
    component('ExplanationCall', 'The call that does it.', {
      method: stringEnum(['GET', 'POST'], { description: 'The HTTP method.', examples: ['POST'] }),
      path: Type.String(PATH),
      body: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'The body to send.',
        }),
      ),
    }),
  ),
  command: Type.Optional(
    Type.String({ description: 'The same step as a command.', examples: ['corridor clock advance 5s'] }),
  ),
});

const ExplanationWaiting = component('ExplanationWaiting', 'What an unfinished transaction waits for.', {
  for: Type.String({
    description: 'What has to happen.',
    examples: ['The platform has to execute the quote.'],
  }),
  since: Type.Optional(dateTime({ description: 'When the wait began.' })),
  until: Type.Optional(
    dateTime({ description: 'When the wait ends at the latest; absent if there is no deadline.' }),
  ),
  nextCheckAt: Type.Optional(
    dateTime({ description: 'When the service asks the awaited party next; the wait may last longer.' }),
  ),
  afterwards: Type.Optional(
    Type.String({ description: 'What happens after the wait.', examples: ['The quote expires.'] }),
  ),
  by: Type.Array(ExplanationWay, {
    description:
      'The party that can end the wait, and how. In the sandbox it includes calls that simulate the other party.',
  }),
});

const ExplanationCause = component(
  'ExplanationCause',
  'The value that made the sandbox behave as it did. Absent in production.',
  {
    value: Type.String({ description: 'The value that decided the outcome.', examples: ['004'] }),
    of: Type.String({
      description: 'The part of the request that has the value.',
      examples: ['the end of the account number'],
    }),
    table: Type.String({
      description: 'The sandbox table that lists the value.',
      examples: ['Payments within one currency'],
    }),
    link: Type.String({
      description: 'The address of the table.',
      examples: ['/docs/sandbox#same-currency-payouts'],
    }),
    effect: Type.String({
      description: 'What the table says about the value.',
      examples: ['The bank refuses after a second.'],
    }),
  },
);

const ExplanationFailure = component('ExplanationFailure', 'Why a transaction failed.', {
  reason: Type.String({
    description: 'The reason as the transaction shows it.',
    examples: ['PAYOUT_RETURNED'],
  }),
  sentence: Type.String({
    description: 'The reason in words.',
    examples: ['The receiver’s bank sent the money back after the payment had been completed.'],
  }),
  rule: Type.String({ description: 'The rule that was applied.', examples: ['money.md §4.1'] }),
  causedBy: Type.Optional(ExplanationCause),
});

const ExplanationRefusal = component(
  'ExplanationRefusal',
  'The last refused request about the transaction, if nothing has changed since. Absent once its check would pass.',
  {
    code: Type.String({ description: 'The error code.', examples: ['INSUFFICIENT_FUNDS'] }),
    at: dateTime({ description: 'When it was refused, by the platform’s clock.' }),
    method: Type.String({ description: 'The HTTP method.', examples: ['POST'] }),
    path: Type.String(PATH),
    status: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
    requestId: Type.String({
      format: 'uuid',
      description: 'The request’s id.',
      examples: ['5f0c2e6a-9d0b-4c55-8a55-0f6d6a4b7c11'],
    }),
    rule: Type.Optional(
      Type.String({ description: 'The rule that refused it.', examples: ['money.md §3.3'] }),
    ),
  },
);

const ExplanationItem = component('ExplanationItem', 'One thing that happened to a transaction.', {
  kind: namedEnum(
    'ExplanationItemKind',
    'request: a call of the API. decision: what was checked, and its result. transition: a change of status. entry: a ledger ' +
      'entry. order: an instruction to a rail or provider, or its answer. message: an e-mail or text message, without its ' +
      'content. job: scheduled work. event: a webhook event. attempt: one attempt to deliver it.',
    ITEM_KINDS,
  ),
  at: dateTime({ description: 'When it happened, by the platform’s clock.' }),
  recordedAt: Type.Optional(
    dateTime({ description: 'The same in real time; absent if that was not recorded.' }),
  ),
  actor: Type.Optional(ExplanationActor),
  title: Type.String({
    description: 'What happened, in words.',
    examples: ['100.00 USD was taken from the payer’s account.'],
  }),
  rule: Type.Optional(Type.String({ description: 'The rule behind it.', examples: ['money.md §4.1'] })),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'Structured facts, by kind. request: `requestId`, `method`, `path`, `status`, `code`, `durationMs`. decision: `about`, ' +
      '`outcome` and the compared values. transition: `of`, `from`, `to`. entry: `kind`, `number` and `lines`, each with ' +
      '`account`, `side`, `amount`, `currency`; only lines of your accounts and of fees. order: `order`, `state`. message: ' +
      '`message`, `channel`. job: `job`, `state`, `dueAt`, `attempts`. event: `eventId`, `type`, `state`, `attempts`. ' +
      'attempt: `eventId`, `attempt`, `status`, `error`, `durationMs`.',
  }),
});

export const TransactionExplanation = component(
  'TransactionExplanation',
  'Why a transaction is in its present state, with one timeline of everything that happened to it.',
  {
    id: Type.String({
      description: 'Id of the transaction, the mint or burn, or the agent’s action.',
      examples: ['Transaction:019542f5-b3e7-7d02-8000-000000000032'],
    }),
    type: Type.String({
      description: '`OUTGOING`, `INCOMING`, `CARD`, `MINT`, `BURN` or `AGENT_ACTION`.',
      examples: ['OUTGOING'],
    }),
    status: Type.String({ description: 'Its present status.', examples: ['PROCESSING'] }),
    now: dateTime({ description: 'The present time of the platform’s clock.' }),
    summary: Type.String({
      description: 'Where the money is, and why.',
      examples: ['Nothing has moved: the quote has not been executed.'],
    }),
    waiting: Type.Optional(ExplanationWaiting),
    failure: Type.Optional(ExplanationFailure),
    refusal: Type.Optional(ExplanationRefusal),
    related: Type.Array(
      component('ExplanationRelation', 'A resource that is related to the transaction.', {
        id: Type.String({
          description: 'Id of the resource.',
          examples: ['Quote:019542f5-b3e7-7d02-8000-000000000031'],
        }),
        relation: Type.String({
          description: 'How the resource relates to the transaction.',
          examples: ['quote'],
        }),
      }),
      { description: 'Resources that are related to the transaction.' },
    ),
    items: Type.Array(ExplanationItem, { description: 'What happened, oldest first.' }),
    isTruncated: Type.Boolean({
      description: 'Whether older items were left out, because there are more than 500.',
      examples: [false],
    }),
  },
);
export type TransactionExplanation = Static<typeof TransactionExplanation>;
export type PresentedItem = Static<typeof ExplanationItem>;
