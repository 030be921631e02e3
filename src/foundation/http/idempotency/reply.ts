import { Readable } from 'node:stream';
import type { StoredReply } from '#foundation/http/idempotency/idempotency.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';
import { describedBy } from '#foundation/person-keys/people.ts';

/** A reply with a status, or headers, other than the operation's usual ones. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A reply without a secret, although the usual reply of its operation contains one. It is stored under the key. */
export class ReplyWithoutSecret<Body> extends Reply<Body> {}

/** The answer of an operation: the body of its usual reply, a `Reply` of another status, or a refusal. */
export type Answer<Body> = Body | Reply<Body> | Refusal;

export interface SerializedReply extends StoredReply {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is the reply to an earlier call with the same key. */
  readonly isReplayed?: boolean;
  /** The body, if it is a file that is sent as it is read; it has no key, and is never stored. */
  readonly stream?: Readable;
}

/** `status` is the operation's usual one. */
export function toReply(status: number, answer: unknown): Reply<unknown> {
  return answer instanceof Reply ? answer : new Reply<unknown>(status, answer);
}

export function serializeReply(reply: Reply<unknown>): SerializedReply {
  const { status, body, headers } = reply;
  if (body instanceof Readable) return { status, body: '', headers, describes: [], stream: body };
  const text = body === undefined ? '' : JSON.stringify(body);
  const hasNoSecret = reply instanceof ReplyWithoutSecret;
  return { status, body: text, headers, describes: describedBy(body), hasNoSecret };
}
