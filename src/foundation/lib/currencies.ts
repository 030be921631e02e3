import assert from 'node:assert/strict';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';

export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** The country that issues it; absent if several do, or none. */
  readonly country?: string;
}

/** Currencies that a platform added to the built-in ones, by code. */
export type OwnCurrencies = Readonly<Record<string, Omit<OwnCurrency, 'code'>>>;

export type OwnCurrency = Omit<Currency, 'country'>;

export const NO_OWN_CURRENCIES: OwnCurrencies = {};

export interface PresentedAmount {
  amount: number;
  currency: { code: string; name: string; symbol: string; decimals: number };
}

/** The amount object of a reply (platform.md §1.2.4). */
export function presentAmount(amount: bigint, code: string, own: OwnCurrencies): PresentedAmount {
  assert(amount <= AMOUNT_MAX && amount >= -AMOUNT_MAX, 'the amount is too large for an exact JSON number');
  return { amount: Number(amount), currency: presentCurrency(code, own) };
}

export function presentCurrency(code: string, own: OwnCurrencies): PresentedAmount['currency'] {
  const { name, symbol, decimals } = currencyTerms(code, own);
  return { code, name, symbol, decimals };
}

/** For people: `12.50 USD`. */
export function showAmount(amount: bigint, code: string, own: OwnCurrencies): string {
  return `${decimalAmount(amount, code, own)} ${code}`;
}

