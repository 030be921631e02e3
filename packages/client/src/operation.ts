/** What the client knows of an operation. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: 'json' | 'form';
  /** Whether it takes an `Idempotency-Key`. */
  readonly hasKey?: boolean;
  readonly isList?: boolean;
}

export interface CallOptions {
  /** Made for each call, unless given: give the one of an earlier call to repeat that call without a second effect. */
  readonly idempotencyKey?: string;
  /** A stamp: the signature of a wallet's owner. */
  readonly walletSignature?: string;
  /** Of the challenge that the signature answers. */
  readonly requestId?: string;
  /** Ends the call, also while it waits for its next try. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}
