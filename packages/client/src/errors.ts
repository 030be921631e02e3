import type { components, FieldError } from './generated/schemas.ts';

type Schemas = components['schemas'];

/** Every code that the API refuses a call with. */
export type ErrorCode = {
  [Name in keyof Schemas]: Name extends `Error${number}` ? Schemas[Name]['code'] : never;
}[keyof Schemas];

/** What goes wrong without a refusal: no answer came, or one that is not the API's. */
export type LocalCode = 'CONNECTION_FAILED' | 'TIMEOUT' | 'UNEXPECTED_REPLY' | 'INVALID_WEBHOOK';

export interface Problem {
  /** What was wrong, for programs. */
  readonly code: ErrorCode | LocalCode;
  /** What was wrong, for people. */
  readonly reason: string;
  /** The HTTP status; undefined where no answer came. */
  readonly status?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** What the service's log calls the request. */
  readonly requestId?: string | undefined;
  /** In how many seconds the service wants to be asked again. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Everything that a call can fail with, except where its own `signal` ended it. */
export class CorridorError extends Error implements Problem {
  readonly code: Problem['code'];
  readonly reason: string;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, reason, status, details = {}, requestId, retryAfterSeconds, cause }: Problem) {
    super(`${code}: ${reason}${requestId === undefined ? '' : ` (request ${requestId})`}`, { cause });
    this.name = new.target.name;
    this.code = code;
    this.reason = reason;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Every bad field, where fields were bad. */
  get errors(): readonly FieldError[] {
    return Array.isArray(this.details.errors) ? this.details.errors : [];
  }
}

/** The call is wrong, or cannot be done as things stand: `code` says why. */
export class InvalidRequestError extends CorridorError {}

/** 401: the credentials, or the signature of a wallet, are not good. */
export class AuthenticationError extends CorridorError {}

/** 403: the credentials are good, and do not allow this. */
export class PermissionError extends CorridorError {}

/** 404 and 410: there is no such thing, or no longer. */
export class NotFoundError extends CorridorError {}

/** 409: what is there stands in the way, or the idempotency key was used for something else. */
export class ConflictError extends CorridorError {}

/** 429: too many calls, or too much money for a day. */
export class RateLimitError extends CorridorError {}

/** 5xx: the service failed. Whether the call took effect is unknown, unless it is repeated with its idempotency key. */
export class ServerError extends CorridorError {}

/** No answer came. Whether the call took effect is unknown, unless it is repeated with its idempotency key. */
export class ConnectionError extends CorridorError {}

/** Bytes that came as a webhook, and are none of this service, or are too old. */
export class WebhookError extends CorridorError {}

const BY_STATUS: Readonly<Record<number, typeof CorridorError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** The error that stands for an answer which is no success. */
export function refusalOf(reply: Response, text: string): CorridorError {
  const { status, headers } = reply;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Kind({
    code: 'UNEXPECTED_REPLY',
    reason: `The answer has status ${status} and is none of the API.`,
    ...parseRefusal(text),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? Math.max(0, seconds) : undefined,
  });
}

/** What a proxy answers in place of the service is not JSON, or has no code. */
function parseRefusal(text: string): Partial<Pick<Problem, 'code' | 'reason' | 'details'>> {
  try {
    const { code, reason, details } = JSON.parse(text);
    return typeof code === 'string' ? { code: code as ErrorCode, reason: String(reason), details } : {};
  } catch {
    return {};
  }
}
