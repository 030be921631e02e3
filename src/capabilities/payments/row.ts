import assert from 'node:assert/strict';
import { ERASED_UMA } from '#capabilities/customers/customer-row.ts';
import type { Private, TransactionDetails } from '#capabilities/payments/details.ts';
import type { Status, TransactionType } from '#capabilities/payments/statuses.ts';

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
  // Part of the contract, but never produced.
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

export type StoredAccount =
  | { readonly kind: 'INTERNAL'; readonly account: AccountId }
  | { readonly kind: 'EXTERNAL'; readonly account: ExternalAccountId };

/** A UMA address. The address is sealed with the payment's other private facts, and its hash finds it. */
export interface StoredUma {
  readonly kind: 'UMA';
  readonly hash: Buffer | null;
  /** Set in rows of earlier versions, and after an erasure, which replaces the address. */
  readonly address: string | null;
}

/** Where the payer's money comes from: an account, real-time funding, or a UMA address at another provider. */
export type PaymentSource = StoredAccount | { readonly kind: 'REALTIME' } | StoredUma;

/** Where it goes. The account of a UMA address is the internal one that is credited, if it is one of ours. */
export type PaymentDestination = StoredAccount | (StoredUma & { readonly account: AccountId | null });

/** The columns that change; every change raises the row's version. */
export interface State {
  status: Status;
  /** A quote's expiry. It moves once, when a real-time quote is authorized (customers.md §7.10c). */
  expires_at: Date | null;
  /** The deadline to authorize. It stays set if the customer misses it; null once the payment is authorized. */
  authorize_by: Date | null;
  /** Set only while an agent's request waits for the platform's approval (agents.md §5). */
  approve_by: Date | null;
  /** The daily limit that it was compared with when it counted, in US cents; null: it counts against none, or not yet. */
  daily_limit: bigint | null;
  failure_reason: FailureReason | null;
  pending_reason: PendingReason | null;
  /** When the payment started to move: it was executed, funded, or created as a transfer. */
  executed_at: Date | null;
  /** When the payer's money was taken (L2, L4, L5). */
  taken_at: Date | null;
  settled_at: Date | null;
  confirmed_at: Date | null;
  funding_hash: string | null;
  payout_hash: string | null;
  refund_status: 'PENDING' | 'COMPLETED' | 'FAILED' | null;
  refund_reason: RefundReason | null;
  refund_reference: string | null;
  refund_amount: bigint | null;
  refund_account: AccountId | null;
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

/** The fields that are set at creation and never change. */
export interface Fixed {
  platform_id: PlatformId;
  id: TransactionId;
  type: TransactionType;
  kind: TransactionKind;
  customer_id: CustomerId | null;
  agent_id: AgentId | null;
  quote_id: QuoteId | null;
  locked_side: 'SENDING' | 'RECEIVING' | null;
  source: PaymentSource;
  destination: PaymentDestination;
  sending_currency: string;
  sending_amount: bigint;
  receiving_currency: string;
  receiving_amount: bigint;
  service_fee: bigint;
  platform_fee: bigint;
  fee_account: AccountId | null;
  /** A reference that we issued. */
  reference: string | null;
  /** The hash of the reference that a payer stated; the text is sealed. */
  reference_hash: Buffer | null;
  details: TransactionDetails;
  private: Buffer | null;
  created_at: Date;
}

export interface TransactionRow extends Fixed, State {
  version: bigint;
}

/** The columns of a payment in one currency without a quote or a fee: the whole amount arrives. */
export function plainTerms(currency: string, amount: bigint) {
  return {
    agent_id: null,
    quote_id: null,
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

/** N: the amount that is converted. */
export function netAmount(row: Pick<Fixed, 'sending_amount' | 'service_fee' | 'platform_fee'>): bigint {
  return row.sending_amount - row.service_fee - row.platform_fee;
}

/** The internal account that is paid, directly or by its owner's UMA address; null if the money leaves the service. */
export function internalDestination({ destination }: Pick<Fixed, 'destination'>): AccountId | null {
  return destination.kind === 'EXTERNAL' ? null : destination.account;
}

/** The internal account that money is pulled into. */
export function pulledInto(row: Pick<Fixed, 'destination'>): AccountId {
  const account = internalDestination(row);
  assert(account !== null, 'a pull has no internal destination');
  return account;
}

/** The internal account that the payer's money is taken from. */
export function payerAccount({ source }: Pick<Fixed, 'source'>): AccountId {
  assert(source.kind === 'INTERNAL', `money from ${source.kind} is in no internal account`);
  return source.account;
}

export function quoteIdOf({ id, quote_id: quoteId }: Pick<Fixed, 'id' | 'quote_id'>): QuoteId {
  assert(quoteId !== null, `transaction ${id} has no quote`);
  return quoteId;
}

export function transferAccounts({ source, destination }: Pick<Fixed, 'source' | 'destination'>) {
  assert('account' in source && destination.kind !== 'UMA', 'a transfer is between two accounts');
  return { source, destination };
}

export function refundAmount({
  id,
  refund_amount: amount,
}: Pick<TransactionRow, 'id' | 'refund_amount'>): bigint {
  assert(amount !== null, `payment ${id} has no refund`);
  return amount;
}

/** The account that gets the platform's fee; undefined if there is no fee. */
export function feeAccount({ platform_fee, fee_account }: Pick<Fixed, 'platform_fee' | 'fee_account'>) {
  return platform_fee > 0n && fee_account !== null ? fee_account : undefined;
}

/** The account from which the payment is collected, or to which it is paid; null if there is none. */
export function accountOf(party: PaymentSource | PaymentDestination): AccountId | ExternalAccountId | null {
  return 'account' in party ? party.account : null;
}

/** Returns the UMA address of a side. It is among the private facts, unless these are lost with an erased customer. */
export function umaAddress({ address }: StoredUma, sealed: string | undefined): string {
  return address ?? sealed ?? ERASED_UMA;
}

export function sourceAddress(source: StoredUma, { sourceUma }: Private): string {
  return umaAddress(source, sourceUma);
}

export function destinationAddress(destination: StoredUma, { destinationUma }: Private): string {
  return umaAddress(destination, destinationUma);
}

/** The internal accounts that the money leaves or reaches. */
export function internalAccountsOf(row: Pick<Fixed, 'source' | 'destination'>): AccountId[] {
  const source = row.source.kind === 'INTERNAL' ? row.source.account : null;
  return [source, internalDestination(row)].filter((id) => id !== null);
}

/** The customer, other than the owner, that receives in an external account: by UMA address, or as its holder. */
export function externalReceiver(row: Pick<Fixed, 'destination' | 'details'>): CustomerId | null {
  const { receiver, holder } = row.details;
  return internalDestination(row) === null ? (receiver?.customerId ?? holder ?? null) : null;
}

/** Funded in crypto: refunds go to an internal account of the owner, never to the sending wallet. */
export function isFundedByCrypto({ source, details }: Pick<Fixed, 'source' | 'details'>): boolean {
  return source.kind === 'REALTIME' && details.fundingNetwork !== undefined;
}

/** Refunds go to an internal account, even if none can receive one at the moment. */
export function isRefundedInternally(row: Pick<Fixed, 'source' | 'details'>): boolean {
  return row.source.kind === 'INTERNAL' || isFundedByCrypto(row);
}

/** A pull was ordered, and its money has not been collected yet. */
export function isCollecting(row: TransactionRow): boolean {
  const open = row.status === 'PROCESSING' || (row.status === 'PENDING' && row.executed_at !== null);
  return open && row.source.kind === 'EXTERNAL' && row.taken_at === null;
}

/** The payer's money was taken and is on its way to the receiver. */
export function isPaying(row: TransactionRow): boolean {
  const open = row.status === 'PROCESSING' || (row.status === 'PENDING' && row.kind === 'TRANSFER');
  return open && row.type === 'OUTGOING' && row.taken_at !== null && row.refund_status === null;
}

/** A quote that was neither executed nor funded. */
export function isOpenQuote(row: TransactionRow): boolean {
  return row.kind === 'QUOTE' && row.status === 'PENDING' && row.executed_at === null;
}

/** A transfer whose money has not moved yet. */
export function isNewTransfer(row: TransactionRow): boolean {
  return row.kind === 'TRANSFER' && row.status === 'PENDING' && row.executed_at === null;
}

/** The customer has yet to authorize it (customers.md §7). */
export function awaitsAuthorization(row: Pick<State, 'status'>): boolean {
  return row.status === 'PENDING_AUTHORIZATION';
}

/** money.md §3.1: after its challenge's deadline a payment cannot be authorized, even if the timer has not run. */
export function isPastAuthorization(row: Pick<State, 'status' | 'authorize_by'>, now: Date): boolean {
  return awaitsAuthorization(row) && row.authorize_by !== null && row.authorize_by.getTime() <= now.getTime();
}

/** The platform can still approve the agent's request (agents.md §5). */
export function awaitsApproval({ approve_by: by }: Pick<State, 'approve_by'>, now: Date): boolean {
  return by !== null && by.getTime() > now.getTime();
}

/** The platform can no longer approve it, even if the timer has not run. */
export function isPastApproval({ approve_by: by }: Pick<State, 'approve_by'>, now: Date): boolean {
  return by !== null && by.getTime() <= now.getTime();
}

/** money.md §3.1: after `expires_at` a quote is expired, even if the timer has not run. */
export function isPastExpiry(row: TransactionRow, now: Date): boolean {
  return isOpenQuote(row) && row.expires_at !== null && row.expires_at.getTime() <= now.getTime();
}
