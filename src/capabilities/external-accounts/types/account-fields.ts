import type { TSchema } from 'typebox';
import Type from 'typebox';
import { words } from '#capabilities/customers/field-schemas.ts';
import type { Beneficiary } from '#capabilities/external-accounts/types/beneficiary-schemas.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { BIC_FORMAT } from '#foundation/lib/identifiers/account-numbers.ts';
import { PIX_KEY_TYPES } from '#foundation/lib/identifiers/brazil.ts';
import {
  ADDRESS_FORMATS,
  LIGHTNING_ADDRESS_FORMAT,
  type WalletFamily,
} from '#foundation/lib/identifiers/wallet-address.ts';
import { railsReaching } from '#foundation/lib/rails-by-currency.ts';

/** The fields of account types, with the limits that apply in strict and in lenient mode (accounts.md §4.1). */

export const accountNumber = words(34, {
  description: 'Number of the account at its bank.',
  examples: ['004512987733'],
});

export const bankName = words(255, {
  description: 'Name of the bank, spelled as `GET /discoveries` lists it.',
  examples: ['Maybank'],
});

export const provider = words(255, {
  description: 'Mobile money provider, spelled as `GET /discoveries` lists it.',
  examples: ['M-PESA'],
});

export const bankAccountType = stringEnum(['CHECKING', 'SAVINGS'], { description: 'The kind of account.' });

export const branchCode = digits(5, 5, 'Code of the branch.', '10482');

export const swiftCode = Type.String({
  minLength: 8,
  maxLength: 11,
  pattern: BIC_FORMAT.source,
  description: 'BIC (SWIFT code) of the bank: 8 or 11 characters.',
  examples: ['DBSSSGSG'],
});

export const iban = Type.String({
  minLength: 15,
  maxLength: 34,
  pattern: '^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$',
  description: 'International bank account number, without spaces.',
  examples: ['DE89370400440532013000'],
});

export const phoneNumber = phone('[0-9]{6,14}', '+8801712345678');

/** An IBAN of one country, whose account part is all digits. */
export function ibanSchema(country: string, digitCount: number): TSchema {
  return fixedForm(`${country}[0-9]{${digitCount}}`, 2 + digitCount, `IBAN of ${country}, without spaces.`);
}

export function fixedForm(form: string, length: number, description: string): TSchema {
  return Type.String({ minLength: length, maxLength: length, pattern: `^${form}$`, description });
}

/** `form` is the pattern after the plus sign. */
export function phone(form: string, example: string): TSchema {
  return Type.String({
    minLength: 7,
    maxLength: 15,
    pattern: `^\\+${form}$`,
    description: 'Phone number with `+` and country code, digits only.',
    examples: [example],
  });
}

export function digits(minLength: number, maxLength: number, description: string, example?: string): TSchema {
  const count = minLength === maxLength ? `${minLength}` : `${minLength},${maxLength}`;
  return Type.String({
    minLength,
    maxLength,
    pattern: `^[0-9]{${count}}$`,
    description,
    ...(example !== undefined && { examples: [example] }),
  });
}

export function region(...countries: string[]): TSchema {
  return stringEnum(countries, {
    minLength: 2,
    maxLength: 2,
    description: 'Country of the mobile money account, because several countries use the currency.',
  });
}

export const country = Type.String({
  minLength: 2,
  maxLength: 2,
  pattern: '^[A-Z]{2}$',
  format: 'iso3166-1-alpha-2',
  description: 'Country of the bank, ISO 3166-1 alpha-2; it may differ from the currency’s own.',
  examples: ['CH'],
});

export const sortCode = digits(6, 6, 'Sort code of the bank.', '200415');

export const clabeNumber = digits(18, 18, 'CLABE, the 18-digit account number.', '032180000118359719');

export const usRoutingNumber = digits(9, 9, 'ABA routing number of the bank.', '021000021');

export const usFields = {
  bankName: words(140, { description: 'Name of the bank.', examples: ['JPMorgan Chase'] }),
  bankAccountType: stringEnum(['CHECKING', 'SAVINGS'], {
    description: 'The kind of account; default: checking.',
  }),
  intermediaryBankName: words(140, { description: 'Wires only: the intermediary bank.' }),
  intermediaryRoutingNumber: digits(9, 9, 'Wires only: ABA routing number of the intermediary bank.'),
  fiToFiInformation: Type.String({ maxLength: 210, description: 'Wires only: a note from bank to bank.' }),
};

export const pixFields = {
  pixKey: words(77, {
    description: 'PIX key of the kind that `pixKeyType` names.',
    examples: ['rosa.melo@mail.example'],
  }),
  pixKeyType: stringEnum(PIX_KEY_TYPES, { description: 'The kind of key in `pixKey`.' }),
  taxId: digits(11, 14, 'CPF or CNPJ of the holder, digits only.', '52998224725'),
};

export const indianFields = {
  vpa: Type.String({
    minLength: 3,
    maxLength: 255,
    pattern: '^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$',
    description: 'UPI address. Give this, or account number, IFSC and rail, or all of them.',
    examples: ['asha.k@okbank'],
  }),
  accountNumber: digits(9, 18, 'Number of the account at its bank.', '50100123456789'),
  ifsc: Type.String({
    minLength: 11,
    maxLength: 11,
    pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
    description: 'IFSC of the branch.',
    examples: ['HDFC0000001'],
  }),
  rail: stringEnum(railsReaching('INR_ACCOUNT', 'accountNumber'), {
    minLength: 1,
    maxLength: 32,
    description: 'The rail over which the bank account is paid.',
  }),
};

const LIGHTNING_TEXT_MAX = 4096;

export const lightningFields = {
  invoice: words(LIGHTNING_TEXT_MAX, { description: 'BOLT 11 invoice; it can be paid once.' }),
  bolt12: words(LIGHTNING_TEXT_MAX, { description: 'BOLT 12 offer.', examples: ['lno1…'] }),
  lightningAddress: Type.String({
    pattern: LIGHTNING_ADDRESS_FORMAT.source,
    description: 'Lightning address: `user@domain`.',
    examples: ['ada@wallet.example'],
  }),
};

const ADDRESS_DESCRIPTIONS: Readonly<Record<WalletFamily, string>> = {
  EVM: 'Address of the wallet: `0x` and 40 hexadecimal digits.',
  SOLANA: 'Address of the wallet, in Base58.',
  TRON: 'Address of the wallet: `T` and 33 letters and digits.',
  BITCOIN: 'Spark address of the wallet, or an on-chain Bitcoin address.',
};

export function walletAddress(family: WalletFamily): TSchema {
  return Type.String({
    pattern: ADDRESS_FORMATS[family].source,
    description: ADDRESS_DESCRIPTIONS[family],
  });
}

export const vaspName = words(255, {
  description:
    'The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.',
  examples: ['Kraken'],
});

/** `accountInfo`. The row of its type in account-table.ts defines its further fields. */
export interface AccountInfo {
  readonly accountType: string;
  readonly beneficiary?: Beneficiary;
  readonly vaspName?: string;
  readonly [field: string]: unknown;
}

/** A field's text; undefined if it is missing or not a text. */
export function readTextField(info: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = Object.hasOwn(info, field) ? info[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function has(info: Readonly<Record<string, unknown>>, field: string): boolean {
  return Object.hasOwn(info, field) && info[field] !== undefined;
}
