import {
  type AccountInfo,
  has,
  readTextField,
} from '#capabilities/external-accounts/types/account-fields.ts';
import { ifscExists } from '#capabilities/external-accounts/types/ifsc.ts';
import {
  isMobileMoneyNumber,
  type MobileMoneyCountry,
} from '#capabilities/external-accounts/types/mobile-money.ts';
import { filterInstitutions, type Institution } from '#capabilities/platform/institutions.ts';
import {
  isAbaRoutingNumber,
  isBicOfCountry,
  isClabe,
  isIban,
  isNuban,
  isSepaIban,
  isUsAccountNumber,
} from '#foundation/lib/identifiers/account-numbers.ts';
import { isBrazilTaxId, isPixKey, type PixKeyType } from '#foundation/lib/identifiers/brazil.ts';
import { isBolt12Offer, isPayableInvoice } from '#foundation/lib/identifiers/lightning.ts';
import { isPhoneOfCountry } from '#foundation/lib/identifiers/phone.ts';
import { isWalletAddress, type WalletType } from '#foundation/lib/identifiers/wallet-address.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** The facts that a check needs besides the account itself. */
export interface StrictContext {
  readonly now: Date;
  isTestRoutingNumber(routingNumber: string): boolean;
}

/** Why an account is refused (accounts.md §3.6): an impossible number, or an invalid value in another field. */
export interface StrictProblem {
  readonly code: 'INVALID_BANK_ACCOUNT' | 'INVALID_INPUT';
  readonly error: FieldError;
}

export type StrictCheck = (info: AccountInfo, context: StrictContext) => StrictProblem | undefined;

export function ibanCheck(country: string): StrictCheck {
  return number('iban', (iban) => isIban(iban, country), `is not an IBAN of ${country}`);
}

export const sepaIban = number('iban', isSepaIban, 'is not an IBAN of the SEPA area');

/** The IBAN belongs to the country in the account's `country` field. */
export const ibanOfItsCountry = number(
  'iban',
  (iban, info) => isIban(iban, readTextField(info, 'country')),
  'is not an IBAN of the account’s country',
);

export function bicCheck(country: string): StrictCheck {
  return number('swiftCode', (bic) => isBicOfCountry(bic, country), `is not a BIC of ${country}`);
}

/**
 * Checked only if the phone number identifies the account; beside a bank account it is contact data (accounts.md §4.2).
 */
export function phoneCheck(country: string): StrictCheck {
  const check = number(
    'phoneNumber',
    (phone) => isPhoneOfCountry(phone, country),
    `is not a phone number of ${country}`,
  );
  return (info, context) =>
    has(info, 'accountNumber') || has(info, 'iban') ? undefined : check(info, context);
}

export function mobileMoneyCheck(country: MobileMoneyCountry): StrictCheck {
  return number(
    'phoneNumber',
    (phone) => isMobileMoneyNumber(phone, country),
    `is not a mobile money number of ${country}`,
  );
}

export const mobileMoneyOfRegion = number(
  'phoneNumber',
  (phone, info) => isMobileMoneyNumber(phone, readTextField(info, 'region') as MobileMoneyCountry),
  'is not a mobile money number of the region',
);

export function providers(...names: string[]): StrictCheck {
  return listed('provider', () => names);
}

/**
 * DIR: the name is in the directory, in exactly this spelling; without a directory there is no check (accounts.md
 * §4.1).
 */
export function inDirectory(field: 'bankName' | 'provider', country: string, currency: string): StrictCheck {
  return listed(field, () => namesIn(country, currency));
}

/** DIR for a currency that several countries share, each with its own providers. */
export function providerOfRegion(currency: string): StrictCheck {
  return listed('provider', (info) => {
    const region = readTextField(info, 'region');
    return region === undefined ? [] : namesIn(region, currency);
  });
}

export const ifsc = number('ifsc', (text) => ifscExists(text), 'is not the IFSC of a branch');

export const clabe = number('clabeNumber', isClabe, 'has a wrong check digit');

