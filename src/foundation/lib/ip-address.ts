import { isIP } from 'node:net';

/** IPv4 or IPv6. Node accepts a zone in an address, but a zone has a meaning on one machine only. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}
