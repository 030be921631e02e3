import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { component, oneOf, tagged, text } from '#http/schema.ts';
import { accountRails, type PaymentRail } from '#lib/rails-by-currency.ts';

/** Fields that several account types share, in the contract's bounds. */
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
const bankAccountType = oneOf(['CHECKING', 'SAVINGS'], { description: 'Kind of bank account.' });
const branchCode = digits(5, 5, 'Branch code (transit number).');
const routingNumber = digits(9, 9, 'ABA routing number of the bank.');
const reference = Type.String({
  description: 'Goes into the payment, so that the money finds this account.',
  examples: ['FUND-7QK2M9XA'],
});
const accountHolderName = text(1, 255, { description: 'The name that the account is held under.' });
const address = Type.String({ description: 'Address on the network to send to.' });
const invoice = Type.String({ description: 'Lightning invoice to pay.' });

/** One row per account type: what every entry has, and what it may have. */
interface Shape {
  readonly needs: TProperties;
  readonly may?: TProperties;
  /** Whoever pays follows a code or a link, and is not told of rails. */
  readonly isLink?: true;
  /** Bank accounts are told apart by the reference; absent where the coordinates are the account's own. */
  readonly reference?: boolean;
}

const swiftBank = { bankName, accountNumber, swiftCode };

