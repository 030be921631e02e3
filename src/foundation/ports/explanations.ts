import type { Merchant } from '#foundation/ports/cards.ts';
import type { Collection, Payout } from '#foundation/ports/payments.ts';
import type { OperationOrder } from '#foundation/ports/stablecoins.ts';

/** The value in a request that made a simulated party behave as it did, and the table that lists it. */
export interface Cause {
  /** The value that was matched: the last digits of an account number, say. */
  readonly value: string;
  /** Where the value is: `the end of the account number`. */
  readonly of: string;
  /** The table's title, and the page that shows it. */
  readonly table: string;
  readonly link: string;
  /** The table's own sentence about the value. */
  readonly effect: string;
}

/** A call of the API that a developer can send as it is. */
export interface SuggestedCall {
  readonly method: 'POST' | 'GET';
  /** Without the base path. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** How somebody can move what waits. */
export interface Way {
  /** A sentence: what is to be done. */
  readonly how: string;
  readonly call?: SuggestedCall | undefined;
  /** The same as a command. */
  readonly command?: string | undefined;
}

/** What a transaction waits for, as far as a developer could play the party that it waits for. */
export type Awaited =
  /** Anything that happens by itself at a time. The clause says what: `when the quote expires`. */
  | { readonly kind: 'TIME'; readonly at: Date; readonly when: string }
  | { readonly kind: 'FUNDS'; readonly quoteId: string; readonly currency: string }
  | { readonly kind: 'AUTHORIZATION'; readonly quoteId: string; readonly factor: string }
  | {
      readonly kind: 'BALANCE';
      readonly accountId: string;
      readonly missing: bigint;
      /** The same amount as text. */
      readonly shown: string;
    }
  | {
      readonly kind: 'CLEARING';
      readonly cardId: string;
      readonly transactionId: string;
      readonly amount: bigint;
    };

/**
 * Explains outcomes that a simulated outside world produced, and how a developer can produce the next one. Where the
 * outside world is real, there is nothing to say.
 */
export interface ExplanationsPort {
  waysToCause(awaited: Awaited, now: Date): readonly Way[];
  causeOfPayout(payout: Payout): Cause | undefined;
  causeOfCollection(collection: Collection): Cause | undefined;
  /** Undefined if the merchant's value does not cause this outcome: the reason of a decline, or `EXCEPTION`. */
  causeOfPurchase(merchant: Merchant, outcome: string): Cause | undefined;
  causeOfOperation(order: OperationOrder): Cause | undefined;
}
