import {
  ANY_REFUSALS,
  type AnswerOf,
  CALLS,
  type CallName,
  type ConnectorCall,
  LATER,
} from '#foundation/connector-protocol/calls.ts';
import { type ConnectorKey, type HeaderNames, verifyAnswer } from '#foundation/connector-protocol/signing.ts';
import { checkValue, ErrorBody } from '#foundation/connector-protocol/values.ts';
import { parseJsonObject } from '#foundation/crypto/encodings.ts';

/** What came back over HTTP. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export type Refusal = 400 | 401 | 404 | 409 | 410 | 429 | 503;

/** connectors.md §5.1: an answer counts only if it is signed and understood; everything else is silence. */
export type Answer<Body> =
  | { readonly kind: 'answer'; readonly status: 200 | 201; readonly store: string; readonly body: Body }
  | {
      readonly kind: 'refusal';
      readonly status: Refusal;
      readonly store: string;
      readonly error: ErrorBody;
      /** Of 429 and 503: seconds, within the bounds of connectors.md §5.1. */
      readonly retryAfter?: number | undefined;
    }
  | { readonly kind: 'silence'; readonly why: string };

export interface Reading {
  readonly keys: readonly ConnectorKey[];
  readonly requestId: string;
  readonly names: HeaderNames;
  readonly now: Date;
}

/** Verifies an answer to a call, and reads it. */
export function readAnswer<N extends CallName>(
  name: N,
  raw: RawAnswer,
  { keys, requestId, names, now }: Reading,
): Answer<AnswerOf<N>> {
  const verified = verifyAnswer(keys, { ...raw, requestId }, names, now);
  if ('problem' in verified) return silence(`${verified.problem} (status ${raw.status})`);
  const { store } = verified;
  const call: ConnectorCall = CALLS[name];
  const { status } = raw;
  const body = parseJsonObject(raw.body);
  if (!body) return silence(`the body of the answer with status ${status} is not a JSON object`);
  if (isOne(call.statuses, status)) {
    const problem = describe(call.check(body));
    return problem ? silence(problem) : { kind: 'answer', status, store, body: body as AnswerOf<N> };
  }
  if (!isOne(call.refusals, status) && !isOne(ANY_REFUSALS, status)) {
    return silence(`${call.method} ${call.path} has no answer with status ${status}`);
  }
  const problem = describe(checkValue(ErrorBody, body));
  if (problem) return silence(problem);
  const retryAfter = isOne(LATER, status) ? readRetryAfter(raw.headers['retry-after']) : undefined;
  if (isOne(LATER, status) && retryAfter === undefined) {
    return silence(`the answer with status ${status} has no Retry-After in seconds`);
  }
  return { kind: 'refusal', status, store, error: body as ErrorBody, retryAfter };
}

const RETRY_AFTER_MAX = 600;

/** Seconds, brought within 1 to 600. */
function readRetryAfter(text: string | readonly string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !/^[0-9]{1,9}$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), 1), RETRY_AFTER_MAX);
}

function silence(why: string): { kind: 'silence'; why: string } {
  return { kind: 'silence', why };
}

const PROBLEMS_MAX = 5;

/** Below these members the connector chooses the keys. */
const OPEN_MEMBERS = ['coordinates', 'fields'];

/**
 * The first problems in a sentence; undefined without any. It names members of the protocol alone: keys that the connector chose
 * may be about a person, and operators read the sentence.
 */
export function describe(problems: readonly { field: string; message: string }[]): string | undefined {
  if (problems.length === 0) return undefined;
  return problems
    .slice(0, PROBLEMS_MAX)
    .map(({ field, message }) => `${knownPart(field) || 'the body'} ${message}`)
    .join('; ');
}

function knownPart(field: string): string {
  const parts = field.split('.');
  const last = parts.findIndex((part) => OPEN_MEMBERS.includes(part));
  return last < 0 ? field : parts.slice(0, last + 1).join('.');
}

function isOne<S extends number>(statuses: readonly S[], status: number): status is S {
  return (statuses as readonly number[]).includes(status);
}
