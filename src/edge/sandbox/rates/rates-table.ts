import { shownRate } from '#capabilities/pricing/rates.ts';
import type { SandboxTable } from '#edge/sandbox/table.ts';
import { parseDecimal } from '#foundation/lib/money.ts';

/** The sandbox's constant rates: exact major units per 1 USD (money.md §1.3). */
export const SANDBOX_RATES: Readonly<Record<string, string>> = {
  USD: '1',
  EUR: '0.92',
  GBP: '0.79',
  MXN: '17.25',
  BRL: '5.15',
  INR: '82.5',
  CAD: '1.36',
  NGN: '1550',
  PHP: '56.5',
  AED: '3.6725',
  BDT: '110',
  BWP: '13.5',
  COP: '3900',
  DKK: '6.87',
  EGP: '48',
  GHS: '15',
  GTQ: '7.75',
  HKD: '7.8',
  HTG: '132',
  IDR: '15800',
  JMD: '156',
  KES: '129',
  MWK: '1730',
  MYR: '4.45',
  PKR: '278',
  RWF: '1300',
  SGD: '1.34',
  THB: '35',
  TZS: '2600',
  UGX: '3700',
  VND: '25000',
  XAF: '600',
  XOF: '600',
  ZAR: '18.2',
  ZMW: '26.5',
  CNY: '7.2',
  ILS: '3.7',
  BTC: '0.00000833',
  USDC: '1',
  USDT: '1',
  USDB: '1',
};

export const RATES_TABLE: SandboxTable<string> = {
  id: 'rates',
  title: 'Exchange rates',
  intro: 'Rates never change. A rate between two other currencies is computed by way of the dollar.',
  column: 'Currency',
  operations: ['getExchangeRates', 'createQuote'],
  rows: Object.entries(SANDBOX_RATES)
    .filter(([code]) => code !== 'USD')
    .map(([code, perDollar]) => ({
      value: code,
      example: code,
      effect: `One US dollar is ${perDollar} ${code}.`,
      shows: { exchangeRate: shownRate(parseDecimal(perDollar)) },
      does: perDollar,
    })),
};
