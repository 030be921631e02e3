import type { TProperties } from 'typebox';
import * as field from '#external-accounts/account-fields.ts';
import { type AccountInfo, has, textOf } from '#external-accounts/account-info.ts';
import { INDIVIDUAL_EXTRAS } from '#external-accounts/beneficiary-schemas.ts';
import type { StrictCheck } from '#external-accounts/strict-checks.ts';
import * as check from '#external-accounts/strict-checks.ts';
import { requiresIban } from '#lib/identifiers/iban.ts';
import { WALLET_FAMILIES, type WalletType } from '#lib/identifiers/wallet-formats.ts';

/**
 * Everything that distinguishes the account types (accounts.md §4) but their rails (src/lib/rails-by-currency.ts), one
 * row per type. Shapes, primary identifiers, fingerprints and checks are all made from these rows.
 */
export interface AccountTypeRow {
  readonly kind: 'BANK' | 'WALLET' | 'LIGHTNING';
  /** What names of schemas start with. */
  readonly name: string;
  readonly currencies: Currencies;
  /** Fields that every account of the type has. */
  readonly needs: TProperties;
  readonly may: TProperties;
  /** How the account can be paid; the first one whose identifier is there counts. */
  readonly ways: readonly Way[];
  /** Several ways may hold at once, each whole. */
  readonly combinesWays?: true;
  /** Exactly one way must be given. */
  readonly isExclusive?: true;
  readonly individual?: { readonly needs?: readonly string[]; readonly may?: TProperties };
  readonly checks: readonly StrictCheck[];
  /** What must be there only where validation is strict. */
  strictNeeds?(info: AccountInfo): readonly string[];
}

export interface Currencies {
  readonly listed: readonly string[];
  /** Taken as well where validation is lenient. */
  readonly lenient?: readonly string[];
  readonly anyFiat?: true;
  /** Tokens that the platform issues on this network. */
  readonly issued?: true;
}

export interface Way {
  /** The field that names the account: the primary identifier. */
  readonly id: string;
  /** Fields that tell whose `id` it is; with it they make the fingerprint (EA-31). */
  readonly routing: readonly string[];
  /** What this way takes beside `id`. */
  readonly needs?: readonly string[];
  /** Fields of which one is enough to mean this way; `id` alone unless given. */
  readonly marks?: readonly string[];
  /** The field that says which of the rails it is. */
  readonly railField?: string;
  readonly businessOnly?: true;
  readonly bankNames?: readonly string[];
}

interface BankOptions {
  readonly may?: TProperties;
  readonly id: string;
  readonly routing?: readonly string[];
  readonly individual?: AccountTypeRow['individual'];
  readonly checks?: readonly StrictCheck[];
}

/** An account that can be paid in one way. */
function bank(currency: string, needs: TProperties, options: BankOptions): AccountTypeRow {
  const { may = {}, id, routing = [], individual, checks = [] } = options;
  return {
    kind: 'BANK',
    name: `${currency.charAt(0)}${currency.slice(1).toLowerCase()}`,
    currencies: { listed: [currency] },
    needs,
    may,
    ways: [{ id, routing }],
    ...(individual && { individual }),
    checks,
  };
}

/** An account at a bank that is reached by its BIC. */
function bicBank(currency: string, country: string, needs: TProperties = {}): AccountTypeRow {
  const { bankName, accountNumber, swiftCode } = field;
  return bank(
    currency,
    { bankName, accountNumber, swiftCode, ...needs },
    {
      id: 'accountNumber',
      routing: ['swiftCode'],
      checks: [check.bicOf(country), check.inDirectory('bankName', country, currency)],
    },
  );
}

function mobileMoney(
  currency: string,
  options: { phone?: TProperties[string]; region?: TProperties[string]; checks: readonly StrictCheck[] },
): AccountTypeRow {
  const { phone: phoneNumber = field.phoneNumber, region, checks } = options;
  return bank(
    currency,
    { phoneNumber, provider: field.provider, ...(region && { region }) },
    { id: 'phoneNumber', routing: ['provider', ...(region ? ['region'] : [])], checks },
  );
}

/** (a) an account at a bank, or else (b) mobile money under a phone number (accounts.md §4.2, mixed types). */
function mixed(
  currency: string,
  country: string,
  options: {
    readonly banks: readonly Way[];
    readonly mobile?: Partial<Way>;
    readonly fields: TProperties;
    readonly checks?: readonly StrictCheck[];
  },
): AccountTypeRow {
  const { banks, mobile = {}, fields, checks = [] } = options;
  const { bankName, phoneNumber } = field;
  return {
    ...bank(currency, { bankName }, { id: 'phoneNumber' }),
    may: { ...fields, phoneNumber },
    ways: [...banks, { id: 'phoneNumber', routing: ['bankName'], ...mobile }],
    checks: [...checks, check.inDirectory('bankName', country, currency), check.phoneOf(country)],
  };
}

