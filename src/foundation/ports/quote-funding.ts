import type { Coordinates } from '#foundation/ports/accounts.ts';

/** Asks for the coordinates at which the money for one real-time quote is paid in. */
export interface QuoteFundingRequest {
  /** The payment's reference; unique to the quote. */
  readonly reference: string;
  readonly platformId: PlatformId;
  readonly currency: string;
  /** The exact amount, in the smallest unit. */
  readonly amount: bigint;
  readonly holderName: string;
  /** The account types that need coordinates, in the order of the instructions. */
  readonly accountTypes: readonly string[];
  /** 32 unguessable bytes of this quote alone, for a provider that generates its account numbers itself. */
  readonly seed: Uint8Array;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Receives the money for real-time quotes. Called while the quote is made: it may not wait for a network. */
export interface QuoteFundingPort {
  /** Undefined: no money in this currency can be paid in. */
  atQuote(request: QuoteFundingRequest): Promise<Coordinates | undefined>;
}