const SHAPES = {
  USD_ACCOUNT: {
    needs: { accountNumber, routingNumber },
    may: {
      bankName: text(1, 140, { description: 'Name of the bank.', examples: ['Sandbox Bank'] }),
      bankAddress: text(1, 255, { description: 'Postal address of the bank.' }),
      bankAccountType,
      intermediaryBankName: text(1, 140, { description: 'Wires only: the bank in between.' }),
      intermediaryRoutingNumber: digits(9, 9, 'Wires only: routing number of the bank in between.'),
      fiToFiInformation: Type.String({ maxLength: 210, description: 'Wires only: note from bank to bank.' }),
      accountHolderName,
    },
    reference: true,
  },
  BRL_ACCOUNT: {
    needs: {
      qrCode: Type.String({
        minLength: 1,
        description: 'BR Code to pay by PIX, as text or drawn as a QR code.',
      }),
    },
    isLink: true,
  },
  MXN_ACCOUNT: { needs: { clabeNumber: digits(18, 18, 'CLABE.') }, reference: true },
  DKK_ACCOUNT: { needs: { iban: ibanOf('DK', 16) }, may: { swiftCode }, reference: true },
  EUR_ACCOUNT: { needs: { iban }, may: { swiftCode }, reference: true },
  INR_ACCOUNT: {
    needs: {},
    may: {
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
    needs: { accountNumber: digits(10, 10, 'NUBAN account number.'), bankName },
    reference: true,
  },
  CAD_ACCOUNT: {
    needs: {
      bankCode: digits(3, 3, 'Institution number of the bank.'),
      branchCode,
      accountNumber: digits(7, 12, 'Account number at the bank.'),
    },
    reference: true,
  },
  GBP_ACCOUNT: {
    needs: {
      sortCode: digits(6, 6, 'Sort code.'),
      accountNumber: digits(8, 8, 'Account number at the bank.'),
    },
    reference: true,
  },
  HKD_ACCOUNT: { needs: swiftBank, reference: true },
  IDR_ACCOUNT: { needs: { ...swiftBank, phoneNumber: phone('62[0-9]{9,12}') }, reference: true },
  MYR_ACCOUNT: { needs: swiftBank, reference: true },
  PHP_ACCOUNT: {
    needs: { bankName, accountNumber: digits(8, 16, 'Account number at the bank.') },
    reference: true,
  },
  SGD_ACCOUNT: {
    needs: { accountNumber, swiftCode },
    may: { bankName },
    reference: true,
  },
  THB_ACCOUNT: { needs: swiftBank, reference: true },
  VND_ACCOUNT: { needs: swiftBank, reference: true },
  AED_ACCOUNT: { needs: { iban: ibanOf('AE', 21) }, may: { swiftCode }, reference: true },
  KES_ACCOUNT: { needs: { phoneNumber: phone('254[0-9]{9}'), provider }, reference: true },
  MWK_ACCOUNT: { needs: { phoneNumber, provider }, reference: true },
  RWF_ACCOUNT: { needs: { phoneNumber: phone('250[0-9]{9}'), provider }, reference: true },
  TZS_ACCOUNT: { needs: { phoneNumber: phone('255[0-9]{9}'), provider }, reference: true },
  UGX_ACCOUNT: { needs: { phoneNumber, provider }, reference: true },
  XOF_ACCOUNT: {
    needs: { phoneNumber, provider, region: regions('BJ', 'CI', 'SN', 'TG') },
    reference: true,
  },
  ZAR_ACCOUNT: {
    needs: { accountNumber: digits(9, 13, 'Account number at the bank.'), bankName },
    reference: true,
  },
  ZMW_ACCOUNT: { needs: { phoneNumber: phone('260[0-9]{9}'), provider }, reference: true },
  BWP_ACCOUNT: { needs: { phoneNumber, provider }, reference: true },
  XAF_ACCOUNT: {
    needs: { phoneNumber, provider, region: regions('CM', 'CG') },
    reference: true,
  },
  BDT_ACCOUNT: {
    needs: { bankName },
    may: { accountNumber, branchCode, swiftCode, phoneNumber },
    reference: true,
  },
  ARS_ACCOUNT: { needs: { accountNumber: digits(22, 22, 'CVU.') } },
  COP_ACCOUNT: {
    needs: { paymentUrl: Type.String({ format: 'url', description: 'Page on which the payment is made.' }) },
    isLink: true,
  },
  EGP_ACCOUNT: {
    needs: { bankName },
    may: { iban: ibanOf('EG', 27), phoneNumber },
    reference: true,
  },
  GHS_ACCOUNT: {
    needs: { bankName },
    may: { accountNumber, phoneNumber },
    reference: true,
  },
  GTQ_ACCOUNT: { needs: { accountNumber, bankAccountType, bankName }, reference: true },
  HTG_ACCOUNT: { needs: { phoneNumber }, reference: true },
  JMD_ACCOUNT: {
    needs: { accountNumber, branchCode, bankAccountType, bankName },
    reference: true,
  },
  PKR_ACCOUNT: {
    needs: { bankName },
    may: {
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
    needs: {},
    may: { bankName, accountNumber, bankAccountType, phoneNumber },
    reference: true,
  },
  SWIFT_ACCOUNT: {
    needs: {
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
    may: {
      accountNumber,
      iban,
      bankAddress: text(1, 1024, { description: 'Postal address of the bank.' }),
      reference: Type.String({ description: 'Goes into the payment, where one is given.' }),
    },
  },
  CNY_ACCOUNT: {
    needs: { bankName },
    may: { accountNumber, phoneNumber },
    reference: true,
  },
  SPARK_WALLET: {
    needs: {
      address,
      assetType: Type.String({
        description: 'What to send: `BTC` or the code of a token.',
        examples: ['BTC'],
      }),
    },
    may: { invoice: Type.String({ description: 'Spark invoice for exactly this payment.' }) },
  },
  LIGHTNING: { needs: { invoice } },
  SOLANA_WALLET: { needs: { address }, may: { assetType: assets('USDC', 'USDT') } },
  TRON_WALLET: { needs: { address }, may: { assetType: assets('USDT') } },
  PLASMA_WALLET: { needs: { address }, may: { assetType: assets('USDT') } },
  POLYGON_WALLET: { needs: { address }, may: { assetType: assets('USDC') } },
  BASE_WALLET: { needs: { address }, may: { assetType: assets('USDC') } },
  ETHEREUM_WALLET: { needs: { address }, may: { assetType: assets('USDC', 'USDT') } },
  BITCOIN_L1: {
    needs: { address },
    may: { network: oneOf(['BITCOIN'], { description: 'Network of the address.' }) },
  },
  EMBEDDED_WALLET: {
    needs: {
      payloadToSign: Type.String({
        description: 'What the wallet signs, byte for byte, to release the payment.',
      }),
    },
  },
} satisfies Record<string, Shape>;

export type PaymentAccountType = keyof typeof SHAPES;

/** Over which rails money comes in to an account of this type; none for wallets and links. */
export function railsOf(accountType: PaymentAccountType): readonly PaymentRail[] {
  return (SHAPES[accountType] as Shape).isLink ? [] : accountRails(accountType);
}

export function takesReference(accountType: PaymentAccountType): boolean {
  return (SHAPES[accountType] as Shape).reference === true;
}

/** What whoever opens the account has to fill in or may; all else of an instruction is ours. */
export function coordinateNames(accountType: PaymentAccountType): readonly string[] {
  const { needs, may = {} }: Shape = SHAPES[accountType];
  return [...Object.keys(needs), ...Object.keys(may)];
}

export function isPaymentAccountType(text: string): text is PaymentAccountType {
  return Object.hasOwn(SHAPES, text);
}

/** The table makes the shapes, so the compiler knows the tag only. */
export interface PaymentAccountInfo {
  readonly accountType: PaymentAccountType;
  readonly [field: string]: unknown;
}

const BRANCHES = (Object.keys(SHAPES) as PaymentAccountType[]).map(branch);

export const PaymentInstructions = component(
  'PaymentInstructions',
  {
    instructionsNotes: Type.Optional(
      Type.String({ description: 'What a person who pays in this way should know.' }),
    ),
    isPlatformAccount: Type.Optional(
      Type.Boolean({ description: 'Whether the money lands with the platform itself, not with a customer.' }),
    ),
    accountOrWalletInfo: Type.Unsafe<PaymentAccountInfo>(
      tagged('accountType', BRANCHES, {
        description: 'Where to send the money; `accountType` says which fields there are.',
      }),
    ),
  },
  { description: 'One way to pay money in.' },
);

export type PaymentInstruction = Static<typeof PaymentInstructions>;

/** `PaymentUsdAccountInfo` and its like. */
function branch(accountType: PaymentAccountType) {
  const { needs, may = {}, reference: referenced }: Shape = SHAPES[accountType];
  const rails = railsOf(accountType);
  return component(componentName(accountType), {
    accountType: oneOf([accountType], { description: 'Says which fields there are.' }),
    ...needs,
    ...Object.fromEntries(
      Object.entries(may).map(([name, field]) => [name, Type.Optional(field as TSchema)]),
    ),
    ...(rails.length > 0 && {
      paymentRails: Type.Array(oneOf(rails), { description: 'Rails over which money may come in.' }),
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

function ibanOf(country: string, count: number) {
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
  return oneOf(countries, { description: 'Country of the account, ISO 3166-1 alpha-2.' });
}

function assets(...codes: string[]) {
  return oneOf(codes, { description: 'What to send; anything else is lost.' });
}
