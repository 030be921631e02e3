import type { IssuersPort } from '#ports/issuers.ts';
import { rowFor } from '#sandbox/table.ts';
import { ID_TOKENS_TABLE } from '#sandbox/wallets-table.ts';

/** The sandbox's issuers sign nothing: any text in the place of the signature will do (wallets.md §7). */
export function sandboxIssuers(supported: { has(issuer: string): boolean }): IssuersPort {
  return {
    supports: (issuer) => supported.has(issuer),
    async verifySignature(token, issuer) {
      const [, , signature = ''] = token.split('.');
      const isTaken = signature !== '' && rowFor(ID_TOKENS_TABLE, token).does === 'VALID';
      return supported.has(issuer) && isTaken ? 'valid' : 'invalid';
    },
  };
}
