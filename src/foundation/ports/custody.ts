/** Makes the keys of embedded wallets. They are stored sealed, so that their owners can take them along. */
export interface CustodyPort {
  /** Called inside the transaction that opens the wallet, and may not wait. */
  newSeed(): WalletSeed;
  /** The wallet's Spark address, which follows from its seed (wallets.md W46a). */
  addressOf(seed: WalletSeed): Promise<string>;
  /** Whether the service signs what it exports (wallets.md §7). */
  readonly signsExports: boolean;
}

/** What a wallet's address follows from. Each wallet keeps its own, whatever new ones are made with. */
export interface WalletSeed {
  /** Twelve words (BIP-39). */
  readonly mnemonic: string;
  /** Where the key that identifies the wallet is derived from them. */
  readonly derivationPath: string;
}
