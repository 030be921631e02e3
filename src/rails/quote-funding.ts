import type { Coordinates } from '#rails/accounts.ts';

/** Where the money for one real-time quote is to be paid in. */
export interface QuoteFundingRequest {
  /** Stands in the payment; unique to the quote. */
  readonly reference: string;
  readonly currency: string;
  /** Exactly this much, in the smallest unit. */
  readonly amount: bigint;
  readonly holderName: string;
  /** The account types for which coordinates are wanted, in the order of the instructions. */
  readonly accountTypes: readonly string[];
  /** 32 bytes of this quote alone that nobody can guess, for a provider that makes its numbers itself. */
  readonly seed: Uint8Array;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Whoever takes in the money for real-time quotes. It says so inside the transaction, without a network. */
export interface QuoteFundingPort {
  /** Undefined: nothing in this currency can be paid in. */
  atQuote(request: QuoteFundingRequest): Coordinates | undefined;
}

/** Where nobody is connected who could take the money in. */
export const withoutQuoteFunding: QuoteFundingPort = { atQuote: () => undefined };
