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

/** EMV allows 25 plain characters: accents are dropped, and what has no plain form with them. */
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