export const nuban = number(
  'accountNumber',
  (accountNumber, info) => isNuban(accountNumber, lookUpBankCode(readTextField(info, 'bankName'))),
  'has a wrong check digit for this bank',
);

export const pixKey = number(
  'pixKey',
  (key, info) => isPixKey(readTextField(info, 'pixKeyType') as PixKeyType, key),
  'is not a PIX key of its type',
);

export const brazilTaxId = number('taxId', isBrazilTaxId, 'is neither a CPF nor a CNPJ');

/** For every type: payment messages cannot carry digits of other scripts or emoji. */
export const writtenAccountNumber = number(
  'accountNumber',
  (accountNumber) => /^[A-Za-z0-9][A-Za-z0-9 ./-]*$/.test(accountNumber),
  'may contain only letters from A to Z, digits, spaces and -./',
);

export const usAccountNumber = number('accountNumber', isUsAccountNumber, 'must have 4 to 17 digits');

export const abaRoutingNumber = routingNumber('routingNumber');

export const intermediaryRoutingNumber = routingNumber('intermediaryRoutingNumber');

function routingNumber(field: string): StrictCheck {
  return number(
    field,
    (value, _info, context) => context.isTestRoutingNumber(value) || isAbaRoutingNumber(value),
    'is not an ABA routing number',
  );
}

/** A bank whose BIC is not in the directory must be named (accounts.md §4.2, SGD). */
export const singaporeBank: StrictCheck = (info) => {
  if (has(info, 'bankName')) return undefined;
  return number(
    'swiftCode',
    (bic) => lookUpSingaporeBank(bic) !== undefined,
    'belongs to an unknown bank; give its name in bankName',
  )(info, NO_CONTEXT);
};

export function lookUpSingaporeBank(bic: string): Institution | undefined {
  return filterInstitutions('SG', 'SGD').find((institution) => institution.bic === bic.slice(0, 8));
}

export function walletAddressCheck(type: WalletType): StrictCheck {
  return value('address', (address) => isWalletAddress(type, address), 'is not an address of this network');
}

export const payableInvoice = value(
  'invoice',
  (invoice, context) => isPayableInvoice(invoice, context.now),
  'is not an invoice that can be paid now',
);

export const bolt12Offer = value('bolt12', isBolt12Offer, 'is not a BOLT 12 offer');

const NO_CONTEXT: StrictContext = { now: new Date(0), isTestRoutingNumber: () => false };

function number(
  field: string,
  isRight: (text: string, info: AccountInfo, context: StrictContext) => boolean,
  message: string,
): StrictCheck {
  return (info, context) => {
    const text = readTextField(info, field);
    if (text === undefined || isRight(text, info, context)) return undefined;
    return { code: 'INVALID_BANK_ACCOUNT', error: { field: `accountInfo.${field}`, message } };
  };
}

function value(
  field: string,
  isRight: (text: string, context: StrictContext) => boolean,
  message: string,
): StrictCheck {
  return (info, context) => {
    const text = readTextField(info, field);
    if (text === undefined || isRight(text, context)) return undefined;
    return { code: 'INVALID_INPUT', error: { field: `accountInfo.${field}`, message } };
  };
}

function listed(field: string, namesOf: (info: AccountInfo) => readonly string[]): StrictCheck {
  return (info) => {
    const text = readTextField(info, field);
    const names = namesOf(info);
    if (text === undefined || names.length === 0 || names.includes(text)) return undefined;
    const message = 'is not one of the names that `GET /discoveries` lists';
    return {
      code: 'INVALID_INPUT',
      error: { field: `accountInfo.${field}`, constraint: { enum: names }, message },
    };
  };
}

function namesIn(country: string, currency: string): string[] {
  return filterInstitutions(country, currency).map(({ bankName }) => bankName);
}

function lookUpBankCode(bankName: string | undefined): string | undefined {
  return filterInstitutions('NG', 'NGN').find((institution) => institution.bankName === bankName)?.bankCode;
}
