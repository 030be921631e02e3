import type { Network } from '#rails/network-fees.ts';

/** An account outside, as whoever pays or collects needs it. */
export interface RailAccount {
  readonly accountType: string;
  /** What names the account to whoever pays it. */
  readonly identifier: string;
  /** Under the contract's names. */
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
  /** `ACH`, `PIX`, …; null where the way is not a bank's. */
  readonly rail: string | null;
  readonly network: Network | undefined;
  readonly remittanceInformation: string | undefined;
}

/** Money to be pulled. */
export interface Collection extends Order {
  readonly from: RailAccount;
}

/** Money to be given back to where it came from; `payout` is the one that did not come about. */
export interface RefundOrder extends Order {
  readonly to: 'INTERNAL' | 'ORIGIN';
  readonly payout: Payout;
}

/** Why money did not move, in the words of a transaction's `failureReason`. */
export type PayoutFailure =
  | 'QUOTE_EXECUTION_FAILED'
  | 'ACCOUNT_CANNOT_RECEIVE'
  | 'ACCOUNT_INVALID'
  | 'COMPLIANCE_REJECTED';

/** What a rail reports. It may come late, twice, out of order, or about nothing we know. */
export type RailNotice =
  /** The rail took the order. */
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
  /** A review holds it up, and lets it go. */
  | { readonly kind: 'held' }
  | { readonly kind: 'released'; readonly transactionHash?: string | undefined }
  /**
   * The money of a payment that another provider's user sends to a customer is here; the hash is that of the leg
   * between the providers.
   */
  | { readonly kind: 'arrived'; readonly transactionHash?: string | undefined }
  /** It may not be passed on. */
  | { readonly kind: 'complianceRejected' };

/** What came of handing an order over, or of asking about it again. */
export interface RailAnswer {
  /** What is known already, in order. */
  readonly notices: readonly RailNotice[];
  /** Ask again after so long, handing back `token`; business time. */
  readonly again?: { readonly afterMs: number; readonly token: string } | undefined;
}

/**
 * Whoever moves money outside: banks, networks, other providers; and how long our own books take. An adapter
 * reports what happens later through `takeReports` of payments/notices.ts, or asks to be asked again.
 */
export interface RailsPort {
  /**
   * What can be said of an order without asking anybody, inside the transaction that makes it: a reason why it
   * fails at once, or undefined.
   */
  knownPayoutFailure(payout: Payout): PayoutFailure | undefined;
  knownCollectionFailure(collection: Collection): 'COLLECTION_FAILED' | undefined;
  /** After the commit that recorded the intent. A repetition of a reference moves nothing twice. */
  pay(payout: Payout): Promise<RailAnswer>;
  collect(collection: Collection): Promise<RailAnswer>;
  refund(order: RefundOrder): Promise<RailAnswer>;
  /** Asked as `again` said. */
  follow(reference: string, token: string): Promise<RailAnswer>;
  /**
   * Whether an order can still be called back. It then is, and stays so: also one that is only just being handed over,
   * and comes after this. Asked again about one that was called back, it is accepted again.
   */
  cancel(reference: string): Promise<'accepted' | 'refused'>;
}

/**
 * Where no rail is connected: what stays on our own books is done at once; everything else waits for the
 * operator's word (money.md §9.8: a payment without an answer stays `PROCESSING`).
 */
export const booksOnly: RailsPort = {
  knownPayoutFailure: () => undefined,
  knownCollectionFailure: () => undefined,
  pay: async ({ to }) => ({
    notices: to.kind === 'INTERNAL' ? [{ kind: 'delivered' }] : [{ kind: 'accepted' }],
  }),
  collect: async () => ({ notices: [] }),
  refund: async ({ to }) => ({ notices: to === 'INTERNAL' ? [{ kind: 'refunded' }] : [] }),
  follow: async () => ({ notices: [] }),
  cancel: async () => 'refused',
};
