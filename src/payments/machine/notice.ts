import type { GuardedAccount } from '#ledger/accounts.ts';
import type { Draft } from '#payments/machine/draft.ts';
import type { Debt } from '#payments/machine/postings.ts';
import type { IncomingFailure, TransactionRow } from '#payments/row.ts';
import type { Status } from '#payments/statuses.ts';
import type { PayoutFailure, RailNotice } from '#rails/payments.ts';

/** What the world, the caller or the clock says about a transaction. */
export type Notice =
  | RailNotice
  /** The caller executes a quote; its checks have passed. */
  | { readonly kind: 'executed' }
  /** Money for a real-time quote arrived. */
  | { readonly kind: 'funded'; readonly amount: bigint; readonly transactionHash?: string | undefined }
  /** The same, and the day's volume has no room for it. */
  | {
      readonly kind: 'fundedOverLimit';
      readonly amount: bigint;
      readonly transactionHash?: string | undefined;
    }
  | { readonly kind: 'rateUnavailable' }
  | { readonly kind: 'expired' }
  /** The platform takes an incoming UMA payment, or does not, or was not able to say (money.md §7.2). */
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'approvalFailed'; readonly reason: IncomingFailure }
  /** What a mirror shows did not last. */
  | { readonly kind: 'takenBack'; readonly reason: IncomingFailure };

export type NoticeOf<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

/** What a transition may depend on beside the row and the notice. Whoever calls the machine has looked it up. */
export interface Facts {
  /** What the owner of an internal account owes us in its currency, if anything (money.md §11.b). */
  debtOf(accountId: string): Debt | undefined;
  /** AVAIL of an internal account that something may be taken back from, and where the rest is noted. */
  takeBackOf(accountId: string): { readonly available: bigint; readonly receivable: GuardedAccount };
  /** Where an owner's debt is noted when there is no account to take it from. */
  readonly ownerReceivable: GuardedAccount;
  /** Whether an internal account can receive. */
  canReceive(accountId: string): boolean;
  /** Whether it is gone for good. */
  isClosed(accountId: string): boolean;
  /** Whether who is to get it, an account of ours or a customer that is paid outside, is gone for good. */
  readonly isReceiverGone: boolean;
  /** Whether what an internal account holds stays within what can be said exactly; asked once for each credit. */
  hasRoom(accountId: string, amount: bigint): boolean;
  /** Where crypto that funded a payment is paid back to: never the sending wallet (money.md §4.5). */
  readonly cryptoRefundAccount: string | undefined;
  /** Whether what was collected for an outgoing payment was taken back before. */
  readonly isCollectionReversed: boolean;
  /** Whether the owner was deleted, so that no account is opened for it any more. */
  readonly isOwnerGone: boolean;
  /** What the rail says of the payout without being asked over the network. */
  readonly knownPayoutFailure: PayoutFailure | undefined;
  readonly knownCollectionFailure: 'COLLECTION_FAILED' | undefined;
  /** What references that are made here begin with. */
  readonly referencePrefix: string;
  /** Of the transaction's corridor. */
  readonly dailyLimitUsdCents: bigint;
}

/** One row of money.md §4: what a notice does to a transaction that it fits. */
export interface Rule<K extends Notice['kind']> {
  /** What happens, for people: docs/state-machines.md shows it. */
  readonly label: string;
  /** Every change of a status that `does` can make; none of them is a must. */
  readonly moves: Moves;
  when(row: TransactionRow, notice: NoticeOf<K>, now: Date): boolean;
  does(draft: Draft, notice: NoticeOf<K>, facts: Facts): void;
}

/** By machine: outgoing and incoming transactions, and the refund object that either may have. */
export interface Moves {
  readonly OUTGOING?: readonly `${Status} → ${Status}`[];
  readonly INCOMING?: readonly `${Status} → ${Status}`[];
  readonly REFUND?: readonly `${'none' | 'PENDING'} → ${'PENDING' | 'COMPLETED' | 'FAILED'}`[];
}

export type Rules = { readonly [K in Notice['kind']]: readonly Rule<K>[] };
