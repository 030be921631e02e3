/** What an environment accepts from the owner of a wallet without a key behind it (wallets.md §7). */
export interface WalletSignaturesPort {
  /** In place of a session's signature, anywhere but where a new session's own key is proved. */
  isAlwaysValid(stamp: string): boolean;
  /** In place of a passkey's signature. */
  isAlwaysValidAssertion(signature: string): boolean;
}
