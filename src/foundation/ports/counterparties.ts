import type { RailAnswer } from '#foundation/ports/payments.ts';

export interface CounterpartyLookup {
  /** `$user@domain`, lower case. */
  readonly address: string;
  readonly domain: string;
  /** The sending customer's address, if a customer sends. */
  readonly senderAddress: string | undefined;
}

export interface CounterpartyCurrency {
  readonly code: string;
  /** In the currency's smallest unit; absent: our own limits apply. */
  readonly min?: bigint | undefined;
  readonly max?: bigint | undefined;
}

export interface PayerDataField {
  readonly name: string;
  readonly mandatory: boolean;
  /** The field must be sent with the payment: stored data does not count. */
  readonly mustBeSent?: boolean | undefined;
}

/** Why a look-up found no receiver (accounts.md §6.11). */
export type CounterpartyFault =
  | 'NOT_FOUND'
  | 'NO_COMMON_VERSION'
  | 'UNREACHABLE'
  | 'KEYS_UNAVAILABLE'
  | 'UNREADABLE'
  | 'REFUSED';

export type CounterpartyAnswer =
  | {
      readonly kind: 'FOUND';
      /** In the receiver's order of preference; the first one is paid unless the sender chooses another. */
      readonly currencies: readonly CounterpartyCurrency[];
      readonly requiredPayerData: readonly PayerDataField[];
    }
  | { readonly kind: CounterpartyFault };

/** Asks the receiver's provider to accept a payment (money.md §2.11). */
export interface CounterpartyPayRequest extends CounterpartyLookup {
  readonly currency: string;
  readonly lockedSide: 'SENDING' | 'RECEIVING';
  /** In the smallest unit of the locked side's currency. */
  readonly lockedAmount: bigint;
  readonly payerData: Readonly<Record<string, unknown>>;
}

/** Why the receiver's provider did not accept the payment. */
export type PayRequestFault =
  | 'NO_COMMON_VERSION'
  | 'UNREACHABLE'
  | 'KEYS_UNAVAILABLE'
  | 'UNREADABLE'
  | 'INVALID'
  | 'SENDER_NOT_ACCEPTED';

export type PayRequestAnswer =
  | {
      readonly kind: 'AGREED';
      /** Data that the provider discloses about the receiver. */
      readonly counterpartyInformation: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: PayRequestFault };

/** A payment that another provider's user offered to a customer, and that the customer's platform approved. */
export interface AcceptedOffer {
  /** The transaction's bare UUID. */
  readonly reference: TransactionId;
  readonly senderAddress: string;
  readonly receiverAddress: string | undefined;
  readonly amount: bigint;
  readonly currency: string;
  /** The data about the receiver that the sender's provider asked for and the platform disclosed. */
  readonly payeeData: Readonly<Record<string, unknown>>;
}

/** Other providers of UMA addresses. */
export interface CounterpartiesPort {
  lookUp(request: CounterpartyLookup): Promise<CounterpartyAnswer>;
  /** Before a quote is created: whether the receiver's provider agrees. */
  requestPayment(request: CounterpartyPayRequest): Promise<PayRequestAnswer>;
  /** Tells the sender's provider that it may pay. A repeated call with the same reference causes no second payment. */
  acceptOffer(offer: AcceptedOffer): Promise<RailAnswer>;
  /** Called at the time that `again` of the answer named. */
  followOffer(reference: TransactionId, token: string): Promise<RailAnswer>;
}
