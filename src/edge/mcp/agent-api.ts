import type { PlainCall } from '#foundation/http/serve/read-call.ts';

/** A call of one of the agent's operations, as a client of the API makes it. */
export interface ApiCall extends PlainCall {
  /** However often a call is repeated with its key, it has one effect. */
  readonly key?: string;
}

export interface ApiReply {
  readonly status: number;
  /** The reply's JSON, or the error body. */
  readonly body: unknown;
  /** It is the reply to an earlier call with the same key. */
  readonly isRepeated: boolean;
}

/** The operations under `/agents/me`, by their routes: in this process, or of a server elsewhere. It does not throw refusals. */
export type AgentApi = (route: string, call?: ApiCall) => Promise<ApiReply>;
