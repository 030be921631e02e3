import type { ExchangeRate } from '#capabilities/pricing/schemas.ts';
import { EXAMPLE_TIME, exampleCurrency } from '#foundation/lib/examples.ts';

const pesosOver = (destinationPaymentRail: ExchangeRate['destinationPaymentRail']): ExchangeRate => ({
  sourceCurrency: exampleCurrency('USD'),
  destinationCurrency: exampleCurrency('MXN'),
  destinationPaymentRail,
  minSendingAmount: 100,
  maxSendingAmount: 10_000_000,
  sendingAmount: 25_000,
  receivingAmount: 429_093,
  exchangeRate: 0.05797101,
  fees: { fixed: 0, total: 125 },
  updatedAt: EXAMPLE_TIME,
});

export const DOLLARS_TO_PESOS = [pesosOver('SPEI'), pesosOver('SWIFT')];
