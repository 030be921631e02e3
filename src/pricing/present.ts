import { NO_OWN_CURRENCIES, presentCurrency } from '#lib/currencies.ts';
import type { ExchangeRateRow } from '#pricing/list-exchange-rates.ts';
import { shownRate } from '#pricing/rates.ts';
import type { ExchangeRate } from '#pricing/schemas.ts';

export function presentExchangeRate(row: ExchangeRateRow): ExchangeRate {
  return {
    sourceCurrency: presentCurrency(row.corridor.from, NO_OWN_CURRENCIES),
    destinationCurrency: presentCurrency(row.corridor.to, NO_OWN_CURRENCIES),
    destinationPaymentRail: row.rail,
    minSendingAmount: Number(row.minSendingAmount),
    maxSendingAmount: Number(row.maxSendingAmount),
    sendingAmount: Number(row.sendingAmount),
    receivingAmount: Number(row.receivingAmount),
    exchangeRate: shownRate(row.corridor.rate),
    fees: { fixed: Number(row.fees.fixedFees), total: Number(row.fees.feesIncluded) },
    updatedAt: row.updatedAt.toISOString(),
  };
}
