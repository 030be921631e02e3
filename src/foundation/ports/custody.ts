/** Creates the keys of embedded wallets. They are stored sealed, so that their owners can export them. */
export interface CustodyPort {
  /** Called inside the transaction that opens the wallet, and may not wait. */
  newSeed(): WalletSeed;
  /** The wallet's Spark address, which is derived from its seed (wallets.md §6.9.46a). */
  addressOf(seed: WalletSeed): Promise<string>;
  /** Whether the service signs its exports (wallets.md §7). */
  readonly signsExports: boolean;
}

/** The seed from which a wallet's address is derived. Each wallet keeps its own path, even if new wallets use another. */
export interface WalletSeed {
  /** Twelve words (BIP-39). */
  readonly mnemonic: string;
  /** The path at which the key that identifies the wallet is derived. */
  readonly derivationPath: string;
}
