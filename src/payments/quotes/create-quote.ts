import type { ReadTx } from '#database/tx.ts';
import type { SharedPlan } from '#http/plan.ts';
import { publicId } from '#lib/ids.ts';
import { type Refusal, refuseIf } from '#lib/refusals.ts';
import { checkFunds, planTransition } from '#payments/commit/plan-transition.ts';
import { applyNotice } from '#payments/machine/table.ts';
import { checkCurrency, checkOffered, checkStrongAuthentication } from '#payments/parties/rules.ts';
import { receivingCurrencyOf } from '#payments/parties/source-destination.ts';
import { presentQuote } from '#payments/present-quote.ts';
import { resolveDestination } from '#payments/quotes/destination.ts';
import { draftQuote } from '#payments/quotes/draft-quote.ts';
import { scheduleExpiry } from '#payments/quotes/expire-quotes.ts';
import type { ParsedQuote } from '#payments/quotes/parse-quote.ts';
import { priceQuote, type QuotePrice } from '#payments/quotes/price-quote.ts';
import {
  checkParties,
  isSameCurrencyPull,
  loadParties,
  movesAtOnce,
  type Parties,
  payingCustomer,
  sendingCurrencyOf,
  walletOf,
} from '#payments/quotes/quote-parties.ts';
import type { Quote } from '#payments/schemas.ts';
import { executionFacts } from '#payments/settlement/facts.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { loadConfig } from '#platform/store.ts';
import { readRates } from '#pricing/rates.ts';

export interface QuoteParts {
  readonly domains: ServiceDomains;
  /** What the names of account holders begin with. */
  readonly serviceName: string;
}

/**
 * Prepares a quote with its transaction and, where asked for, its execution: all in one commit. The refusals are those
 * of money.md §2.13, in that order. The receiver's provider is asked on the way, so nothing is locked.
 */
export async function prepareQuote(
  tx: ReadTx,
  request: ParsedQuote,
  { domains, serviceName }: QuoteParts,
): Promise<SharedPlan<Quote>> {
  const parties = await loadParties(tx, request);
  refuseIf(checkParties(tx, request, parties));
  const config = await loadConfig(tx);
  const rates = await readRates(tx);
  const sending = sendingCurrencyOf(request, parties);
  refuseIf(checkCurrency(config, rates, sending, isSameCurrencyPull(parties) ? 'INCOMING' : 'OUTGOING'));
  refuseIf(parties.destination && checkOffered(rates, parties.destination.account.currency));
  const resolved = await resolveDestination(tx, request, parties, { config, domains });
  refuseIf(checkOffered(rates, receivingCurrencyOf(resolved.destination)));
  const price = await priceQuote(tx, { request, parties, resolved, config, rates });
  refuseIf(checkAuthentication(request, parties) ?? checkWalletFunds(tx, parties, price));
  const draft = await draftQuote(tx, { request, parties, resolved, price }, serviceName);
  if (request.immediatelyExecute) applyNotice(draft, { kind: 'executed' }, executionFacts(tx, draft.row));
  else scheduleExpiry(draft);
  const transition = draft.transition();
  return planTransition(tx, transition, presentQuote(tx, transition.row, tx.now));
}

/** money.md §2.10: before its owner is asked to sign; for other accounts the execution checks it. */
function checkWalletFunds(tx: ReadTx, { source }: Parties, { amounts }: QuotePrice): Refusal | undefined {
  const wallet = walletOf(source);
  return wallet && checkFunds(tx, wallet, amounts.totalSendingAmount);
}

/** Only where the money moves without another call; otherwise the execution checks it (money.md §3.5). */
function checkAuthentication(request: ParsedQuote, parties: Parties) {
  const payer = movesAtOnce(request) ? payingCustomer(parties) : undefined;
  const details =
    payer && request.immediatelyExecute ? { customerId: publicId('Customer', payer.id) } : undefined;
  return checkStrongAuthentication(payer, details);
}
