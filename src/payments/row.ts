import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import type { PaymentRail } from '#lib/rails-by-currency.ts';
import type { Status, TransactionType } from '#payments/statuses.ts';
import type { StoredRateDetails } from '#payments/stored-rate-details.ts';
import type { Network } from '#rails/network-fees.ts';

/*
 * How payments are built, for whoever comes new:
 *   row.ts, rules.ts     what a transaction is: fixed facts and a state that changes; what both say of it
 *   statuses.ts          the statuses that it can be in, one row each
 *   columns.ts           the same as columns: reading, writing and events go by that list
 *   machine/             pure: (row, notice) → Transition; every row of money.md §4 is one function there
 *   postings.ts          pure: the lines of each kind of ledger entry (money.md §11)
 *   apply.ts             what a transition changes, handed to the writers of its parts: rows, entries, events, jobs and
 *                        counters; committed with strangers' transitions or in a transaction of the caller's
 *   create-quote.ts, execute-quote.ts, deposit.ts …   use cases: load, judge, transition, apply
 *   notices.ts           what rails report, however late and however often
 *   jobs.ts              work after the commit: submitting to rails, following up, refunds, expiry
 *
 * A transition is computed from a row of a known version and applied only to that version, so what the service answers
 * and what it tells in events can be rendered before the commit.
 */

export type TransactionKind = 'QUOTE' | 'TRANSFER' | 'DEPOSIT' | 'UMA' | 'MIRROR';

export const OUTGOING_FAILURES = [
  'QUOTE_EXPIRED',
  'QUOTE_RATE_UNAVAILABLE',
  'QUOTE_EXECUTION_FAILED',
  'FUNDING_AMOUNT_MISMATCH',
  'SCA_NOT_COMPLETED',
  'PAYOUT_RETURNED',
  'LIMIT_EXCEEDED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
  // In the contract, never produced.
  'LIGHTNING_PAYMENT_FAILED',
  'COUNTERPARTY_POST_TX_FAILED',
] as const;

export const INCOMING_FAILURES = [
  'LNURLP_FAILED',
  'PAY_REQUEST_FAILED',
  'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  'PAYMENT_APPROVAL_TIMED_OUT',
  'OFFRAMP_FAILED',
  'MISSING_MANDATORY_PAYEE_DATA',
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
  'COMPLIANCE_REJECTED',
  'COLLECTION_FAILED',
] as const;

export type OutgoingFailure = (typeof OUTGOING_FAILURES)[number];
export type IncomingFailure = (typeof INCOMING_FAILURES)[number];
export type FailureReason = OutgoingFailure | IncomingFailure;

export const PENDING_REASONS = [
  'COUNTERPARTY_DECLARATION_REQUIRED',
  'WALLET_VERIFICATION_REQUIRED',
  'COUNTERPARTY_INFORMATION_REQUIRED',
  'COMPLIANCE_REVIEW',
] as const;

export type PendingReason = (typeof PENDING_REASONS)[number];

export const REFUND_REASONS = ['TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT'] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

/** What changes. Every change of it raises the row's version. */
export interface State {
  status: Status;
  failure_reason: FailureReason | null;
  pending_reason: PendingReason | null;
  /** Set going: executed, funded, or created as a transfer. */
  executed_at: Date | null;
  /** The payer's money is ours (L2, L4, L5). */
  taken_at: Date | null;
  settled_at: Date | null;
  confirmed_at: Date | null;
  funding_hash: string | null;
  payout_hash: string | null;
  refund_status: 'PENDING' | 'COMPLETED' | 'FAILED' | null;
  refund_reason: RefundReason | null;
  refund_reference: string | null;
  refund_amount: bigint | null;
  refund_account: string | null;
  refund_initiated_at: Date | null;
  refund_settled_at: Date | null;
  updated_at: Date;
  inflight_sent: bigint;
  inflight_sent_no: bigint;
  inflight_received: bigint;
  inflight_received_no: bigint;
  refund_payable: bigint;
  refund_payable_no: bigint;
}

/** What is settled at creation. */
export interface Fixed {
  platform_id: string;
  id: string;
  type: TransactionType;
  kind: TransactionKind;
  customer_id: string | null;
  agent_id: string | null;
  quote_id: string | null;
  expires_at: Date | null;
  locked_side: 'SENDING' | 'RECEIVING' | null;
  source_type: 'INTERNAL' | 'EXTERNAL' | 'REALTIME' | 'UMA';
  source_account: string | null;
  source_uma: string | null;
  destination_type: 'INTERNAL' | 'EXTERNAL' | 'UMA';
  destination_account: string | null;
  destination_uma: string | null;
  sending_currency: string;
  sending_amount: bigint;
  receiving_currency: string;
  receiving_amount: bigint;
  service_fee: bigint;
  platform_fee: bigint;
  fee_account: string | null;
  reference: string | null;
  details: Details;
  private: Buffer | null;
  created_at: Date;
}

