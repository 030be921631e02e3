import type { Clock } from '#lib/clock.ts';
import type { IssuersPort } from '#ports/issuers.ts';
import { rowFor } from '#sandbox/table.ts';
import { ID_TOKENS_TABLE } from '#sandbox/wallets-table.ts';

/**
 * The sandbox's issuers sign nothing: any text in the place of the signature will do (wallets.md §7). Their tokens may be
 * dated by real time, too: their maker need not know that the platform's clock was moved.
 */
export function sandboxIssuers(supported: { has(issuer: string): boolean }, clock: Clock): IssuersPort {
  return {
    supports: (issuer) => supported.has(issuer),
    datingTimes: (platformTime) => [platformTime, new Date(clock.now())],
    async verifySignature(token, issuer) {
      const [, , signature = ''] = token.split('.');
      const isTaken = signature !== '' && rowFor(ID_TOKENS_TABLE, token).does === 'VALID';
      return supported.has(issuer) && isTaken ? 'valid' : 'invalid';
    },
  };
}
