import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** A message of the card network about a card. Amounts are card cents. */
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
  /** The id of the message itself. A repeated message changes nothing (cards.md §6.10). */
  readonly id: string;
  /** Bare UUID. */
  readonly cardId: string;
  /** The issuer's token of the row that the message creates or changes. */
  readonly token: string;
}

/** Asks whether the card may pay this amount, receive it, or (an inquiry) works at all. */
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

/** Asks to increase an open purchase (cards.md §6.9.4). */
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

/** Sets the authorized total to this amount. */
export interface Advice extends Named {
  readonly type: 'advice';
  readonly amount: bigint;
}

/** Lowers the authorized total by this amount; undefined: by everything that is open. */
export interface Reversal extends Named {
  readonly type: 'reversal';
  readonly amount?: bigint | undefined;
}

export interface Expiry extends Named {
  readonly type: 'expiry';
}

/** The pull behind an authorization failed, but the network is paid all the same. */
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

/** A return is reversed; the token is that of the reversal's own row. */
export interface ReturnReversal extends Named {
  readonly type: 'return_reversal';
  readonly returnToken: string;
  /** The purchase that was returned, if the sender knows it. */
  readonly purchaseToken?: string | undefined;
  readonly amount: bigint;
  readonly merchant: Merchant;
}

/** The answer to the network. */
export type MessageAnswer =
  | { readonly isApproved: true }
  | { readonly isApproved: false; readonly reason: DeclinedReason }
  /** The answer to a message that asks nothing. `isApplied`: it changed something, or waits for its authorization. */
  | { readonly isApplied: boolean };

/** More than any card ever spends: a larger amount is an error of the sender. */
export const MESSAGE_AMOUNT_MAX = 100_000_000_000n;

/** The stored form of a message. */
export function storedMessage(message: CardMessage): string {
  return JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

export function messageFrom(stored: unknown): CardMessage {
  const { amount, ...message } = stored as { readonly amount?: string };
  return { ...message, ...(amount !== undefined && { amount: BigInt(amount) }) } as CardMessage;
}
