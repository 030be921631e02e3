import { rowFor } from '#edge/sandbox/table.ts';
import { ID_TOKENS_TABLE } from '#edge/sandbox/wallets/wallets-table.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';

/**
 * The sandbox's issuers sign nothing: any text works as the signature (wallets.md §7). Their tokens may also be dated in
 * real time, because a token's maker need not know that the platform's clock was moved.
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
