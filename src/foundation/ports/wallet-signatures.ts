/** Literals that an environment accepts from the owner of a wallet instead of a real signature (wallets.md §7). */
export interface WalletSignaturesPort {
  /** Instead of a session's signature, except where a new session proves its own key. */
  isAlwaysValid(stamp: string): boolean;
  /** Instead of a passkey's signature. */
  isAlwaysValidAssertion(signature: string): boolean;
}
