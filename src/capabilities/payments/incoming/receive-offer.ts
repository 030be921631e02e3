import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { isAlreadyKnown } from '#capabilities/customers/profile/provider-fields.ts';
import { lockCustomer } from '#capabilities/customers/store.ts';
import { automaticRail, type PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import { applyNow } from '#capabilities/payments/commit/apply.ts';
import { type Private, sealPrivate, type TransactionDetails } from '#capabilities/payments/details.ts';
import { decisionTimer, UMA_APPROVAL } from '#capabilities/payments/incoming/decide.ts';
import { newTransaction, type PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { shortened } from '#capabilities/payments/parties/rules.ts';
import { chainDetails, instrumentOf, storedUma } from '#capabilities/payments/parties/source-destination.ts';
import {
  type DepositTarget,
  isGiven,
  loadDepositTarget,
  namesOnFile,
} from '#capabilities/payments/parties/uma.ts';
import { type Fixed, plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { type CurrencyRule, currencyRule } from '#capabilities/platform/config.ts';
import { hasAnsweringListener } from '#capabilities/platform/listener-store.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { isOwnCurrency, showAmount } from '#foundation/lib/currencies.ts';
import { derivedId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { PayerDataField } from '#foundation/ports/counterparties.ts';

/** A payment that a user of another provider offers to a customer (money.md §7.2). */
export interface IncomingOffer {
  readonly senderAddress: string;
  readonly receiver: CustomerRow;
  readonly amount: bigint;
  readonly currency: string;
  /** What the sender's provider reports about the sender, under the contract's names. */
  readonly senderData: Readonly<Record<string, unknown>>;
  /** The data about the receiver that it requests. */
  readonly requestedData: readonly PayerDataField[];
  /** The provider's own reference; a repeated report of it is the same offer. */
  readonly providerReference?: string | undefined;
}

/** Records the offer as `PENDING` and asks the platform. The webhook's answer, a call or the deadline then decides. */
export async function receiveOffer(tx: Tx, offer: IncomingOffer): Promise<TransactionRow> {
  const { providerReference: reference } = offer;
  const id: TransactionId =
    reference === undefined ? tx.newId() : derivedId(tx.platformId, `uma ${reference}`);
  if (reference !== undefined) {
    // If two reports of the same offer arrive at once, the second waits here for the first.
    await lockCustomer(tx, offer.receiver.id);
    const earlier = await findTransaction(tx, id);
    if (earlier) return earlier;
  }
  const rule = await checkOffer(tx, offer);
  if (offer.receiver.status !== 'APPROVED') refuse('USER_NOT_READY', 'The receiver is not approved.');
  const target = await loadDepositTarget(tx, offer);
  const draft = draftOffer(tx, id, offer, { rule, target });
  const transition = draft.transition();
  await applyNow(tx, [transition]);
  return transition.row;
}

/** money.md §9.6 and platform.md §3.2.4, in that order. */
async function checkOffer(tx: Tx, { currency, amount }: IncomingOffer): Promise<CurrencyRule> {
  const config = await loadConfig(tx);
  const { ownCurrencies } = tx.platform;
  const rule = currencyRule(config, currency);
  if (!rule || isOwnCurrency(currency, ownCurrencies)) {
    const shown = shortened(currency);
    refuse('INVALID_CURRENCY', `The platform does not accept ${shown} over UMA.`, { currency: shown });
  }
  if (!rule.enabledTransactionTypes.includes('INCOMING')) {
    refuse('INVALID_RECEIVER', `The platform does not accept incoming payments in ${currency}.`, {
      currency,
    });
  }
  if (amount < rule.minAmount || amount > rule.maxAmount) {
    const bounds = { currency, min: Number(rule.minAmount), max: Number(rule.maxAmount) };
    const shown = (bound: bigint) => showAmount(bound, currency, ownCurrencies);
    const limits = `${shown(rule.minAmount)} to ${shown(rule.maxAmount)}`;
    refuse('AMOUNT_OUT_OF_RANGE', `The amount is outside the platform’s limits: ${limits}.`, bounds);
  }
  if (config.webhookEndpoint === undefined && !(await hasAnsweringListener(tx))) {
    refuse(
      'WEBHOOK_ENDPOINT_NOT_SET',
      'The platform has no webhook endpoint, and no listener, that could approve the payment.',
    );
  }
  return rule;
}

interface OfferParts {
  readonly rule: CurrencyRule;
  readonly target: DepositTarget;
}

function draftOffer(
  tx: ReadTx,
  id: TransactionId,
  offer: IncomingOffer,
  { rule, target }: OfferParts,
): PaymentDraft {
  const profile = openProfile(tx.vault, offer.receiver);
  // money.md §7.3: the platform is asked only for data that is not on file.
  const requestedFields = offer.requestedData
    .filter(({ name, mustBeSent }) => mustBeSent || !isAlreadyKnown(profile, name))
    .map(({ name, mandatory }) => ({ name, mandatory }));
  const fieldsOnFile = namesOnFile(profile, offer.requestedData);
  const information = counterpartyInformation(offer, rule);
  const isExternal = 'external' in target;
  const details: TransactionDetails = {
    fundingRail: 'UMA',
    ...(isExternal && payoutDetails(target.external)),
    ...(requestedFields.length > 0 && { requestedFields }),
    ...(fieldsOnFile.length > 0 && { fieldsOnFile }),
  };
  const facts: Private = {
    platformCustomerId: offer.receiver.platform_customer_id,
    sourceUma: offer.senderAddress,
    ...(!isExternal && { destinationUma: offer.receiver.uma_address }),
    ...(Object.keys(information).length > 0 && { counterpartyInformation: information }),
    ...(isExternal && { destination: instrumentOf(target.external) }),
  };
  const fixed: Fixed = {
    ...buildParties(tx, id, offer, target),
    details,
    private: sealPrivate(tx.vault, { id, customer_id: offer.receiver.id, details }, facts),
  };
  const draft = newTransaction(fixed, tx.now);
  if (lacksSenderData(offer, rule)) {
    // platform.md §3.2.5: the platform is not asked if the sender's mandatory data is missing.
    draft.set({ status: 'FAILED', failure_reason: 'MISSING_MANDATORY_PAYEE_DATA' });
    draft.emit('FAILED');
    return draft;
  }
  const extra =
    requestedFields.length > 0 ? { requestedReceiverCustomerInfoFields: requestedFields } : undefined;
  draft.emit('PENDING', { decision: UMA_APPROVAL, ...(extra && { extra }) });
  const { kind, dueAt, payload } = decisionTimer(id, tx.now);
  draft.schedule(kind, id, { dueAt }, payload);
  return draft;
}

function buildParties(
  tx: ReadTx,
  id: TransactionId,
  offer: IncomingOffer,
  target: DepositTarget,
): Omit<Fixed, 'details' | 'private'> {
  const { receiver, currency, amount } = offer;
  return {
    platform_id: tx.platformId,
    id,
    type: 'INCOMING',
    kind: 'UMA',
    customer_id: receiver.id,
    ...plainTerms(currency, amount),
    source: storedUma(tx.vault, offer.senderAddress),
    destination:
      'external' in target
        ? { kind: 'EXTERNAL', account: target.external.id }
        : { ...storedUma(tx.vault, receiver.uma_address), account: target.internal },
    reference: null,
    reference_hash: null,
    created_at: tx.now,
  };
}

function payoutDetails(account: PaymentAccount): Partial<TransactionDetails> {
  const rail = automaticRail(account);
  return rail === undefined ? chainDetails(account) : { payoutRail: rail, paymentRail: rail };
}

/** money.md §7.3: the fields that the platform requires, as far as the sender's provider gave them. */
function counterpartyInformation(
  { senderData }: IncomingOffer,
  { requiredCounterpartyFields }: CurrencyRule,
) {
  const given = requiredCounterpartyFields.filter(({ name }) => isGiven(senderData, name));
  return Object.fromEntries(given.map(({ name }) => [name, senderData[name]]));
}

function lacksSenderData(
  { senderData }: IncomingOffer,
  { requiredCounterpartyFields }: CurrencyRule,
): boolean {
  return requiredCounterpartyFields.some(({ name, mandatory }) => mandatory && !isGiven(senderData, name));
}
