import type { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';

/**
 * A call as a developer would make it, and what comes back. All examples together are one story, which
 * `tests/checks/example-story.ts` tells and `tests/checks/examples.test.ts` sends.
 */
export interface Example<Params = object, Query = object, Body = unknown, Reply = unknown> {
  readonly params?: Params;
  readonly query?: Partial<Query>;
  /** Of a multipart form: its fields, and the file's content under the name of its field. */
  readonly body?: Body;
  readonly fileName?: string;
  /**
   * Of a signed call: what its first leg answers. It is repeated with `signature` and the challenge's `requestId`, and then
   * answered with `reply`.
   */
  readonly challenge?: SignedRequestChallenge & { readonly type?: string };
  readonly signature?: string;
  /** What `Request-Id` is where another example before this one gave it out. */
  readonly requestId?: string;
  /** Absent: an empty reply. Of a call with several signatures each leg is an example, and may be answered with what to sign. */
  readonly reply?: Reply | SignedRequestChallenge;
  /** Where it is not the operation's usual one, but one of its `otherReplies`. */
  readonly status?: number;
}

/** By what they show: the title under which the document lists them. */
export type Examples<Params = object, Query = object, Body = unknown, Reply = unknown> = Readonly<
  Record<string, Example<Params, Query, Body, Reply>>
>;

type Json = Record<string, unknown>;

/** What the document shows of each example in one place; nothing where none says anything there. */
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
