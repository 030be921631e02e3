import { profileOf } from '#customers/profile.ts';
import { isAlreadyKnown } from '#customers/provider-fields.ts';
import { type CustomerRow, lockCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { automaticRail, type PaymentAccount } from '#external-accounts/check-for-payment.ts';
import { showAmount } from '#lib/currencies.ts';
import { derivedId } from '#lib/ids.ts';
import { refuse } from '#lib/refusals.ts';
import { applyNow } from '#payments/commit/apply.ts';
import { type Details, sealPrivate } from '#payments/details.ts';
import { timeToDecide, UMA_APPROVAL } from '#payments/incoming/decide.ts';
import { type Draft, newTransaction } from '#payments/machine/draft.ts';
import { shortened } from '#payments/parties/rules.ts';
import { chainDetails, instrumentOf } from '#payments/parties/source-destination.ts';
import { answeredOnFile, isTold, type Landing, landingOf } from '#payments/parties/uma.ts';
import { type Fixed, plainTerms, type TransactionRow } from '#payments/row.ts';
import { findTransaction } from '#payments/store.ts';
import { type CurrencyRule, currencyRule, type PlatformConfig } from '#platform/config.ts';
import { loadConfig } from '#platform/store.ts';
import type { PayerDataField } from '#rails/counterparties.ts';

/** A payment that another provider's user wants to make to a customer (money.md §7.2). */
export interface UmaOffer {
  readonly senderAddress: string;
  readonly receiver: CustomerRow;
  readonly amount: bigint;
  readonly currency: string;
  /** What the sender's provider tells of the sender, under the contract's names. */
  readonly senderData: Readonly<Record<string, unknown>>;
  /** What it wants to know of the receiver. */
  readonly wanted: readonly PayerDataField[];
  /** Its own reference: an offer that comes again is the same one. */
  readonly providerReference?: string | undefined;
}

/** Takes the offer down as `PENDING` and asks the platform. The answer, a call or the clock decides. */
export async function offerPayment(tx: Tx, offer: UmaOffer): Promise<TransactionRow> {
  const { providerReference: known } = offer;
  const id = known === undefined ? tx.newId() : derivedId(tx.platformId, `uma ${known}`);
  if (known !== undefined) {
    // The second of two reports that come at once waits here for the first.
    await lockCustomer(tx, offer.receiver.id);
    const earlier = await findTransaction(tx, id);
    if (earlier) return earlier;
  }
  const rule = checkOffer(tx, await loadConfig(tx), offer);
  if (offer.receiver.status !== 'APPROVED') refuse('USER_NOT_READY', 'The receiver is not approved.');
  const landing = await landingOf(tx, offer);
  const draft = draftOffer(tx, id, offer, { rule, landing });
  const transition = draft.transition();
  await applyNow(tx, [transition]);
  return transition.row;
}

/** money.md §9.6 and platform.md §3.2.4, in that order. */
function checkOffer(tx: Tx, config: PlatformConfig, { currency, amount }: UmaOffer): CurrencyRule {
  const rule = currencyRule(config, currency);
  if (!rule) {
    const shown = shortened(currency);
    refuse('INVALID_CURRENCY', `The platform does not support ${shown}.`, { currency: shown });
  }
  if (!rule.enabledTransactionTypes.includes('INCOMING')) {
    refuse('INVALID_RECEIVER', `The platform does not accept incoming payments in ${currency}.`, {
      currency,
    });
  }
  if (amount < rule.minAmount || amount > rule.maxAmount) {
    const bounds = { currency, min: Number(rule.minAmount), max: Number(rule.maxAmount) };
    const shown = (bound: bigint) => showAmount(bound, currency, tx.platform.ownCurrencies);
    const limits = `${shown(rule.minAmount)} to ${shown(rule.maxAmount)}`;
    refuse('AMOUNT_OUT_OF_RANGE', `The amount is outside the platform’s limits: ${limits}.`, bounds);
  }
  if (config.webhookEndpoint === undefined) {
    refuse(
      'WEBHOOK_ENDPOINT_NOT_SET',
      'The platform has no webhook endpoint that could approve the payment.',
    );
  }
  return rule;
}

interface OfferParts {
  readonly rule: CurrencyRule;
  readonly landing: Landing;
}

function draftOffer(tx: ReadTx, id: string, offer: UmaOffer, { rule, landing }: OfferParts): Draft {
  const profile = profileOf(tx.vault, offer.receiver);
  // money.md §7.3: only what is not on file.
  const requestedFields = offer.wanted
    .filter(({ name, mustBeSent }) => mustBeSent || !isAlreadyKnown(profile, name))
    .map(({ name, mandatory }) => ({ name, mandatory }));
  const fieldsOnFile = answeredOnFile(profile, offer.wanted);
  const told = counterpartyInformation(offer, rule);
  const isOutside = 'outside' in landing;
  const details: Details = {
    platformCustomerId: offer.receiver.platform_customer_id,
    fundingRail: 'UMA',
    ...(isOutside && payoutDetails(landing.outside)),
    ...(requestedFields.length > 0 && { requestedFields }),
    ...(fieldsOnFile.length > 0 && { fieldsOnFile }),
  };
  const facts = {
    ...(Object.keys(told).length > 0 && { counterpartyInformation: told }),
    ...(isOutside && { destination: instrumentOf(landing.outside) }),
  };
  const fixed: Fixed = {
    ...partiesOf(tx, id, offer, landing),
    details,
    private: sealPrivate(tx.vault, id, facts),
  };
  const draft = newTransaction(fixed, tx.now);
  if (isWithheld(offer, rule)) {
    // platform.md §3.2.5: nobody is asked about a sender of whom too little is known.
    draft.set({ status: 'FAILED', failure_reason: 'MISSING_MANDATORY_PAYEE_DATA' });
    draft.emit('FAILED');
    return draft;
  }
  const extra =
    requestedFields.length > 0 ? { requestedReceiverCustomerInfoFields: requestedFields } : undefined;
  draft.emit('PENDING', { decision: UMA_APPROVAL, ...(extra && { extra }) });
  const { kind, dueAt, payload } = timeToDecide(id, tx.now);
  draft.schedule(kind, id, { dueAt }, payload);
  return draft;
}

function partiesOf(
  tx: ReadTx,
  id: string,
  offer: UmaOffer,
  landing: Landing,
): Omit<Fixed, 'details' | 'private'> {
  const { receiver, currency, amount } = offer;
  const isOutside = 'outside' in landing;
  return {
    platform_id: tx.platformId,
    id,
    type: 'INCOMING',
    kind: 'UMA',
    customer_id: receiver.id,
    ...plainTerms(currency, amount),
    source_type: 'UMA',
    source_account: null,
    source_uma: offer.senderAddress,
    destination_type: isOutside ? 'EXTERNAL' : 'UMA',
    destination_account: isOutside ? landing.outside.id : landing.internal,
    destination_uma: isOutside ? null : receiver.uma_address,
    reference: null,
    created_at: tx.now,
  };
}

function payoutDetails(account: PaymentAccount): Partial<Details> {
  const rail = automaticRail(account);
  return rail === undefined ? chainDetails(account) : { payoutRail: rail, paymentRail: rail };
}

/** money.md §7.3: what the platform asked for, as far as the sender's provider told. */
function counterpartyInformation({ senderData }: UmaOffer, { requiredCounterpartyFields }: CurrencyRule) {
  const told = requiredCounterpartyFields.filter(({ name }) => isTold(senderData, name));
  return Object.fromEntries(told.map(({ name }) => [name, senderData[name]]));
}

function isWithheld({ senderData }: UmaOffer, { requiredCounterpartyFields }: CurrencyRule): boolean {
  return requiredCounterpartyFields.some(({ name, mandatory }) => mandatory && !isTold(senderData, name));
}
