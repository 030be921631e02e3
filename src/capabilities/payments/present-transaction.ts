import { describingParties, openPrivate, type Private } from '#capabilities/payments/details.ts';
import { presentAgentPayment } from '#capabilities/payments/present-agent-payment.ts';
import {
  destinationAddress,
  type IncomingFailure,
  isPastApproval,
  isPastAuthorization,
  isPastExpiry,
  type OutgoingFailure,
  type StoredAccount,
  sourceAddress,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import {
  CRYPTO_NETWORKS,
  type IncomingTransaction,
  type OutgoingTransaction,
  type Quote,
} from '#capabilities/payments/schemas.ts';
import type { Status } from '#capabilities/payments/statuses.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { type OwnCurrencies, type PresentedAmount, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { PaymentRail } from '#foundation/lib/rails-by-currency.ts';
import type { Network } from '#foundation/ports/network-fees.ts';

/** The transaction as every reply and event carries it. */
export function presentTransaction(
  viewer: Viewer,
  row: TransactionRow,
  now: Date,
  facts: Private = openPrivate(viewer.vault, row),
): IncomingTransaction | OutgoingTransaction {
  const { ownCurrencies } = viewer.platform;
  const present = row.type === 'OUTGOING' ? presentOutgoing : presentIncoming;
  return describingParties(present(row, facts, now, ownCurrencies), row);
}

function presentOutgoing(
  row: TransactionRow,
  facts: Private,
  now: Date,
  own: OwnCurrencies,
): OutgoingTransaction {
  return {
    ...presentCommon(row, facts, own),
    type: 'OUTGOING',
    status: shownStatus(row, now) as OutgoingTransaction['status'],
    direction: 'DEBIT',
    source: presentSource(row, facts),
    sentAmount: presentSentAmount(row, own),
    receivedAmount: presentReceivedAmount(row, own),
    fees: Number(row.service_fee + row.platform_fee),
    platformFees: Number(row.platform_fee),
    ...presentReconciliation(row, facts),
    ...presentInstructions(row, facts),
    ...presentRateDetails(row),
    ...presentOutgoingFailure(row, now),
    ...presentRail(row),
  };
}

function presentIncoming(
  row: TransactionRow,
  facts: Private,
  now: Date,
  own: OwnCurrencies,
): IncomingTransaction {
  const sent = row.details.sent;
  return {
    ...presentCommon(row, facts, own),
    type: 'INCOMING',
    status: shownStatus(row, now),
    direction: 'CREDIT',
    source: presentSource(row, facts),
    sentAmount: sent ? presentAmount(BigInt(sent.amount), sent.currency, own) : presentSentAmount(row, own),
    receivedAmount: presentReceivedAmount(row, own),
    fees: Number(row.service_fee + row.platform_fee),
    ...presentReconciliation(row, facts),
    ...presentIncomingFailure(row, now),
  };
}

function presentCommon(row: TransactionRow, facts: Private, own: OwnCurrencies) {
  const { description, counterpartyInformation } = facts;
  return {
    id: publicId('Transaction', row.id),
    ...(row.pending_reason !== null && { pendingReason: row.pending_reason }),
    destination: presentDestination(row, facts),
    ...presentOwner(row, facts),
    ...(row.settled_at !== null && { settledAt: row.settled_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.confirmed_at !== null && { receiptDeliveryConfirmedAt: row.confirmed_at.toISOString() }),
    ...(row.agent_id !== null && { agentId: publicId('Agent', row.agent_id) }),
    ...(description !== undefined && { description }),
    exchangeRate: row.details.exchangeRate ?? 1,
    ...(row.quote_id !== null && { quoteId: publicId('Quote', row.quote_id) }),
    ...presentRefund(row, own),
    ...(counterpartyInformation && { counterpartyInformation: { ...counterpartyInformation } }),
    ...presentAgentPayment(row, facts),
  };
}

function presentSource(row: TransactionRow, facts: Private): OutgoingTransaction['source'] {
  const currency = row.details.sent?.currency ?? row.sending_currency;
  const { source } = row;
  if (source.kind === 'UMA') {
    return { sourceType: 'UMA_ADDRESS', currency, umaAddress: sourceAddress(source, facts) };
  }
  const onChain = presentOnChain(row.funding_hash, row.details.fundingNetwork);
  if (source.kind !== 'REALTIME') {
    return { sourceType: 'ACCOUNT', currency, accountId: publicAccountId(source), ...onChain };
  }
  const { sourceCustomerId } = row.details;
  return {
    sourceType: 'REALTIME_FUNDING',
    ...(sourceCustomerId !== undefined && { customerId: publicId('Customer', sourceCustomerId) }),
    currency,
    ...presentOriginator(facts),
    ...onChain,
  };
}

/** What the bank reported about the payer, field by field. */
function presentOriginator({ originator = {} }: Private) {
  const text = (name: string) => (typeof originator[name] === 'string' ? { [name]: originator[name] } : {});
  const rail = originator.paymentRail as PaymentRail | undefined;
  return {
    ...text('accountHolderName'),
    ...text('accountIdentifier'),
    ...text('bankName'),
    ...text('bankIdentifier'),
    ...(rail !== undefined && { paymentRail: rail }),
    ...text('remittanceInformation'),
    ...text('endToEndId'),
    ...text('traceNumber'),
  };
}

function presentDestination(row: TransactionRow, facts: Private): OutgoingTransaction['destination'] {
  const currency = row.receiving_currency;
  const { destination, payout_hash, details } = row;
  const inAccount = (accountId: string) => ({
    destinationType: 'ACCOUNT' as const,
    currency,
    accountId,
    ...presentOnChain(payout_hash, details.payoutNetwork),
  });
  if (destination.kind !== 'UMA') return inAccount(publicAccountId(destination));
  // The receiver of a payment to its UMA address sees which of its accounts was credited.
  const credited = row.type === 'INCOMING' ? destination.account : null;
  return credited === null
    ? { destinationType: 'UMA_ADDRESS', currency, umaAddress: destinationAddress(destination, facts) }
    : inAccount(publicId('InternalAccount', credited));
}

/** money.md §6.7: over Lightning there is no on-chain transaction to refer to. */
function presentOnChain(hash: string | null, network: Network | undefined) {
  const shown = CRYPTO_NETWORKS.find((name) => name === network);
  return hash === null || shown === undefined
    ? {}
    : { onChainTransaction: { transactionHash: hash, network: shown } };
}

/**
 * The hash here is a deprecated copy. Only for the leg between the providers of a UMA payment is it shown nowhere else.
 */
function presentReconciliation(
  row: TransactionRow,
  facts: Private,
): Pick<OutgoingTransaction, 'reconciliationInstructions'> {
  const transactionHash = row.payout_hash ?? row.funding_hash;
  const reference = row.reference ?? facts.statedReference;
  if (reference === undefined && transactionHash === null) return {};
  return {
    reconciliationInstructions: {
      ...(reference !== undefined && { reference }),
      ...(transactionHash !== null && { transactionHash }),
    },
  };
}

function presentRefund(row: TransactionRow, own: OwnCurrencies): Pick<OutgoingTransaction, 'refund'> {
  if (row.refund_status === null || row.refund_reference === null || row.refund_amount === null) return {};
  return {
    refund: {
      reference: row.refund_reference,
      initiatedAt: (row.refund_initiated_at ?? row.updated_at).toISOString(),
      ...(row.refund_settled_at !== null && { settledAt: row.refund_settled_at.toISOString() }),
      status: row.refund_status,
      ...(row.refund_reason !== null && { reason: row.refund_reason }),
      amount: presentAmount(row.refund_amount, row.sending_currency, own),
    },
  };
}

/** money.md §2.7; the settlement time counts from the execution. */
function presentRail(row: TransactionRow) {
  const { paymentRail = null, railSelectionMode = null, settlementSeconds = null } = row.details;
  const start = row.executed_at ?? row.created_at;
  return {
    paymentRail,
    railSelectionMode,
    expectedSettlementAt:
      settlementSeconds === null ? null : new Date(start.getTime() + settlementSeconds * 1000).toISOString(),
    settlementTimelineSeconds: settlementSeconds,
  };
}

/** Parts that quotes and transactions share. */

/** What presenting a row needs: the vault for its sealed part, and the platform for its own currencies. */
export type Viewer = Pick<Tx, 'vault' | 'platform'>;

/**
 * money.md §3.1: after its deadline a quote reads `EXPIRED`, and one that awaited authorization `FAILED`, even before
 * the timer has run. A transfer that awaited approval reads `FAILED` as well (agents.md §5.1).
 */
export function shownStatus(row: TransactionRow, now: Date): Status {
  if (isPastAuthorization(row, now) || hasTransferLapsed(row, now)) return 'FAILED';
  return isPastExpiry(row, now) ? 'EXPIRED' : row.status;
}

function hasTransferLapsed(row: TransactionRow, now: Date): boolean {
  return row.kind === 'TRANSFER' && isPastApproval(row, now);
}

export function publicAccountId({ kind, account }: StoredAccount): string {
  return publicId(kind === 'EXTERNAL' ? 'ExternalAccount' : 'InternalAccount', account);
}

/** money.md §2.4: for the platform's own payment, both fields carry its id. */
export function presentOwner(
  row: TransactionRow,
  facts: Private,
): { customerId: string; platformCustomerId: string } {
  const customerId = presentOwnerId(row);
  if (row.customer_id === null) return { customerId, platformCustomerId: customerId };
  // After an erasure the customer's id replaces the platform's reference (customers.md §2.4.26b).
  const reference = facts.platformCustomerId ?? row.details.platformCustomerId ?? row.customer_id;
  return { customerId, platformCustomerId: reference };
}

export function presentOwnerId({
  customer_id: id,
  platform_id,
}: Pick<TransactionRow, 'customer_id' | 'platform_id'>): string {
  return id === null ? publicId('Platform', platform_id) : publicId('Customer', id);
}

function presentSentAmount(row: TransactionRow, own: OwnCurrencies): PresentedAmount {
  return presentAmount(row.sending_amount, row.sending_currency, own);
}

function presentReceivedAmount(row: TransactionRow, own: OwnCurrencies): PresentedAmount {
  return presentAmount(row.receiving_amount, row.receiving_currency, own);
}

export function presentRateDetails(row: TransactionRow): { rateDetails?: NonNullable<Quote['rateDetails']> } {
  const { rateDetails: stored } = row.details;
  if (!stored) return {};
  return {
    rateDetails: {
      counterpartyMultiplier: stored.counterpartyMultiplier,
      counterpartyFixedFee: Number(stored.counterpartyFixedFee),
      svcApiMultiplier: stored.svcApiMultiplier,
      svcApiFixedFee: Number(stored.svcApiFixedFee),
      svcApiVariableFeeRate: stored.svcApiVariableFeeRate,
      svcApiVariableFeeAmount: Number(stored.svcApiVariableFeeAmount),
    },
  };
}

function presentIncomingFailure(row: TransactionRow, now: Date): Pick<IncomingTransaction, 'failureReason'> {
  if (hasTransferLapsed(row, now)) return { failureReason: 'COLLECTION_FAILED' };
  return row.failure_reason === null ? {} : { failureReason: row.failure_reason as IncomingFailure };
}

function presentOutgoingFailure(row: TransactionRow, now: Date): Pick<OutgoingTransaction, 'failureReason'> {
  if (isPastAuthorization(row, now)) return { failureReason: 'SCA_NOT_COMPLETED' };
  if (hasTransferLapsed(row, now)) return { failureReason: 'QUOTE_EXECUTION_FAILED' };
  return row.failure_reason === null ? {} : { failureReason: row.failure_reason as OutgoingFailure };
}

/**
 * How to fund a real-time quote, once it is authorized (customers.md §7.10), or the payload that a wallet's owner
 * signs.
 */
export function presentInstructions(
  row: TransactionRow,
  { paymentInstructions }: Private,
): Pick<OutgoingTransaction, 'paymentInstructions'> {
  const isHidden = row.source.kind === 'REALTIME' && row.authorize_by !== null;
  return paymentInstructions && !isHidden ? { paymentInstructions: [...paymentInstructions] } : {};
}
