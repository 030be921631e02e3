import type { TProperties } from 'typebox';
import * as field from '#capabilities/external-accounts/types/account-fields.ts';
import {
  type AccountInfo,
  has,
  readTextField,
} from '#capabilities/external-accounts/types/account-fields.ts';
import { INDIVIDUAL_EXTRAS } from '#capabilities/external-accounts/types/beneficiary-schemas.ts';
import type { StrictCheck } from '#capabilities/external-accounts/types/strict-checks.ts';
import * as check from '#capabilities/external-accounts/types/strict-checks.ts';
import { requiresIban } from '#foundation/lib/identifiers/account-numbers.ts';
import { WALLET_FAMILIES, type WalletType } from '#foundation/lib/identifiers/wallet-address.ts';

/**
 * Everything that distinguishes the account types (accounts.md §4) except their rails (src/foundation/lib/rails-by-currency.ts),
 * one row per type. Schemas, primary identifiers, fingerprints and checks are derived from these rows.
 */
export interface AccountTypeRow {
  readonly kind: 'BANK' | 'WALLET' | 'LIGHTNING';
  /** Prefix of its schemas' names. */
  readonly name: string;
  readonly currencies: Currencies;
  /** The fields that every account of the type has, and those that it may have. */
  readonly required: TProperties;
  readonly optional: TProperties;
  /** The ways to identify the account; the first one whose identifier is present is used. */
  readonly variants: readonly Variant[];
  /** Several variants may be given together, each complete. */
  readonly combinesVariants?: true;
  /** Exactly one variant must be given. */
  readonly isExclusive?: true;
  readonly individual?: { readonly required?: readonly string[]; readonly optional?: TProperties };
  readonly checks: readonly StrictCheck[];
  /** Fields that are required only in strict mode. */
  strictlyRequired?(info: AccountInfo): readonly string[];
}

export interface Currencies {
  readonly listed: readonly string[];
  /** Also accepted in lenient mode. */
  readonly lenient?: readonly string[];
  readonly anyFiat?: true;
  /** The platform's own coins (stablecoins.md §8.2). */
  readonly ownCurrencies?: true;
}

export interface Variant {
  /** The field that names the account: the primary identifier. */
  readonly id: string;
  /** Fields that name the bank or provider of `id`; together they make the fingerprint (accounts.md §3.3.31). */
  readonly routing: readonly string[];
  /** The fields that this variant requires besides `id`. */
  readonly required?: readonly string[];
  /** A request with one of these fields means this variant; by default only `id`. */
  readonly indicatedBy?: readonly string[];
  /** The field in which the request chooses one of the rails. */
  readonly railField?: string;
  readonly isBusinessOnly?: true;
  readonly bankNames?: readonly string[];
}

interface BankOptions {
  readonly optional?: TProperties;
  readonly id: string;
  readonly routing?: readonly string[];
  readonly individual?: AccountTypeRow['individual'];
  readonly checks?: readonly StrictCheck[];
}

/** A bank account with one variant. */
function bank(currency: string, required: TProperties, options: BankOptions): AccountTypeRow {
  const { optional = {}, id, routing = [], individual, checks = [] } = options;
  return {
    kind: 'BANK',
    name: `${currency.charAt(0)}${currency.slice(1).toLowerCase()}`,
    currencies: { listed: [currency] },
    required,
    optional,
    variants: [{ id, routing }],
    ...(individual && { individual }),
    checks,
  };
}

