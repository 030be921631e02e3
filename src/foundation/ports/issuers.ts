/** Who issues the tokens with which people log in elsewhere (OpenID Connect): Google, Apple, the operator's own. */
export interface IssuersPort {
  /** Whether tokens of this `iss` are accepted at all; compared exactly. */
  supports(issuer: string): boolean;
  /** The times by which its tokens may be dated: one of them has to find a token fresh (wallets.md §6.5). */
  datingTimes(platformTime: Date): readonly Date[];
  /**
   * Whether the issuer signed the token (wallets.md §6.5). `unavailable`: nobody can say now, so it is not trusted.
   * Never throws, whatever the token is.
   */
  verifySignature(token: string, issuer: string): Promise<'valid' | 'invalid' | 'unavailable'>;
}
