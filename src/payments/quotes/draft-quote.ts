import type { ReadTx } from '#database/tx.ts';
import { reachesOwnershipThreshold } from '#external-accounts/check-for-payment.ts';
import { type Details, type Private, sealPrivate, storedRateDetails } from '#payments/details.ts';
import { type Draft, newTransaction } from '#payments/machine/draft.ts';
import {
  destinationColumns,
  fundingDetails,
  holderOf,
  instrumentOf,
  payoutDetails,
  receiverOf,
  sourceColumns,
} from '#payments/parties/source-destination.ts';
import { LIFETIME_MS } from '#payments/quotes/expire-quotes.ts';
import {
  type PricedQuote,
  type QuoteInput,
  receivingCurrencyOf,
  sendingCurrencyOf,
} from '#payments/quotes/price-quote.ts';
import { quoteReference } from '#payments/reference.ts';
import type { Fixed } from '#payments/row.ts';
import type { Price } from '#pricing/price.ts';
import { rateDetails } from '#pricing/rate-details.ts';

/**
 * A quote with its transaction, as a draft: nothing is stored until its transition is applied. The caller may go on
 * with it, for example to execute it in the same commit.
 */
export function planQuote(tx: ReadTx, input: QuoteInput, priced: PricedQuote): Draft {
  const id = tx.newId();
  const quoteId = tx.newId();
  const { referencePrefix } = tx.runtime.names;
  const reference = input.source.kind === 'REALTIME' ? quoteReference(referencePrefix, quoteId) : null;
  const type = isIncoming(input) ? 'INCOMING' : 'OUTGOING';
  const expiresAt = new Date(tx.now.getTime() + LIFETIME_MS);
  const fixed: Fixed = {
    platform_id: tx.platformId,
    id,
    type,
    kind: 'QUOTE',
    customer_id: input.owner.customerId,
    agent_id: input.agentId ?? null,
    quote_id: quoteId,
    expires_at: expiresAt,
    locked_side: input.lockedSide,
    ...sourceColumns(input.source),
    ...destinationColumns(input.destination),
    ...amountColumns(input, priced.price),
    reference,
    details: detailsOf(tx, input, priced),
    private: sealPrivate(tx.vault, id, privateOf(input, reference)),
    created_at: tx.now,
  };
  const draft = newTransaction(fixed, tx.now);
  // From here on the account of the fee cannot be closed; it is not asked again when the quote is executed.
  if (fixed.fee_account !== null) draft.needsOpen(fixed.fee_account);
  // A pull into an internal account is told when it is executed (money.md §4.2).
  if (type === 'OUTGOING') draft.emit('PENDING');
  return draft;
}

/** money.md §4.3: a same-currency quote from outside into an internal account brings money in. */
function isIncoming(input: QuoteInput): boolean {
  const isSameCurrency = sendingCurrencyOf(input) === receivingCurrencyOf(input);
  return isSameCurrency && input.source.kind === 'EXTERNAL' && input.destination.kind === 'INTERNAL';
}

function amountColumns(input: QuoteInput, price: Price) {
  return {
    sending_currency: sendingCurrencyOf(input),
    sending_amount: price.totalSendingAmount,
    receiving_currency: receivingCurrencyOf(input),
    receiving_amount: price.totalReceivingAmount,
    service_fee: price.serviceFees,
    platform_fee: price.platformFeesIncluded,
    fee_account: price.platformFeesIncluded > 0n ? input.feeAccount : null,
  };
}

function detailsOf(tx: ReadTx, input: QuoteInput, { price, usdValue }: PricedQuote): Details {
  const { source, destination, owner } = input;
  const rates = rateDetails(price, input.fees, input.rates);
  const sending = { amount: price.totalSendingAmount, currency: sendingCurrencyOf(input) };
  const receiver = receiverOf(destination, owner);
  return {
    ...(owner.platformCustomerId !== undefined && { platformCustomerId: owner.platformCustomerId }),
    exchangeRate: price.exchangeRate,
    ...(rates && { rateDetails: storedRateDetails(rates) }),
    usdValue: [usdValue.numerator.toString(), usdValue.denominator.toString()],
    isLarge: reachesOwnershipThreshold(sending, input.rates, tx.platform.settings),
    ...fundingDetails(source),
    ...payoutDetails(destination),
    ...(input.purposeOfPayment !== undefined && { purposeOfPayment: input.purposeOfPayment }),
    ...(receiver && { receiver }),
    ...holderOf(destination, owner),
  };
}

function privateOf(input: QuoteInput, reference: string | null): Private {
  const { source, destination } = input;
  const instructions =
    source.kind === 'REALTIME' ? source.instructions(reference ?? '') : (input.instructions ?? undefined);
  return {
    ...(input.description !== undefined && { description: input.description }),
    ...(input.remittanceInformation !== undefined && { remittanceInformation: input.remittanceInformation }),
    ...(input.counterpartyInformation && { counterpartyInformation: input.counterpartyInformation }),
    ...(input.senderCustomerInfo && { senderCustomerInfo: input.senderCustomerInfo }),
    ...(instructions && { paymentInstructions: instructions }),
    ...(source.kind === 'EXTERNAL' && { source: instrumentOf(source.account) }),
    ...(destination.kind === 'EXTERNAL' && { destination: instrumentOf(destination.account) }),
    ...(destination.kind === 'UMA' &&
      destination.outside && { destination: instrumentOf(destination.outside.account) }),
  };
}
