/** One valid account of every type (accounts.md §4.2, §4.4), valid in strict mode, too. */
export interface Example {
  readonly currency: string;
  readonly info: Readonly<Record<string, unknown>> & { readonly accountType: string };
  /** The expected `paymentRails` of the answer; absent for wallets and Lightning. */
  readonly rails?: readonly string[];
  /** Required fields of `accountInfo`. */
  readonly required: readonly string[];
  /** Values that only strict mode refuses, by field. */
  readonly wrong?: Readonly<Record<string, readonly [value: string, code: StrictCode]>>;
}

type StrictCode = 'INVALID_BANK_ACCOUNT' | 'INVALID_INPUT';

export const HOLDER = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'GB',
  email: 'ada@example.com',
  phoneNumber: '+447700900123',
  countryOfResidence: 'GB',
  address: { line1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
};

export const COMPANY = {
  beneficiaryType: 'BUSINESS',
  legalName: 'Analytical Engines Ltd',
  registrationNumber: '00445790',
  taxId: 'GB123456789',
  email: 'office@example.com',
  phoneNumber: '+442071838750',
  countryOfResidence: 'GB',
  address: { line1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
};

export const WALLET_HOLDER = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  countryOfResidence: 'GB',
};

const BANK = ['BANK_TRANSFER'];
const MOBILE = ['MOBILE_MONEY'];

function bank(
  accountType: string,
  currency: string,
  fields: Record<string, string>,
  options: Partial<Omit<Example, 'info' | 'currency'>> & { beneficiary?: object } = {},
): Example {
  const { beneficiary = HOLDER, rails = BANK, required = Object.keys(fields), wrong } = options;
  return {
    currency,
    info: { accountType, ...fields, beneficiary },
    rails,
    required: [...required, 'beneficiary'],
    ...(wrong && { wrong }),
  };
}

function phone(value: string): Example['wrong'] & object {
  return { phoneNumber: [value, 'INVALID_BANK_ACCOUNT'] };
}

