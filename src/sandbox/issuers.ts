import type { IssuersPort } from '#ports/issuers.ts';

/** The sandbox's issuers sign nothing: any text in the place of the signature will do (wallets.md §7). */
export function sandboxIssuers(supported: { has(issuer: string): boolean }): IssuersPort {
  return {
    supports: (issuer) => supported.has(issuer),
    async verifySignature(token, issuer) {
      const [, , signature = ''] = token.split('.');
      return supported.has(issuer) && signature !== '' ? 'valid' : 'invalid';
    },
  };
}
