/** A card to be issued. Repeated requests for one card count as one. */
export interface IssueRequest {
  /** Bare UUID: the reference. */
  readonly cardId: CardId;
  readonly customerId: string;
  /** The platform's own id for the card; undefined: it gave none. */
  readonly platformCardId: string | undefined;
  /** When the card was requested, and when the issuer is asked: business time. */
  readonly requestedAt: Date;
  readonly now: Date;
  /** 32 unguessable bytes for an issuer that generates its card numbers itself; others if a number was already taken. */
  readonly seed: Uint8Array;
}

/** The issuer's data of a card. The security code is never passed to us nor stored (cards.md §5.7). */
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
  /** Not decided yet. Without a time to ask again, the issuer reports by itself. */
  | { readonly outcome: 'PENDING'; readonly askAgainAfterMs?: number };

/** A merchant, as the network describes it. */
export interface Merchant {
  readonly descriptor: string;
  readonly mcc?: string;
  readonly country?: string;
  readonly city?: string;
  readonly state?: string;
}

/** The issuer's own verdict on an authorization, before we check anything but the card. */
export interface IssuerVerdict {
  /** The issuer declines, for this reason. */
  readonly declined?: 'INSUFFICIENT_FUNDS' | 'CARD_NOT_ACTIVE' | 'UNSUPPORTED_NETWORK' | 'OTHER';
  /** The later outcome of the pull behind an approval, if it is not certain at once. */
  readonly pull?: { readonly outcome: 'CONFIRMED' | 'FAILED'; readonly afterMs: number };
  /** The issuer declines an increment of the same purchase. */
  readonly declinedIncrement?: 'INSUFFICIENT_FUNDS';
  /** For a simulated network: the notices that follow a dual-message purchase, after its decline or its approval. */
  readonly follows?: readonly FollowUp[];
}

/** A notice that the network sends about a purchase by itself, this long after the authorization. */
export interface FollowUp {
  readonly kind: 'reversal' | 'expiry' | 'clearing' | 'increment';
  readonly afterMs: number;
}

/** The issuer of cards and its processor. src/capabilities/cards/notices/receive-notice.ts receives the network's notices. */
export interface CardsPort {
  /** Whether an issuer is connected; without one every call about cards is 501 (cards.md §1). */
  readonly isConnected: boolean;
  /** Whether an authorization that the account does not cover is still approved (cards.md §6.8). */
  readonly approvesUncovered: boolean;
  /** Whether the issuer refuses this account as a funding source, for any owner. Takes its public id or bare UUID. */
  refusesFunding(accountId: string): boolean;
  issue(request: IssueRequest): Promise<IssueAnswer>;
  judge(merchant: Merchant): IssuerVerdict;
}
