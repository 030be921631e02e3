import { checkFunds, checkVolume, planTransition } from '#capabilities/payments/commit/plan-transition.ts';
import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { scheduleExpiry } from '#capabilities/payments/machine/outgoing.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import {
  checkFactor,
  type DestinationOfMoney,
  draftPaymentChallenge,
  loadRequiredFactor,
  type PaymentChallenge,
} from '#capabilities/payments/parties/authentication.ts';
import { checkCoin, checkCurrency, checkOffered } from '#capabilities/payments/parties/rules.ts';
import { receivingCurrencyOf } from '#capabilities/payments/parties/source-destination.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { resolveDestination } from '#capabilities/payments/quotes/destination.ts';
import { draftQuote } from '#capabilities/payments/quotes/draft-quote.ts';
import type { ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import { priceQuote, type QuotePrice } from '#capabilities/payments/quotes/price-quote.ts';
import {
  checkParties,
  chooseSendingCurrency,
  isSameCurrencyPull,
  loadParties,
  movesAtOnce,
  type Parties,
  payingCustomer,
  walletOf,
} from '#capabilities/payments/quotes/quote-parties.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { type RateReading, readRates } from '#capabilities/pricing/rates.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { type Answer, Reply } from '#foundation/http/idempotency/reply.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

export interface QuoteParts {
  readonly domains: ServiceDomains;
  /** The prefix of account holders' names. */
  readonly serviceName: string;
}

/**
 * Prepares a quote with its transaction and, if requested, its execution, all in one commit. The refusals are those of
 * money.md §2.13, in that order. Nothing is locked, because the receiver's provider is asked on the way.
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
  const sending = chooseSendingCurrency(request, parties);
  refuseIf(checkCurrencies(tx, { config, rates, sending, parties }));
  const resolved = await resolveDestination(tx, request, parties, { config, domains });
  const receiving = receivingCurrencyOf(resolved.destination);
  refuseIf(checkOffered(tx.platform, rates, receiving) ?? checkCoin(tx.platform, sending, receiving));
  const price = await priceQuote(tx, { request, parties, resolved, config, rates });
  const asked = await loadQuoteFactor(tx, request, parties);
  if (asked instanceof Refusal) throw asked;
  refuseIf(checkWalletFunds(tx, parties, price));
  const quote = { request, parties, resolved, price, isAuthorizedFirst: asked !== undefined };
  const draft = await draftQuote(tx, quote, serviceName);
  const challenge = asked && draftPaymentChallenge(tx, draft.row, asked);
  startQuote(tx, draft, request, challenge);
  if (challenge && request.immediatelyExecute) refuseIf(await checkVolume(tx, draft.row));
  const transition = draft.transition();
  const reply = presentQuote(tx, transition.row, tx.now, challenge?.shown);
  return planTransition(tx, transition, chooseReply(request, reply, challenge), challenge);
}

/** Both currencies, as far as they are known before the receiver's provider is asked. */
function checkCurrencies(
  { platform }: ReadTx,
  { config, rates, sending, parties }: CurrenciesOfQuote,
): Refusal | undefined {
  const receiving = parties.destination?.account.currency;
  const direction = isSameCurrencyPull(parties) ? 'INCOMING' : 'OUTGOING';
  return (
    checkCurrency(platform, config, rates, sending, direction) ??
    (receiving === undefined ? undefined : checkOffered(platform, rates, receiving)) ??
    checkCoin(platform, sending, receiving)
  );
}

interface CurrenciesOfQuote {
  readonly config: PlatformConfig;
  readonly rates: RateReading | undefined;
  readonly sending: string;
  readonly parties: Parties;
}

/** Adds what follows the quote in the same commit: its execution, the wait for its customer, or its expiry timer. */
function startQuote(
  tx: ReadTx,
  draft: PaymentDraft,
  { immediatelyExecute }: ParsedQuote,
  challenge: PaymentChallenge | undefined,
): void {
  const facts = executionFacts(tx, draft.row);
  if (challenge) PAYMENTS.apply(draft, { kind: 'authorizationRequired', by: challenge.by }, facts);
  else if (immediatelyExecute) PAYMENTS.apply(draft, { kind: 'executed' }, facts);
  else scheduleExpiry(draft);
}

/** 202 if a real-time quote has no instructions yet (customers.md §7.10). */
function chooseReply(
  { immediatelyExecute }: ParsedQuote,
  quote: Quote,
  challenge: PaymentChallenge | undefined,
): Answer<Quote> {
  return challenge && !immediatelyExecute ? new Reply(202, quote) : quote;
}

/** money.md §2.10: checks the balance before the owner is asked to sign. For other accounts the execution checks it. */
function checkWalletFunds(tx: ReadTx, { source }: Parties, { amounts }: QuotePrice): Refusal | undefined {
  const wallet = walletOf(source);
  return wallet && checkFunds(tx, wallet, amounts.totalSendingAmount);
}

/** The challenge, if the money moves without another request; otherwise the execution opens it (money.md §3.5). */
async function loadQuoteFactor(tx: ReadTx, request: ParsedQuote, parties: Parties) {
  if (isSameCurrencyPull(parties)) return undefined;
  const money = { payer: payingCustomer(parties), factor: request.scaFactor };
  if (!movesAtOnce(request)) return checkFactor(tx, money);
  return loadRequiredFactor(tx, { ...money, destination: destinationOf(parties) });
}

function destinationOf({ destination, owner }: Parties): DestinationOfMoney {
  if (destination?.kind === 'EXTERNAL') return { kind: 'EXTERNAL', accountId: destination.account.id };
  const isOwn = destination !== undefined && destination.account.customer_id === owner?.id;
  return { kind: isOwn ? 'OWN' : 'OTHERS' };
}
