import { isCurrencyCode } from '#foundation/lib/currencies.ts';

interface Rail {
  /** How long a payout over this rail takes (money.md §2.7); absent: it arrives at once. */
  readonly settlementSeconds?: number;
  /** Money paid in over this rail may arrive after a real-time quote has expired (money.md §2.9). */
  readonly tooSlowForQuotes?: true;
  /** Available only once the account was validated with micro-deposits (accounts.md §4.7). */
  readonly awaitsValidation?: true;
  /** The field that names the account on this rail, if that is not the account's own number or key. */
  readonly reaches?: string;
}

const HOUR = 60 * 60;

/** Every rail over which a bank or mobile-money account can be paid, with its properties. */
const TABLE = {
  ACH: { settlementSeconds: 24 * HOUR, tooSlowForQuotes: true, awaitsValidation: true },
  ACH_COLOMBIA: { tooSlowForQuotes: true },
  BANK_TRANSFER: {},
  BRE_B: {},
  CIPS: { tooSlowForQuotes: true },
  FAST: {},
  FASTER_PAYMENTS: {},
  FEDNOW: {},
  INSTAPAY: {},
  MOBILE_MONEY: { reaches: 'phoneNumber' },
  NEFT: { tooSlowForQuotes: true },
  PAYNOW: {},
  PESONET: { tooSlowForQuotes: true },
  PIX: {},
  RTGS: { tooSlowForQuotes: true },
  RTP: {},
  SEPA: { tooSlowForQuotes: true },
  SEPA_INSTANT: {},
  SPEI: {},
  SWIFT: { settlementSeconds: 4 * HOUR, tooSlowForQuotes: true },
  UNIONPAY: {},
  UPI: { reaches: 'vpa' },
  WIRE: { settlementSeconds: 4 * HOUR, tooSlowForQuotes: true },
} as const satisfies Readonly<Record<string, Rail>>;

export type PaymentRail = keyof typeof TABLE;

export const RAILS: Readonly<Record<PaymentRail, Rail>> = TABLE;

export const PAYMENT_RAILS = Object.keys(TABLE) as PaymentRail[];

/**
 * The rails of the rate list, where `CRYPTO` means any network on which a digital currency is paid out (platform.md
 * §6.5).
 */
export type PayoutRail = PaymentRail | 'CRYPTO';

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

interface BankAccount {
  /** Absent: any currency. */
  readonly currency?: string;
  /** The countries in which such accounts are held. */
  readonly countries: readonly string[];
  /** The rails over which it is paid, in order of preference. */
  readonly rails: readonly PaymentRail[];
}

