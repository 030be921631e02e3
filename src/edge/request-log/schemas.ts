import Type from 'typebox';
import {
  component,
  dateTime,
  idSchema,
  page,
  pageQuery,
  queryId,
  stringEnum,
} from '#foundation/http/schema.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const STATUS_CLASSES = ['2XX', '3XX', '4XX', '5XX'] as const;
export const KEY_VERDICTS = ['NONE', 'NEW', 'REPLAYED', 'CONFLICT'] as const;

const SUMMARY = {
  id: idSchema('RequestLog', { description: 'Id of this entry.' }),
  requestId: Type.String({ description: 'Value of the reply’s `X-Request-Id`.' }),
  createdAt: dateTime({ description: 'When the request was answered, in real time.' }),
  method: Type.String({ description: 'HTTP method of the request.', examples: ['POST'] }),
  route: Type.String({
    description: 'Path template, as in this document.',
    examples: ['/quotes/{quoteId}/execute'],
  }),
  path: Type.String({
    description: 'Path of the request, below the base path. Parameters that are not ids are shown as `…`.',
  }),
  status: Type.Integer({ description: 'HTTP status of the reply.', examples: [400] }),
  code: Type.Optional(Type.String({ description: 'For a refusal: its code.', examples: ['INVALID_INPUT'] })),
  durationMs: Type.Integer({ description: 'Duration of the request in milliseconds.' }),
  idempotency: stringEnum(KEY_VERDICTS, {
    description:
      'Result of its `Idempotency-Key`: there was none, the key was new, the first reply was sent again, ' +
      'or the key belongs to another call.',
  }),
  tokenId: Type.Optional(idSchema('Token', { description: 'Token of the caller.' })),
  agentId: Type.Optional(idSchema('Agent', { description: 'Agent that called.' })),
  via: Type.Optional(
    stringEnum(['CONSOLE'], { description: '`CONSOLE` if the call came from the console.' }),
  ),
  unknownFields: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Unknown fields and parameters, as the reply’s header named them. They are ignored, or refused if ' +
        'the platform is set up so. Names only, never values.',
      examples: [['immediatlyExecute: did you mean immediatelyExecute?']],
    }),
  ),
};

const body = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description }),
  );

export const RequestLogSummary = component('RequestLogSummary', 'One request of the platform.', SUMMARY);

export const RequestLog = component(
  'RequestLog',
  'One request of the platform, with the stored parts of its bodies in the sandbox.',
  {
    ...SUMMARY,
    query: body('Stored part of its query: values that cannot be personal or secret; `…` replaces others.'),
    request: body('Stored part of its body, in the same form.'),
    reply: body('Stored part of the reply, in the same form; lists keep their first ten entries.'),
  },
);

export const RequestLogListResponse = page('RequestLogListResponse', RequestLogSummary);

export const RequestLogQuery = pageQuery({
  statusClass: Type.Optional(
    stringEnum(STATUS_CLASSES, { description: 'Only requests with a status of this class.' }),
  ),
  method: Type.Optional(stringEnum(METHODS, { description: 'Only requests with this method.' })),
  path: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Only requests with this path, either the template of this document or the called path.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only refusals with this code.',
      examples: ['INVALID_INPUT'],
    }),
  ),
  isExcludingConsoleReads: Type.Optional(
    Type.Boolean({ description: 'Whether to leave out the reads of the console’s own pages.' }),
  ),
  requestId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only the request with this `X-Request-Id`.' }),
  ),
  createdAfter: Type.Optional(
    dateTime({ description: 'Only requests at this time or later, in real time.' }),
  ),
  createdBefore: Type.Optional(
    dateTime({ description: 'Only requests at this time or earlier, in real time.' }),
  ),
  after: Type.Optional(
    queryId('RequestLog', {
      description: 'Only entries after this one. Use it with `sortOrder=asc` to follow the log.',
    }),
  ),
  sortOrder: Type.Optional(
    stringEnum(['asc', 'desc'], { default: 'desc', description: 'Newest first (`desc`) or last (`asc`).' }),
  ),
});
