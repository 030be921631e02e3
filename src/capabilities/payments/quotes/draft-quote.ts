import {
  type Private,
  sealPrivate,
  storedRateDetails,
  type TransactionDetails,
} from '#capabilities/payments/details.ts';
import { newTransaction, type PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { QUOTE_LIFETIME_MS } from '#capabilities/payments/machine/outgoing.ts';
import {
  fundingDetails,
  holderDetails,
  partyFacts,
  payeeOf,
  paymentInstruments,
  payoutDetails,
  receiverDetails,
  receivingCurrencyOf,
  storedDestination,
  storedSource,
  transactionOwner,
} from '#capabilities/payments/parties/source-destination.ts';
import type { ResolvedDestination } from '#capabilities/payments/quotes/destination.ts';
import { quoteInstructions, realtimeDetails } from '#capabilities/payments/quotes/funding.ts';
import type { ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import type { QuotePrice } from '#capabilities/payments/quotes/price-quote.ts';
import {
  chooseSendingCurrency,
  isSameCurrencyPull,
  type Parties,
  walletOf,
} from '#capabilities/payments/quotes/quote-parties.ts';
import { quoteReference } from '#capabilities/payments/reference.ts';
import type { Fixed } from '#capabilities/payments/row.ts';
import { walletInstructions } from '#capabilities/payments/wallet-instructions.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** agents.md §4.8: gives the approver of its execution time to look at it. */
const AGENT_QUOTE_LIFETIME_MS = 15 * 60_000;

/** A request for a quote that passed its checks: the request, the parties, and the price. */
export interface ResolvedQuote {
  readonly request: ParsedQuote;
  readonly parties: Parties;
  readonly resolved: ResolvedDestination;
  readonly price: QuotePrice;
  /** Its customer has to authorize it before it can be funded or paid (customers.md §7.10). */
  readonly isAuthorizedFirst: boolean;
}

/** Drafts the transaction that is created with the quote. The caller may also execute it in the same commit. */
export async function draftQuote(
  tx: ReadTx,
  quote: ResolvedQuote,
  serviceName: string,
): Promise<PaymentDraft> {
  const { request, parties } = quote;
  const { amounts, feeAccount } = quote.price;
  const id = tx.newId('Transaction');
  const terms = buildTerms(tx, quote, tx.newId('Quote'));
  const details = buildDetails(quote);
  const customerId = parties.owner?.id ?? null;
  const { reference, paymentInstructions } = await instructionsFor(tx, quote, terms, serviceName);
  const fixed: Fixed = {
    platform_id: tx.platformId,
    id,
    type: isSameCurrencyPull(parties) ? 'INCOMING' : 'OUTGOING',
    kind: 'QUOTE',
    customer_id: customerId,
    agent_id: request.agent?.id ?? null,
    ...terms,
    locked_side: request.lockedSide,
    source: storedSource(parties.source),
    service_fee: amounts.serviceFees,
    platform_fee: amounts.platformFeesIncluded,
    fee_account: feeAccount,
    reference,
    reference_hash: null,
    details,
    private: sealPrivate(
      tx.vault,
      { id, customer_id: customerId, details },
      { ...buildPrivate(quote), ...(paymentInstructions && { paymentInstructions }) },
    ),
    created_at: tx.now,
  };
  const lifetimeMs = request.agent ? AGENT_QUOTE_LIFETIME_MS : QUOTE_LIFETIME_MS;
  const draft = newTransaction(fixed, tx.now, new Date(tx.now.getTime() + lifetimeMs));
  // From now on the fee's account cannot be closed. It is not checked again when the quote is executed.
  if (feeAccount !== null) draft.requireOpenAccount(feeAccount);
  // The event of a pull into an internal account is emitted when it is executed (money.md §4.2).
  if (fixed.type === 'OUTGOING') draft.emit('PENDING');
  return draft;
}

/** The amounts and the destination: the terms that a wallet's owner signs. */
function buildTerms(
  { vault }: ReadTx,
  { request, parties, resolved: { destination }, price: { amounts } }: ResolvedQuote,
  quoteId: QuoteId,
) {
  return {
    quote_id: quoteId,
    destination: storedDestination(vault, destination),
    sending_currency: chooseSendingCurrency(request, parties),
    sending_amount: amounts.totalSendingAmount,
    receiving_currency: receivingCurrencyOf(destination),
    receiving_amount: amounts.totalReceivingAmount,
  };
}

/**
 * How a real-time quote is funded, under its own reference, or how a payment from an embedded wallet is signed. Other
 * quotes have no instructions.
 */
async function instructionsFor(
  tx: ReadTx,
  { request: { source }, parties, resolved, isAuthorizedFirst }: ResolvedQuote,
  terms: ReturnType<typeof buildTerms>,
  serviceName: string,
) {
  const wallet = walletOf(parties.source);
  if (wallet) {
    const payee = payeeOf(resolved.destination);
    return { reference: null, paymentInstructions: await walletInstructions(tx, wallet.id, terms, payee) };
  }
  if (source.kind !== 'REALTIME') return { reference: null };
  const reference = quoteReference(tx.runtime.names.referencePrefix, terms.quote_id);
  // A quote that is authorized at the last moment can be funded for another lifetime (customers.md §7.10c).
  const lifetimeMs = isAuthorizedFirst ? 2 * QUOTE_LIFETIME_MS : QUOTE_LIFETIME_MS;
  const funding = {
    ...source,
    amount: terms.sending_amount,
    owner: parties.owner,
    serviceName,
    expiresAt: new Date(tx.now.getTime() + lifetimeMs),
  };
  return { reference, paymentInstructions: await quoteInstructions(tx, funding, reference) };
}

function buildDetails({
  request,
  parties,
  resolved: { destination },
  price: quotePrice,
}: ResolvedQuote): TransactionDetails {
  const { amounts, rateDetails, usdValue, sizeLimit, isLarge } = quotePrice;
  const owner = transactionOwner(parties.owner);
  const { purposeOfPayment, source } = request;
  return {
    exchangeRate: amounts.exchangeRate,
    ...(rateDetails && { rateDetails: storedRateDetails(rateDetails) }),
    usdValue: [usdValue.numerator.toString(), usdValue.denominator.toString()],
    sizeLimit: sizeLimit.toString(),
    isLarge,
    ...(request.scaFactor !== undefined && { scaFactor: request.scaFactor }),
    ...(parties.source && fundingDetails(parties.source)),
    ...(source.kind === 'REALTIME' && realtimeDetails(source)),
    ...payoutDetails(destination),
    ...(purposeOfPayment !== undefined && { purposeOfPayment }),
    ...receiverDetails(destination, owner),
    ...holderDetails(destination, owner),
  };
}

function buildPrivate({ request, parties, resolved }: ResolvedQuote): Private {
  const { description, remittanceInformation, senderCustomerInfo } = request;
  const { destination, counterpartyInformation } = resolved;
  return {
    ...partyFacts(destination, transactionOwner(parties.owner)),
    ...(description !== undefined && { description }),
    ...(remittanceInformation !== undefined && { remittanceInformation }),
    ...(counterpartyInformation && { counterpartyInformation }),
    ...(senderCustomerInfo && { senderCustomerInfo }),
    ...paymentInstruments(parties.source, destination),
  };
}