/** An account at a bank that is identified by its BIC. */
function bicBank(currency: string, country: string, required: TProperties = {}): AccountTypeRow {
  const { bankName, accountNumber, swiftCode } = field;
  return bank(
    currency,
    { bankName, accountNumber, swiftCode, ...required },
    {
      id: 'accountNumber',
      routing: ['swiftCode'],
      checks: [check.bicCheck(country), check.inDirectory('bankName', country, currency)],
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

/** A bank account, or mobile money under a phone number (accounts.md §4.2, mixed types). */
function mixed(
  currency: string,
  country: string,
  options: {
    readonly banks: readonly Variant[];
    readonly mobile?: Partial<Variant>;
    readonly fields: TProperties;
    readonly checks?: readonly StrictCheck[];
  },
): AccountTypeRow {
  const { banks, mobile = {}, fields, checks = [] } = options;
  const { bankName, phoneNumber } = field;
  return {
    ...bank(currency, { bankName }, { id: 'phoneNumber' }),
    optional: { ...fields, phoneNumber },
    variants: [...banks, { id: 'phoneNumber', routing: ['bankName'], ...mobile }],
    checks: [...checks, check.inDirectory('bankName', country, currency), check.phoneCheck(country)],
  };
}

const ACCOUNT_AT_BANK: Variant = { id: 'accountNumber', routing: ['bankName'] };

function wallet(type: WalletType, currencies: Currencies): AccountTypeRow {
  const name = `${type.charAt(0)}${type.slice(1, type.indexOf('_')).toLowerCase()}Wallet`;
  return {
    kind: 'WALLET',
    name,
    currencies,
    required: { address: field.walletAddress(WALLET_FAMILIES[type]) },
    optional: {},
    variants: [{ id: 'address', routing: [] }],
    checks: [check.walletAddressCheck(type)],
  };
}

const DOLLARS = ['USDC', 'USDT'];
const LIGHTNING: AccountTypeRow = {
  kind: 'LIGHTNING',
  name: 'Lightning',
  currencies: { listed: ['BTC'] },
  required: {},
  optional: field.lightningFields,
  variants: ['lightningAddress', 'invoice', 'bolt12'].map((id) => ({ id, routing: [] })),
  isExclusive: true,
  checks: [check.payableInvoice, check.bolt12Offer],
};

const TABLE = {
  AED_ACCOUNT: bank(
    'AED',
    { iban: field.ibanSchema('AE', 21) },
    {
      optional: { swiftCode: field.swiftCode },
      id: 'iban',
      individual: { required: ['address'] },
      checks: [check.ibanCheck('AE')],
    },
  ),
  BDT_ACCOUNT: mixed('BDT', 'BD', {
    banks: [ACCOUNT_AT_BANK],
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
    checks: [check.phoneCheck('BW'), check.inDirectory('provider', 'BW', 'BWP')],
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
      individual: { optional: INDIVIDUAL_EXTRAS.canada },
    },
  ),
  CNY_ACCOUNT: mixed('CNY', 'CN', {
    banks: [{ ...ACCOUNT_AT_BANK, isBusinessOnly: true }],
    mobile: { bankNames: ['AliPay', 'WechatPay'] },
    fields: { accountNumber: field.accountNumber },
  }),
  COP_ACCOUNT: {
    ...mixed('COP', 'CO', {
      banks: [{ ...ACCOUNT_AT_BANK, required: ['bankAccountType'] }],
      fields: { accountNumber: field.accountNumber, bankAccountType: field.bankAccountType },
    }),
    individual: { optional: INDIVIDUAL_EXTRAS.colombia },
  },
  DKK_ACCOUNT: bank(
    'DKK',
    { iban: field.ibanSchema('DK', 16) },
    { optional: { swiftCode: field.swiftCode }, id: 'iban', checks: [check.ibanCheck('DK')] },
  ),
  EGP_ACCOUNT: mixed('EGP', 'EG', {
    banks: [{ id: 'iban', routing: [] }],
    fields: { iban: field.ibanSchema('EG', 27) },
    checks: [check.ibanCheck('EG')],
  }),
  EUR_ACCOUNT: bank(
    'EUR',
    { iban: field.iban },
    {
      optional: { swiftCode: field.swiftCode },
      id: 'iban',
      individual: { required: ['countryOfResidence'] },
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
    banks: [ACCOUNT_AT_BANK],
    fields: { accountNumber: field.accountNumber },
  }),
  GTQ_ACCOUNT: bank(
    'GTQ',
    { accountNumber: field.accountNumber, bankAccountType: field.bankAccountType, bankName: field.bankName },
    {
      id: 'accountNumber',
      routing: ['bankName'],
      individual: { required: ['phoneNumber', 'countryOfResidence'] },
      checks: [check.inDirectory('bankName', 'GT', 'GTQ')],
    },
  ),
  HKD_ACCOUNT: bicBank('HKD', 'HK'),
  HTG_ACCOUNT: bank(
    'HTG',
    { phoneNumber: field.phoneNumber },
    { id: 'phoneNumber', checks: [check.phoneCheck('HT')] },
  ),
  IDR_ACCOUNT: bicBank('IDR', 'ID', { phoneNumber: field.phone('62[0-9]{9,12}', '+6281234567890') }),
  ILS_ACCOUNT: bank(
    'ILS',
    { iban: field.ibanSchema('IL', 21) },
    {
      optional: { swiftCode: field.swiftCode, bankName: field.usFields.bankName },
      id: 'iban',
      checks: [check.ibanCheck('IL')],
    },
  ),
  INR_ACCOUNT: {
    ...bank('INR', {}, { id: 'vpa', checks: [check.ifsc] }),
    optional: { ...field.indianFields, bankName: field.bankName },
    variants: [
      { id: 'vpa', routing: [] },
      {
        id: 'accountNumber',
        routing: ['ifsc'],
        required: ['ifsc', 'rail'],
        indicatedBy: ['accountNumber', 'ifsc', 'rail'],
        railField: 'rail',
      },
    ],
    combinesVariants: true,
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
      individual: { required: ['phoneNumber', 'address'] },
      checks: [check.inDirectory('bankName', 'JM', 'JMD')],
    },
  ),
  KES_ACCOUNT: mobileMoney('KES', {
    phone: field.phone('254[0-9]{9}', '+254712345678'),
    checks: [check.providers('M-PESA')],
  }),
  MWK_ACCOUNT: mobileMoney('MWK', {
    checks: [check.mobileMoneyCheck('MW'), check.providers('AIRTEL', 'TNM')],
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
    banks: [ACCOUNT_AT_BANK, { id: 'iban', routing: [] }],
    fields: {
      accountNumber: field.accountNumber,
      iban: field.fixedForm('PK[0-9]{2}[A-Z]{4}[0-9]{16}', 24, 'IBAN of PK, without spaces.'),
    },
    checks: [check.ibanCheck('PK')],
  }),
  RWF_ACCOUNT: mobileMoney('RWF', {
    phone: field.phone('250[0-9]{9}', '+250781234567'),
    checks: [check.providers('MTN', 'AIRTEL')],
  }),
  SGD_ACCOUNT: bank(
    'SGD',
    { accountNumber: field.accountNumber, swiftCode: field.swiftCode },
    {
      optional: { bankName: field.bankName },
      id: 'accountNumber',
      routing: ['swiftCode'],
      checks: [check.bicCheck('SG'), check.singaporeBank],
    },
  ),
  SLV_ACCOUNT: {
    ...mixed('USD', 'SV', {
      banks: [{ ...ACCOUNT_AT_BANK, required: ['bankAccountType'] }],
      fields: {
        accountNumber: field.accountNumber,
        bankAccountType: field.bankAccountType,
        bankName: field.bankName,
      },
    }),
    name: 'Slv',
    required: {},
  },
  THB_ACCOUNT: bicBank('THB', 'TH'),
  TZS_ACCOUNT: mobileMoney('TZS', {
    phone: field.phone('255[0-9]{9}', '+255712345678'),
    checks: [check.providers('AIRTEL', 'VODACOM')],
  }),
  UGX_ACCOUNT: mobileMoney('UGX', {
    checks: [check.mobileMoneyCheck('UG'), check.providers('MTN', 'AIRTEL')],
  }),
  USD_ACCOUNT: bank(
    'USD',
    { accountNumber: field.accountNumber, routingNumber: field.usRoutingNumber },
    {
      optional: field.usFields,
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
    required: { country: field.country, swiftCode: field.swiftCode, bankName: field.bankName },
    optional: { accountNumber: field.accountNumber, iban: field.iban },
    variants: ['accountNumber', 'iban'].map((id) => ({ id, routing: ['swiftCode'] })),
    checks: [check.ibanOfItsCountry],
    strictlyRequired(info) {
      const country = readTextField(info, 'country');
      return country !== undefined && requiresIban(country) && !has(info, 'iban') ? ['iban'] : [];
    },
  },
  ETHEREUM_WALLET: wallet('ETHEREUM_WALLET', { listed: DOLLARS }),
  BASE_WALLET: wallet('BASE_WALLET', { listed: ['USDC'], lenient: DOLLARS }),
  POLYGON_WALLET: wallet('POLYGON_WALLET', { listed: ['USDC'], lenient: DOLLARS }),
  ARBITRUM_WALLET: wallet('ARBITRUM_WALLET', { listed: DOLLARS }),
  PLASMA_WALLET: wallet('PLASMA_WALLET', { listed: ['USDT'], lenient: DOLLARS }),
  SOLANA_WALLET: wallet('SOLANA_WALLET', { listed: DOLLARS }),
  TRON_WALLET: wallet('TRON_WALLET', { listed: ['USDT'], lenient: DOLLARS }),
  SPARK_WALLET: wallet('SPARK_WALLET', { listed: ['BTC', 'USDB'], lenient: ['USDC'], ownCurrencies: true }),
  LIGHTNING,
  LIGHTNING_ACCOUNT: LIGHTNING,
} satisfies Record<string, AccountTypeRow>;

export type ExternalAccountType = keyof typeof TABLE;

export const ACCOUNT_TABLE: Readonly<Record<ExternalAccountType, AccountTypeRow>> = TABLE;

export const EXTERNAL_ACCOUNT_TYPES = Object.keys(TABLE) as ExternalAccountType[];

export function isExternalAccountType(text: unknown): text is ExternalAccountType {
  return typeof text === 'string' && Object.hasOwn(TABLE, text);
}

/** For stored accounts, whose type was checked when they were created. */
export function accountTypeRow(accountType: string): AccountTypeRow {
  if (!isExternalAccountType(accountType)) throw new Error(`unknown account type: ${accountType}`);
  return ACCOUNT_TABLE[accountType];
}
