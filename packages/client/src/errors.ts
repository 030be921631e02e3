import type { components, FieldError } from './generated/schemas.ts';

type Schemas = components['schemas'];

/** Every code with which the API refuses a call. */
export type ErrorCode = {
  [Name in keyof Schemas]: Name extends `Error${number}` ? Schemas[Name]['code'] : never;
}[keyof Schemas];

/** Failures without a refusal by the API: no answer, an answer that is not the API's, or an invalid webhook. */
export type LocalCode = 'CONNECTION_FAILED' | 'TIMEOUT' | 'UNEXPECTED_REPLY' | 'INVALID_WEBHOOK';

export interface Problem {
  /** The error code, for programs. */
  readonly code: ErrorCode | LocalCode;
  /** The reason, for people. */
  readonly reason: string;
  /** The HTTP status; undefined if no answer came. */
  readonly status?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The id of the request in the service's log. */
  readonly requestId?: string | undefined;
  /** After how many seconds the service allows a retry. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Every error of a call, except the abort by its own `signal`. */
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

  /** Every bad field; empty if no field was bad. */
  get errors(): readonly FieldError[] {
    return Array.isArray(this.details.errors) ? this.details.errors : [];
  }
}

/** The call is wrong, or the current state does not allow it: `code` says why. */
export class InvalidRequestError extends CorridorError {}

/** 401: the credentials, or a wallet's signature, are not valid. */
export class AuthenticationError extends CorridorError {}

/** 403: the credentials are valid, but do not permit this call. */
export class PermissionError extends CorridorError {}

/** 404 and 410: the resource does not exist, or no longer. */
export class NotFoundError extends CorridorError {}

/** 409: the call conflicts with an existing resource, or the idempotency key was used for another call. */
export class ConflictError extends CorridorError {}

/** 429: too many calls, or a limit on a day's amount was reached. */
export class RateLimitError extends CorridorError {}

/** 5xx: the service failed. To find out whether the call took effect, repeat it with its idempotency key. */
export class ServerError extends CorridorError {}

/** No answer came. To find out whether the call took effect, repeat it with its idempotency key. */
export class ConnectionError extends CorridorError {}

/** The received bytes are not a webhook of this service, or are too old. */
export class WebhookError extends CorridorError {}

const BY_STATUS: Readonly<Record<number, typeof CorridorError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** Returns the error for an unsuccessful answer. */
export function buildError(reply: Response, text: string): CorridorError {
  const { status, headers } = reply;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Kind({
    code: 'UNEXPECTED_REPLY',
    reason: `The answer has status ${status} and does not come from the API.`,
    ...parseRefusal(text),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? Math.max(0, seconds) : undefined,
  });
}

/** If a proxy answers in place of the service, the answer is not JSON or has no code. */
function parseRefusal(text: string): Partial<Pick<Problem, 'code' | 'reason' | 'details'>> {
  try {
    const { code, reason, details } = JSON.parse(text);
    return typeof code === 'string' ? { code: code as ErrorCode, reason: String(reason), details } : {};
  } catch {
    return {};
  }
}
