import type { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';

/**
 * A call as a developer would make it, and its reply. All examples together are one story, which
 * `tests/checks/example-story.ts` tells and `tests/checks/examples.test.ts` sends.
 */
export interface Example<Params = object, Query = object, Body = unknown, Reply = unknown> {
  readonly params?: Params;
  readonly query?: Partial<Query>;
  /** For a multipart form: its fields, and the file's content under the name of its field. */
  readonly body?: Body;
  readonly fileName?: string;
  /**
   * For a signed call: the reply to its first leg. The call is repeated with `signature` and the challenge's `requestId`,
   * and then answered with `reply`.
   */
  readonly challenge?: SignedRequestChallenge & { readonly type?: string };
  readonly signature?: string;
  /** The `Request-Id` to send, if an earlier example issued it. */
  readonly requestId?: string;
  /** Absent: an empty reply. Each leg of a call with several signatures is an example, and its reply may be a challenge. */
  readonly reply?: Reply | SignedRequestChallenge;
  /** The status, if the reply is one of the operation's `otherReplies`. */
  readonly status?: number;
}

/** Keyed by the title under which the document lists them. */
export type Examples<Params = object, Query = object, Body = unknown, Reply = unknown> = Readonly<
  Record<string, Example<Params, Query, Body, Reply>>
>;

type Json = Record<string, unknown>;

/** The examples that the document shows in one place, such as a body; empty if no example has a value there. */
export function shownExamples(
  examples: Examples | undefined,
  pick: (example: Example) => unknown,
): { examples?: Json } {
  const shown = Object.entries(examples ?? {})
    .map(([title, example]) => [title, pick(example)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([title, value]) => [title, { value }]);
  return shown.length > 0 ? { examples: Object.fromEntries(shown) } : {};
}
