/** A card that is to be issued. One card is one request, however often it is made. */
export interface IssueRequest {
  /** Bare UUID: the reference. */
  readonly cardId: string;
  readonly customerId: string;
  /** As the platform gave it; undefined: it gave none. */
  readonly platformCardId: string | undefined;
  /** When the card was asked for, and when the issuer is asked: business time. */
  readonly requestedAt: Date;
  readonly now: Date;
  /** 32 unguessable bytes, others where a number was taken already: for an issuer that makes its numbers itself. */
  readonly seed: Uint8Array;
}

/** What an issuer gives out with a card. The security code is never handed over nor stored (A.5.7). */
export interface IssuedCard {
  readonly brand: 'VISA' | 'MASTERCARD';
  readonly pan: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly processorRef: string;
  readonly issuerRef: string;
}

export type IssueAnswer =
  | { readonly outcome: 'ISSUED'; readonly card: IssuedCard }
  | { readonly outcome: 'REJECTED' }
  /** Not decided yet. Without a time the issuer reports by itself. */
  | { readonly outcome: 'PENDING'; readonly askAgainAfterMs?: number };

/** Who takes a card, as the network describes them. */
export interface Merchant {
  readonly descriptor: string;
  readonly mcc?: string;
  readonly country?: string;
  readonly city?: string;
  readonly state?: string;
}

/** What the issuer itself says of an authorization, before we look at anything but the card. */
export interface IssuerVerdict {
  /** It declines. */
  readonly declined?: 'INSUFFICIENT_FUNDS' | 'CARD_NOT_ACTIVE' | 'UNSUPPORTED_NETWORK' | 'OTHER';
  /** What becomes of the pull behind an approval, where that is not certain at once. */
  readonly pull?: { readonly outcome: 'CONFIRMED' | 'FAILED'; readonly afterMs: number };
  /** It declines more on the same purchase. */
  readonly declinedIncrement?: 'INSUFFICIENT_FUNDS';
  /** What follows a purchase of two messages, where the network is played: after a decline if it declines, else after an approval. */
  readonly follows?: readonly FollowUp[];
}

/** What the network says of a purchase by itself, so long after the authorization. */
export interface FollowUp {
  readonly says: 'reversal' | 'expiry' | 'clearing' | 'increment';
  readonly afterMs: number;
}

/** The issuer of cards and its processor. Messages of the network come in through src/capabilities/cards/messages/receive-message.ts. */
export interface CardsPort {
  /** Whether there is one; without it every call about cards is 501 (A.1). */
  readonly isConnected: boolean;
  /** Whether an authorization that the account does not cover is approved all the same (A.6.8). */
  readonly approvesUncovered: boolean;
  /** Whether the issuer will not take this account as the source of money, whoever owns it. Its public id or bare UUID. */
  refusesFunding(accountId: string): boolean;
  issue(request: IssueRequest): Promise<IssueAnswer>;
  judge(merchant: Merchant): IssuerVerdict;
}
