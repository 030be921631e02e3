import type { Network } from '#foundation/ports/network-fees.ts';

/** An external account, with the data that a rail needs to pay it or collect from it. */
export interface RailAccount {
  readonly accountType: string;
  /** Identifies the account on its rail. */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type RailParty =
  | { readonly kind: 'INTERNAL'; readonly accountId: string }
  | { readonly kind: 'EXTERNAL'; readonly account: RailAccount }
  | { readonly kind: 'UMA'; readonly address: string };

/**
 * The party in whose name money is sent or collected. An adapter reads names and addresses itself, and only those that
 * its rail asks for.
 */
export interface Principal {
  /** Null: the platform itself. */
  readonly customerId: CustomerId | null;
  /** The internal account that the money leaves or reaches; null if there is none. */
  readonly accountId: AccountId | null;
}

interface Order {
  /** The transaction's bare UUID: repeated submissions with one reference are one order. */
  readonly reference: TransactionId;
  readonly platformId: PlatformId;
  readonly amount: bigint;
  readonly currency: string;
  /** Whether the payment as a whole converts between currencies. */
  readonly isCrossCurrency: boolean;
  /** In whose name the payment is made. */
  readonly originator: Principal;
  /** The contract's purpose of the payment, if the platform stated one. */
  readonly purpose: string | undefined;
  /** When the payment was executed; business time. */
  readonly requestedAt: Date;
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
  /** The party that collects. */
  readonly creditor: Principal;
  /** When the payer authorized the collection; business time. */
  readonly authorizedAt: Date;
}

/** Money to be returned to its source; `payout` is the payout that failed. */
export interface RefundOrder extends Order {
  readonly to: 'INTERNAL' | 'ORIGIN';
  /** What brought the money that goes back: a collection, or the payer's own transfer for a quote. */
  readonly of: 'COLLECTION' | 'CREDIT' | undefined;
  readonly payout: Payout;
}

/** Why a payout failed, as a transaction's `failureReason`. */
export const PAYOUT_FAILURES = [
  'QUOTE_EXECUTION_FAILED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
] as const;
export type PayoutFailure = (typeof PAYOUT_FAILURES)[number];

/** Where the operator's money moved. */
export interface Moved {
  /**
   * The operator's account at a bank, as `<connector>.<settlement account>`; undefined if no connector reported it
   * (money.md §11.6).
   */
  readonly settlementAccount?: string | undefined;
  /** The rail over which it moved, if a connector reported another one than the payment's own. */
  readonly rail?: string | undefined;
}

/** A report of a rail. It may arrive late, twice, out of order, or for an unknown order. */
export type RailNotice =
  /** The rail accepted the order. */
  | { readonly kind: 'accepted' }
  | ({ readonly kind: 'delivered'; readonly transactionHash?: string | undefined } & Moved)
  | { readonly kind: 'payoutFailed'; readonly reason: PayoutFailure; readonly timedOut?: boolean }
  | ({ readonly kind: 'returned' } & Moved)
  | ({ readonly kind: 'collected' } & Moved)
  | { readonly kind: 'collectionFailed' }
  | ({ readonly kind: 'collectionReversed' } & Moved)
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'refunded' } & Moved)
  | { readonly kind: 'refundFailed' }
  /** A compliance review holds the order, or releases it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'released'; readonly transactionHash?: string | undefined }
  /**
   * The money that another provider's user sent to a customer has arrived; the hash identifies the transfer between the
   * providers.
   */
  | { readonly kind: 'arrived'; readonly transactionHash?: string | undefined }
  /** The money may not be credited. */
  | { readonly kind: 'complianceRejected' };

/** A rail's answer to an order, or to a later query about it. */
export interface RailAnswer {
  /** The notices so far, in order. */
  readonly notices: readonly RailNotice[];
  /** Call `follow` after this time, with `token`; business time. */
  readonly again?: { readonly afterMs: number; readonly token: string } | undefined;
}

export type CancelAnswer = 'accepted' | 'refused' | 'unknown';

/**
 * Moves money outside our books: banks, networks, other providers; and decides how long transfers inside our books
 * take. An adapter reports what happens later as notices (src/capabilities/payments/settlement/notices.ts), or asks for a later
 * `follow`.
 */
export interface RailsPort {
  /**
   * Called inside the transaction that creates the order, and may not wait. Returns the reason if the order fails at once.
   */
  knownPayoutFailure(payout: Payout): PayoutFailure | undefined;
  knownCollectionFailure(collection: Collection): 'COLLECTION_FAILED' | undefined;
  /** Called after the commit that recorded the order. A repeated call with the same reference moves no money twice. */
  pay(payout: Payout): Promise<RailAnswer>;
  collect(collection: Collection): Promise<RailAnswer>;
  refund(order: RefundOrder): Promise<RailAnswer>;
  /** Called at the time that `again` named. */
  follow(reference: TransactionId, token: string): Promise<RailAnswer>;
  /** What `follow` will report with this token. A real rail does not know; a simulated one does. */
  foresee?(token: string): readonly RailNotice[];
  /**
   * Cancels an order if that is still possible. A cancelled order stays cancelled, even if its `pay` is still on its way
   * and arrives later. Cancelling it again is accepted again. `unknown`: the rail did not answer, and is asked again.
   */
  cancel(reference: TransactionId): Promise<CancelAnswer>;
}
