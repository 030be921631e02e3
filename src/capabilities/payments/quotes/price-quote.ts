import { listPlatformAccounts } from '#capabilities/accounts/store.ts';
import {
  checkForPayment,
  reachesOwnershipThreshold,
} from '#capabilities/external-accounts/check-for-payment.ts';
import { checkAmountBounds, checkSize, sendingBounds } from '#capabilities/payments/parties/rules.ts';
import { receivingCurrencyOf } from '#capabilities/payments/parties/source-destination.ts';
import type { ResolvedDestination } from '#capabilities/payments/quotes/destination.ts';
import type { ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import { chooseSendingCurrency, type Parties } from '#capabilities/payments/quotes/quote-parties.ts';
import { type PlatformConfig, platformFee } from '#capabilities/platform/config.ts';
import { corridorServiceFees, feeSchedule } from '#capabilities/pricing/fees.ts';
import { corridorLimits, valueInUsd } from '#capabilities/pricing/limits.ts';
import { type Price, priceReceiving, priceSending } from '#capabilities/pricing/price.ts';
import { type RateDetails, rateDetails } from '#capabilities/pricing/rate-details.ts';
import { buildCorridor, type RateReading, refuseForRates, tableFor } from '#capabilities/pricing/rates.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Fraction } from '#foundation/lib/money.ts';
import { invalidFields, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** The price of a quote, from one reading of the rates (money.md §1.2). */
export interface QuotePrice {
  readonly amounts: Price;
  readonly rateDetails: RateDetails | undefined;
  /** The exact value of S in US cents. */
  readonly usdValue: Fraction;
  /** The limit for one transaction that it was compared with, in US cents. */
  readonly sizeLimit: bigint;
  /** Whether the value reaches the ownership threshold (accounts.md §3.5). */
  readonly isLarge: boolean;
  /** The account that the platform's fee is credited to; null if there is no fee. */
  readonly feeAccount: AccountId | null;
}

interface PriceInput {
  readonly request: ParsedQuote;
  readonly parties: Parties;
  readonly resolved: ResolvedDestination;
  readonly config: PlatformConfig;
  readonly rates: RateReading | undefined;
}

/**
 * Prices the quote, and makes the refusals that depend on the price: the rows of money.md §2.13 from the external
 * accounts to the single-transaction maximum. If there are no rates, the checks that need none still come first.
 */
export async function priceQuote(tx: ReadTx, input: PriceInput): Promise<QuotePrice> {
  const { request, parties, resolved, config, rates } = input;
  const { settings, ownCurrencies } = tx.platform;
  const pair = {
    from: chooseSendingCurrency(request, parties),
    to: receivingCurrencyOf(resolved.destination),
  };
  const table = tableFor(rates, pair, ownCurrencies);
  if (!table) {
    const { lockedSide, lockedAmount } = request;
    refuseIf(checkExternals(input, false) ?? checkAmount(tx, input, lockedSide, lockedAmount));
    return refuseForRates();
  }
  const fees = feeSchedule(pair, corridorServiceFees(settings, pair), {
    configured: platformFee(config, pair.from),
    override: request.feeOverride?.rate,
  });
  const computePrice = request.lockedSide === 'SENDING' ? priceSending : priceReceiving;
  const amounts = computePrice(request.lockedAmount, buildCorridor(table, pair.from, pair.to), fees);
  if (amounts === 'AMOUNT_OUT_OF_RANGE') throw checkExternals(input, false) ?? tooSmallOrLarge();
  const feeAccount = amounts.platformFeesIncluded > 0n ? await findFeeAccount(tx, pair.from) : null;
  if (amounts.platformFeesIncluded > 0n && feeAccount === null) throw noFeeAccount(pair.from);
  const sent = { amount: amounts.totalSendingAmount, currency: pair.from };
  const isLarge = reachesOwnershipThreshold(sent, table, tx.platform);
  const usdValue = valueInUsd(sent.amount, sent.currency, table, ownCurrencies);
  refuseIf(
    checkExternals(input, isLarge) ??
      checkAmount(tx, input, 'SENDING', amounts.totalSendingAmount) ??
      checkAmount(tx, input, 'RECEIVING', amounts.totalReceivingAmount) ??
      checkSize(usdValue, settings, pair),
  );
  const { maxUsdCents: sizeLimit } = corridorLimits(settings, pair);
  return {
    amounts,
    rateDetails: rateDetails(amounts, fees, table),
    usdValue,
    sizeLimit,
    isLarge,
    feeAccount,
  };
}

/** Checks both external accounts by accounts.md §3.5 and §4.7. */
function checkExternals({ parties, resolved }: PriceInput, isLarge: boolean): Refusal | undefined {
  const { source, destination } = parties;
  const rail =
    resolved.destination.kind === 'EXTERNAL' ? (resolved.destination.rail ?? undefined) : undefined;
  return (
    (source?.kind === 'EXTERNAL'
      ? checkForPayment(source.account, { role: 'source', isLarge })
      : undefined) ??
    (destination?.kind === 'EXTERNAL'
      ? checkForPayment(destination.account, { role: 'destination', rail, isLarge })
      : undefined)
  );
}

/** The platform's limits on the sending amount, and the receiver's on the receiving amount. */
function checkAmount(
  tx: ReadTx,
  { request, parties, resolved, config }: PriceInput,
  side: 'SENDING' | 'RECEIVING',
  amount: bigint,
): Refusal | undefined {
  const { ownCurrencies } = tx.platform;
  if (side === 'RECEIVING')
    return (
      resolved.bounds &&
      checkAmountBounds('received', amount, resolved.bounds, resolved.bounds.code, ownCurrencies)
    );
  const currency = chooseSendingCurrency(request, parties);
  return checkAmountBounds('sent', amount, sendingBounds(config, currency), currency, ownCurrencies);
}

/** The platform's account in the sending currency, which its fee is credited to. */
async function findFeeAccount(tx: ReadTx, currency: string): Promise<AccountId | null> {
  const accounts = await listPlatformAccounts(tx, { currency });
  return accounts.find(({ status, type }) => status !== 'CLOSED' && type !== 'EMBEDDED_WALLET')?.id ?? null;
}

function tooSmallOrLarge(): Refusal {
  return new Refusal(
    'AMOUNT_OUT_OF_RANGE',
    'The amount is too small or too large once fees and conversion are applied.',
  );
}

/** money.md §1.10. */
function noFeeAccount(currency: string): Refusal {
  const message = `the platform has no internal account in ${currency} for its fee`;
  return invalidFields([{ field: 'platformFeeOverride', message }]);
}
