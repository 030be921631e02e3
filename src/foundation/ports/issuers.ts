/** The issuers of OpenID Connect tokens with which end users log in: Google, Apple, the operator's own. */
export interface IssuersPort {
  /** Whether tokens of this `iss` are accepted at all; compared exactly. */
  supports(issuer: string): boolean;
  /** The times by which its tokens may be dated: a token must be fresh by one of them (wallets.md §6.5). */
  datingTimes(platformTime: Date): readonly Date[];
  /**
   * Whether the issuer signed the token (wallets.md §6.5). `unavailable`: it cannot be checked now, so the token is not
   * trusted. Never throws, whatever the token is.
   */
  verifySignature(token: string, issuer: string): Promise<'valid' | 'invalid' | 'unavailable'>;
}
