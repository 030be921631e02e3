import Type from 'typebox';
import { component, dateTime, idOf, oneOf, page, pageQuery, queryId } from '#foundation/http/schema.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const KEY_VERDICTS = ['NONE', 'NEW', 'REPLAYED', 'CONFLICT'] as const;

const SUMMARY = {
  id: idOf('RequestLog', { description: 'Of this entry.' }),
  requestId: Type.String({ description: 'What `X-Request-Id` of the reply said.' }),
  createdAt: dateTime({ description: 'When it was answered; real time.' }),
  method: Type.String({ description: 'The method it was called with.', examples: ['POST'] }),
  route: Type.String({
    description: 'The path as this document writes it.',
    examples: ['/quotes/{quoteId}/execute'],
  }),
  path: Type.String({
    description: 'The path as it was called, below the base path. Parameters that are not ids show as `…`.',
  }),
  status: Type.Integer({ description: 'The status it was answered with.', examples: [400] }),
  code: Type.Optional(Type.String({ description: 'Of a refusal, its code.', examples: ['INVALID_INPUT'] })),
  durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  idempotency: oneOf(KEY_VERDICTS, {
    description:
      'What became of its `Idempotency-Key`: it had none, the key was new, the first reply was sent again, or the key is ' +
      'that of another call.',
  }),
  tokenId: Type.Optional(idOf('Token', { description: 'The token that called.' })),
  agentId: Type.Optional(idOf('Agent', { description: 'The agent that called.' })),
  unknownFields: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Fields and parameters that were not known, each as the header of the reply named it: ignored, or refused where ' +
        'the platform has it so. Names only, never values.',
      examples: [['immediatlyExecute: did you mean immediatelyExecute?']],
    }),
  ),
};

const body = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description }),
  );

export const RequestLogSummary = component('RequestLogSummary', SUMMARY, {
  description: 'One request that the platform has made.',
});

export const RequestLog = component(
  'RequestLog',
  {
    ...SUMMARY,
    query: body(
      'What is kept of its query: values that cannot be personal or secret; `…` stands for others.',
    ),
    request: body('What is kept of its body, in the same way.'),
    reply: body('What is kept of the reply, in the same way; of lists the first ten entries.'),
  },
  { description: 'One request that the platform has made, with what is kept of its bodies in the sandbox.' },
);

export const RequestLogListResponse = page('RequestLogListResponse', RequestLogSummary);

export const RequestLogQuery = pageQuery({
  statusClass: Type.Optional(
    oneOf(['2XX', '3XX', '4XX', '5XX'], { description: 'Statuses of this class only.' }),
  ),
  method: Type.Optional(oneOf(METHODS, { description: 'This method only.' })),
  path: Type.Optional(
    Type.String({ maxLength: 500, description: 'This path only, as in this document or as it was called.' }),
  ),
  requestId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The request with this `X-Request-Id`.' }),
  ),
  createdAfter: Type.Optional(dateTime({ description: 'From then on; real time.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Until then; real time.' })),
  after: Type.Optional(
    queryId('RequestLog', {
      description: 'What came after this entry only. With `sortOrder=asc` the way to follow the log.',
    }),
  ),
  sortOrder: Type.Optional(
    oneOf(['asc', 'desc'], { default: 'desc', description: 'Newest first (`desc`) or last (`asc`).' }),
  ),
});
