import type { ReadTx } from '#database/tx.ts';
import {
  automaticRail,
  type PaymentAccount,
  reachesOwnershipThreshold,
} from '#external-accounts/check-for-payment.ts';
import { RAILS } from '#lib/rails-by-currency.ts';
import { sealPrivate } from '#payments/details.ts';
import { type Draft, newTransaction } from '#payments/machine/draft.ts';
import { JOB } from '#payments/machine/jobs.ts';
import {
  type Owner,
  type QuoteDestination,
  type QuoteInput,
  type QuoteSource,
  receivingCurrencyOf,
  sendingCurrencyOf,
} from '#payments/parties/source-destination.ts';
import type { PricedQuote } from '#payments/quotes/price-quote.ts';
import { quoteReference } from '#payments/reference.ts';
import type { Details, Fixed, Instrument, Private } from '#payments/row.ts';
import { isOpenQuote } from '#payments/rules.ts';
import { storedRateDetails } from '#payments/stored-rate-details.ts';
import type { Price } from '#pricing/price.ts';
import { rateDetails } from '#pricing/rate-details.ts';
import type { Network } from '#rails/network-fees.ts';

/** money.md §2.5. */
export const LIFETIME_MS = 5 * 60_000;

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
  // A pull into an internal account is told when it is executed (money.md §4).
  if (type === 'OUTGOING') draft.emit('PENDING');
  return draft;
}

/**
 * Looks after a quote that nobody has executed when its time is over: one piece of work for all quotes of a
 * platform that expire in the same second, so that executing one has nothing to take back.
 */
export function scheduleExpiry(draft: Draft): void {
  const { expires_at: expiresAt } = draft.row;
  if (!isOpenQuote(draft.row) || expiresAt === null) return;
  const dueAt = new Date(Math.ceil(expiresAt.getTime() / 1000) * 1000);
  draft.schedule(JOB.expire, dueAt.toISOString(), { dueAt });
}

/** money.md §4: a same-currency quote from outside into an internal account brings money in. */
function isIncoming(input: QuoteInput): boolean {
  const isSameCurrency = sendingCurrencyOf(input) === receivingCurrencyOf(input);
  return isSameCurrency && input.source.kind === 'EXTERNAL' && input.destination.kind === 'INTERNAL';
}

export function sourceColumns(source: QuoteSource) {
  return {
    source_type: source.kind,
    source_account:
      source.kind === 'INTERNAL' ? source.accountId : source.kind === 'EXTERNAL' ? source.account.id : null,
    source_uma: null,
  };
}

export function destinationColumns(destination: QuoteDestination) {
  if (destination.kind === 'UMA') {
    return {
      destination_type: destination.kind,
      destination_account: destination.internal?.accountId ?? null,
      destination_uma: destination.address,
    };
  }
  return {
    destination_type: destination.kind,
    destination_account: destination.kind === 'INTERNAL' ? destination.accountId : destination.account.id,
    destination_uma: null,
  };
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

/** Who gets a mirror: the owner of an internal destination, where that is somebody else. */
export function receiverOf(destination: QuoteDestination, owner: Owner): Details['receiver'] {
  const to =
    destination.kind === 'INTERNAL'
      ? destination.owner
      : destination.kind === 'UMA'
        ? (destination.internal ?? destination.outside)?.owner
        : undefined;
  if (to === undefined || to.customerId === owner.customerId) return undefined;
  const { customerId, platformCustomerId } = to;
  return { customerId, ...(platformCustomerId !== undefined && { platformCustomerId }) };
}

/** Whose an account outside is that somebody else pays. */
export function holderOf(destination: QuoteDestination, owner: Owner): Pick<Details, 'holder'> {
  const holder = destination.kind === 'EXTERNAL' ? destination.account.customerId : undefined;
  return holder === undefined || holder === owner.customerId ? {} : { holder };
}

export function fundingDetails(source: QuoteSource): Partial<Details> {
  if (source.kind === 'INTERNAL') return source.isPlatforms ? { isPlatformMoney: true } : {};
  if (source.kind === 'EXTERNAL') {
    const { rails, customerId } = source.account;
    const fundingRail = rails[0] ?? 'BANK_TRANSFER';
    return { fundingRail, ...(customerId === undefined && { isPlatformMoney: true }) };
  }
  return {
    fundingRail: source.rail,
    ...(source.network !== undefined && { fundingNetwork: source.network }),
    ...(source.customerId !== undefined && { sourceCustomerId: source.customerId }),
  };
}

export function payoutDetails(destination: QuoteDestination): Partial<Details> {
  const none = { paymentRail: null, railSelectionMode: null, settlementSeconds: null };
  if (destination.kind === 'INTERNAL') return none;
  if (destination.kind === 'UMA') return { ...none, ...umaPayoutDetails(destination) };
  const { rail, isChosen, account } = destination;
  if (rail === null) return { ...none, ...chainDetails(account) };
  return {
    payoutRail: rail,
    paymentRail: rail,
    railSelectionMode: isChosen ? 'MANUAL' : 'AUTO',
    settlementSeconds: RAILS[rail].settlementSeconds ?? null,
  };
}

/** To another provider, or to the account outside that a customer of ours has its UMA money paid on to. */
function umaPayoutDetails({ outside }: Extract<QuoteDestination, { kind: 'UMA' }>): Partial<Details> {
  if (!outside) return { payoutRail: 'UMA' };
  const { account } = outside;
  const depositRail = automaticRail(account);
  const way = depositRail === undefined ? chainDetails(account) : { payoutRail: depositRail, depositRail };
  return { ...way, depositAccount: account.id };
}

/** The way out where the account is no bank's. */
export function chainDetails({ accountType }: PaymentAccount): Partial<Details> {
  const network = networkOf(accountType);
  if (network === undefined) return { payoutRail: accountType };
  // Lightning leaves no transaction on a chain to point to (money.md §6.7).
  return { payoutRail: network, ...(network !== 'LIGHTNING' && { payoutNetwork: network }) };
}

const NETWORKS: Readonly<Record<string, Network>> = {
  BITCOIN_L1: 'BITCOIN',
  LIGHTNING: 'LIGHTNING',
  LIGHTNING_ACCOUNT: 'LIGHTNING',
  SPARK_WALLET: 'SPARK',
  ETHEREUM_WALLET: 'ETHEREUM',
  SOLANA_WALLET: 'SOLANA',
  ARBITRUM_WALLET: 'ARBITRUM',
  BASE_WALLET: 'BASE',
  POLYGON_WALLET: 'POLYGON',
  TRON_WALLET: 'TRON',
  PLASMA_WALLET: 'PLASMA',
};

/** The chain that an account type pays over. */
function networkOf(accountType: string): Network | undefined {
  return Object.hasOwn(NETWORKS, accountType) ? NETWORKS[accountType] : undefined;
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

/** An account outside as it is now: a payment goes where it was made out to, whatever becomes of the account. */
export function instrumentOf(account: PaymentAccount): Instrument {
  const { accountType, currency, identifier, info } = account;
  return { accountType, currency, identifier, fields: info };
}
