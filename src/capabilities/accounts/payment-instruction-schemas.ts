import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { component, stringEnum, tagged, text } from '#foundation/http/schema.ts';
import { accountRails, type PaymentRail } from '#foundation/lib/rails-by-currency.ts';

/** Fields that several account types share, with the contract's bounds. */
const accountNumber = text(1, 34, { description: 'Account number at the bank.', examples: ['004512987733'] });
const bankName = text(1, 255, { description: 'Name of the bank.', examples: ['Sandbox Bank'] });
const provider = text(1, 255, { description: 'Mobile money provider.', examples: ['M-PESA'] });
const swiftCode = Type.String({
  minLength: 8,
  maxLength: 11,
  pattern: '^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
  description: 'SWIFT code (BIC) of the bank.',
  examples: ['SBOXDEFF'],
});
const iban = Type.String({
  minLength: 15,
  maxLength: 34,
  pattern: '^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$',
  description: 'International bank account number.',
});
const phoneNumber = phone('[0-9]{6,14}');
const bankAccountType = stringEnum(['CHECKING', 'SAVINGS'], { description: 'Kind of bank account.' });
const branchCode = digits(5, 5, 'Branch code (transit number).');
const routingNumber = digits(9, 9, 'ABA routing number of the bank.');
const reference = Type.String({
  description: 'Must be part of the payment, so that the money reaches this account.',
  examples: ['FUND-7QK2M9XA'],
});
const accountHolderName = text(1, 255, { description: 'Name of the account holder.' });
const address = Type.String({ description: 'Address on the network to send to.' });
const invoice = Type.String({ description: 'Lightning invoice to pay.' });

/** One row per account type: its required and optional fields. */
interface Shape {
  readonly required: TProperties;
  readonly optional?: TProperties;
  /** The payer uses a code or a link, so no rails are shown. */
  readonly isLink?: true;
  /**
   * Payments into a shared bank account are matched by this reference; absent if the coordinates belong to this
   * account alone.
   */
  readonly reference?: boolean;
}

const swiftBank = { bankName, accountNumber, swiftCode };

