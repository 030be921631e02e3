import type { ReadTx } from '#database/tx.ts';
import { checkForPayment, reachesOwnershipThreshold } from '#external-accounts/check-for-payment.ts';
import type { LookupCurrency } from '#external-accounts/lookup-store.ts';
import type { PaymentRail } from '#lib/rails-by-currency.ts';
import { Refusal } from '#lib/refusals.ts';
import { checkLimits, ownBounds } from '#payments/parties/rules.ts';
import type { Parties } from '#payments/quotes/load-parties.ts';
import type { ParsedQuote } from '#payments/quotes/parse-quote.ts';
import { priceQuote, type QuoteInput, sendingCurrencyOf } from '#payments/quotes/price-quote.ts';
import type { PlatformConfig } from '#platform/config.ts';
import type { Price, PriceRefusal } from '#pricing/price.ts';

interface Judged {
  readonly input: QuoteInput;
  readonly price: Price | PriceRefusal;
  readonly parties: Parties;
  readonly rail: PaymentRail | undefined;
  readonly config: PlatformConfig;
  /** Of the receiver. */
  readonly bounds: LookupCurrency | undefined;
}

/** The rows of money.md §2's error table from the external accounts to the single-transaction maximum. */
export function checkAmounts(tx: ReadTx, { input, price, parties, rail, config, bounds }: Judged): void {
  const priced = priceQuote(input, tx.platform.settings);
  // A fee without an account to take it is a field of the request or of the configuration (money.md §1.10).
  if (priced instanceof Refusal && priced.code === 'INVALID_INPUT') throw priced;
  checkExternals(parties, rail, isLarge(tx, input, price));
  if (price !== 'AMOUNT_OUT_OF_RANGE') {
    const currency = sendingCurrencyOf(input);
    checkLimits(tx, 'sent', price.totalSendingAmount, ownBounds(config, currency), currency);
    if (bounds) checkLimits(tx, 'received', price.totalReceivingAmount, bounds, bounds.code);
  }
  if (priced instanceof Refusal) throw priced;
}

/** Of the bounds, those that hold without a price: of the amount that is given. */
export function checkLockedAmount(
  tx: ReadTx,
  { lockedSide, lockedAmount }: ParsedQuote,
  sending: string,
  { config, bounds }: Pick<Judged, 'config' | 'bounds'>,
): void {
  if (lockedSide === 'SENDING') checkLimits(tx, 'sent', lockedAmount, ownBounds(config, sending), sending);
  else if (bounds) checkLimits(tx, 'received', lockedAmount, bounds, bounds.code);
}

/** Both external accounts, as accounts.md §3.5 and §4.7 have it. */
export function checkExternals(
  { source, destination }: Parties,
  rail: PaymentRail | undefined,
  large: boolean,
): void {
  const refusal =
    (source?.kind === 'EXTERNAL' && checkForPayment(source.account, { role: 'source', isLarge: large })) ||
    (destination?.kind === 'EXTERNAL' &&
      checkForPayment(destination.account, { role: 'destination', rail, isLarge: large }));
  if (refusal) throw refusal;
}

function isLarge(tx: ReadTx, input: QuoteInput, price: Price | PriceRefusal): boolean {
  if (price === 'AMOUNT_OUT_OF_RANGE') return false;
  const sending = { amount: price.totalSendingAmount, currency: sendingCurrencyOf(input) };
  return reachesOwnershipThreshold(sending, input.rates, tx.platform.settings);
}