export interface TransactionRow extends Fixed, State {
  version: bigint;
}

/** Fixed facts that nobody filters on and that name nobody. */
export interface Details {
  /** Of the customer; absent where the platform itself pays. */
  readonly platformCustomerId?: string;
  readonly exchangeRate?: number;
  readonly rateDetails?: StoredRateDetails;
  /** S in US cents at the quote's reading of the rates, an exact fraction: numerator and denominator. */
  readonly usdValue?: readonly [string, string];
  /** Worth the ownership threshold or more (accounts.md §3.5). */
  readonly isLarge?: boolean;
  /** Out of an account of the platform's own, even where it pays in a customer's name (money.md §2.4). */
  readonly isPlatformMoney?: boolean;
  /** The word in the ledger account RAIL:<rail>:<currency> that money comes in over, and goes out over. */
  readonly fundingRail?: string;
  readonly payoutRail?: string;
  /** As shown: null for internal, UMA and crypto destinations (money.md §2.7). */
  readonly paymentRail?: PaymentRail | null;
  /** To the deposit account outside behind a UMA address. */
  readonly depositRail?: PaymentRail;
  /** That account: it is judged again when the quote is executed (money.md §3.3a). */
  readonly depositAccount?: string;
  readonly railSelectionMode?: 'AUTO' | 'MANUAL' | null;
  /** Null on instant rails. */
  readonly settlementSeconds?: number | null;
  readonly purposeOfPayment?: string;
  /** Where the way in or out is a chain. */
  readonly fundingNetwork?: Network;
  readonly payoutNetwork?: Network;
  /** Whose the internal destination is, where it is not the owner's: the one who gets a mirror. */
  readonly receiver?: { readonly customerId: string | null; readonly platformCustomerId?: string };
  /** Whose the account outside is that is paid, where it is not the owner's. */
  readonly holder?: string;
  /** Where `customerId` was given with a real-time source. */
  readonly sourceCustomerId?: string;
  /** What the payer sends, where somebody else pays. */
  readonly sent?: { readonly amount: string; readonly currency: string };
  /** Of an incoming UMA payment: what the platform is asked to tell of the receiver (money.md §7.3). */
  readonly requestedFields?: readonly { readonly name: string; readonly mandatory: boolean }[];
  /** Of an incoming UMA payment: what its sender's provider is told of the receiver from the record (money.md §7.3). */
  readonly fieldsOnFile?: readonly string[];
  /** A mirror's original. */
  readonly mirrorOf?: string;
}

/** Fixed facts that name people or their accounts; sealed. */
export interface Private {
  readonly description?: string;
  readonly remittanceInformation?: string;
  readonly counterpartyInformation?: Readonly<Record<string, unknown>>;
  readonly senderCustomerInfo?: Readonly<Record<string, unknown>>;
  /** What the sender's provider of an incoming UMA payment asked to know; told with the approval. */
  readonly receiverCustomerInfo?: Readonly<Record<string, unknown>>;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  /** The external accounts as they were when the payment was made out. */
  readonly source?: Instrument;
  readonly destination?: Instrument;
  /** What a deposit's bank told of the one who paid in. */
  readonly originator?: Readonly<Record<string, unknown>>;
}

/** An account outside, as a rail needs it. */
export interface Instrument {
  readonly accountType: string;
  readonly currency: string;
  /** What names the account to whoever pays it. */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The terms of what moves within one currency, without a quote or a fee: all of it arrives. */
export function plainTerms(currency: string, amount: bigint) {
  return {
    agent_id: null,
    quote_id: null,
    expires_at: null,
    locked_side: null,
    sending_currency: currency,
    sending_amount: amount,
    receiving_currency: currency,
    receiving_amount: amount,
    service_fee: 0n,
    platform_fee: 0n,
    fee_account: null,
  };
}

export function isCrossCurrency(row: Pick<Fixed, 'sending_currency' | 'receiving_currency'>): boolean {
  return row.sending_currency !== row.receiving_currency;
}

/** N: what is exchanged. */
export function netAmount(row: Pick<Fixed, 'sending_amount' | 'service_fee' | 'platform_fee'>): bigint {
  return row.sending_amount - row.service_fee - row.platform_fee;
}