const SHAPES = {
  USD_ACCOUNT: {
    required: { accountNumber, routingNumber },
    optional: {
      bankName: text(1, 140, { description: 'Name of the bank.', examples: ['Sandbox Bank'] }),
      bankAddress: text(1, 255, { description: 'Postal address of the bank.' }),
      bankAccountType,
      intermediaryBankName: text(1, 140, { description: 'Wires only: the intermediary bank.' }),
      intermediaryRoutingNumber: digits(9, 9, 'Wires only: routing number of the intermediary bank.'),
      fiToFiInformation: Type.String({ maxLength: 210, description: 'Wires only: note from bank to bank.' }),
      accountHolderName,
    },
    reference: true,
  },
  BRL_ACCOUNT: {
    required: {
      qrCode: Type.String({
        minLength: 1,
        description: 'BR Code to pay by PIX, as text or drawn as a QR code.',
      }),
    },
    isLink: true,
  },
  MXN_ACCOUNT: { required: { clabeNumber: digits(18, 18, 'CLABE.') }, reference: true },
  DKK_ACCOUNT: { required: { iban: ibanSchema('DK', 16) }, optional: { swiftCode }, reference: true },
  EUR_ACCOUNT: { required: { iban }, optional: { swiftCode }, reference: true },
  INR_ACCOUNT: {
    required: {},
    optional: {
      vpa: Type.String({
        minLength: 3,
        maxLength: 255,
        pattern: '^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$',
        description: 'UPI address.',
        examples: ['fund.8841@sandbox'],
      }),
      accountNumber: digits(9, 18, 'Account number at the bank.'),
      ifsc: Type.String({
        minLength: 11,
        maxLength: 11,
        pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
        description: 'IFSC of the branch.',
      }),
      rail: text(1, 32, { description: 'Rail of the bank account: `NEFT` or `RTGS`.' }),
      bankName,
    },
  },
  NGN_ACCOUNT: {
    required: { accountNumber: digits(10, 10, 'NUBAN account number.'), bankName },
    reference: true,
  },
  CAD_ACCOUNT: {
    required: {
      bankCode: digits(3, 3, 'Institution number of the bank.'),
      branchCode,
      accountNumber: digits(7, 12, 'Account number at the bank.'),
    },
    reference: true,
  },
  GBP_ACCOUNT: {
    required: {
      sortCode: digits(6, 6, 'Sort code.'),
      accountNumber: digits(8, 8, 'Account number at the bank.'),
    },
    reference: true,
  },
  HKD_ACCOUNT: { required: swiftBank, reference: true },
  IDR_ACCOUNT: { required: { ...swiftBank, phoneNumber: phone('62[0-9]{9,12}') }, reference: true },
  MYR_ACCOUNT: { required: swiftBank, reference: true },
  PHP_ACCOUNT: {
    required: { bankName, accountNumber: digits(8, 16, 'Account number at the bank.') },
    reference: true,
  },
  SGD_ACCOUNT: {
    required: { accountNumber, swiftCode },
    optional: { bankName },
    reference: true,
  },
  THB_ACCOUNT: { required: swiftBank, reference: true },
  VND_ACCOUNT: { required: swiftBank, reference: true },
  AED_ACCOUNT: { required: { iban: ibanSchema('AE', 21) }, optional: { swiftCode }, reference: true },
  KES_ACCOUNT: { required: { phoneNumber: phone('254[0-9]{9}'), provider }, reference: true },
  MWK_ACCOUNT: { required: { phoneNumber, provider }, reference: true },
  RWF_ACCOUNT: { required: { phoneNumber: phone('250[0-9]{9}'), provider }, reference: true },
  TZS_ACCOUNT: { required: { phoneNumber: phone('255[0-9]{9}'), provider }, reference: true },
  UGX_ACCOUNT: { required: { phoneNumber, provider }, reference: true },
  XOF_ACCOUNT: {
    required: { phoneNumber, provider, region: regions('BJ', 'CI', 'SN', 'TG') },
    reference: true,
  },
  ZAR_ACCOUNT: {
    required: { accountNumber: digits(9, 13, 'Account number at the bank.'), bankName },
    reference: true,
  },
  ZMW_ACCOUNT: { required: { phoneNumber: phone('260[0-9]{9}'), provider }, reference: true },
  BWP_ACCOUNT: { required: { phoneNumber, provider }, reference: true },
  XAF_ACCOUNT: {
    required: { phoneNumber, provider, region: regions('CM', 'CG') },
    reference: true,
  },
  BDT_ACCOUNT: {
    required: { bankName },
    optional: { accountNumber, branchCode, swiftCode, phoneNumber },
    reference: true,
  },
  ARS_ACCOUNT: { required: { accountNumber: digits(22, 22, 'CVU.') } },
  COP_ACCOUNT: {
    required: {
      paymentUrl: Type.String({ format: 'url', description: 'Page on which the payment is made.' }),
    },
    isLink: true,
  },
  EGP_ACCOUNT: {
    required: { bankName },
    optional: { iban: ibanSchema('EG', 27), phoneNumber },
    reference: true,
  },
  GHS_ACCOUNT: {
    required: { bankName },
    optional: { accountNumber, phoneNumber },
    reference: true,
  },
  GTQ_ACCOUNT: { required: { accountNumber, bankAccountType, bankName }, reference: true },
  HTG_ACCOUNT: { required: { phoneNumber }, reference: true },
  JMD_ACCOUNT: {
    required: { accountNumber, branchCode, bankAccountType, bankName },
    reference: true,
  },
  PKR_ACCOUNT: {
    required: { bankName },
    optional: {
      accountNumber,
      iban: Type.String({
        minLength: 24,
        maxLength: 24,
        pattern: '^PK[0-9]{2}[A-Z]{4}[0-9]{16}$',
        description: 'IBAN of PK.',
      }),
      phoneNumber,
    },
    reference: true,
  },
  SLV_ACCOUNT: {
    required: {},
    optional: { bankName, accountNumber, bankAccountType, phoneNumber },
    reference: true,
  },
  SWIFT_ACCOUNT: {
    required: {
      country: Type.String({
        minLength: 2,
        maxLength: 2,
        pattern: '^[A-Z]{2}$',
        description: 'Country of the bank, ISO 3166-1 alpha-2.',
      }),
      swiftCode,
      bankName,
      accountHolderName,
    },
    optional: {
      accountNumber,
      iban,
      bankAddress: text(1, 1024, { description: 'Postal address of the bank.' }),
      reference: Type.String({ description: 'Must be part of the payment, if given.' }),
    },
  },
  CNY_ACCOUNT: {
    required: { bankName },
    optional: { accountNumber, phoneNumber },
    reference: true,
  },
  SPARK_WALLET: {
    required: {
      address,
      assetType: Type.String({
        description: 'Asset to send: `BTC` or the code of a token.',
        examples: ['BTC'],
      }),
    },
    optional: { invoice: Type.String({ description: 'Spark invoice for exactly this payment.' }) },
  },
  LIGHTNING: { required: { invoice } },
  SOLANA_WALLET: { required: { address }, optional: { assetType: assets('USDC', 'USDT') } },
  TRON_WALLET: { required: { address }, optional: { assetType: assets('USDT') } },
  PLASMA_WALLET: { required: { address }, optional: { assetType: assets('USDT') } },
  POLYGON_WALLET: { required: { address }, optional: { assetType: assets('USDC') } },
  BASE_WALLET: { required: { address }, optional: { assetType: assets('USDC') } },
  ETHEREUM_WALLET: { required: { address }, optional: { assetType: assets('USDC', 'USDT') } },
  BITCOIN_L1: {
    required: { address },
    optional: { network: stringEnum(['BITCOIN'], { description: 'Network of the address.' }) },
  },
  EMBEDDED_WALLET: {
    required: {
      payloadToSign: Type.String({
        description: 'Payload that the wallet signs, byte for byte, to release the payment.',
      }),
    },
  },
} satisfies Record<string, Shape>;

