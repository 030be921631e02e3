import { buildError, ConnectionError, type CorridorError } from './errors.ts';
import type { WireNames } from './names.ts';
import type { CallOptions, Operation } from './operation.ts';

/** The settings that all calls share. */
export interface Connection {
  readonly baseUrl: string;
  readonly authorization: string | undefined;
  readonly names: WireNames;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly onReply: ((reply: Response) => void) | undefined;
}

export interface Sent {
  readonly operation: Operation;
  /** Path parameters, in the order of the path. */
  readonly params: readonly string[];
  /** Query and body in one object. */
  readonly input: object | undefined;
  readonly options: CallOptions;
}

/** Makes a call, and retries it if that is safe and may help. */
export async function send(connection: Connection, sent: Sent): Promise<unknown> {
  const { operation, options } = sent;
  const key = operation.hasKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const request = buildRequest(connection, sent, key);
  const isRepeatable = canRepeat(sent, key);
  const retries = options.maxRetries ?? connection.maxRetries;
  for (let retry = 0; ; retry++) {
    const answer = await attempt(connection, request, options);
    if (!answer.error) return answer.body;
    const waitMs = retryAfterMs(answer, isRepeatable, retry);
    if (retry >= retries || waitMs === undefined) throw answer.error;
    await connection.wait(waitMs, options.signal);
  }
}

interface Request {
  readonly url: string;
  readonly init: RequestInit;
}

function buildRequest(
  connection: Connection,
  { operation, params, input, options }: Sent,
  key?: string,
): Request {
  const { names, authorization } = connection;
  const left = [...params];
  const path = operation.path.replace(/\{\w+\}/g, (name) => encodeURIComponent(pathPart(name, left.shift())));
  const { query, body } = split(operation, input);
  const headers = {
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
    ...(operation.body === 'json' && body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(options.walletSignature !== undefined && { [names.walletSignatureHeader]: options.walletSignature }),
    ...(options.requestId !== undefined && { 'request-id': options.requestId }),
  };
  const payload =
    body && (operation.body === 'form' ? buildForm(body) : names.outgoing(JSON.stringify(body)));
  return {
    url: connection.baseUrl + path + buildQueryString(query, names),
    // A redirect would turn a POST into a GET.
    init: { method: operation.method, headers, redirect: 'error', ...(payload && { body: payload }) },
  };
}

/** Refuses a missing id, or one that a URL would resolve (`..`): with it the request would reach another operation. */
function pathPart(name: string, given: unknown): string {
  if (typeof given === 'string' && !/^\.{0,2}$/.test(given)) return given;
  throw new TypeError(`${name.slice(1, -1)} must be an id, but is ${JSON.stringify(given)}`);
}

/** If an operation takes both a query and a body, the names of the query parameters tell the fields apart. */
function split({ query: names = [], body }: Operation, input: object | undefined) {
  if (!input) return { query: {}, body: undefined };
  if (body === undefined) return { query: input, body: undefined };
  const fields = Object.entries(input);
  return {
    query: Object.fromEntries(fields.filter(([name]) => names.includes(name))),
    body: Object.fromEntries(fields.filter(([name]) => !names.includes(name))),
  };
}

function buildQueryString(query: object, names: WireNames): string {
  const onTheWire = (text: string) => JSON.parse(names.outgoing(JSON.stringify(text))) as string;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat())
      if (item !== undefined) search.append(onTheWire(name), onTheWire(String(item)));
  }
  return search.size > 0 ? `?${search}` : '';
}

function buildForm(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

interface Answer {
  readonly body?: unknown;
  readonly error?: CorridorError;
  /** The header `x-should-retry`: whether the service wants a retry. */
  readonly shouldRetry?: string | null;
}

async function attempt(
  connection: Connection,
  { url, init }: Request,
  options: CallOptions,
): Promise<Answer> {
  const { names, onReply } = connection;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? connection.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  let reply: Response;
  let text: string;
  try {
    reply = await connection.fetch(url, { ...init, signal });
    text = names.incoming(await reply.text());
  } catch (cause) {
    options.signal?.throwIfAborted();
    return { error: noAnswer(url, timeout.aborted, cause) };
  }
  onReply?.(reply);
  if (!reply.ok) return { error: buildError(reply, text), shouldRetry: reply.headers.get('x-should-retry') };
  return parseReply(reply, text);
}

/** A 200 that is not JSON comes from another server, which would answer the same to a retry. */
function parseReply(reply: Response, text: string): Answer {
  try {
    return { body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { error: buildError(reply, text), shouldRetry: 'false' };
  }
}

function noAnswer(url: string, isLate: boolean, cause: unknown): ConnectionError {
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return isLate
    ? new ConnectionError({ code: 'TIMEOUT', reason: `No answer in time from ${url}.`, cause })
    : new ConnectionError({ code: 'CONNECTION_FAILED', reason: `No answer from ${url}: ${why}.`, cause });
}

/**
 * Whether a second request has no further effect: it reads, sets the same values again, or has an idempotency key. A
 * wallet's stamp is valid for one request only.
 */
function canRepeat({ operation, options }: Sent, key: string | undefined): boolean {
  return key !== undefined || (operation.method !== 'POST' && options.walletSignature === undefined);
}

const FAILED_ON_THE_WAY: readonly number[] = [408, 500, 502, 503, 504];
const WAIT_MS_MAX = 60_000;

/** How long to wait before the next attempt; undefined if there is none. */
function retryAfterMs(
  { error, shouldRetry }: Answer,
  isRepeatable: boolean,
  retry: number,
): number | undefined {
  const { status, retryAfterSeconds } = error ?? {};
  if (shouldRetry === 'false') return undefined;
  // A rate-limited call had no effect, so even one without a key can be retried.
  const wasTurnedAway = status === 429;
  const mayHelp = status === undefined || shouldRetry === 'true' || FAILED_ON_THE_WAY.includes(status);
  if (!wasTurnedAway && !(mayHelp && isRepeatable)) return undefined;
  const ms = retryAfterSeconds === undefined ? backoffMs(retry) : retryAfterSeconds * 1_000;
  return ms <= WAIT_MS_MAX ? ms : undefined;
}

/** Half a second, doubled each time, minus up to a quarter, so that callers who failed together do not retry together. */
function backoffMs(retry: number): number {
  return Math.min(500 * 2 ** retry, 8_000) * (1 - Math.random() / 4);
}