const NUMBER_AT_BANK: Way = { id: 'accountNumber', routing: ['bankName'] };

function wallet(type: WalletType, currencies: Currencies): AccountTypeRow {
  const name = `${type.charAt(0)}${type.slice(1, type.indexOf('_')).toLowerCase()}Wallet`;
  return {
    kind: 'WALLET',
    name,
    currencies,
    needs: { address: field.walletAddress(WALLET_FAMILIES[type]) },
    may: {},
    ways: [{ id: 'address', routing: [] }],
    checks: [check.walletAddressOf(type)],
  };
}

const DOLLARS = ['USDC', 'USDT'];
const LIGHTNING: AccountTypeRow = {
  kind: 'LIGHTNING',
  name: 'Lightning',
  currencies: { listed: ['BTC'] },
  needs: {},
  may: field.lightningFields,
  ways: ['lightningAddress', 'invoice', 'bolt12'].map((id) => ({ id, routing: [] })),
  isExclusive: true,
  checks: [check.payableInvoice, check.bolt12Offer],
};

const TABLE = {
  AED_ACCOUNT: bank(
    'AED',
    { iban: field.ibanOf('AE', 21) },
    {
      may: { swiftCode: field.swiftCode },
      id: 'iban',
      individual: { needs: ['address'] },
      checks: [check.ibanOf('AE')],
    },
  ),
  BDT_ACCOUNT: mixed('BDT', 'BD', {
    banks: [NUMBER_AT_BANK],
    fields: {
      accountNumber: field.accountNumber,
      branchCode: field.branchCode,
      swiftCode: field.swiftCode,
    },
  }),
  BRL_ACCOUNT: bank('BRL', field.pixFields, {
    id: 'pixKey',
    checks: [check.pixKey, check.brazilTaxId],
  }),
  BWP_ACCOUNT: mobileMoney('BWP', {
    checks: [check.phoneOf('BW'), check.inDirectory('provider', 'BW', 'BWP')],
  }),
  CAD_ACCOUNT: bank(
    'CAD',
    {
      bankCode: field.digits(3, 3, 'Institution number of the bank.', '003'),
      branchCode: field.digits(5, 5, 'Transit number of the branch.', '10482'),
      accountNumber: field.digits(7, 12, 'Number of the account at its bank.', '1234567'),
    },
    {
      id: 'accountNumber',
      routing: ['bankCode', 'branchCode'],
      individual: { may: INDIVIDUAL_EXTRAS.canada },
    },
  ),
  CNY_ACCOUNT: mixed('CNY', 'CN', {
    banks: [{ ...NUMBER_AT_BANK, businessOnly: true }],
    mobile: { bankNames: ['AliPay', 'WechatPay'] },
    fields: { accountNumber: field.accountNumber },
  }),
  COP_ACCOUNT: {
    ...mixed('COP', 'CO', {
      banks: [{ ...NUMBER_AT_BANK, needs: ['bankAccountType'] }],
      fields: { accountNumber: field.accountNumber, bankAccountType: field.bankAccountType },
    }),
    individual: { may: INDIVIDUAL_EXTRAS.colombia },
  },
  DKK_ACCOUNT: bank(
    'DKK',
    { iban: field.ibanOf('DK', 16) },
    { may: { swiftCode: field.swiftCode }, id: 'iban', checks: [check.ibanOf('DK')] },
  ),
  EGP_ACCOUNT: mixed('EGP', 'EG', {
    banks: [{ id: 'iban', routing: [] }],
    fields: { iban: field.ibanOf('EG', 27) },
    checks: [check.ibanOf('EG')],
  }),
  EUR_ACCOUNT: bank(
    'EUR',
    { iban: field.iban },
    {
      may: { swiftCode: field.swiftCode },
      id: 'iban',
      individual: { needs: ['countryOfResidence'] },
      checks: [check.sepaIban],
    },
  ),
  GBP_ACCOUNT: bank(
    'GBP',
    {
      sortCode: field.sortCode,
      accountNumber: field.digits(8, 8, 'Number of the account at its bank.', '55779911'),
    },
    { id: 'accountNumber', routing: ['sortCode'] },
  ),
  GHS_ACCOUNT: mixed('GHS', 'GH', {
    banks: [NUMBER_AT_BANK],
    fields: { accountNumber: field.accountNumber },
  }),
  GTQ_ACCOUNT: bank(
    'GTQ',
    { accountNumber: field.accountNumber, bankAccountType: field.bankAccountType, bankName: field.bankName },
    {
      id: 'accountNumber',
      routing: ['bankName'],
      individual: { needs: ['phoneNumber', 'countryOfResidence'] },
      checks: [check.inDirectory('bankName', 'GT', 'GTQ')],
    },
  ),
  HKD_ACCOUNT: bicBank('HKD', 'HK'),
  HTG_ACCOUNT: bank(
    'HTG',
    { phoneNumber: field.phoneNumber },
    { id: 'phoneNumber', checks: [check.phoneOf('HT')] },
  ),
  IDR_ACCOUNT: bicBank('IDR', 'ID', { phoneNumber: field.phone('62[0-9]{9,12}', '+6281234567890') }),
  ILS_ACCOUNT: bank(
    'ILS',
    { iban: field.ibanOf('IL', 21) },
    {
      may: { swiftCode: field.swiftCode, bankName: field.usFields.bankName },
      id: 'iban',
      checks: [check.ibanOf('IL')],
    },
  ),
  INR_ACCOUNT: {
    ...bank('INR', {}, { id: 'vpa', checks: [check.ifsc] }),
    may: { ...field.indianFields, bankName: field.bankName },
    ways: [
      { id: 'vpa', routing: [] },
      {
        id: 'accountNumber',
        routing: ['ifsc'],
        needs: ['ifsc', 'rail'],
        marks: ['accountNumber', 'ifsc', 'rail'],
        railField: 'rail',
      },
    ],
    combinesWays: true,
  },
  JMD_ACCOUNT: bank(
    'JMD',
    {
      accountNumber: field.accountNumber,
      branchCode: field.branchCode,
      bankAccountType: field.bankAccountType,
      bankName: field.bankName,
    },
    {
      id: 'accountNumber',
      routing: ['bankName', 'branchCode'],
      individual: { needs: ['phoneNumber', 'address'] },
      checks: [check.inDirectory('bankName', 'JM', 'JMD')],
    },
  ),
  KES_ACCOUNT: mobileMoney('KES', {
    phone: field.phone('254[0-9]{9}', '+254712345678'),
    checks: [check.providers('M-PESA')],
  }),
  MWK_ACCOUNT: mobileMoney('MWK', {
    checks: [check.mobileMoneyOf('MW'), check.providers('AIRTEL', 'TNM')],
  }),
  MXN_ACCOUNT: bank('MXN', { clabeNumber: field.clabeNumber }, { id: 'clabeNumber', checks: [check.clabe] }),
  MYR_ACCOUNT: bicBank('MYR', 'MY'),
  NGN_ACCOUNT: bank(
    'NGN',
    { accountNumber: field.digits(10, 10, 'NUBAN account number.', '0123456789'), bankName: field.bankName },
    {
      id: 'accountNumber',
      routing: ['bankName'],
      checks: [check.nuban, check.inDirectory('bankName', 'NG', 'NGN')],
    },
  ),
  PHP_ACCOUNT: bank(
    'PHP',
    {
      bankName: field.bankName,
      accountNumber: field.digits(8, 16, 'Number of the account at its bank.', '001234567890'),
    },
    {
      id: 'accountNumber',
      routing: ['bankName'],
      checks: [check.inDirectory('bankName', 'PH', 'PHP')],
    },
  ),
  PKR_ACCOUNT: mixed('PKR', 'PK', {
    banks: [NUMBER_AT_BANK, { id: 'iban', routing: [] }],
    fields: {
      accountNumber: field.accountNumber,
      iban: field.fixedForm('PK[0-9]{2}[A-Z]{4}[0-9]{16}', 24, 'IBAN of PK, without spaces.'),
    },
    checks: [check.ibanOf('PK')],
  }),
  RWF_ACCOUNT: mobileMoney('RWF', {
    phone: field.phone('250[0-9]{9}', '+250781234567'),
    checks: [check.providers('MTN', 'AIRTEL')],
  }),
  SGD_ACCOUNT: bank(
    'SGD',
    { accountNumber: field.accountNumber, swiftCode: field.swiftCode },
    {
      may: { bankName: field.bankName },
      id: 'accountNumber',
      routing: ['swiftCode'],
      checks: [check.bicOf('SG'), check.singaporeBank],
    },
  ),
  SLV_ACCOUNT: {
    ...mixed('USD', 'SV', {
      banks: [{ ...NUMBER_AT_BANK, needs: ['bankAccountType'] }],
      fields: {
        accountNumber: field.accountNumber,
        bankAccountType: field.bankAccountType,
        bankName: field.bankName,
      },
    }),
    name: 'Slv',
    needs: {},
  },
  THB_ACCOUNT: bicBank('THB', 'TH'),
  TZS_ACCOUNT: mobileMoney('TZS', {
    phone: field.phone('255[0-9]{9}', '+255712345678'),
    checks: [check.providers('AIRTEL', 'VODACOM')],
  }),
  UGX_ACCOUNT: mobileMoney('UGX', {
    checks: [check.mobileMoneyOf('UG'), check.providers('MTN', 'AIRTEL')],
  }),
  USD_ACCOUNT: bank(
    'USD',
    { accountNumber: field.accountNumber, routingNumber: field.usRoutingNumber },
    {
      may: field.usFields,
      id: 'accountNumber',
      routing: ['routingNumber'],
      checks: [check.usAccountNumber, check.abaRoutingNumber, check.intermediaryRoutingNumber],
    },
  ),
  VND_ACCOUNT: bicBank('VND', 'VN'),
  XAF_ACCOUNT: mobileMoney('XAF', {
    region: field.region('CM', 'CG'),
    checks: [check.mobileMoneyOfRegion, check.providerOfRegion('XAF')],
  }),
  XOF_ACCOUNT: mobileMoney('XOF', {
    region: field.region('BJ', 'CI', 'SN', 'TG'),
    checks: [check.mobileMoneyOfRegion, check.providerOfRegion('XOF')],
  }),
  ZAR_ACCOUNT: bank(
    'ZAR',
    {
      accountNumber: field.digits(9, 13, 'Number of the account at its bank.', '62001234567'),
      bankName: field.bankName,
    },
    { id: 'accountNumber', routing: ['bankName'], checks: [check.inDirectory('bankName', 'ZA', 'ZAR')] },
  ),
  ZMW_ACCOUNT: mobileMoney('ZMW', {
    phone: field.phone('260[0-9]{9}', '+260971234567'),
    checks: [check.providers('AIRTEL', 'MTN', 'ZAMTEL', 'TNM')],
  }),
  SWIFT_ACCOUNT: {
    kind: 'BANK',
    name: 'Swift',
    currencies: { listed: [], anyFiat: true },
    needs: { country: field.country, swiftCode: field.swiftCode, bankName: field.bankName },
    may: { accountNumber: field.accountNumber, iban: field.iban },
    ways: ['accountNumber', 'iban'].map((id) => ({ id, routing: ['swiftCode'] })),
    checks: [check.ibanOfItsCountry],
    strictNeeds: (info) =>
      requiresIban(textOf(info, 'country') ?? '') && !has(info, 'iban') ? ['iban'] : [],
  },
  ETHEREUM_WALLET: wallet('ETHEREUM_WALLET', { listed: DOLLARS }),
  BASE_WALLET: wallet('BASE_WALLET', { listed: ['USDC'], lenient: DOLLARS }),
  POLYGON_WALLET: wallet('POLYGON_WALLET', { listed: ['USDC'], lenient: DOLLARS }),
  ARBITRUM_WALLET: wallet('ARBITRUM_WALLET', { listed: DOLLARS }),
  PLASMA_WALLET: wallet('PLASMA_WALLET', { listed: ['USDT'], lenient: DOLLARS }),
  SOLANA_WALLET: wallet('SOLANA_WALLET', { listed: DOLLARS }),
  TRON_WALLET: wallet('TRON_WALLET', { listed: ['USDT'], lenient: DOLLARS }),
  SPARK_WALLET: wallet('SPARK_WALLET', { listed: ['BTC', 'USDB'], lenient: ['USDC'], issued: true }),
  LIGHTNING,
  LIGHTNING_ACCOUNT: LIGHTNING,
} satisfies Record<string, AccountTypeRow>;

export type AccountType = keyof typeof TABLE;

export const ACCOUNT_TABLE: Readonly<Record<AccountType, AccountTypeRow>> = TABLE;

export const ACCOUNT_TYPES = Object.keys(TABLE) as AccountType[];

export function isAccountType(text: unknown): text is AccountType {
  return typeof text === 'string' && Object.hasOwn(TABLE, text);
}

/** The row of a stored account, whose type was checked when it came in. */
export function rowOf(accountType: string): AccountTypeRow {
  if (!isAccountType(accountType)) throw new Error(`no such account type: ${accountType}`);
  return ACCOUNT_TABLE[accountType];
}