export type PaymentAccountType = keyof typeof SHAPES;

/** Returns the rails over which an account of this type is funded; none for wallets and links. */
export function railsOfAccountType(accountType: PaymentAccountType): readonly PaymentRail[] {
  return (SHAPES[accountType] as Shape).isLink ? [] : accountRails(accountType);
}

export function takesReference(accountType: PaymentAccountType): boolean {
  return (SHAPES[accountType] as Shape).reference === true;
}

/** The provider that opens the account fills in these fields; the service sets the others. */
export function coordinateFields(accountType: PaymentAccountType): {
  readonly required: readonly string[];
  readonly optional: readonly string[];
} {
  const { required, optional = {} }: Shape = SHAPES[accountType];
  return { required: Object.keys(required), optional: Object.keys(optional) };
}

export function coordinateNames(accountType: PaymentAccountType): readonly string[] {
  const { required, optional = {} }: Shape = SHAPES[accountType];
  return [...Object.keys(required), ...Object.keys(optional)];
}

export function isPaymentAccountType(text: string): text is PaymentAccountType {
  return Object.hasOwn(SHAPES, text);
}

/** The schemas are generated from the table, so the compiler knows only the discriminator. */
export interface PaymentAccountInfo {
  readonly accountType: PaymentAccountType;
  readonly [field: string]: unknown;
}

const BRANCHES = (Object.keys(SHAPES) as PaymentAccountType[]).map(branch);

export const PaymentInstructions = component('PaymentInstructions', 'One way to pay money in.', {
  instructionsNotes: Type.Optional(Type.String({ description: 'Notes for a person who pays this way.' })),
  isPlatformAccount: Type.Optional(
    Type.Boolean({ description: 'Whether the money goes to the platform itself, not to a customer.' }),
  ),
  accountOrWalletInfo: Type.Unsafe<PaymentAccountInfo>(
    tagged('accountType', BRANCHES, {
      description: 'Where to send the money; `accountType` determines the fields.',
    }),
  ),
});

export type PaymentInstruction = Static<typeof PaymentInstructions>;

/** `PaymentUsdAccountInfo`, for example. */
function branch(accountType: PaymentAccountType) {
  const { required, optional = {}, reference: referenced }: Shape = SHAPES[accountType];
  const rails = railsOfAccountType(accountType);
  return component(componentName(accountType), {
    accountType: stringEnum([accountType], { description: 'Determines the fields.' }),
    ...required,
    ...Object.fromEntries(
      Object.entries(optional).map(([name, field]) => [name, Type.Optional(field as TSchema)]),
    ),
    ...(rails.length > 0 && {
      paymentRails: Type.Array(stringEnum(rails), { description: 'Rails over which money may come in.' }),
    }),
    ...(referenced && { reference }),
  });
}

function componentName(accountType: string): string {
  const words = accountType.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return `Payment${words.join('')}Info`;
}

function digits(min: number, max: number, description: string) {
  const count = min === max ? `${min}` : `${min},${max}`;
  return Type.String({ minLength: min, maxLength: max, pattern: `^[0-9]{${count}}$`, description });
}

function ibanSchema(country: string, count: number) {
  const length = country.length + count;
  return Type.String({
    minLength: length,
    maxLength: length,
    pattern: `^${country}[0-9]{${count}}$`,
    description: `IBAN of ${country}.`,
  });
}

function phone(pattern: string) {
  return Type.String({
    minLength: 7,
    maxLength: 15,
    pattern: `^\\+${pattern}$`,
    description: 'Phone number in international form, starting with a plus sign.',
  });
}

function regions(...countries: string[]) {
  return stringEnum(countries, { description: 'Country of the account, ISO 3166-1 alpha-2.' });
}

function assets(...codes: string[]) {
  return stringEnum(codes, { description: 'Asset to send; anything else is lost.' });
}