const UNLISTED = ['Bank of Nowhere', 'INVALID_INPUT'] as const;
const wrongProvider = { provider: ['NOBODY', 'INVALID_INPUT'] } as const;

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const EVM_WRONG = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function wallet(accountType: string, currency: string, address: string, wrong: string): Example {
  return {
    currency,
    info: { accountType, address, vaspName: 'Kraken', beneficiary: WALLET_HOLDER },
    required: ['address'],
    wrong: { address: [wrong, 'INVALID_INPUT'] },
  };
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  AED_ACCOUNT: bank(
    'AED_ACCOUNT',
    'AED',
    { iban: 'AE070331234567890123456', swiftCode: 'EBILAEAD' },
    {
      required: ['iban'],
      wrong: { iban: ['AE070331234567890123457', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  'BDT_ACCOUNT (bank)': bank(
    'BDT_ACCOUNT',
    'BDT',
    { bankName: 'BRAC Bank', accountNumber: '1501203456789', branchCode: '10482', swiftCode: 'BRAKBDDH' },
    { required: ['bankName', 'accountNumber'], wrong: { bankName: UNLISTED } },
  ),
  'BDT_ACCOUNT (mobile)': bank(
    'BDT_ACCOUNT',
    'BDT',
    { bankName: 'bKash', phoneNumber: '+8801712345678' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+8809912345678') },
  ),
  BRL_ACCOUNT: bank(
    'BRL_ACCOUNT',
    'BRL',
    { pixKey: '52998224725', pixKeyType: 'CPF', taxId: '52998224725' },
    {
      rails: ['PIX'],
      wrong: {
        pixKey: ['52998224724', 'INVALID_BANK_ACCOUNT'],
        taxId: ['52998224724', 'INVALID_BANK_ACCOUNT'],
      },
    },
  ),
  BWP_ACCOUNT: bank(
    'BWP_ACCOUNT',
    'BWP',
    { phoneNumber: '+26771234567', provider: 'Orange Money' },
    { rails: MOBILE, wrong: { ...phone('+26991234567'), ...wrongProvider } },
  ),
  CAD_ACCOUNT: bank('CAD_ACCOUNT', 'CAD', { bankCode: '003', branchCode: '10482', accountNumber: '1234567' }),
  'CNY_ACCOUNT (bank)': bank(
    'CNY_ACCOUNT',
    'CNY',
    { bankName: 'Bank of China', accountNumber: '6217000010001234567' },
    { beneficiary: COMPANY, wrong: { bankName: UNLISTED } },
  ),
  'CNY_ACCOUNT (mobile)': bank(
    'CNY_ACCOUNT',
    'CNY',
    { bankName: 'AliPay', phoneNumber: '+8613812345678' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+8612345') },
  ),
  'COP_ACCOUNT (bank)': bank(
    'COP_ACCOUNT',
    'COP',
    { bankName: 'Bancolombia', accountNumber: '23456789012', bankAccountType: 'SAVINGS' },
    {
      beneficiary: { ...HOLDER, documentType: 'CC', documentNumber: '1020304050' },
      wrong: { bankName: UNLISTED },
    },
  ),
  'COP_ACCOUNT (mobile)': bank(
    'COP_ACCOUNT',
    'COP',
    { bankName: 'Nequi', phoneNumber: '+573001234567' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+5730000') },
  ),
  DKK_ACCOUNT: bank(
    'DKK_ACCOUNT',
    'DKK',
    { iban: 'DK5000400440116243', swiftCode: 'DABADKKK' },
    {
      rails: ['SEPA', 'SEPA_INSTANT'],
      required: ['iban'],
      wrong: { iban: ['DK5000400440116244', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  'EGP_ACCOUNT (bank)': bank(
    'EGP_ACCOUNT',
    'EGP',
    { bankName: 'Banque Misr', iban: 'EG380019000500000000263180002' },
    { wrong: { iban: ['EG380019000500000000263180003', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  'EGP_ACCOUNT (mobile)': bank(
    'EGP_ACCOUNT',
    'EGP',
    { bankName: 'Vodafone Cash', phoneNumber: '+201001234567' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+2010000') },
  ),
  EUR_ACCOUNT: bank(
    'EUR_ACCOUNT',
    'EUR',
    { iban: 'DE89370400440532013000', swiftCode: 'COBADEFF' },
    {
      rails: ['SEPA', 'SEPA_INSTANT'],
      required: ['iban'],
      wrong: { iban: ['DE89370400440532013001', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  GBP_ACCOUNT: bank(
    'GBP_ACCOUNT',
    'GBP',
    { sortCode: '200415', accountNumber: '38290008' },
    { rails: ['FASTER_PAYMENTS'] },
  ),
  'GHS_ACCOUNT (bank)': bank(
    'GHS_ACCOUNT',
    'GHS',
    { bankName: 'GCB Bank', accountNumber: '1011130001234' },
    { wrong: { bankName: UNLISTED } },
  ),
  'GHS_ACCOUNT (mobile)': bank(
    'GHS_ACCOUNT',
    'GHS',
    { bankName: 'MTN Mobile Money', phoneNumber: '+233241234567' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+2332000') },
  ),
  GTQ_ACCOUNT: bank(
    'GTQ_ACCOUNT',
    'GTQ',
    { accountNumber: '0123456789', bankAccountType: 'CHECKING', bankName: 'Banco Industrial' },
    { wrong: { bankName: UNLISTED } },
  ),
  HKD_ACCOUNT: bank(
    'HKD_ACCOUNT',
    'HKD',
    { bankName: 'HSBC Hong Kong', accountNumber: '123456789833', swiftCode: 'HSBCHKHHHKH' },
    { wrong: { swiftCode: ['HSBCGB2L', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  HTG_ACCOUNT: bank(
    'HTG_ACCOUNT',
    'HTG',
    { phoneNumber: '+50934101234' },
    { rails: MOBILE, wrong: phone('+5091200') },
  ),
  IDR_ACCOUNT: bank(
    'IDR_ACCOUNT',
    'IDR',
    {
      bankName: 'Bank Mandiri',
      accountNumber: '1230004567890',
      swiftCode: 'BMRIIDJA',
      phoneNumber: '+6281234567890',
    },
    { wrong: { swiftCode: ['BMRISGSG', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  ILS_ACCOUNT: bank(
    'ILS_ACCOUNT',
    'ILS',
    { iban: 'IL620108000000099999999', swiftCode: 'LUMIILIT', bankName: 'Bank Leumi' },
    { required: ['iban'], wrong: { iban: ['IL620108000000099999998', 'INVALID_BANK_ACCOUNT'] } },
  ),
  'INR_ACCOUNT (UPI)': bank('INR_ACCOUNT', 'INR', { vpa: 'asha.k@okbank' }, { rails: ['UPI'] }),
  'INR_ACCOUNT (bank)': bank(
    'INR_ACCOUNT',
    'INR',
    { accountNumber: '50100123456789', ifsc: 'HDFC0000001', rail: 'NEFT', bankName: 'HDFC Bank' },
    {
      rails: ['NEFT'],
      required: ['accountNumber', 'ifsc', 'rail'],
      wrong: { ifsc: ['HDFC0ZZZZZZ', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  'INR_ACCOUNT (both)': bank(
    'INR_ACCOUNT',
    'INR',
    { vpa: 'ravi.s@okbank', accountNumber: '50100123456780', ifsc: 'HDFC0000001', rail: 'RTGS' },
    { rails: ['UPI', 'RTGS'], required: ['accountNumber', 'ifsc', 'rail'] },
  ),
  JMD_ACCOUNT: bank(
    'JMD_ACCOUNT',
    'JMD',
    { accountNumber: '2094123456', branchCode: '10482', bankAccountType: 'SAVINGS', bankName: 'JN Bank' },
    { wrong: { bankName: UNLISTED } },
  ),
  KES_ACCOUNT: bank(
    'KES_ACCOUNT',
    'KES',
    { phoneNumber: '+254712345678', provider: 'M-PESA' },
    { rails: MOBILE, wrong: wrongProvider },
  ),
  MWK_ACCOUNT: bank(
    'MWK_ACCOUNT',
    'MWK',
    { phoneNumber: '+265991234567', provider: 'AIRTEL' },
    { rails: MOBILE, wrong: { ...phone('+26599123456'), ...wrongProvider } },
  ),
  MXN_ACCOUNT: bank(
    'MXN_ACCOUNT',
    'MXN',
    { clabeNumber: '032180000118359719' },
    { rails: ['SPEI'], wrong: { clabeNumber: ['032180000118359718', 'INVALID_BANK_ACCOUNT'] } },
  ),
  MYR_ACCOUNT: bank(
    'MYR_ACCOUNT',
    'MYR',
    { bankName: 'Maybank', accountNumber: '514012345678', swiftCode: 'MBBEMYKL' },
    { wrong: { swiftCode: ['MBBESGSG', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  NGN_ACCOUNT: bank(
    'NGN_ACCOUNT',
    'NGN',
    // The worked example of the NUBAN standard: serial 000001457 at bank 011.
    { accountNumber: '0000014579', bankName: 'First Bank of Nigeria' },
    { wrong: { accountNumber: ['0000014578', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  PHP_ACCOUNT: bank(
    'PHP_ACCOUNT',
    'PHP',
    { bankName: 'BDO Unibank', accountNumber: '001234567890' },
    { wrong: { bankName: UNLISTED } },
  ),
  'PKR_ACCOUNT (bank)': bank(
    'PKR_ACCOUNT',
    'PKR',
    { bankName: 'MCB Bank', accountNumber: '0123456789012', iban: 'PK36SCBL0000001123456702' },
    {
      required: ['bankName'],
      wrong: { iban: ['PK36SCBL0000001123456703', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED },
    },
  ),
  'PKR_ACCOUNT (mobile)': bank(
    'PKR_ACCOUNT',
    'PKR',
    { bankName: 'JazzCash', phoneNumber: '+923001234567' },
    { rails: MOBILE, required: ['bankName'], wrong: phone('+9230000') },
  ),
  RWF_ACCOUNT: bank(
    'RWF_ACCOUNT',
    'RWF',
    { phoneNumber: '+250781234567', provider: 'MTN' },
    { rails: MOBILE, wrong: wrongProvider },
  ),
  SGD_ACCOUNT: bank(
    'SGD_ACCOUNT',
    'SGD',
    { bankName: 'DBS Bank', accountNumber: '0721234567', swiftCode: 'DBSSSGSG' },
    {
      rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
      required: ['accountNumber', 'swiftCode'],
      wrong: { swiftCode: ['DBSSHKHH', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  'SLV_ACCOUNT (bank)': bank(
    'SLV_ACCOUNT',
    'USD',
    { bankName: 'Banco Cuscatlan', accountNumber: '3300123456', bankAccountType: 'CHECKING' },
    { required: ['accountNumber', 'bankAccountType'] },
  ),
  'SLV_ACCOUNT (mobile)': bank(
    'SLV_ACCOUNT',
    'USD',
    { phoneNumber: '+50370123456' },
    { rails: MOBILE, required: [], wrong: phone('+5031200') },
  ),
  THB_ACCOUNT: bank(
    'THB_ACCOUNT',
    'THB',
    { bankName: 'Kasikornbank', accountNumber: '0123456789', swiftCode: 'KASITHBK' },
    { wrong: { swiftCode: ['KASISGSG', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  TZS_ACCOUNT: bank(
    'TZS_ACCOUNT',
    'TZS',
    { phoneNumber: '+255712345678', provider: 'VODACOM' },
    { rails: MOBILE, wrong: wrongProvider },
  ),
  UGX_ACCOUNT: bank(
    'UGX_ACCOUNT',
    'UGX',
    { phoneNumber: '+256712345678', provider: 'MTN' },
    { rails: MOBILE, wrong: { ...phone('+25671234567'), ...wrongProvider } },
  ),
  USD_ACCOUNT: bank(
    'USD_ACCOUNT',
    'USD',
    {
      accountNumber: '1234567890',
      routingNumber: '021000021',
      bankName: 'JPMorgan Chase',
      bankAccountType: 'CHECKING',
      intermediaryBankName: 'Bank of America',
      intermediaryRoutingNumber: '026009593',
      fiToFiInformation: 'For further credit',
    },
    {
      rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
      required: ['accountNumber', 'routingNumber'],
      wrong: {
        accountNumber: ['12345678901234567890', 'INVALID_BANK_ACCOUNT'],
        routingNumber: ['021000022', 'INVALID_BANK_ACCOUNT'],
        intermediaryRoutingNumber: ['026009594', 'INVALID_BANK_ACCOUNT'],
      },
    },
  ),
  VND_ACCOUNT: bank(
    'VND_ACCOUNT',
    'VND',
    { bankName: 'Vietcombank', accountNumber: '0071001234567', swiftCode: 'BFTVVNVX' },
    { wrong: { swiftCode: ['BFTVSGSG', 'INVALID_BANK_ACCOUNT'], bankName: UNLISTED } },
  ),
  XAF_ACCOUNT: bank(
    'XAF_ACCOUNT',
    'XAF',
    { phoneNumber: '+237650123456', provider: 'MTN', region: 'CM' },
    // platform.md §7.2: a name of the directory, and of this country's part of it.
    { rails: MOBILE, wrong: { ...phone('+242061234567'), provider: ['AIRTEL', 'INVALID_INPUT'] } },
  ),
  XOF_ACCOUNT: bank(
    'XOF_ACCOUNT',
    'XOF',
    { phoneNumber: '+221771234567', provider: 'WAVE', region: 'SN' },
    { rails: MOBILE, wrong: { ...phone('+2250712345678'), provider: ['MTN', 'INVALID_INPUT'] } },
  ),
  ZAR_ACCOUNT: bank(
    'ZAR_ACCOUNT',
    'ZAR',
    { accountNumber: '62001234567', bankName: 'Nedbank' },
    { wrong: { bankName: UNLISTED } },
  ),
  ZMW_ACCOUNT: bank(
    'ZMW_ACCOUNT',
    'ZMW',
    { phoneNumber: '+260971234567', provider: 'AIRTEL' },
    { rails: MOBILE, wrong: wrongProvider },
  ),
  'SWIFT_ACCOUNT (number)': bank(
    'SWIFT_ACCOUNT',
    'AUD',
    { country: 'AU', swiftCode: 'CTBAAU2S', bankName: 'Commonwealth Bank', accountNumber: '06212312345678' },
    { rails: ['SWIFT'], required: ['country', 'swiftCode', 'bankName'] },
  ),
  'SWIFT_ACCOUNT (IBAN)': bank(
    'SWIFT_ACCOUNT',
    'USD',
    { country: 'CH', swiftCode: 'UBSWCHZH', bankName: 'UBS', iban: 'CH9300762011623852957' },
    {
      rails: ['SWIFT'],
      required: ['country', 'swiftCode', 'bankName'],
      wrong: { iban: ['CH9300762011623852958', 'INVALID_BANK_ACCOUNT'] },
    },
  ),
  ETHEREUM_WALLET: wallet('ETHEREUM_WALLET', 'USDC', EVM, EVM_WRONG),
  BASE_WALLET: wallet('BASE_WALLET', 'USDC', EVM, EVM_WRONG),
  POLYGON_WALLET: wallet('POLYGON_WALLET', 'USDC', EVM, EVM_WRONG),
  ARBITRUM_WALLET: wallet('ARBITRUM_WALLET', 'USDT', EVM, EVM_WRONG),
  PLASMA_WALLET: wallet('PLASMA_WALLET', 'USDT', EVM, EVM_WRONG),
  SOLANA_WALLET: wallet(
    'SOLANA_WALLET',
    'USDC',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt0v',
  ),
  TRON_WALLET: wallet(
    'TRON_WALLET',
    'USDT',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
  ),
  SPARK_WALLET: wallet(
    'SPARK_WALLET',
    'BTC',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  ),
  LIGHTNING: {
    currency: 'BTC',
    info: { accountType: 'LIGHTNING', lightningAddress: 'ada@wallet.example' },
    required: [],
  },
  LIGHTNING_ACCOUNT: {
    currency: 'BTC',
    info: { accountType: 'LIGHTNING_ACCOUNT', bolt12: 'lno1pgx37enxv4jk5mrpv' },
    required: [],
    wrong: { bolt12: ['lnx1pgx37enxv4jk5mrpv', 'INVALID_INPUT'] },
  },
};
