import { cnpj, cpf } from 'cpf-cnpj-validator';

export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

const EMAIL_LENGTH_MAX = 77;

/** accounts.md §4.3, PIX key: each type has its own form. */
export function isPixKey(type: PixKeyType, key: string): boolean {
  switch (type) {
    case 'CPF':
      return isCpf(key);
    case 'CNPJ':
      return isCnpj(key);
    case 'EMAIL':
      return key.length <= EMAIL_LENGTH_MAX && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(key);
    case 'PHONE':
      return /^\+55[0-9]{10,11}$/.test(key);
    case 'RANDOM':
      return isUuidWithOrWithoutHyphens(key);
    default:
      return false;
  }
}

/** A taxpayer: a person's CPF (11 digits) or a company's CNPJ (14 digits). */
export function isBrazilTaxId(value: string): boolean {
  return isCpf(value) || isCnpj(value);
}

/** The digits are tested first because the library strips whatever else it finds. */
export function isCpf(value: string): boolean {
  return /^[0-9]{11}$/.test(value) && cpf.isValid(value);
}

/** Digits only, as the contract's `taxId`; the library would take the alphanumeric form too. */
export function isCnpj(value: string): boolean {
  return /^[0-9]{14}$/.test(value) && cnpj.isValid(value);
}

function isUuidWithOrWithoutHyphens(value: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(value);
}
