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

/** The digits are tested first because the library strips all other characters. */
export function isCpf(value: string): boolean {
  return /^[0-9]{11}$/.test(value) && cpf.isValid(value);
}

/** Digits only, like the contract's `taxId`; the library would accept the alphanumeric form too. */
export function isCnpj(value: string): boolean {
  return /^[0-9]{14}$/.test(value) && cnpj.isValid(value);
}

function isUuidWithOrWithoutHyphens(value: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(value);
}

/**
 * A static BR Code (accounts.md §2.4): the EMV string behind a PIX QR code, payable any number of times and
 * for any amount to one PIX key.
 */
export function brCode(pixKey: string, holderName: string): string {
  const payload = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', pixKey)),
    field('52', '0000'),
    field('53', '986'),
    field('58', 'BR'),
    field('59', plainName(holderName)),
    field('60', 'SAO PAULO'),
    field('62', field('05', '***')),
    `${CRC_ID}04`,
  ].join('');
  return payload + crc16(payload);
}

/** The string closes with field 63, the checksum of everything before its four digits. */
export function hasValidCrc(code: string): boolean {
  const payload = code.slice(0, -4);
  return /^[\x20-\x7e]+$/.test(code) && payload.endsWith(`${CRC_ID}04`) && crc16(payload) === code.slice(-4);
}

const CRC_ID = '63';
const NAME_LENGTH_MAX = 25;

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}

/** EMV allows 25 plain characters: accents are dropped, and so are characters without a plain form. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 .&-]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return plain.slice(0, NAME_LENGTH_MAX).trim() || 'RECEBEDOR';
}

/** CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF), as four capital hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