/** One row per type of bank account (accounts.md §4.2), in that table's order. */
const BANK_ACCOUNTS: Readonly<Record<string, BankAccount>> = {
  AED_ACCOUNT: { currency: 'AED', countries: ['AE'], rails: ['BANK_TRANSFER'] },
  BDT_ACCOUNT: { currency: 'BDT', countries: ['BD'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  BRL_ACCOUNT: { currency: 'BRL', countries: ['BR'], rails: ['PIX'] },
  BWP_ACCOUNT: { currency: 'BWP', countries: ['BW'], rails: ['MOBILE_MONEY'] },
  CAD_ACCOUNT: { currency: 'CAD', countries: ['CA'], rails: ['BANK_TRANSFER'] },
  CNY_ACCOUNT: { currency: 'CNY', countries: ['CN'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  COP_ACCOUNT: { currency: 'COP', countries: ['CO'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  DKK_ACCOUNT: { currency: 'DKK', countries: ['DK'], rails: ['SEPA', 'SEPA_INSTANT'] },
  EGP_ACCOUNT: { currency: 'EGP', countries: ['EG'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  EUR_ACCOUNT: { currency: 'EUR', countries: EURO_AREA, rails: ['SEPA', 'SEPA_INSTANT'] },
  GBP_ACCOUNT: { currency: 'GBP', countries: ['GB'], rails: ['FASTER_PAYMENTS'] },
  GHS_ACCOUNT: { currency: 'GHS', countries: ['GH'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  GTQ_ACCOUNT: { currency: 'GTQ', countries: ['GT'], rails: ['BANK_TRANSFER'] },
  HKD_ACCOUNT: { currency: 'HKD', countries: ['HK'], rails: ['BANK_TRANSFER'] },
  HTG_ACCOUNT: { currency: 'HTG', countries: ['HT'], rails: ['MOBILE_MONEY'] },
  IDR_ACCOUNT: { currency: 'IDR', countries: ['ID'], rails: ['BANK_TRANSFER'] },
  ILS_ACCOUNT: { currency: 'ILS', countries: ['IL'], rails: ['BANK_TRANSFER'] },
  INR_ACCOUNT: { currency: 'INR', countries: ['IN'], rails: ['UPI', 'NEFT', 'RTGS'] },
  JMD_ACCOUNT: { currency: 'JMD', countries: ['JM'], rails: ['BANK_TRANSFER'] },
  KES_ACCOUNT: { currency: 'KES', countries: ['KE'], rails: ['MOBILE_MONEY'] },
  MWK_ACCOUNT: { currency: 'MWK', countries: ['MW'], rails: ['MOBILE_MONEY'] },
  MXN_ACCOUNT: { currency: 'MXN', countries: ['MX'], rails: ['SPEI'] },
  MYR_ACCOUNT: { currency: 'MYR', countries: ['MY'], rails: ['BANK_TRANSFER'] },
  NGN_ACCOUNT: { currency: 'NGN', countries: ['NG'], rails: ['BANK_TRANSFER'] },
  PHP_ACCOUNT: { currency: 'PHP', countries: ['PH'], rails: ['BANK_TRANSFER'] },
  PKR_ACCOUNT: { currency: 'PKR', countries: ['PK'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  RWF_ACCOUNT: { currency: 'RWF', countries: ['RW'], rails: ['MOBILE_MONEY'] },
  SGD_ACCOUNT: { currency: 'SGD', countries: ['SG'], rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'] },
  THB_ACCOUNT: { currency: 'THB', countries: ['TH'], rails: ['BANK_TRANSFER'] },
  TZS_ACCOUNT: { currency: 'TZS', countries: ['TZ'], rails: ['MOBILE_MONEY'] },
  UGX_ACCOUNT: { currency: 'UGX', countries: ['UG'], rails: ['MOBILE_MONEY'] },
  USD_ACCOUNT: { currency: 'USD', countries: ['US'], rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'] },
  SLV_ACCOUNT: { currency: 'USD', countries: ['SV'], rails: ['BANK_TRANSFER', 'MOBILE_MONEY'] },
  VND_ACCOUNT: { currency: 'VND', countries: ['VN'], rails: ['BANK_TRANSFER'] },
  XAF_ACCOUNT: { currency: 'XAF', countries: ['CM', 'CG'], rails: ['MOBILE_MONEY'] },
  XOF_ACCOUNT: { currency: 'XOF', countries: ['BJ', 'CI', 'SN', 'TG'], rails: ['MOBILE_MONEY'] },
  ZAR_ACCOUNT: { currency: 'ZAR', countries: ['ZA'], rails: ['BANK_TRANSFER'] },
  ZMW_ACCOUNT: { currency: 'ZMW', countries: ['ZM'], rails: ['MOBILE_MONEY'] },
  // Any ISO 4217 currency can be paid out by SWIFT.
  SWIFT_ACCOUNT: { countries: [], rails: ['SWIFT'] },
};

const BY_CURRENCY = Map.groupBy(Object.values(BANK_ACCOUNTS), ({ currency }) => currency);

/** The rails over which an account of this type is paid; none if it is not a bank account. */
export function accountRails(accountType: string): readonly PaymentRail[] {
  return Object.hasOwn(BANK_ACCOUNTS, accountType) ? (BANK_ACCOUNTS[accountType]?.rails ?? []) : [];
}

/** The countries in which accounts of this type are held; none if it is not a bank account. */
export function accountCountries(accountType: string): readonly string[] {
  return Object.hasOwn(BANK_ACCOUNTS, accountType) ? (BANK_ACCOUNTS[accountType]?.countries ?? []) : [];
}

/** Those of the account's rails that can be used if this field names the account. */
export function railsReaching(accountType: string, field: string): readonly PaymentRail[] {
  const rails = accountRails(accountType);
  const own = rails.filter((rail) => RAILS[rail].reaches === field);
  return own.length > 0 ? own : rails.filter((rail) => RAILS[rail].reaches === undefined);
}

/** The rails over which a currency can be paid out; none for a code that is not a currency. */
export function payoutRailsOf(code: string): readonly PayoutRail[] {
  if (!isFiat(code)) return isCurrencyCode(code) ? ['CRYPTO'] : [];
  return [...accountsOf(code), ...accountsOf(undefined)].flatMap(({ rails }) => rails);
}

/** Where the accounts of a currency are held; empty for a digital one, or one paid by SWIFT only. */
export function payoutCountriesOf(code: string): readonly string[] {
  return accountsOf(code).flatMap(({ countries }) => countries);
}

/** Whether a state issues it. Other currencies are digital: the four built-in ones, and the platforms' own coins. */
export function isFiat(code: string): boolean {
  return isCurrencyCode(code) && !DIGITAL.has(code);
}

const DIGITAL: ReadonlySet<string> = new Set(['BTC', 'USDB', 'USDC', 'USDT']);

function accountsOf(currency: string | undefined): readonly BankAccount[] {
  return BY_CURRENCY.get(currency) ?? [];
}