/** An amount in units of the currency, `-12.50`: the point is moved in the text, without arithmetic. */
export function decimalAmount(amount: bigint, code: string, own: OwnCurrencies): string {
  const { decimals } = currencyTerms(code, own);
  const sign = amount < 0n ? '-' : '';
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** For people, where amounts may be large: `100,000.00 USD`. */
export function sayAmount(amount: bigint, code: string, own: OwnCurrencies): string {
  return showAmount(amount, code, own).replace(/^-?\d+/, (units) =>
    units.replaceAll(/\B(?=(\d{3})+$)/g, ','),
  );
}

/** For people, an amount that a bank reported: of a currency that we do not know, in its smallest unit. */
export function sayReported({ amount, currency }: { amount: bigint; currency: string }): string {
  return isCurrencyCode(currency) ? sayAmount(amount, currency, NO_OWN_CURRENCIES) : `${amount} ${currency}`;
}

/** Whether a platform with these own currencies knows the code: a built-in one, or one of its own. */
export function isKnownCurrency(code: string, own: OwnCurrencies): boolean {
  return isCurrencyCode(code) || isOwnCurrency(code, own);
}

/** Whether it is one of the platform's own, a coin (stablecoins.md §8). */
export function isOwnCurrency(code: string, own: OwnCurrencies): boolean {
  return Object.hasOwn(own, code);
}

export function currencyDecimals(code: string, own: OwnCurrencies): number {
  return currencyTerms(code, own).decimals;
}

function currencyTerms(code: string, own: OwnCurrencies): OwnCurrencies[string] {
  return (isOwnCurrency(code, own) ? own[code] : undefined) ?? currencyOf(code);
}

/** A built-in currency: check a code that came from outside with `isCurrencyCode` first. */
export function currencyOf(code: string): Currency {
  const currency = BY_CODE.get(code);
  assert(currency, `unknown currency: ${code}`);
  return currency;
}

/** Whether it is a built-in currency; upper-case codes only (platform.md §1.2.5). */
export function isCurrencyCode(code: string): boolean {
  return BY_CODE.has(code);
}

/** Every known code, in alphabetical order with the digital ones last. */
export function currencyCodes(): string[] {
  return Object.keys(CURRENCIES);
}

/**
 * ISO 4217's currencies and funds as of 2026, plus four digital ones (platform.md §1.2.5, accounts.md §1.6).
 * Metals, bond units, SDR and the test codes are left out: the standard gives them no minor unit, so no
 * integer amount can be stated in them.
 */
const CURRENCIES: Readonly<Record<string, Omit<Currency, 'code'>>> = {
  AED: { name: 'UAE dirham', symbol: 'د.إ', decimals: 2, country: 'AE' },
  AFN: { name: 'Afghani', symbol: '؋', decimals: 2, country: 'AF' },
  ALL: { name: 'Albanian lek', symbol: 'L', decimals: 2, country: 'AL' },
  AMD: { name: 'Armenian dram', symbol: '֏', decimals: 2, country: 'AM' },
  AOA: { name: 'Angolan kwanza', symbol: 'Kz', decimals: 2, country: 'AO' },
  ARS: { name: 'Argentine peso', symbol: '$', decimals: 2, country: 'AR' },
  AUD: { name: 'Australian dollar', symbol: '$', decimals: 2, country: 'AU' },
  AWG: { name: 'Aruban florin', symbol: 'ƒ', decimals: 2, country: 'AW' },
  AZN: { name: 'Azerbaijani manat', symbol: '₼', decimals: 2, country: 'AZ' },
  BAM: { name: 'Bosnian convertible mark', symbol: 'KM', decimals: 2, country: 'BA' },
  BBD: { name: 'Barbadian dollar', symbol: '$', decimals: 2, country: 'BB' },
  BDT: { name: 'Bangladeshi taka', symbol: '৳', decimals: 2, country: 'BD' },
  BHD: { name: 'Bahraini dinar', symbol: '.د.ب', decimals: 3, country: 'BH' },
  BIF: { name: 'Burundian franc', symbol: 'FBu', decimals: 0, country: 'BI' },
  BMD: { name: 'Bermudian dollar', symbol: '$', decimals: 2, country: 'BM' },
  BND: { name: 'Brunei dollar', symbol: '$', decimals: 2, country: 'BN' },
  BOB: { name: 'Bolivian boliviano', symbol: 'Bs', decimals: 2, country: 'BO' },
  BOV: { name: 'Bolivian mvdol', symbol: 'BOV', decimals: 2, country: 'BO' },
  BRL: { name: 'Brazilian real', symbol: 'R$', decimals: 2, country: 'BR' },
  BSD: { name: 'Bahamian dollar', symbol: '$', decimals: 2, country: 'BS' },
  BTN: { name: 'Bhutanese ngultrum', symbol: 'Nu.', decimals: 2, country: 'BT' },
  BWP: { name: 'Botswana pula', symbol: 'P', decimals: 2, country: 'BW' },
  BYN: { name: 'Belarusian rouble', symbol: 'Br', decimals: 2, country: 'BY' },
  BZD: { name: 'Belize dollar', symbol: '$', decimals: 2, country: 'BZ' },
  CAD: { name: 'Canadian dollar', symbol: '$', decimals: 2, country: 'CA' },
  CDF: { name: 'Congolese franc', symbol: 'FC', decimals: 2, country: 'CD' },
  CHE: { name: 'WIR euro', symbol: 'CHE', decimals: 2, country: 'CH' },
  CHF: { name: 'Swiss franc', symbol: 'CHF', decimals: 2, country: 'CH' },
  CHW: { name: 'WIR franc', symbol: 'CHW', decimals: 2, country: 'CH' },
  CLF: { name: 'Chilean unit of account', symbol: 'UF', decimals: 4, country: 'CL' },
  CLP: { name: 'Chilean peso', symbol: '$', decimals: 0, country: 'CL' },
  CNY: { name: 'Chinese yuan', symbol: '¥', decimals: 2, country: 'CN' },
  COP: { name: 'Colombian peso', symbol: '$', decimals: 2, country: 'CO' },
  COU: { name: 'Colombian real value unit', symbol: 'COU', decimals: 2, country: 'CO' },
  CRC: { name: 'Costa Rican colón', symbol: '₡', decimals: 2, country: 'CR' },
  CUP: { name: 'Cuban peso', symbol: '$', decimals: 2, country: 'CU' },
  CVE: { name: 'Cape Verdean escudo', symbol: 'Esc', decimals: 2, country: 'CV' },
  CZK: { name: 'Czech koruna', symbol: 'Kč', decimals: 2, country: 'CZ' },
  DJF: { name: 'Djiboutian franc', symbol: 'Fdj', decimals: 0, country: 'DJ' },
  DKK: { name: 'Danish krone', symbol: 'kr', decimals: 2, country: 'DK' },
  DOP: { name: 'Dominican peso', symbol: '$', decimals: 2, country: 'DO' },
  DZD: { name: 'Algerian dinar', symbol: 'د.ج', decimals: 2, country: 'DZ' },
  EGP: { name: 'Egyptian pound', symbol: 'E£', decimals: 2, country: 'EG' },
  ERN: { name: 'Eritrean nakfa', symbol: 'Nfk', decimals: 2, country: 'ER' },
  ETB: { name: 'Ethiopian birr', symbol: 'Br', decimals: 2, country: 'ET' },
  EUR: { name: 'Euro', symbol: '€', decimals: 2 },
  FJD: { name: 'Fijian dollar', symbol: '$', decimals: 2, country: 'FJ' },
  FKP: { name: 'Falkland Islands pound', symbol: '£', decimals: 2, country: 'FK' },
  GBP: { name: 'Pound sterling', symbol: '£', decimals: 2, country: 'GB' },
  GEL: { name: 'Georgian lari', symbol: '₾', decimals: 2, country: 'GE' },
  GHS: { name: 'Ghanaian cedi', symbol: '₵', decimals: 2, country: 'GH' },
  GIP: { name: 'Gibraltar pound', symbol: '£', decimals: 2, country: 'GI' },
  GMD: { name: 'Gambian dalasi', symbol: 'D', decimals: 2, country: 'GM' },
  GNF: { name: 'Guinean franc', symbol: 'FG', decimals: 0, country: 'GN' },
  GTQ: { name: 'Guatemalan quetzal', symbol: 'Q', decimals: 2, country: 'GT' },
  GYD: { name: 'Guyanese dollar', symbol: '$', decimals: 2, country: 'GY' },
  HKD: { name: 'Hong Kong dollar', symbol: 'HK$', decimals: 2, country: 'HK' },
  HNL: { name: 'Honduran lempira', symbol: 'L', decimals: 2, country: 'HN' },
  HTG: { name: 'Haitian gourde', symbol: 'G', decimals: 2, country: 'HT' },
  HUF: { name: 'Hungarian forint', symbol: 'Ft', decimals: 2, country: 'HU' },
  IDR: { name: 'Indonesian rupiah', symbol: 'Rp', decimals: 2, country: 'ID' },
  ILS: { name: 'Israeli new shekel', symbol: '₪', decimals: 2, country: 'IL' },
  INR: { name: 'Indian rupee', symbol: '₹', decimals: 2, country: 'IN' },
  IQD: { name: 'Iraqi dinar', symbol: 'ع.د', decimals: 3, country: 'IQ' },
  IRR: { name: 'Iranian rial', symbol: '﷼', decimals: 2, country: 'IR' },
  ISK: { name: 'Icelandic króna', symbol: 'kr', decimals: 0, country: 'IS' },
  JMD: { name: 'Jamaican dollar', symbol: 'J$', decimals: 2, country: 'JM' },
  JOD: { name: 'Jordanian dinar', symbol: 'د.أ', decimals: 3, country: 'JO' },
  JPY: { name: 'Japanese yen', symbol: '¥', decimals: 0, country: 'JP' },
  KES: { name: 'Kenyan shilling', symbol: 'KSh', decimals: 2, country: 'KE' },
  KGS: { name: 'Kyrgyz som', symbol: 'с', decimals: 2, country: 'KG' },
  KHR: { name: 'Cambodian riel', symbol: '៛', decimals: 2, country: 'KH' },
  KMF: { name: 'Comorian franc', symbol: 'CF', decimals: 0, country: 'KM' },
  KPW: { name: 'North Korean won', symbol: '₩', decimals: 2, country: 'KP' },
  KRW: { name: 'South Korean won', symbol: '₩', decimals: 0, country: 'KR' },
  KWD: { name: 'Kuwaiti dinar', symbol: 'د.ك', decimals: 3, country: 'KW' },
  KYD: { name: 'Cayman Islands dollar', symbol: '$', decimals: 2, country: 'KY' },
  KZT: { name: 'Kazakhstani tenge', symbol: '₸', decimals: 2, country: 'KZ' },
  LAK: { name: 'Lao kip', symbol: '₭', decimals: 2, country: 'LA' },
  LBP: { name: 'Lebanese pound', symbol: 'ل.ل', decimals: 2, country: 'LB' },
  LKR: { name: 'Sri Lankan rupee', symbol: 'Rs', decimals: 2, country: 'LK' },
  LRD: { name: 'Liberian dollar', symbol: '$', decimals: 2, country: 'LR' },
  LSL: { name: 'Lesotho loti', symbol: 'L', decimals: 2, country: 'LS' },
  LYD: { name: 'Libyan dinar', symbol: 'ل.د', decimals: 3, country: 'LY' },
  MAD: { name: 'Moroccan dirham', symbol: 'د.م.', decimals: 2, country: 'MA' },
  MDL: { name: 'Moldovan leu', symbol: 'L', decimals: 2, country: 'MD' },
  MGA: { name: 'Malagasy ariary', symbol: 'Ar', decimals: 2, country: 'MG' },
  MKD: { name: 'Macedonian denar', symbol: 'ден', decimals: 2, country: 'MK' },
  MMK: { name: 'Myanmar kyat', symbol: 'K', decimals: 2, country: 'MM' },
  MNT: { name: 'Mongolian tögrög', symbol: '₮', decimals: 2, country: 'MN' },
  MOP: { name: 'Macanese pataca', symbol: 'MOP$', decimals: 2, country: 'MO' },
  MRU: { name: 'Mauritanian ouguiya', symbol: 'UM', decimals: 2, country: 'MR' },
  MUR: { name: 'Mauritian rupee', symbol: '₨', decimals: 2, country: 'MU' },
  MVR: { name: 'Maldivian rufiyaa', symbol: 'Rf', decimals: 2, country: 'MV' },
  MWK: { name: 'Malawian kwacha', symbol: 'MK', decimals: 2, country: 'MW' },
  MXN: { name: 'Mexican peso', symbol: '$', decimals: 2, country: 'MX' },
  MXV: { name: 'Mexican investment unit', symbol: 'UDI', decimals: 2, country: 'MX' },
  MYR: { name: 'Malaysian ringgit', symbol: 'RM', decimals: 2, country: 'MY' },
  MZN: { name: 'Mozambican metical', symbol: 'MT', decimals: 2, country: 'MZ' },
  NAD: { name: 'Namibian dollar', symbol: '$', decimals: 2, country: 'NA' },
  NGN: { name: 'Nigerian naira', symbol: '₦', decimals: 2, country: 'NG' },
  NIO: { name: 'Nicaraguan córdoba', symbol: 'C$', decimals: 2, country: 'NI' },
  NOK: { name: 'Norwegian krone', symbol: 'kr', decimals: 2, country: 'NO' },
  NPR: { name: 'Nepalese rupee', symbol: 'रु', decimals: 2, country: 'NP' },
  NZD: { name: 'New Zealand dollar', symbol: '$', decimals: 2, country: 'NZ' },
  OMR: { name: 'Omani rial', symbol: 'ر.ع.', decimals: 3, country: 'OM' },
  PAB: { name: 'Panamanian balboa', symbol: 'B/.', decimals: 2, country: 'PA' },
  PEN: { name: 'Peruvian sol', symbol: 'S/', decimals: 2, country: 'PE' },
  PGK: { name: 'Papua New Guinean kina', symbol: 'K', decimals: 2, country: 'PG' },
  PHP: { name: 'Philippine peso', symbol: '₱', decimals: 2, country: 'PH' },
  PKR: { name: 'Pakistani rupee', symbol: '₨', decimals: 2, country: 'PK' },
  PLN: { name: 'Polish złoty', symbol: 'zł', decimals: 2, country: 'PL' },
  PYG: { name: 'Paraguayan guaraní', symbol: '₲', decimals: 0, country: 'PY' },
  QAR: { name: 'Qatari riyal', symbol: 'ر.ق', decimals: 2, country: 'QA' },
  RON: { name: 'Romanian leu', symbol: 'lei', decimals: 2, country: 'RO' },
  RSD: { name: 'Serbian dinar', symbol: 'дин.', decimals: 2, country: 'RS' },
  RUB: { name: 'Russian rouble', symbol: '₽', decimals: 2, country: 'RU' },
  RWF: { name: 'Rwandan franc', symbol: 'FRw', decimals: 0, country: 'RW' },
  SAR: { name: 'Saudi riyal', symbol: 'ر.س', decimals: 2, country: 'SA' },
  SBD: { name: 'Solomon Islands dollar', symbol: '$', decimals: 2, country: 'SB' },
  SCR: { name: 'Seychellois rupee', symbol: '₨', decimals: 2, country: 'SC' },
  SDG: { name: 'Sudanese pound', symbol: 'ج.س.', decimals: 2, country: 'SD' },
  SEK: { name: 'Swedish krona', symbol: 'kr', decimals: 2, country: 'SE' },
  SGD: { name: 'Singapore dollar', symbol: 'S$', decimals: 2, country: 'SG' },
  SHP: { name: 'Saint Helena pound', symbol: '£', decimals: 2, country: 'SH' },
  SLE: { name: 'Sierra Leonean leone', symbol: 'Le', decimals: 2, country: 'SL' },
  SOS: { name: 'Somali shilling', symbol: 'Sh', decimals: 2, country: 'SO' },
  SRD: { name: 'Surinamese dollar', symbol: '$', decimals: 2, country: 'SR' },
  SSP: { name: 'South Sudanese pound', symbol: '£', decimals: 2, country: 'SS' },
  STN: { name: 'São Tomé and Príncipe dobra', symbol: 'Db', decimals: 2, country: 'ST' },
  SVC: { name: 'Salvadoran colón', symbol: '₡', decimals: 2, country: 'SV' },
  SYP: { name: 'Syrian pound', symbol: 'ل.س', decimals: 2, country: 'SY' },
  SZL: { name: 'Swazi lilangeni', symbol: 'E', decimals: 2, country: 'SZ' },
  THB: { name: 'Thai baht', symbol: '฿', decimals: 2, country: 'TH' },
  TJS: { name: 'Tajikistani somoni', symbol: 'SM', decimals: 2, country: 'TJ' },
  TMT: { name: 'Turkmen manat', symbol: 'm', decimals: 2, country: 'TM' },
  TND: { name: 'Tunisian dinar', symbol: 'د.ت', decimals: 3, country: 'TN' },
  TOP: { name: 'Tongan paʻanga', symbol: 'T$', decimals: 2, country: 'TO' },
  TRY: { name: 'Turkish lira', symbol: '₺', decimals: 2, country: 'TR' },
  TTD: { name: 'Trinidad and Tobago dollar', symbol: 'TT$', decimals: 2, country: 'TT' },
  TWD: { name: 'New Taiwan dollar', symbol: 'NT$', decimals: 2, country: 'TW' },
  TZS: { name: 'Tanzanian shilling', symbol: 'TSh', decimals: 2, country: 'TZ' },
  UAH: { name: 'Ukrainian hryvnia', symbol: '₴', decimals: 2, country: 'UA' },
  UGX: { name: 'Ugandan shilling', symbol: 'USh', decimals: 0, country: 'UG' },
  USD: { name: 'US dollar', symbol: '$', decimals: 2, country: 'US' },
  USN: { name: 'US dollar, next day', symbol: '$', decimals: 2, country: 'US' },
  UYI: { name: 'Uruguayan indexed unit', symbol: 'UI', decimals: 0, country: 'UY' },
  UYU: { name: 'Uruguayan peso', symbol: '$U', decimals: 2, country: 'UY' },
  UYW: { name: 'Uruguayan pension unit', symbol: 'UP', decimals: 4, country: 'UY' },
  UZS: { name: 'Uzbek sum', symbol: 'soʻm', decimals: 2, country: 'UZ' },
  VED: { name: 'Venezuelan digital bolívar', symbol: 'Bs.D', decimals: 2, country: 'VE' },
  VES: { name: 'Venezuelan bolívar', symbol: 'Bs.S', decimals: 2, country: 'VE' },
  VND: { name: 'Vietnamese dong', symbol: '₫', decimals: 0, country: 'VN' },
  VUV: { name: 'Vanuatu vatu', symbol: 'VT', decimals: 0, country: 'VU' },
  WST: { name: 'Samoan tala', symbol: 'WS$', decimals: 2, country: 'WS' },
  XAD: { name: 'Arab accounting dinar', symbol: 'XAD', decimals: 2 },
  XAF: { name: 'Central African CFA franc', symbol: 'FCFA', decimals: 0 },
  XCD: { name: 'East Caribbean dollar', symbol: 'EC$', decimals: 2 },
  XCG: { name: 'Caribbean guilder', symbol: 'Cg', decimals: 2 },
  XOF: { name: 'West African CFA franc', symbol: 'CFA', decimals: 0 },
  XPF: { name: 'CFP franc', symbol: '₣', decimals: 0 },
  YER: { name: 'Yemeni rial', symbol: 'ر.ي', decimals: 2, country: 'YE' },
  ZAR: { name: 'South African rand', symbol: 'R', decimals: 2, country: 'ZA' },
  ZMW: { name: 'Zambian kwacha', symbol: 'ZK', decimals: 2, country: 'ZM' },
  ZWG: { name: 'Zimbabwe Gold', symbol: 'ZiG', decimals: 2, country: 'ZW' },
  BTC: { name: 'Bitcoin', symbol: '₿', decimals: 8 },
  USDB: { name: 'USDB', symbol: 'USDB', decimals: 6 },
  USDC: { name: 'USD Coin', symbol: 'USDC', decimals: 6 },
  USDT: { name: 'Tether USD', symbol: 'USDT', decimals: 6 },
};

const BY_CODE: ReadonlyMap<string, Currency> = new Map(
  Object.entries(CURRENCIES).map(([code, row]) => [code, Object.freeze({ code, ...row })]),
);
