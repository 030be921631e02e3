import type { Private } from '#capabilities/payments/details.ts';
import {
  destinationAddress,
  internalDestination,
  isCrossCurrency,
  isRefundedInternally,
  refundAmount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import type { Collection, Payout, Principal, RailParty, RefundOrder } from '#foundation/ports/payments.ts';

/** The orders of a transaction to the rails, which contain its private facts. */

/** The account of a customer who has been erased since: no rail can pay it. */
const ERASED = { accountType: '', identifier: '', fields: {} };

export function buildPayout(facts: Private, row: TransactionRow): Payout {
  return {
    ...orderOf(row),
    amount: row.receiving_amount,
    currency: row.receiving_currency,
    to: payoutParty(row, facts),
    rail: row.details.paymentRail ?? row.details.depositRail ?? null,
    network: row.details.payoutNetwork,
    remittanceInformation: facts.remittanceInformation,
  };
}

export function buildCollection({ source }: Private, row: TransactionRow): Collection {
  return {
    ...orderOf(row),
    amount: row.sending_amount,
    currency: row.sending_currency,
    from: source ?? ERASED,
    creditor: { customerId: row.customer_id, accountId: internalDestination(row) },
    authorizedAt: requestedAt(row),
  };
}

export function buildRefund(facts: Private, row: TransactionRow): RefundOrder {
  return {
    ...orderOf(row),
    amount: refundAmount(row),
    currency: row.sending_currency,
    to: isRefundedInternally(row) ? 'INTERNAL' : 'ORIGIN',
    of: isRefundedInternally(row) ? undefined : row.source.kind === 'EXTERNAL' ? 'COLLECTION' : 'CREDIT',
    payout: buildPayout(facts, row),
  };
}

function orderOf(row: TransactionRow) {
  return {
    reference: row.id,
    platformId: row.platform_id,
    isCrossCurrency: isCrossCurrency(row),
    originator: originatorOf(row),
    purpose: row.details.purposeOfPayment,
    requestedAt: requestedAt(row),
  };
}

function originatorOf({ customer_id: customerId, source }: TransactionRow): Principal {
  return { customerId, accountId: source.kind === 'INTERNAL' ? source.account : null };
}

function requestedAt({ executed_at: executed, created_at: created }: TransactionRow): Date {
  return executed ?? created;
}

function payoutParty(row: TransactionRow, facts: Private): RailParty {
  const { destination } = facts;
  const internal = internalDestination(row);
  if (internal !== null) return { kind: 'INTERNAL', accountId: internal };
  // The UMA address of one of our customers may lead to an external account (accounts.md §3.2.23).
  if (row.destination.kind === 'UMA' && !destination)
    return { kind: 'UMA', address: destinationAddress(row.destination, facts) };
  return { kind: 'EXTERNAL', account: destination ?? ERASED };
}
