import {
  BANK_SOURCE,
  FROM_ADA,
  FROM_EMMY,
  FROM_WALLET,
  TO_HILBERT,
  TO_JEAN,
  USDC_SOURCE,
} from '#capabilities/payments/examples.ts';
import type { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

export const QUOTE_REQUEST: QuoteRequest = {
  source: FROM_ADA,
  destination: TO_JEAN,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 25_000,
  description: 'Invoice 2026-17',
  purposeOfPayment: 'GOODS_OR_SERVICES',
};

/** The receiving amount is fixed, and the quote is executed in the same request. */
export const UMA_QUOTE_REQUEST: QuoteRequest = {
  lookupId: EXAMPLE_IDS.umaLookup,
  source: FROM_ADA,
  destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$success.mxn@sandbox.localhost' },
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: 50_000,
  immediatelyExecute: true,
};

export const USDC_QUOTE_REQUEST: QuoteRequest = {
  source: { ...USDC_SOURCE, cryptoNetwork: 'SOLANA' },
  destination: TO_JEAN,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 100_000_000,
};

export const EMMY_QUOTE_REQUEST: QuoteRequest = {
  source: FROM_EMMY,
  destination: TO_HILBERT,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 25_000,
  description: 'Invoice 2026-17',
};

export const EMMY_USDC_QUOTE_REQUEST: QuoteRequest = {
  source: { ...USDC_SOURCE, customerId: EXAMPLE_IDS.emmy, cryptoNetwork: 'SOLANA' },
  destination: TO_HILBERT,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 100_000_000,
};

export const BANK_QUOTE_REQUEST: QuoteRequest = {
  source: BANK_SOURCE,
  destination: TO_JEAN,
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: 10_000,
};

export const WALLET_QUOTE_REQUEST: QuoteRequest = {
  source: FROM_WALLET,
  destination: TO_JEAN,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 20_000_000,
};

export const FIXED_EUROS_QUOTE_REQUEST: QuoteRequest = {
  source: FROM_ADA,
  destination: TO_JEAN,
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: 1_000,
};
