import { CODES, OPERATOR_CODES } from '#foundation/lib/refusals.ts';

type Json = Record<string, unknown>;

/** The error body of each status, with every code that it can contain (platform.md §10), for platforms or operators. */
export function errorSchemas(readers: 'platforms' | 'operators' = 'platforms'): Map<number, Json> {
  const sent = Object.entries(CODES).filter(([code]) => readers === 'operators' || !(code in OPERATOR_CODES));
  const byStatus = Map.groupBy(sent, ([, status]) => status);
  return new Map(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        errorSchema(
          status,
          codes.map(([code]) => code),
        ),
      ]),
  );
}

function errorSchema(status: number, codes: string[]): Json {
  return {
    type: 'object',
    description: `The body of a refusal with status ${status}.`,
    required: ['code', 'reason'],
    properties: {
      status: { type: 'integer', enum: [status], description: 'The HTTP status, repeated.' },
      code: { type: 'string', enum: codes, description: 'Identifies the error, for programs.' },
      reason: { type: 'string', minLength: 1, description: 'Explains the error, for people.' },
      message: { type: 'string', description: 'The same text as `reason`.' },
      details: {
        type: 'object',
        description: 'Further details, if there are any.',
        ...detailsSchema(status),
      },
    },
  };
}

function detailsSchema(status: number): Json {
  if (status === 400)
    return {
      properties: { errors: { type: 'array', items: FIELD_ERROR, description: 'Every bad field at once.' } },
    };
  if (status === 423) return { properties: LOCK };
  return {};
}

const FIELD_ERROR: Json = {
  'x-component': 'FieldError',
  type: 'object',
  description: 'One bad field.',
  required: ['field', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'Dot path; an array index is a segment: `supportedCurrencies.0.minAmount`.',
    },
    constraint: {
      'x-component': 'FieldConstraint',
      type: 'object',
      description: 'The constraint that the value must satisfy.',
      properties: {
        format: { type: 'string', description: 'Name of the expected format.' },
        pattern: { type: 'string', description: 'Regular expression.' },
        enum: { type: 'array', items: { type: 'string' }, description: 'The accepted values.' },
        minLength: { type: 'integer', description: 'Fewest characters.' },
        maxLength: { type: 'integer', description: 'Most characters.' },
      },
    },
    message: { type: 'string', description: 'Says what is wrong with the value.' },
  },
};

const LOCK: Json = {
  lockedUntil: {
    type: 'string',
    format: 'date-time',
    description: 'When the lock ends; absent if it does not end by itself.',
  },
  failedAttempts: { type: 'integer', description: 'Failures counted so far.' },
  suspended: { type: 'boolean', description: 'Whether only a reset lifts the lock.' },
};
