import type { PaymentRail } from '#foundation/lib/rails-by-currency.ts';

/** A bank or mobile-money provider of one corridor (platform.md §7). */
export interface Institution {
  /** The canonical value of `bankName` or `provider`. */
  readonly bankName: string;
  readonly displayName: string;
  readonly country: string;
  readonly currency: string;
  readonly paymentRails: readonly PaymentRail[];
  /** National bank code, for banks whose account numbers are checked against it (NUBAN). */
  readonly bankCode?: string;
  /** First eight characters of its BIC, for banks whose name is resolved from it. */
  readonly bic?: string;
}

/** Returns all institutions, or those of a country and currency, by country, currency and display name. */
export function filterInstitutions(country?: string, currency?: string): Institution[] {
  return CORRIDORS.filter(
    (corridor) =>
      (country === undefined || corridor.country === country) &&
      (currency === undefined || corridor.currency === currency),
  )
    .flatMap(institutionsIn)
    .sort((a, b) => compare(a.country, b.country) || compare(a.currency, b.currency) || byName(a, b));
}

interface Corridor {
  readonly country: string;
  readonly currency: string;
  readonly banks?: readonly Row[];
  readonly wallets?: readonly Row[];
}

/** One name if the canonical name is also the displayed one, else both, with any codes. */
type Row =
  | string
  | { readonly name: string; readonly shown?: string; readonly code?: string; readonly bic?: string };

function institutionsIn({ country, currency, banks = [], wallets = [] }: Corridor): Institution[] {
  const row =
    (rail: PaymentRail) =>
    (given: Row): Institution => {
      const { name, shown = name, code, bic } = typeof given === 'string' ? { name: given } : given;
      return {
        bankName: name,
        displayName: shown,
        country,
        currency,
        paymentRails: [rail],
        ...(code !== undefined && { bankCode: code }),
        ...(bic !== undefined && { bic }),
      };
    };
  return [...banks.map(row('BANK_TRANSFER')), ...wallets.map(row('MOBILE_MONEY'))];
}

