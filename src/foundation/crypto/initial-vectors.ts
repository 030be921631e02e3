import { randomBytes } from 'node:crypto';

export const IV_BYTES = 12;

/**
 * Returns a new initial vector for AES-GCM. Many are drawn at a time, because each draw costs as much as sealing a
 * short value.
 */
export function nextIv(): Buffer {
  if (ivsLeft.length === 0) ivsLeft = randomBytes(IV_BYTES * IVS_AT_ONCE);
  const iv = ivsLeft.subarray(0, IV_BYTES);
  ivsLeft = ivsLeft.subarray(IV_BYTES);
  return iv;
}

const IVS_AT_ONCE = 256;
let ivsLeft: Buffer = Buffer.alloc(0);
