import type { Network } from '#foundation/ports/network-fees.ts';

/** An external account, with what a rail needs to pay it or collect from it. */
export interface RailAccount {
  readonly accountType: string;
  /** What identifies the account on its rail. */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type RailParty =
  | { readonly kind: 'INTERNAL'; readonly accountId: string }
  | { readonly kind: 'EXTERNAL'; readonly account: RailAccount }
  | { readonly kind: 'UMA'; readonly address: string };

interface Order {
  /** The transaction's bare UUID: one reference is one order, however often it is submitted. */
  readonly reference: string;
  readonly platformId: string;
  readonly amount: bigint;
  readonly currency: string;
  /** Whether the payment as a whole changes currency. */
  readonly isCrossCurrency: boolean;
}

/** Money to be sent. */
export interface Payout extends Order {
  readonly to: RailParty;
  /** `ACH`, `PIX`, …; null if it is not paid over a bank's rail. */
  readonly rail: string | null;
  readonly network: Network | undefined;
  readonly remittanceInformation: string | undefined;
}

/** Money to be collected from an external account. */
export interface Collection extends Order {
  readonly from: RailAccount;
}

/** Money to be returned to where it came from; `payout` is the one that failed. */
export interface RefundOrder extends Order {
  readonly to: 'INTERNAL' | 'ORIGIN';
  readonly payout: Payout;
}

/** Why a payout failed, as a transaction's `failureReason`. */
export type PayoutFailure =
  | 'QUOTE_EXECUTION_FAILED'
  | 'ACCOUNT_CANNOT_RECEIVE'
  | 'ACCOUNT_INVALID'
  | 'COMPLIANCE_REJECTED';

/** What a rail reports. It may come late, twice, out of order, or about an unknown order. */
export type RailNotice =
  /** The rail accepted the order. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'delivered'; readonly transactionHash?: string | undefined }
  | { readonly kind: 'payoutFailed'; readonly reason: PayoutFailure; readonly timedOut?: boolean }
  | { readonly kind: 'returned' }
  | { readonly kind: 'collected' }
  | { readonly kind: 'collectionFailed' }
  | { readonly kind: 'collectionReversed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refundFailed' }
  /** A compliance review stops it, and releases it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'released'; readonly transactionHash?: string | undefined }
  /**
   * The money that another provider's user sends to a customer has arrived; the hash is that of the transfer between
   * the providers.
   */
  | { readonly kind: 'arrived'; readonly transactionHash?: string | undefined }
  /** It may not be credited. */
  | { readonly kind: 'complianceRejected' };

/** A rail's answer to an order, or to a later question about it. */
export interface RailAnswer {
  /** What has happened already, in order. */
  readonly notices: readonly RailNotice[];
  /** Call `follow` after so long, with `token`; business time. */
  readonly again?: { readonly afterMs: number; readonly token: string } | undefined;
}

/**
 * Moves money outside our books: banks, networks, other providers; and decides how long transfers inside our books
 * take. An adapter reports what happens later as notices (src/capabilities/payments/settlement/notices.ts), or asks for a later
 * `follow`.
 */
export interface RailsPort {
  /**
   * Called inside the transaction that creates the order, and may not wait: why the order fails at once, or undefined.
   */
  knownPayoutFailure(payout: Payout): PayoutFailure | undefined;
  knownCollectionFailure(collection: Collection): 'COLLECTION_FAILED' | undefined;
  /** Called after the commit that recorded the order. Repeated with the same reference, it moves nothing twice. */
  pay(payout: Payout): Promise<RailAnswer>;
  collect(collection: Collection): Promise<RailAnswer>;
  refund(order: RefundOrder): Promise<RailAnswer>;
  /** Called when `again` said so. */
  follow(reference: string, token: string): Promise<RailAnswer>;
  /**
   * Cancels an order if that is still possible. A cancelled order stays cancelled, even if its `pay` is still on its way
   * and arrives later. Cancelling it again is accepted again.
   */
  cancel(reference: string): Promise<'accepted' | 'refused'>;
}
