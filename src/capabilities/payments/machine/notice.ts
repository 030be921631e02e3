import type { Debt } from '#capabilities/accounts/locked-balances.ts';
import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import type { Clawback } from '#capabilities/payments/machine/postings.ts';
import type { IncomingFailure } from '#capabilities/payments/row.ts';
import type { Status } from '#capabilities/payments/statuses.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import type { Rule } from '#foundation/machine/machine.ts';
import type { Moved, PayoutFailure, RailNotice } from '#foundation/ports/payments.ts';

/** A report from a rail, a caller or a timer about a transaction. */
export type PaymentNotice =
  | RailNotice
  /** A quote is executed; it has passed the checks. */
  | { readonly kind: 'executed' }
  /** The same, but the customer has to authorize it first, until `by` (customers.md §7.10). */
  | { readonly kind: 'authorizationRequired'; readonly by: Date }
  /** The customer has answered a challenge; with `nextBy`, another one follows. */
  | { readonly kind: 'authorized'; readonly nextBy?: Date | undefined }
  /** The last challenge was answered, but the payment would exceed the corridor's daily limit. */
  | { readonly kind: 'authorizedOverLimit' }
  /** It was not authorized in time, or the challenge was voided. */
  | { readonly kind: 'authorizationLapsed' }
  /** Funds for a real-time quote arrived. */
  | ({
      readonly kind: 'funded';
      readonly amount: bigint;
      readonly transactionHash?: string | undefined;
    } & Moved)
  /** Funds arrived, but they exceed the corridor's daily limit. */
  | ({
      readonly kind: 'fundedOverLimit';
      readonly amount: bigint;
      readonly transactionHash?: string | undefined;
    } & Moved)
  | { readonly kind: 'rateUnavailable' }
  | { readonly kind: 'expired' }
  /** The platform approved or rejected an incoming UMA payment, or gave no valid answer (money.md §7.2). */
  | { readonly kind: 'approved' }
  /** Also if the platform rejects an agent's request, or the agent or its customer is deleted (agents.md §5.21). */
  | { readonly kind: 'rejected'; readonly isOwnerDeleted?: true }
  | { readonly kind: 'approvalFailed'; readonly reason: IncomingFailure }
  /** An agent's request waits for the platform's approval (agents.md §4.5). */
  | { readonly kind: 'submitted' }
  /** That approval failed, or was too late (agents.md §5.22). */
  | { readonly kind: 'approvalLapsed' }
  /** For a mirror: the payment that it shows was reversed. */
  | { readonly kind: 'takenBack'; readonly reason: IncomingFailure };

export type NoticeOf<K extends PaymentNotice['kind']> = Extract<PaymentNotice, { kind: K }>;

/**
 * What a transition depends on besides the row and the notice. The caller looks it up, so that the machine stays pure.
 */
export interface Facts {
  /** The debt of an internal account's owner in its currency, if any (money.md §11.b). */
  debtOf(accountId: AccountId): Debt | undefined;
  /** The amount that can be reclaimed from an internal account, and the receivable for the rest (money.md §11.b). */
  clawbackFrom(accountId: AccountId): Clawback;
  /** The receivable of the payment's owner, for a debt that no account can cover. */
  readonly ownerReceivable: GuardedAccount;
  /** Whether an internal account is active. */
  canReceive(accountId: AccountId): boolean;
  /** Whether the account is closed; a frozen one is not. */
  isClosed(accountId: AccountId): boolean;
  /**
   * Whether the receiver is gone: its internal account was closed, or the customer to be paid externally was deleted.
   */
  readonly isReceiverGone: boolean;
  /**
   * Whether an internal account may hold this much more (platform.md §1.2.4). If so, the amount is reserved: ask once
   * per credit.
   */
  canHold(accountId: AccountId, amount: bigint): boolean;
  /** The owner's account for refunds of crypto, which never goes back to the sending wallet (money.md §4.5). */
  readonly cryptoRefundAccount: AccountId | undefined;
  /** Whether the collection that fed an outgoing payment was already reversed. */
  readonly isCollectionReversed: boolean;
  /** Whether the owner was deleted, so that no refund account can be opened for it. */
  readonly isOwnerGone: boolean;
  /** A failure that the rail's adapter knows without asking the rail. */
  readonly knownPayoutFailure: PayoutFailure | undefined;
  readonly knownCollectionFailure: 'COLLECTION_FAILED' | undefined;
  /** The prefix of new references. */
  readonly referencePrefix: string;
  /** The limit on the daily volume of the transaction's corridor. */
  readonly dailyLimitUsdCents: bigint;
  /** Seals the private facts of the receiver's view of the payment; null if there are none. */
  sealMirror(mirrorId: TransactionId): Buffer | null;
}

/** One row of money.md §4; see `Machine` for how they are tried. */
export type PaymentRule = Rule<PaymentDraft, PaymentNotice, Facts> & { readonly moves: PaymentMoves };

/** By status: of outgoing and incoming transactions, and of the refund object that either may have. */
type PaymentMoves = {
  readonly OUTGOING?: readonly `${Status} → ${Status}`[];
  readonly INCOMING?: readonly `${Status} → ${Status}`[];
  readonly REFUND?: readonly `${'none' | 'PENDING'} → ${'PENDING' | 'COMPLETED' | 'FAILED'}`[];
};
