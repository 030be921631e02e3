import { listPlatformAccounts } from '#accounts/store.ts';
import { isScaRegion } from '#customers/regions.ts';
import { readUmaAddress } from '#customers/uma-address.ts';
import type { ReadTx } from '#database/tx.ts';
import { refuse } from '#lib/refusals.ts';
import { ownerOf } from '#payments/parties/parties.ts';
import { checkCurrency, checkRate } from '#payments/parties/rules.ts';
import type { QuoteSource } from '#payments/parties/source-destination.ts';
import { checkAmounts, checkExternals, checkLockedAmount } from '#payments/quotes/check-amounts.ts';
import { checkParties } from '#payments/quotes/check-parties.ts';
import type { ResolvedQuote } from '#payments/quotes/create-quote.ts';
import { type ResolvedDestination, resolveDestination } from '#payments/quotes/destination.ts';
import { fundingRailOf, quoteInstructions } from '#payments/quotes/funding.ts';
import { loadParties, type Parties, payingCustomer, standingOf } from '#payments/quotes/load-parties.ts';
import type { ParsedQuote } from '#payments/quotes/parse-quote.ts';
import { priceOf, type QuoteInput } from '#payments/quotes/price-quote.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { type PlatformConfig, platformFee } from '#platform/config.ts';
import { loadConfig } from '#platform/store.ts';
import { type FeeSchedule, feeSchedule, serviceFeesOf } from '#pricing/fees.ts';
import { ratesFor, readRates, tableFor } from '#pricing/rates.ts';

export interface QuoteParts {
  readonly domains: ServiceDomains;
  /** As it stands before the names of account holders. */
  readonly serviceName: string;
}

/**
 * What the request means, or why it cannot be: the error table of money.md §2.13, top to bottom, the first match
 * wins. Reads only, outside a transaction, so that the receiver's provider can be asked on the way.
 */
export async function resolveQuote(tx: ReadTx, ask: ParsedQuote, parts: QuoteParts): Promise<ResolvedQuote> {
  const parties = await loadParties(tx, ask);
  checkParties(tx, ask, parties);
  checkSelfPayment(ask, parties);
  const config = await loadConfig(tx);
  const reading = await readRates(tx);
  const sending = sendingCurrency(ask, parties);
  checkCurrency(config, reading, sending, isPullIn(parties) ? 'INCOMING' : 'OUTGOING');
  if (parties.destination) checkRate(reading, parties.destination.account.currency);
  const to = await resolveDestination(tx, ask, parties, { config, domains: parts.domains });
  checkRate(reading, to.currency);
  const pair = { from: sending, to: to.currency };
  if (!tableFor(reading, pair)) {
    checkExternals(parties, to.rail, false);
    checkLockedAmount(tx, ask, sending, { config, bounds: to.bounds });
  }
  const rates = ratesFor(reading, pair);
  const fees = feesOf(tx, ask, config, pair);
  const price = priceOf(ask, pair, rates, fees);
  const amount = price === 'AMOUNT_OUT_OF_RANGE' ? 0n : price.totalSendingAmount;
  const input: QuoteInput = {
    owner: ownerOf(parties.owner),
    source: sourceOf(tx, ask, parties, { amount, serviceName: parts.serviceName }),
    destination: to.destination,
    lockedSide: ask.lockedSide,
    lockedAmount: ask.lockedAmount,
    rates,
    fees,
    feeAccount: await feeAccountOf(tx, sending, fees),
    ...textsOf(ask, to),
  };
  checkAmounts(tx, { input, price, parties, rail: to.rail, config, bounds: to.bounds });
  if (ask.source.kind === 'REALTIME') checkScaRegion(parties);
  return { input, ...executionOf(ask, parties) };
}

function checkSelfPayment({ destination }: ParsedQuote, { source, destination: to, owner }: Parties): void {
  const isSame = source !== undefined && source.account.id === to?.account.id;
  const isOwnAddress =
    destination.kind === 'UMA' && readUmaAddress(destination.address) === owner?.uma_address;
  if (isSame || isOwnAddress) refuse('SELF_PAYMENT', 'The sender and the receiver are the same.');
}

function sendingCurrency({ source }: ParsedQuote, parties: Parties): string {
  return parties.source?.account.currency ?? (source.kind === 'REALTIME' ? source.currency : '');
}

/** money.md §4.3: money from outside into an internal account of its currency comes in. */
function isPullIn({ source, destination }: Parties): boolean {
  return (
    source?.kind === 'EXTERNAL' &&
    destination?.kind === 'INTERNAL' &&
    source.account.currency === destination.account.currency
  );
}

function feesOf(
  tx: ReadTx,
  { feeOverride }: ParsedQuote,
  config: PlatformConfig,
  pair: { from: string; to: string },
): FeeSchedule {
  return feeSchedule(pair, serviceFeesOf(tx.platform.settings, pair), {
    configured: platformFee(config, pair.from),
    override: feeOverride?.rate,
  });
}

/** Where the platform's fee goes; asked for only where there may be one. */
async function feeAccountOf(tx: ReadTx, currency: string, { platform }: FeeSchedule): Promise<string | null> {
  if (platform.variableBps === 0 && platform.fixed === 0n) return null;
  const accounts = await listPlatformAccounts(tx, { currency });
  return accounts.find(({ status, type }) => status !== 'CLOSED' && type !== 'EMBEDDED_WALLET')?.id ?? null;
}

function sourceOf(
  tx: ReadTx,
  { source: asked }: ParsedQuote,
  { source, owner }: Parties,
  { amount, serviceName }: { amount: bigint; serviceName: string },
): QuoteSource {
  if (source?.kind === 'EXTERNAL') return { kind: 'EXTERNAL', account: source.account };
  if (source?.kind === 'INTERNAL') {
    const { id: accountId, currency, customer_id: holder } = source.account;
    return { kind: 'INTERNAL', accountId, currency, isPlatforms: holder === null };
  }
  if (asked.kind !== 'REALTIME') throw new Error('a source is an account or paid in real time');
  const { currency, customerId } = asked;
  // Of bitcoin's three ways in, two end on its chain; the third leaves nothing to point to.
  const network = currency === 'BTC' ? 'BITCOIN' : asked.network;
  return {
    kind: 'REALTIME',
    currency,
    network,
    rail: fundingRailOf(currency, network),
    customerId,
    instructions: (reference) =>
      quoteInstructions(tx, { currency, network: asked.network, amount, owner, serviceName }, reference),
  };
}

function textsOf(ask: ParsedQuote, { counterpartyInformation }: ResolvedDestination) {
  const { description, remittanceInformation, purposeOfPayment, senderCustomerInfo } = ask;
  return {
    description,
    remittanceInformation,
    purposeOfPayment,
    senderCustomerInfo,
    counterpartyInformation,
  };
}

/** money.md §3.5: strong customer authentication is a part to come; until then it stands in the way. */
function checkScaRegion({ owner }: Parties): void {
  if (owner && isScaRegion(owner.region)) {
    refuse(
      'NOT_IMPLEMENTED',
      'Payments of this customer need strong customer authentication, which is not available yet.',
    );
  }
}

/** money.md §2.6: real-time quotes are executed by their funds. */
function executionOf({ source: asked, immediatelyExecute }: ParsedQuote, parties: Parties) {
  if (!immediatelyExecute || asked.kind === 'REALTIME') return {};
  const { source, destination } = parties;
  return {
    execute: {
      customer: payingCustomer(parties) ?? null,
      source: standingOf(source),
      destination: standingOf(destination),
    },
  };
}
