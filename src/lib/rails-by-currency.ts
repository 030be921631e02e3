import { isCurrencyCode } from '#lib/currencies.ts';

/** Every rail that a bank or mobile-money account can be paid over. */
export const PAYMENT_RAILS = [
  'ACH',
  'ACH_COLOMBIA',
  'BANK_TRANSFER',
  'BRE_B',
  'CIPS',
  'FAST',
  'FASTER_PAYMENTS',
  'FEDNOW',
  'INSTAPAY',
  'MOBILE_MONEY',
  'NEFT',
  'PAYNOW',
  'PESONET',
  'PIX',
  'RTGS',
  'RTP',
  'SEPA',
  'SEPA_INSTANT',
  'SPEI',
  'SWIFT',
  'UNIONPAY',
  'UPI',
  'WIRE',
] as const;

export type PaymentRail = (typeof PAYMENT_RAILS)[number];

/** What the rate list names beside those: any network a digital currency is paid out on (platform.md §6.5). */
export type PayoutRail = PaymentRail | 'CRYPTO';

/** Over which rails a currency can be paid out; none for a code that is not a currency. */
export function payoutRailsOf(code: string): readonly PayoutRail[] {
  if (isDigital(code)) return ['CRYPTO'];
  // Any ISO 4217 currency can go out by SWIFT (accounts.md §4.2).
  return isCurrencyCode(code) ? [...(PAYOUTS[code]?.rails ?? []), 'SWIFT'] : [];
}

/** Where the accounts of a currency are held; empty for a digital one, or one paid by SWIFT only. */
export function payoutCountriesOf(code: string): readonly string[] {
  return PAYOUTS[code]?.countries ?? [];
}

export function isDigital(code: string): boolean {
  return DIGITAL.has(code);
}

const DIGITAL: ReadonlySet<string> = new Set(['BTC', 'USDB', 'USDC', 'USDT']);

/** The euro area, whose accounts hold the currency itself. */
const EURO_AREA = [
  'AT',
  'BE',
  'BG',
  'CY',
  'DE',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PT',
  'SI',
  'SK',
];

interface Payouts {
  readonly countries: readonly string[];
  readonly rails: readonly PaymentRail[];
}

/** One row per currency that has an account type of its own (accounts.md §4.2); rails in that table's order. */
const PAYOUTS: Readonly<Record<string, Payouts>> = {
  AED: { countries: ['AE'], rails: ['BANK_TRANSFER'] },
  BDT: { countries: ['BD'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  BRL: { countries: ['BR'], rails: ['PIX'] },
  BWP: { countries: ['BW'], rails: ['MOBILE_MONEY'] },
  CAD: { countries: ['CA'], rails: ['BANK_TRANSFER'] },
  CNY: { countries: ['CN'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  COP: { countries: ['CO'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  DKK: { countries: ['DK'], rails: ['SEPA', 'SEPA_INSTANT'] },
  EGP: { countries: ['EG'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  EUR: { countries: EURO_AREA, rails: ['SEPA', 'SEPA_INSTANT'] },
  GBP: { countries: ['GB'], rails: ['FASTER_PAYMENTS'] },
  GHS: { countries: ['GH'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  GTQ: { countries: ['GT'], rails: ['BANK_TRANSFER'] },
  HKD: { countries: ['HK'], rails: ['BANK_TRANSFER'] },
  HTG: { countries: ['HT'], rails: ['MOBILE_MONEY'] },
  IDR: { countries: ['ID'], rails: ['BANK_TRANSFER'] },
  ILS: { countries: ['IL'], rails: ['BANK_TRANSFER'] },
  INR: { countries: ['IN'], rails: ['UPI', 'NEFT', 'RTGS'] },
  JMD: { countries: ['JM'], rails: ['BANK_TRANSFER'] },
  KES: { countries: ['KE'], rails: ['MOBILE_MONEY'] },
  MWK: { countries: ['MW'], rails: ['MOBILE_MONEY'] },
  MXN: { countries: ['MX'], rails: ['SPEI'] },
  MYR: { countries: ['MY'], rails: ['BANK_TRANSFER'] },
  NGN: { countries: ['NG'], rails: ['BANK_TRANSFER'] },
  PHP: { countries: ['PH'], rails: ['BANK_TRANSFER'] },
  PKR: { countries: ['PK'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  RWF: { countries: ['RW'], rails: ['MOBILE_MONEY'] },
  SGD: { countries: ['SG'], rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'] },
  THB: { countries: ['TH'], rails: ['BANK_TRANSFER'] },
  TZS: { countries: ['TZ'], rails: ['MOBILE_MONEY'] },
  UGX: { countries: ['UG'], rails: ['MOBILE_MONEY'] },
  // The last two rails are those of accounts in El Salvador.
  USD: { countries: ['US', 'SV'], rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW', 'BANK_TRANSFER', 'MOBILE_MONEY'] },
  VND: { countries: ['VN'], rails: ['BANK_TRANSFER'] },
  XAF: { countries: ['CM', 'CG'], rails: ['MOBILE_MONEY'] },
  XOF: { countries: ['BJ', 'CI', 'SN', 'TG'], rails: ['MOBILE_MONEY'] },
  ZAR: { countries: ['ZA'], rails: ['BANK_TRANSFER'] },
  ZMW: { countries: ['ZM'], rails: ['MOBILE_MONEY'] },
};
