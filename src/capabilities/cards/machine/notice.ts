import type { CardTransactionStatus, DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import type { CardDraft } from '#capabilities/cards/machine/draft.ts';
import type { RowTraits } from '#capabilities/cards/machine/new-row.ts';
import type { OwnersDebt } from '#capabilities/cards/machine/postings.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { Rule } from '#foundation/machine/machine.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** A notice of the card network about a card. Amounts are card cents. */
export type NetworkNotice = Authorization | Increment | RowNotice;

export type RowNotice = RowReport & Named;

interface Named {
  /** The id of the notice itself. A repeated notice changes nothing (cards.md §6.10). */
  readonly id: string;
  /** Bare UUID. */
  readonly cardId: CardId;
  /** The issuer's token of the row that the notice creates or changes. */
  readonly token: string;
}

interface Paid {
  readonly amount: bigint;
  readonly merchant: Merchant;
}

/** Asks whether the card may pay this amount, receive it, or (an inquiry) works at all. */
export interface Authorization extends Named, Paid {
  readonly kind: 'authorization';
  readonly asks: 'DEBIT' | 'CREDIT' | 'INQUIRY';
  /** A single message: approved and cleared at once. */
  readonly isFinal: boolean;
  /** The network that it came over; undefined: the card's own. */
  readonly network?: string | undefined;
}

/** Asks to increase an open purchase (cards.md §6.9.4). */
export interface Increment extends Named, Paid {
  readonly kind: 'increment';
}

/** A fact about a row, which is booked in any case (cards.md §7.2). */
export type RowReport =
  /** The merchant takes the money; zero: it takes nothing more. Without an authorization it is a force post. */
  | (Paid & { readonly kind: 'clearing'; readonly direction: 'DEBIT' | 'CREDIT' })
  /** Sets the authorized total to this amount. */
  | { readonly kind: 'advice'; readonly amount: bigint }
  /** Lowers the authorized total by this amount; undefined: by everything that is open. */
  | { readonly kind: 'reversal'; readonly amount?: bigint | undefined }
  | { readonly kind: 'expiry' }
  /** The pull behind an authorization failed, but the network is paid all the same. */
  | { readonly kind: 'pull_failure' }
  /** A merchant gives money back; the token is that of the return's own row. */
  | (Paid & { readonly kind: 'return'; readonly purchaseToken: string })
  /** A return is reversed; the token is that of the reversal's own row. */
  | (Paid & {
      readonly kind: 'return_reversal';
      readonly returnToken: string;
      /** The purchase that was returned, if the sender knows it. */
      readonly purchaseToken?: string | undefined;
    });

/** A report about a card transaction by the network, by the decision on an authorization, or by the operator. */
export type CardNotice =
  | RowReport
  /** `isHeld`: the account covers it (cards.md §6.8). */
  | { readonly kind: 'approved'; readonly isHeld: boolean; readonly holdExpiresAt: Date }
  /** A single message: cleared at once. `isPullFailing`: its money cannot be pulled. */
  | { readonly kind: 'approvedAtOnce'; readonly isPullFailing: boolean }
  | { readonly kind: 'declined'; readonly reason: DeclinedReason }
  /** The operator takes a row's debt from its account, or gives it up (cards.md §6.1.13). */
  | { readonly kind: 'collected' }
  | { readonly kind: 'writtenOff' };

/** What a change depends on beside the row and the notice. The caller loads and locks it. */
export interface CardFacts {
  /** The account's available balance, in its own smallest unit. */
  readonly available: bigint;
  /**
   * More than the hold may be drawn: the account is active and, if a wallet, has a key for the card (cards.md §7.2,
   * wallets.md §6.8.45).
   */
  readonly mayDraw: boolean;
  /** The account can no longer be credited. */
  readonly isClosed: boolean;
  /** The owner's other debt. */
  readonly debt: OwnersDebt | undefined;
  /** The purchase of a return, and of a return that is taken back. */
  readonly purchase: CardTransactionRow | undefined;
  /** A row for a notice that is booked as a row of its own. */
  newRow(traits: Omit<RowTraits, 'token'>): CardTransactionRow;
}

/** The facts for a notice that draws nothing, credits nothing and makes no row. */
export const NO_FACTS: CardFacts = {
  available: 0n,
  mayDraw: false,
  isClosed: false,
  debt: undefined,
  purchase: undefined,
  newRow: () => {
    throw new Error('this notice makes no row of its own');
  },
};

/** One row of cards.md §6.1; see `Machine` for how they are tried. */
export type CardRule = Rule<CardDraft, CardNotice, CardFacts> & {
  readonly moves: {
    readonly TRANSACTION?: readonly `${CardTransactionStatus | 'new'} → ${CardTransactionStatus}`[];
  };
};

export function subjectOf(notice: RowNotice): string {
  if (notice.kind === 'return') return notice.purchaseToken;
  return notice.kind === 'return_reversal' ? notice.returnToken : notice.token;
}

export type NoticeAnswer =
  | { readonly isApproved: true }
  | { readonly isApproved: false; readonly reason: DeclinedReason }
  /** The answer to a notice that asks nothing. `isApplied`: it changed something, or waits for its authorization. */
  | { readonly isApplied: boolean };

/** More than any card ever spends: a larger amount is an error of the sender. */
export const NOTICE_AMOUNT_MAX = 100_000_000_000n;
