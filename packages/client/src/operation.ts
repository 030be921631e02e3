/** The client's description of an operation. */
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
  /** Generated for each call by default. Pass the key of an earlier call to repeat that call without a second effect. */
  readonly idempotencyKey?: string;
  /** A stamp: the signature of the wallet's owner. */
  readonly walletSignature?: string;
  /** The id of the challenge that the signature answers. */
  readonly requestId?: string;
  /** Aborts the call, also while it waits for its next attempt. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}