function byName(a: Institution, b: Institution): number {
  return compare(a.displayName, b.displayName) || compare(a.bankName, b.bankName);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Every currency whose account type requires a bank or a provider (accounts.md §4.2). If that table has a closed list of
 * providers, this one has exactly the same: the directory never names a provider that would be refused.
 */
const CORRIDORS: readonly Corridor[] = [
  {
    country: 'BD',
    currency: 'BDT',
    banks: [
      'BRAC Bank',
      'City Bank',
      'Dutch-Bangla Bank',
      'Eastern Bank',
      'Islami Bank Bangladesh',
      'Pubali Bank',
      'Sonali Bank',
    ],
    wallets: ['bKash', 'Nagad', 'Rocket'],
  },
  { country: 'BJ', currency: 'XOF', wallets: [mtn(), moov(), { name: 'CELTIIS', shown: 'Celtiis Cash' }] },
  { country: 'BW', currency: 'BWP', wallets: ['MyZaka', 'Orange Money', 'Smega'] },
  { country: 'CG', currency: 'XAF', wallets: [airtel(), mtn()] },
  {
    country: 'CI',
    currency: 'XOF',
    wallets: [moov(), mtn(), orange(), wave()],
  },
  { country: 'CM', currency: 'XAF', wallets: [mtn(), orange()] },
  {
    country: 'CN',
    currency: 'CNY',
    banks: [
      'Agricultural Bank of China',
      'Bank of China',
      'Bank of Communications',
      'China CITIC Bank',
      'China Construction Bank',
      'China Merchants Bank',
      'Industrial and Commercial Bank of China',
      'Postal Savings Bank of China',
    ],
    wallets: [
      { name: 'AliPay', shown: 'Alipay' },
      { name: 'WechatPay', shown: 'WeChat Pay' },
    ],
  },
  {
    country: 'CO',
    currency: 'COP',
    banks: [
      'BBVA Colombia',
      'Banco Caja Social',
      { name: 'Banco de Bogota', shown: 'Banco de Bogotá' },
      'Banco de Occidente',
      'Banco Popular',
      'Bancolombia',
      'Davivienda',
    ],
    wallets: [{ name: 'Daviplata', shown: 'DaviPlata' }, 'Nequi'],
  },
  {
    country: 'EG',
    currency: 'EGP',
    banks: [
      'Alexbank',
      'Arab African International Bank',
      'Banque Misr',
      'Commercial International Bank',
      'National Bank of Egypt',
      'QNB Egypt',
    ],
    wallets: ['Etisalat Cash', 'Orange Cash', 'Vodafone Cash', 'WE Pay'],
  },
  {
    country: 'GH',
    currency: 'GHS',
    banks: [
      'Absa Bank Ghana',
      'CalBank',
      'Ecobank Ghana',
      'Fidelity Bank Ghana',
      'GCB Bank',
      'Stanbic Bank Ghana',
      'Zenith Bank Ghana',
    ],
    wallets: ['AirtelTigo Money', 'MTN Mobile Money', 'Telecel Cash'],
  },
  {
    country: 'GT',
    currency: 'GTQ',
    banks: [
      'BAC Guatemala',
      { name: 'Banco Agromercantil', shown: 'Banco Agromercantil (BAM)' },
      'Banco G&T Continental',
      'Banco Industrial',
      'Banrural',
    ],
  },
  {
    country: 'HK',
    currency: 'HKD',
    banks: [
      'Bank of China (Hong Kong)',
      'Bank of East Asia',
      'Citibank (Hong Kong)',
      'DBS Bank (Hong Kong)',
      'Hang Seng Bank',
      'HSBC Hong Kong',
      'Standard Chartered Bank (Hong Kong)',
    ],
  },
  {
    country: 'ID',
    currency: 'IDR',
    banks: [
      { name: 'Bank Central Asia', shown: 'Bank Central Asia (BCA)' },
      'Bank Danamon',
      'Bank Mandiri',
      { name: 'Bank Negara Indonesia', shown: 'Bank Negara Indonesia (BNI)' },
      { name: 'Bank Rakyat Indonesia', shown: 'Bank Rakyat Indonesia (BRI)' },
      'CIMB Niaga',
      'Permata Bank',
    ],
  },
  {
    country: 'JM',
    currency: 'JMD',
    banks: [
      'CIBC Caribbean',
      'JMMB Bank',
      'JN Bank',
      'National Commercial Bank Jamaica',
      'Sagicor Bank Jamaica',
      'Scotiabank Jamaica',
    ],
  },
  { country: 'KE', currency: 'KES', wallets: ['M-PESA'] },
  { country: 'MW', currency: 'MWK', wallets: [airtel(), { name: 'TNM', shown: 'TNM Mpamba' }] },
  {
    country: 'MY',
    currency: 'MYR',
    banks: ['AmBank', 'CIMB Bank', 'Hong Leong Bank', 'Maybank', 'Public Bank', 'RHB Bank'],
  },
  {
    country: 'NG',
    currency: 'NGN',
    banks: [
      { name: 'Access Bank', code: '044' },
      { name: 'Ecobank Nigeria', code: '050' },
      { name: 'Fidelity Bank', code: '070' },
      { name: 'First Bank of Nigeria', code: '011' },
      { name: 'First City Monument Bank', shown: 'First City Monument Bank (FCMB)', code: '214' },
      { name: 'Guaranty Trust Bank', shown: 'Guaranty Trust Bank (GTBank)', code: '058' },
      { name: 'Polaris Bank', code: '076' },
      { name: 'Stanbic IBTC Bank', code: '221' },
      { name: 'Sterling Bank', code: '232' },
      { name: 'Union Bank of Nigeria', code: '032' },
      { name: 'United Bank for Africa', shown: 'United Bank for Africa (UBA)', code: '033' },
      { name: 'Wema Bank', code: '035' },
      { name: 'Zenith Bank', code: '057' },
    ],
  },
  {
    country: 'PH',
    currency: 'PHP',
    banks: [
      'Bank of the Philippine Islands',
      'BDO Unibank',
      'China Banking Corporation',
      'GCash',
      'Land Bank of the Philippines',
      'Maya',
      'Metrobank',
      'Philippine National Bank',
      'Security Bank',
      'UnionBank of the Philippines',
    ],
  },
  {
    country: 'PK',
    currency: 'PKR',
    banks: [
      'Allied Bank',
      'Bank Alfalah',
      'Habib Bank Limited',
      'MCB Bank',
      'Meezan Bank',
      'National Bank of Pakistan',
      'United Bank Limited',
    ],
    wallets: ['Easypaisa', 'JazzCash'],
  },
  { country: 'RW', currency: 'RWF', wallets: [airtel(), mtn()] },
  {
    country: 'SG',
    currency: 'SGD',
    banks: [
      { name: 'Citibank Singapore', bic: 'CITISGSL' },
      { name: 'DBS Bank', bic: 'DBSSSGSG' },
      { name: 'HSBC Singapore', bic: 'HSBCSGS2' },
      { name: 'Maybank Singapore', bic: 'MBBESGS2' },
      { name: 'OCBC Bank', bic: 'OCBCSGSG' },
      { name: 'Standard Chartered Bank (Singapore)', bic: 'SCBLSG22' },
      { name: 'United Overseas Bank', bic: 'UOVBSGSG' },
    ],
  },
  {
    country: 'SN',
    currency: 'XOF',
    wallets: [{ name: 'FREE', shown: 'Free Money' }, orange(), wave()],
  },
  { country: 'TG', currency: 'XOF', wallets: [moov(), { name: 'TMONEY', shown: 'T-Money' }] },
  {
    country: 'TH',
    currency: 'THB',
    banks: [
      'Bangkok Bank',
      { name: 'Bank of Ayudhya', shown: 'Bank of Ayudhya (Krungsri)' },
      'Kasikornbank',
      'Krungthai Bank',
      'Siam Commercial Bank',
      { name: 'TMBThanachart Bank', shown: 'TMBThanachart Bank (ttb)' },
    ],
  },
  { country: 'TZ', currency: 'TZS', wallets: [airtel(), { name: 'VODACOM', shown: 'Vodacom M-Pesa' }] },
  { country: 'UG', currency: 'UGX', wallets: [airtel(), mtn()] },
  {
    country: 'VN',
    currency: 'VND',
    banks: ['ACB', 'Agribank', 'BIDV', 'MB Bank', 'Techcombank', 'Vietcombank', 'VietinBank', 'VPBank'],
  },
  {
    country: 'ZA',
    currency: 'ZAR',
    banks: [
      'Absa Bank',
      'Capitec Bank',
      { name: 'First National Bank', shown: 'First National Bank (FNB)' },
      'Investec Bank',
      'Nedbank',
      'Standard Bank',
      'TymeBank',
    ],
  },
  {
    country: 'ZM',
    currency: 'ZMW',
    wallets: [
      airtel(),
      mtn(),
      { name: 'TNM', shown: 'TNM Mpamba' },
      { name: 'ZAMTEL', shown: 'Zamtel Money' },
    ],
  },
];

function airtel(): Row {
  return { name: 'AIRTEL', shown: 'Airtel Money' };
}

function moov(): Row {
  return { name: 'MOOV', shown: 'Moov Money' };
}

function mtn(): Row {
  return { name: 'MTN', shown: 'MTN Mobile Money' };
}

function orange(): Row {
  return { name: 'ORANGE', shown: 'Orange Money' };
}

function wave(): Row {
  return { name: 'WAVE', shown: 'Wave' };
}
