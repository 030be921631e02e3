import { describingParties, openPrivate, type Private } from '#capabilities/payments/details.ts';
import {
  presentInstructions,
  presentRateDetails,
  publicAccountId,
  shownStatus,
  type Viewer,
} from '#capabilities/payments/present-transaction.ts';
import { destinationAddress, quoteIdOf, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import type { ScaChallenge } from '#capabilities/sca/schemas.ts';
import { presentCurrency } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The quote as every reply carries it, with `scaChallenge` while its customer has to authorize it. */
export function presentQuote(
  viewer: Viewer,
  row: TransactionRow,
  now: Date,
  scaChallenge?: ScaChallenge,
  facts: Private = openPrivate(viewer.vault, row),
): Quote {
  const { ownCurrencies } = viewer.platform;
  const { counterpartyInformation } = facts;
  const shown: Quote = {
    id: publicId('Quote', quoteIdOf(row)),
    status: quoteStatus(row, now),
    createdAt: row.created_at.toISOString(),
    expiresAt: (row.expires_at ?? row.created_at).toISOString(),
    source: presentSource(row),
    destination: presentDestination(row, facts),
    sendingCurrency: presentCurrency(row.sending_currency, ownCurrencies),
    receivingCurrency: presentCurrency(row.receiving_currency, ownCurrencies),
    totalSendingAmount: Number(row.sending_amount),
    totalReceivingAmount: Number(row.receiving_amount),
    exchangeRate: row.details.exchangeRate ?? 1,
    feesIncluded: Number(row.service_fee + row.platform_fee),
    platformFeesIncluded: Number(row.platform_fee),
    ...presentInstructions(row, facts),
    transactionId: publicId('Transaction', row.id),
    ...(counterpartyInformation && { counterpartyInformation: { ...counterpartyInformation } }),
    ...presentRateDetails(row),
    ...(scaChallenge && { scaChallenge }),
  };
  return describingParties(shown, row);
}

/** The transaction's status, but `PROCESSING` for an executed pull that is still `PENDING` (money.md §4.1). */
export function quoteStatus(row: TransactionRow, now: Date): Quote['status'] {
  const status = shownStatus(row, now);
  if (status === 'PENDING' && row.executed_at !== null) return 'PROCESSING';
  // Only incoming UMA payments are rejected, and they have no quote.
  return status === 'REJECTED' ? 'FAILED' : status;
}

function presentSource(row: TransactionRow): Quote['source'] {
  const { source } = row;
  if (!('account' in source)) {
    const { sourceCustomerId, fundingNetwork } = row.details;
    return {
      sourceType: 'REALTIME_FUNDING',
      ...(sourceCustomerId !== undefined && { customerId: publicId('Customer', sourceCustomerId) }),
      currency: row.sending_currency,
      ...(fundingNetwork !== undefined && { cryptoNetwork: fundingNetwork }),
    };
  }
  return {
    sourceType: 'ACCOUNT',
    accountId: publicAccountId(source),
    ...(row.customer_id !== null && { customerId: publicId('Customer', row.customer_id) }),
  };
}

function presentDestination(row: TransactionRow, facts: Private): Quote['destination'] {
  const { destination } = row;
  if (destination.kind === 'UMA') {
    return {
      destinationType: 'UMA_ADDRESS',
      umaAddress: destinationAddress(destination, facts),
      currency: row.receiving_currency,
    };
  }
  const rail = row.details.paymentRail ?? null;
  return {
    destinationType: 'ACCOUNT',
    accountId: publicAccountId(destination),
    ...(rail !== null && { paymentRail: rail }),
  };
}
