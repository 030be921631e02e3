import type { DeclinedReason } from '#capabilities/cards/transaction-row.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** What the card network says of a card. Amounts are card cents. */
export type CardMessage =
  | Authorization
  | Increment
  | Clearing
  | Advice
  | Reversal
  | Expiry
  | PullFailure
  | Return
  | ReturnReversal;

interface Named {
  /** Of the message itself: a known one changes nothing (A.6.10). */
  readonly id: string;
  /** Bare UUID. */
  readonly cardId: string;
  /** By which the issuer names the row that the message makes or changes. */
  readonly token: string;
}

/** May the card pay this much, or get it, or (an inquiry) does it work at all? */
export interface Authorization extends Named {
  readonly type: 'authorization';
  readonly asks: 'DEBIT' | 'CREDIT' | 'INQUIRY';
  /** A single message: approved and cleared at once. */
  readonly isFinal: boolean;
  readonly amount: bigint;
  readonly merchant: Merchant;
  /** The network that it came over; undefined: the card's own. */
  readonly network?: string | undefined;
}

/** Asks for more on a purchase that is open (A.6.9.4). */
export interface Increment extends Named {
  readonly type: 'increment';
  readonly amount: bigint;
  readonly merchant: Merchant;
}

/** The merchant takes the money; zero: it takes nothing more. Without an authorization it is a force post. */
export interface Clearing extends Named {
  readonly type: 'clearing';
  readonly amount: bigint;
  readonly direction: 'DEBIT' | 'CREDIT';
  readonly merchant: Merchant;
}

/** The authorized total is this much from now on. */
export interface Advice extends Named {
  readonly type: 'advice';
  readonly amount: bigint;
}

/** So much less is authorized; undefined: nothing of what is open. */
export interface Reversal extends Named {
  readonly type: 'reversal';
  readonly amount?: bigint | undefined;
}

export interface Expiry extends Named {
  readonly type: 'expiry';
}

/** The pull that stands behind an authorization failed, and the network is paid all the same. */
export interface PullFailure extends Named {
  readonly type: 'pull_failure';
}

/** A merchant gives money back; the token is that of the return's own row. */
export interface Return extends Named {
  readonly type: 'return';
  readonly purchaseToken: string;
  readonly amount: bigint;
  readonly merchant: Merchant;
}

/** A return is taken back; the token is that of a row of its own. */
export interface ReturnReversal extends Named {
  readonly type: 'return_reversal';
  readonly returnToken: string;
  /** The purchase that was returned, where the sender knows it. */
  readonly purchaseToken?: string | undefined;
  readonly amount: bigint;
  readonly merchant: Merchant;
}

/** What the network is answered. */
export type MessageAnswer =
  | { readonly isApproved: true }
  | { readonly isApproved: false; readonly reason: DeclinedReason }
  /** Nothing was asked. `isApplied`: it changed something, or waits for its authorization. */
  | { readonly isApplied: boolean };

/** More than any card is used for: what is beyond is a mistake of the sender. */
export const MESSAGE_AMOUNT_MAX = 100_000_000_000n;

/** As it is kept until it takes effect. */
export function storedMessage(message: CardMessage): string {
  return JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

export function messageFrom(stored: unknown): CardMessage {
  const { amount, ...message } = stored as { readonly amount?: string };
  return { ...message, ...(amount !== undefined && { amount: BigInt(amount) }) } as CardMessage;
}
