import type { PlainCall } from '#foundation/http/serve/read-call.ts';

/** A call of one of the agent's operations, like a call by an API client. */
export interface ApiCall extends PlainCall {
  /** A call that is repeated with its key has one effect. */
  readonly key?: string;
}

export interface ApiReply {
  readonly status: number;
  /** The reply's JSON, or the error body. */
  readonly body: unknown;
  /** True for the reply to an earlier call with the same key. */
  readonly isRepeated: boolean;
}

/** Calls the operations under `/agents/me` by route, in this process or on a remote server. It does not throw refusals. */
export type AgentApi = (route: string, call?: ApiCall) => Promise<ApiReply>;
